// Reads an MCAP file by its index with the library of the format, decodes every
// message with Foxglove's, and prints what it found as one line of JSON:
// {profile, topics: {name: {type, messages, first, last, sample}}, attachments,
// metadata}. Times are text, in nanoseconds; sample is the last message.
const fs = require("node:fs/promises");
const { McapIndexedReader } = require("@mcap/core");
const { parse } = require("@foxglove/rosmsg");
const { MessageReader } = require("@foxglove/rosmsg2-serialization");

// source reads a file as the library wants it.
function source(file) {
  return {
    size: async () => BigInt((await file.stat()).size),
    read: async (offset, length) => {
      const bytes = new Uint8Array(Number(length));
      const { bytesRead } = await file.read(bytes, 0, Number(length), Number(offset));
      if (bytesRead !== Number(length)) {
        throw new Error(`${bytesRead} of ${length} bytes at ${offset}`);
      }
      return bytes;
    },
  };
}

function printable(key, value) {
  return ArrayBuffer.isView(value) ? Array.from(value) : typeof value === "bigint" ? String(value) : value;
}

async function main(path) {
  const file = await fs.open(path);
  const reader = await McapIndexedReader.Initialize({ readable: source(file) });
  const readers = new Map();
  const found = { profile: reader.header.profile, topics: {}, attachments: {}, metadata: {} };
  let before = 0n;
  for await (const message of reader.readMessages({ validateCrcs: true })) {
    if (message.logTime < before) {
      throw new Error("messages are out of order");
    }
    before = message.logTime;
    const channel = reader.channelsById.get(message.channelId);
    const schema = reader.schemasById.get(channel.schemaId);
    if (channel.messageEncoding !== "cdr" || schema.encoding !== "ros2msg") {
      throw new Error(`${channel.topic}: ${channel.messageEncoding}, ${schema.encoding}`);
    }
    if (!readers.has(schema.id)) {
      readers.set(schema.id, new MessageReader(parse(new TextDecoder().decode(schema.data), { ros2: true })));
    }
    const decoder = readers.get(schema.id);
    const sample = decoder.readMessage(message.data);
    if (decoder.lastReadByteLength() !== message.data.byteLength) {
      throw new Error(`${channel.topic}: bytes are left over`);
    }
    const topic = (found.topics[channel.topic] ??= { type: schema.name, messages: 0, first: message.logTime });
    Object.assign(topic, { messages: topic.messages + 1, last: message.logTime, sample });
  }
  if (reader.statistics.messageCount !== Object.values(found.topics).reduce((n, t) => n + BigInt(t.messages), 0n)) {
    throw new Error(`the statistics have ${reader.statistics.messageCount} messages`);
  }
  for await (const a of reader.readAttachments({ validateCrcs: true })) {
    found.attachments[a.name] = new TextDecoder().decode(a.data);
  }
  for await (const m of reader.readMetadata()) {
    found.metadata[m.name] = Object.fromEntries(m.metadata);
  }
  console.log(JSON.stringify(found, printable));
}

main(process.argv[2]).catch((err) => {
  console.error(err);
  process.exit(1);
});
