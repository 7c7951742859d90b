// A round tube along a line of points that moves.
import { BufferAttribute, BufferGeometry, DynamicDrawUsage } from "three";

const capRings = 4; // of the rounded end

/** Colours of tubes: by the point of the line, 0 to 1 each. */
export type Paint = (curvature: number, share: number, out: Float32Array, at: number) => void;

export class TubeGeometry extends BufferGeometry {
  readonly points: number; // of the line
  readonly rings: number;
  readonly sides: number;
  #line: Float32Array; // smoothed
  #bend: Float32Array; // 1/m, of the line
  greatest = 0; // curvature, 1/m

  constructor(points: number, sides: number, smooth: number) {
    super();
    this.points = points;
    this.sides = sides;
    this.rings = (points - 1) * smooth + 1;
    const all = this.rings + 2 * capRings;
    this.#line = new Float32Array(3 * this.rings);
    this.#bend = new Float32Array(this.rings);
    for (const name of ["position", "normal", "color"]) {
      this.setAttribute(name, new BufferAttribute(new Float32Array(3 * all * sides), 3).setUsage(DynamicDrawUsage));
    }
    const index = new Uint32Array(6 * (all - 1) * sides);
    let n = 0;
    for (let r = 0; r + 1 < all; r++) {
      for (let k = 0; k < sides; k++) {
        const l = (k + 1) % sides;
        const [a, b, c, d] = [r * sides + k, r * sides + l, (r + 1) * sides + l, (r + 1) * sides + k];
        index.set([a, b, c, a, c, d], n);
        n += 6;
      }
    }
    this.setIndex(new BufferAttribute(index, 1));
  }

