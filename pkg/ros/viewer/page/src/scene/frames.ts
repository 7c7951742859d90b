// The scenes of the last moments, and the one that is to be shown now: between two of them, a little
// late, so that motion is even on any screen.

export const Kind = { tube: 1, disk: 2, sphere: 3, polyline: 4, arrow: 5 } as const;

/** Shapes of a kind that look alike; see sinew_msgs/Scene. */
export interface Shapes {
  name: string;
  kind: number;
  color: { r: number; g: number; b: number; a: number };
  size: { x: number; y: number; z: number };
  data: Float32Array;
  radii: Float32Array;
}

export interface Scene {
  scale: number;
  shapes: Shapes[];
}

interface Frame {
  time: number; // s
  scene: Scene;
}

/** Numbers of a pose: x y z qx qy qz qw. */
export const poseWidth = 7;
const most = 8; // frames kept
const jump = 0.5; // s: a greater difference of the clocks is a new beginning

export class Frames {
  #frames: Frame[] = [];
  #offset = Number.NaN; // of the newest stamp from this computer's time, s
  #interval = 1 / 60;
  #out: Scene = { scale: 1, shapes: [] };

  clear(): void {
    this.#frames = [];
    this.#offset = Number.NaN;
  }

  add(time: number, scene: Scene): void {
    const now = performance.now() / 1000;
    const last = this.#frames.at(-1);
    const offset = time - now;
    if (!last || time < last.time || Math.abs(offset - this.#offset) > jump) {
      this.#frames = [];
      this.#offset = offset;
    } else {
      // the frames that come soonest tell the difference of the clocks; it may drift
      this.#offset = Math.max(offset, this.#offset - 0.0005);
      this.#interval += 0.05 * (Math.min(time - last.time, 0.2) - this.#interval);
    }
    this.#frames.push({ time, scene });
    if (this.#frames.length > most) this.#frames.shift();
  }

  /** What is to be seen now, valid until the next call; nothing before there was a frame. */
  now(): Scene | undefined {
    const all = this.#frames;
    if (all.length === 0) return undefined;
    const t = performance.now() / 1000 + this.#offset - 1.6 * this.#interval;
    let i = all.length - 1;
    while (i > 0 && all[i].time > t) i--;
    const a = all[i];
    const b = all[i + 1];
    if (!b || t <= a.time) return a.scene;
    return this.#between(a.scene, b.scene, (t - a.time) / (b.time - a.time));
  }

  #between(a: Scene, b: Scene, u: number): Scene {
    if (a.shapes.length !== b.shapes.length) return b;
    const out = this.#out;
    out.scale = b.scale;
    out.shapes.length = b.shapes.length;
    for (let i = 0; i < b.shapes.length; i++) {
      const p = a.shapes[i];
      const q = b.shapes[i];
      if (p.data.length !== q.data.length || p.name !== q.name) {
        out.shapes[i] = q;
        continue;
      }
      const old = out.shapes[i]?.data;
      const data = old && old.length === q.data.length && old !== p.data && old !== q.data ? old : new Float32Array(q.data.length);
      mix(p.data, q.data, u, data, q.kind === Kind.disk || q.kind === Kind.sphere);
      out.shapes[i] = { ...q, data };
    }
    return out;
  }
}

/** Writes (1 − u) a + u b; the quaternions of poses go the short way. */
function mix(a: Float32Array, b: Float32Array, u: number, out: Float32Array, poses: boolean): void {
  for (let i = 0; i < out.length; i++) out[i] = a[i] + u * (b[i] - a[i]);
  if (!poses) return;
  for (let i = 3; i < out.length; i += poseWidth) {
    const dot = a[i] * b[i] + a[i + 1] * b[i + 1] + a[i + 2] * b[i + 2] + a[i + 3] * b[i + 3];
    const s = dot < 0 ? -1 : 1;
    let n = 0;
    for (let k = i; k < i + 4; k++) {
      out[k] = (1 - u) * s * a[k] + u * b[k];
      n += out[k] * out[k];
    }
    n = 1 / Math.sqrt(n || 1);
    for (let k = i; k < i + 4; k++) out[k] *= n;
  }
}
