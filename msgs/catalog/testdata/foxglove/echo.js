// Decodes ROS 2 messages with Foxglove's libraries and encodes them again.
//
// Each line of the input is a JSON object {schema, hex}: a ros2msg schema and a
// message in CDR. Each line of the output is a JSON object {message, unread, hex}:
// the decoded message; the number of bytes that the decoder left; and what the
// library writes from the decoded message. All numbers are text.
const readline = require("node:readline");
const { parse } = require("@foxglove/rosmsg");
const { MessageReader, MessageWriter } = require("@foxglove/rosmsg2-serialization");

// printable makes JSON of typed arrays and of numbers that JSON cannot tell apart.
function printable(key, value) {
  if (ArrayBuffer.isView(value)) {
    return Array.from(value);
  }
  if (typeof value === "bigint") {
    return String(value);
  }
  if (typeof value === "number") {
    return Object.is(value, -0) ? "-0" : String(value);
  }
  return value;
}

const codecs = new Map();
readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const given = JSON.parse(line);
  if (!codecs.has(given.schema)) {
    const definitions = parse(given.schema, { ros2: true });
    codecs.set(given.schema, { reader: new MessageReader(definitions), writer: new MessageWriter(definitions) });
  }
  const { reader, writer } = codecs.get(given.schema);
  const bytes = Buffer.from(given.hex, "hex");
  const message = reader.readMessage(bytes);
  const answer = {
    message,
    unread: bytes.length - reader.lastReadByteLength(),
    hex: Buffer.from(writer.writeMessage(message)).toString("hex"),
  };
  console.log(JSON.stringify(answer, printable));
});
