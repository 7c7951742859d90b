// Uses a node as Foxglove does, with Foxglove's own libraries, and tells what it saw.
//
// Arguments: the address of the WebSocket, the subprotocol, the robot's namespace, and what to
// do: "look" subscribes to all channels and decodes what comes; "operate" bends a tendon robot,
// pauses it, changes parameters and stops it in an emergency. The output is one JSON object.
const WebSocket = require("ws");
const { FoxgloveClient } = require("@foxglove/ws-protocol");
const { parse } = require("@foxglove/rosmsg");
const { MessageReader, MessageWriter } = require("@foxglove/rosmsg2-serialization");

const [address, subprotocol, node, task] = process.argv.slice(2);
const ws = new WebSocket(address, [subprotocol]);
const client = new FoxgloveClient({ ws });
const seen = { channels: {}, services: [], statuses: [] };
const channels = new Map(); // by topic
const services = new Map(); // by name
const bySubscription = new Map();
let parameterReplies = new Map(); // by id
let parameterUpdates = [];
let assets = [];
let failures = [];
const replies = new Map(); // by call

const limit = setTimeout(() => end("not within 300 s"), 300000);

function end(fault) {
  clearTimeout(limit);
  if (fault) {
    seen.fault = String(fault.stack ?? fault);
  }
  seen.protocol = ws.protocol;
  const printable = (_, v) => (typeof v === "bigint" ? Number(v) : ArrayBuffer.isView(v) ? Array.from(v) : v);
  process.stdout.write(JSON.stringify(seen, printable) + "\n", () => process.exit(0));
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

// A limit is for what never comes: a busy machine takes many times as long as an idle one.
async function until(what, condition) {
  for (let i = 0; i < 6000; i++) {
    const v = condition();
    if (v) {
      return v;
    }
    await pause(10);
  }
  throw new Error(`not within 60 s: ${what}`);
}

client.on("error", (e) => end(e));
client.on("close", () => end("the connection was closed"));
client.on("serverInfo", (info) => (seen.info = info));
client.on("status", (s) => seen.statuses.push(s));
client.on("time", (t) => (seen.time = t.timestamp));
client.on("advertise", (list) => list.forEach((c) => channels.set(c.topic, c)));
client.on("advertiseServices", (list) => {
  list.forEach((s) => services.set(s.name, s));
  seen.services = [...services.keys()];
});
client.on("parameterValues", (m) => (m.id ? parameterReplies.set(m.id, m.parameters) : parameterUpdates.push(...m.parameters)));
client.on("fetchAssetResponse", (m) => assets.push(m));
client.on("serviceCallFailure", (m) => failures.push(m));
client.on("serviceCallResponse", (m) => replies.set(m.callId, m));
client.on("connectionGraphUpdate", (m) => (seen.graph = m));
client.on("message", ({ subscriptionId, timestamp, data }) => {
  const { topic, reader } = bySubscription.get(subscriptionId);
  const message = reader.readMessage(data);
  const unread = data.byteLength - reader.lastReadByteLength();
  const of = (seen.channels[topic] ??= { count: 0, unread: 0, backwards: 0, stamp: 0 });
  of.backwards += Number(timestamp) < of.stamp ? 1 : 0;
  of.count++;
  of.unread += unread;
  of.stamp = Number(timestamp);
  of.last = message;
});

function subscribeAll() {
  for (const c of channels.values()) {
    const id = client.subscribe(c.id);
    bySubscription.set(id, { topic: c.topic, reader: new MessageReader(parse(c.schema, { ros2: true })) });
  }
}

let calls = 0;
async function call(name, request) {
  const s = services.get(`${node}/${name}`);
  const data = new MessageWriter(parse(s.request.schema, { ros2: true })).writeMessage(request);
  const callId = ++calls;
  client.sendServiceCallRequest({ serviceId: s.id, callId, encoding: "cdr", data });
  const r = await until(`reply of ${name}`, () => replies.get(callId));
  return new MessageReader(parse(s.response.schema, { ros2: true })).readMessage(r.data);
}

const last = (name) => seen.channels[`${node}/${name}`]?.last;
const tip = () => ({ ...last("measured_cp").pose.position });
const distance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z);

// fresh is the tip once further poses of it have come.
async function fresh(poses) {
  const channel = seen.channels[`${node}/measured_cp`];
  const enough = channel.count + poses;
  await until("further poses", () => channel.count >= enough);
  return tip();
}

async function look() {
  await pause(2500); // diagnostics and statistics come once a second
}

async function operate() {
  await until("the tip", () => last("measured_cp") && last("measured_js") && last("operating_state"));
  seen.before = tip();
  // a joint state, of which the measured one has the schema
  const schema = channels.get(`${node}/measured_js`).schema;
  const writer = new MessageWriter(parse(schema, { ros2: true }));
  const pull = client.advertise({ topic: `${node}/servo_jf`, encoding: "cdr", schemaName: "sensor_msgs/msg/JointState" });
  const header = { stamp: { sec: 0, nanosec: 0 }, frame_id: "" };
  const command = writer.writeMessage({ header, name: [], position: [], velocity: [], effort: [3, 0, 0, 0].slice(0, last("measured_js").name.length) });
  const stream = setInterval(() => client.sendMessage(pull, command), 20);
  await until("a bent robot", () => distance(tip(), seen.before) > 0.01);
  seen.bent = tip();

  seen.paused = await call("pause", { data: true });
  await until("PAUSED", () => last("operating_state").state === "PAUSED");
  // poses of before the pause may still come
  seen.still = [await fresh(20), await fresh(20)];
  seen.resumed = await call("pause", { data: false });
  clearInterval(stream);

  client.subscribeParameterUpdates([]);
  client.getParameters([], "all");
  seen.parameters = await until("parameters", () => parameterReplies.get("all"));
  client.setParameters([{ name: "command_timeout_s", value: 7 }], "set");
  seen.set = await until("the reply", () => parameterReplies.get("set"));
  seen.update = await until("the update", () => parameterUpdates.find((p) => p.name === "command_timeout_s"));
  client.setParameters([{ name: "rod.length_m", value: 0.7 }], "fixed");
  seen.fixed = await until("the refusal", () => parameterReplies.get("fixed"));

  client.fetchAsset("package://robot.urdf", 9);
  seen.asset = await until("the refusal of an asset", () => assets[0]);
  client.subscribeConnectionGraph();
  await until("the graph", () => seen.graph);
  const s = services.get(`${node}/e_stop`);
  client.sendServiceCallRequest({ serviceId: s.id, callId: 99, encoding: "json", data: new Uint8Array([123, 125]) });
  seen.failure = await until("the refusal of an encoding", () => failures[0]);

  seen.stopped = await call("e_stop", {});
  seen.fault_state = await until("FAULT", () => last("operating_state").state === "FAULT");
}

client.on("open", async () => {
  try {
    await until("what there is", () => seen.info && channels.size > 0 && services.size > 0);
    subscribeAll();
    await { look, operate }[task]();
    end();
  } catch (e) {
    end(e);
  }
});
