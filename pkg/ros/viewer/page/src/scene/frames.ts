// The scenes of the last moments, and the one that is to be shown now: between two of them, a little
// late, so that motion is even on any screen.

export const Kind = { tube: 1, disk: 2, sphere: 3, polyline: 4, arrow: 5, mesh: 6 } as const;

/** Shapes of a kind that look alike; see sinew_msgs/Scene. */
export interface Shapes {
  name: string;
  kind: number;
  color: { r: number; g: number; b: number; a: number };
  size: { x: number; y: number; z: number };
  data: Float32Array;
  radii: Float32Array;
  /** Of a mesh, in axes at its pose, which is its data; nothing before they have come. */
  corners?: Float32Array;
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
/** Numbers of an arrow: from and to. */
export const arrowWidth = 6;
/** Whether data are poses, and not points. */
export const hasPoses = (s: Shapes) => s.kind === Kind.disk || s.kind === Kind.sphere || s.kind === Kind.mesh;

const most = 8; // frames kept
const jump = 0.5; // s: a greater difference of the clocks is a new beginning

export class Frames {
  #frames: Frame[] = [];
  #offset = Number.NaN; // of the newest stamp from this computer's time, s
  #interval = 1 / 60;
  #out: Scene = { scale: 1, shapes: [] };
  #mixed: Shapes[] = []; // used from picture to picture

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
    out.shapes.length = this.#mixed.length = b.shapes.length;
    for (let i = 0; i < b.shapes.length; i++) {
      const p = a.shapes[i];
      const q = b.shapes[i];
      if (p.data.length !== q.data.length || p.name !== q.name) {
        out.shapes[i] = q;
        continue;
      }
      const m = (this.#mixed[i] ??= { ...q, data: new Float32Array(q.data.length) });
      [m.name, m.kind, m.color, m.size, m.radii, m.corners] = [q.name, q.kind, q.color, q.size, q.radii, q.corners];
      if (m.data.length !== q.data.length) m.data = new Float32Array(q.data.length);
      if (hasPoses(q)) mixPoses(p.data, q.data, u, m.data);
      else mix(p.data, q.data, u, m.data);
      out.shapes[i] = m;
    }
    return out;
  }
}

/** Writes (1 − u) a + u b. */
function mix(a: Float32Array, b: Float32Array, u: number, out: Float32Array): void {
  for (let i = 0; i < out.length; i++) out[i] = a[i] + u * (b[i] - a[i]);
}

/** The same of poses; their quaternions go the short way. */
function mixPoses(a: Float32Array, b: Float32Array, u: number, out: Float32Array): void {
  for (let i = 0; i + poseWidth <= out.length; i += poseWidth) {
    out[i] = a[i] + u * (b[i] - a[i]);
    out[i + 1] = a[i + 1] + u * (b[i + 1] - a[i + 1]);
    out[i + 2] = a[i + 2] + u * (b[i + 2] - a[i + 2]);
    const dot = a[i + 3] * b[i + 3] + a[i + 4] * b[i + 4] + a[i + 5] * b[i + 5] + a[i + 6] * b[i + 6];
    const v = dot < 0 ? u - 1 : 1 - u;
    const x = v * a[i + 3] + u * b[i + 3];
    const y = v * a[i + 4] + u * b[i + 4];
    const z = v * a[i + 5] + u * b[i + 5];
    const w = v * a[i + 6] + u * b[i + 6];
    const n = 1 / Math.sqrt(x * x + y * y + z * z + w * w || 1);
    out[i + 3] = n * x;
    out[i + 4] = n * y;
    out[i + 5] = n * z;
    out[i + 6] = n * w;
  }
}
