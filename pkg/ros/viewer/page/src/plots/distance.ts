// The distance of two poses that are published at times of their own.
import type { Message } from "../source";

const longest = 1; // s, between two messages, over which nothing is interpolated

interface Sample {
  time: number; // s
  at: { x: number; y: number; z: number };
}

const apart = (a: Sample["at"], b: Sample["at"]) => Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z);

/** At each time of the first pose the distance to the second, which is interpolated: it is known once a later message of that has come. */
export class Distance {
  readonly topics: [string, string];
  #waiting: Sample[] = []; // of the first
  #second: Sample[] = []; // up to the newest one, from the last before those that wait
  #newest?: Sample; // of the first

  constructor(topics: [string, string]) {
    this.topics = topics;
  }

  /** Takes a message of one of both topics, ascending in time for each, and returns the distances that are known now, m. */
  take(m: Message): { time: number; distance: number }[] {
    const s = { time: m.time, at: m.data.pose.position };
    if (m.topic === this.topics[0]) {
      if (this.#newest && s.time < this.#newest.time) this.#waiting = [];
      this.#newest = s;
      this.#waiting.push(s);
    } else {
      if (this.#second.length && s.time < this.#second.at(-1)!.time) this.#second = [];
      this.#second.push(s);
    }
    return this.#known();
  }

  #known(): { time: number; distance: number }[] {
    const list: { time: number; distance: number }[] = [];
    const other = this.#second;
    let k = 0;
    while (this.#waiting.length && other.length && this.#waiting[0].time <= other.at(-1)!.time) {
      const a = this.#waiting.shift()!;
      while (k + 1 < other.length && other[k + 1].time <= a.time) k++;
      const [b, c] = [other[k], other[k + 1]];
      if (b.time > a.time) continue; // it is before the second begins
      if (b.time === a.time || !c) list.push({ time: a.time, distance: apart(a.at, b.at) });
      else if (c.time - b.time <= longest) {
        const u = (a.time - b.time) / (c.time - b.time);
        const mix = (x: "x" | "y" | "z") => b.at[x] + u * (c.at[x] - b.at[x]);
        list.push({ time: a.time, distance: apart(a.at, { x: mix("x"), y: mix("y"), z: mix("z") }) });
      }
    }
    other.splice(0, k); // the last one before what comes next stays
    return list;
  }

  /** The distance of the newest messages of both, as a moment of a recording shows them, m; not a number where one is missing or old. */
  get now(): number {
    const [a, b] = [this.#newest, this.#second.at(-1)];
    return a && b && Math.abs(a.time - b.time) <= longest ? apart(a.at, b.at) : Number.NaN;
  }
}
