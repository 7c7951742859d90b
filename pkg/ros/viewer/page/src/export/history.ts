// The scenes of the last minute, or of what has room, to be seen again or made a GIF of.
import type { Scene } from "../scene/frames";

const longest = 61; // s
const mostBytes = 64e6;
const rate = 30; // Hz, at which scenes are kept

export class History {
  #kept: { time: number; scene: Scene; bytes: number }[] = [];
  #bytes = 0;

  clear(): void {
    this.#kept = [];
    this.#bytes = 0;
  }

  add(time: number, scene: Scene): void {
    const last = this.#kept.at(-1);
    if (last && time < last.time) this.clear();
    else if (last && time - last.time < 0.9 / rate) return;
    const bytes = scene.shapes.reduce((n, s) => n + s.data.byteLength + s.radii.byteLength, 0);
    this.#kept.push({ time, scene, bytes });
    this.#bytes += bytes;
    while (this.#kept[0].time < time - longest || (this.#bytes > mostBytes && this.#kept.length > 1)) this.#bytes -= this.#kept.shift()!.bytes;
  }

  /** From when to when there are scenes, s; nothing while there are none. */
  get span(): [number, number] | undefined {
    return this.#kept.length ? [this.#kept[0].time, this.#kept.at(-1)!.time] : undefined;
  }

  /** The newest scene at a time, s. */
  at(time: number): Scene | undefined {
    return newest(this.#kept, time);
  }

  /** The scenes so far, which stay. */
  snapshot(): (time: number) => Scene | undefined {
    const kept = [...this.#kept];
    return (time) => newest(kept, time);
  }
}

/** The last of some scenes that is not after a time, s. */
function newest(kept: { time: number; scene: Scene }[], time: number): Scene | undefined {
  let [low, high] = [0, kept.length];
  while (low < high) {
    const mid = (low + high) >> 1;
    if (kept[mid].time <= time + 1e-9) low = mid + 1;
    else high = mid;
  }
  return kept[Math.max(low - 1, 0)]?.scene;
}