  /** Lays the tube along points x y z; it is nowhere thinner than least. */
  set(points: Float32Array, radius: number, radii: Float32Array | undefined, scale: number, least: number, paint: Paint): void {
    this.#smooth(points);
    const line = this.#line;
    const { rings, sides } = this;
    const position = this.getAttribute("position").array as Float32Array;
    const normal = this.getAttribute("normal").array as Float32Array;
    const color = this.getAttribute("color").array as Float32Array;
    this.greatest = curvatures(line, this.#bend) * scale;
    let [nx, ny, nz] = [0, 0, 0]; // carried along by the smallest rotations
    let [tx, ty, tz] = [1, 0, 0];
    const per = (rings - 1) / (this.points - 1);
    const radiusAt = (i: number) => {
      if (!radii?.length) return Math.max(radius, least);
      const k = Math.min(Math.floor(i / per), this.points - 2);
      return Math.max(radii[k] + (i / per - k) * (radii[k + 1] - radii[k]), least);
    };
    let v = 0;
    const ring = (i: number, along: number, r: number, slope: number) => {
      const [bx, by, bz] = [ty * nz - tz * ny, tz * nx - tx * nz, tx * ny - ty * nx];
      const [cx, cy, cz] = [line[3 * i] + along * tx, line[3 * i + 1] + along * ty, line[3 * i + 2] + along * tz];
      const out = Math.sqrt(1 - slope * slope);
      for (let k = 0; k < sides; k++) {
        const angle = (2 * Math.PI * k) / sides;
        const [c, s] = [Math.cos(angle), Math.sin(angle)];
        const [ux, uy, uz] = [c * nx + s * bx, c * ny + s * by, c * nz + s * bz];
        position[v] = cx + r * ux;
        position[v + 1] = cy + r * uy;
        position[v + 2] = cz + r * uz;
        normal[v] = out * ux + slope * tx;
        normal[v + 1] = out * uy + slope * ty;
        normal[v + 2] = out * uz + slope * tz;
        paint(this.#bend[i] * scale, i / Math.max(rings - 1, 1), color, v);
        v += 3;
      }
    };
    for (let i = 0; i < rings; i++) {
      const [a, b] = [3 * Math.max(i - 1, 0), 3 * Math.min(i + 1, rings - 1)];
      const [dx, dy, dz] = [line[b] - line[a], line[b + 1] - line[a + 1], line[b + 2] - line[a + 2]];
      const d = Math.hypot(dx, dy, dz);
      if (d > 0) [tx, ty, tz] = [dx / d, dy / d, dz / d];
      const along = nx * tx + ny * ty + nz * tz;
      [nx, ny, nz] = [nx - along * tx, ny - along * ty, nz - along * tz];
      let n = Math.hypot(nx, ny, nz);
      if (n < 1e-6) {
        [nx, ny, nz] = Math.abs(tz) < 0.9 ? [-tz * tx, -tz * ty, 1 - tz * tz] : [1 - tx * tx, -tx * ty, -tx * tz];
        n = Math.hypot(nx, ny, nz);
      }
      [nx, ny, nz] = [nx / n, ny / n, nz / n];
      if (i === 0) for (let k = 0; k < capRings; k++) cap(ring, i, radiusAt(i), -1 + k / capRings);
      ring(i, 0, radiusAt(i), 0);
      if (i === rings - 1) for (let k = 1; k <= capRings; k++) cap(ring, i, radiusAt(i), k / capRings);
    }
    for (const name of ["position", "normal", "color"]) this.getAttribute(name).needsUpdate = true;
  }

  /** Fills the line with a Catmull-Rom curve through the points. */
  #smooth(p: Float32Array): void {
    const line = this.#line;
    const n = this.points;
    const per = (this.rings - 1) / (n - 1);
    if (per === 1) {
      line.set(p.subarray(0, 3 * n));
      return;
    }
    for (let i = 0; i < this.rings; i++) {
      const k = Math.min(Math.floor(i / per), n - 2);
      const u = i / per - k;
      const [k0, k3] = [Math.max(k - 1, 0), Math.min(k + 2, n - 1)];
      for (let c = 0; c < 3; c++) {
        const [b, d] = [p[3 * k + c], p[3 * k + 3 + c]];
        const a = k0 === k ? 2 * b - d : p[3 * k0 + c];
        const e = k3 === k + 1 ? 2 * d - b : p[3 * k3 + c];
        line[3 * i + c] = b + 0.5 * u * (d - a + u * (2 * a - 5 * b + 4 * d - e + u * (3 * (b - d) + e - a)));
      }
    }
  }
}

/** A ring of the round end, at a share of the radius along the line. */
function cap(ring: (i: number, along: number, r: number, slope: number) => void, i: number, radius: number, at: number): void {
  const flat = 0.55; // of a half sphere
  const slope = Math.max(-0.999, Math.min(0.999, at));
  ring(i, flat * radius * at, radius * Math.sqrt(Math.max(0, 1 - at * at)), slope);
}

/** Writes the curvature of a line at its points, 1/m, and returns the greatest. */
export function curvatures(line: Float32Array, out: Float32Array): number {
  const n = out.length;
  let greatest = 0;
  const reach = Math.max(1, Math.floor(n / 24)); // of a chord: what is smoothed must not show
  for (let i = 0; i < n; i++) {
    const j = Math.min(Math.max(i, reach), n - 1 - reach);
    const [a, b, c] = [3 * (j - reach), 3 * j, 3 * (j + reach)];
    if (a < 0 || c >= line.length) {
      out[i] = 0;
      continue;
    }
    const [ux, uy, uz] = [line[b] - line[a], line[b + 1] - line[a + 1], line[b + 2] - line[a + 2]];
    const [vx, vy, vz] = [line[c] - line[b], line[c + 1] - line[b + 1], line[c + 2] - line[b + 2]];
    const cross = Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx);
    const sides = Math.hypot(ux, uy, uz) * Math.hypot(vx, vy, vz) * Math.hypot(ux + vx, uy + vy, uz + vz);
    out[i] = sides > 0 ? (2 * cross) / sides : 0;
    greatest = Math.max(greatest, out[i]);
  }
  return greatest;
}
