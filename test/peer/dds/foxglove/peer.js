// The same program as peer.c on Foxglove's library, which can only subscribe:
//
//   node peer.js DOMAIN sub TOPIC QOS
//
// with the same output.
const readline = require("node:readline");
Object.defineProperty(require("avl"), "__esModule", { value: true }); // as the library expects of it
const { CdrReader } = require("@foxglove/cdr");
const { Participant, Durability, Reliability, HistoryKind } = require("@foxglove/rtps");
const { UdpSocketNode } = require("@foxglove/rtps/nodejs");

const loopback = "127.0.0.1";

// LoopbackSocket hears the multicast group on the loopback interface.
class LoopbackSocket extends UdpSocketNode {
  async addMembership(group) {
    await super.addMembership(group, loopback);
  }
  async bind(options) {
    await super.bind(options);
    await this.setMulticastInterface(loopback);
  }
}

async function main([domain, verb, topicName, qos]) {
  if (verb !== "sub" || qos === undefined) {
    throw new Error("usage: peer.js DOMAIN sub TOPIC QOS");
  }
  const typeName = "peer::dds_::Numbers_";
  const participant = new Participant({
    name: "peer",
    addresses: [loopback],
    domainId: Number(domain),
    udpSocketCreate: async (options) => {
      const plain = await UdpSocketNode.Create(options);
      return Object.setPrototypeOf(plain, LoopbackSocket.prototype);
    },
  });
  participant.on("error", (error) => {
    throw error;
  });
  let matched = false;
  participant.on("discoveredPublication", (writer) => {
    if (!matched && writer.topicName === topicName && writer.typeName === typeName) {
      matched = true;
      console.log("matched");
    }
  });
  participant.on("userData", ({ serializedData }) => {
    const reader = new CdrReader(serializedData);
    const number = reader.uint64();
    const data = reader.float64Array();
    console.log(`${number} ${data.length} ${data.reduce((sum, v) => sum + v, 0)}`);
  });
  await participant.start();
  participant.subscribe({
    topicName,
    typeName,
    durability: qos[1] === "t" ? Durability.TransientLocal : Durability.Volatile,
    reliability: {
      kind: qos[0] === "r" ? Reliability.Reliable : Reliability.BestEffort,
      maxBlockingTime: { sec: 1, nsec: 0 },
    },
    history: { kind: HistoryKind.KeepLast, depth: Number(qos.slice(2)) },
  });
  console.log("ready");
  readline.createInterface({ input: process.stdin }).on("close", async () => {
    await participant.shutdown();
    process.exit(0);
  });
}

main(process.argv.slice(2));
