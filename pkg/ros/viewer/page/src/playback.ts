// The binary messages by which a recording is played; the client of the protocol does not have them.
import type { Playback } from "./source";

const control = 3;
const state = 5;
const playing = 0;
const ended = 3;

/** Asks to play or pause, at a speed, and perhaps to go to a time, s. */
export function controlMessage(play: boolean, speed: number, time?: number): ArrayBuffer {
  const id = "page";
  const b = new DataView(new ArrayBuffer(19 + id.length));
  b.setUint8(0, control);
  b.setUint8(1, play ? 0 : 1);
  b.setFloat32(2, speed, true);
  b.setUint8(6, time === undefined ? 0 : 1);
  b.setBigUint64(7, BigInt(Math.round((time ?? 0) * 1e6)) * 1000n, true);
  b.setUint32(15, id.length, true);
  [...id].forEach((c, i) => b.setUint8(19 + i, c.charCodeAt(0)));
  return b.buffer;
}

/** Reads how things stand; undefined for other messages. */
export function playbackState(data: unknown, from: number, to: number): Playback | undefined {
  if (!(data instanceof ArrayBuffer) || data.byteLength < 19) return undefined;
  const b = new DataView(data);
  if (b.getUint8(0) !== state) return undefined;
  const speed = Number(b.getFloat32(10, true).toPrecision(4));
  return { playing: b.getUint8(1) === playing, ended: b.getUint8(1) === ended, sought: b.getUint8(14) !== 0, time: Number(b.getBigUint64(2, true)) / 1e9, speed, from, to };
}
