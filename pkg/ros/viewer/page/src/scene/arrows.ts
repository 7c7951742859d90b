// Arrows that look alike, drawn as one: shafts with heads somewhat more than twice as wide.
import { BufferGeometry, ConeGeometry, CylinderGeometry, DynamicDrawUsage, Group, InstancedMesh } from "three";
import { arrowWidth, type Shapes } from "./frames";
import { surface, type Surface } from "./materials";

const wide = 2.2; // of a head, over its shaft
const longest = 0.4; // of a head, over the arrow
const usual = 6; // the same over the radius of the shaft
const least = 0.1; // length of what is drawn, over that radius
const fewShadows = 40; // arrows up to which each has a shadow

export class Arrows {
  readonly object = new Group();
  #material: Surface;
  #parts: InstancedMesh[] = [];
  #room = 0;

  #thinnest: () => number;

  /** thinnest is the least radius of a shaft, m. */
  constructor(s: Shapes, thinnest: () => number) {
    this.#thinnest = thinnest;
    this.#material = surface({ roughness: 0.45, transparent: s.color.a < 1, opacity: s.color.a });
  }

  update(s: Shapes): void {
    const n = s.data.length / arrowWidth;
    if (n > this.#room) this.#grow(n);
    this.#material.color.setRGB(s.color.r, s.color.g, s.color.b, "srgb");
    const [shafts, heads] = this.#parts;
    const [a, b] = [shafts.instanceMatrix.array as Float32Array, heads.instanceMatrix.array as Float32Array];
    const d = s.data;
    const r = Math.max(s.size.x, this.#thinnest());
    for (let i = 0, o = 0; i < d.length; i += arrowWidth, o += 16) {
      const [x, y, z] = [d[i + 3] - d[i], d[i + 4] - d[i + 1], d[i + 5] - d[i + 2]];
      const length = Math.hypot(x, y, z);
      const shown = length > least * s.size.x ? 1 : 0;
      const [tx, ty, tz] = shown ? [x / length, y / length, z / length] : [0, 0, 1];
      const tip = Math.min(longest * length, usual * r) * shown;
      const shaft = (length - tip) * shown;
      place(a, o, tx, ty, tz, r * shown, shaft, d[i], d[i + 1], d[i + 2]);
      place(b, o, tx, ty, tz, r * shown, tip, d[i] + shaft * tx, d[i + 1] + shaft * ty, d[i + 2] + shaft * tz);
    }
    for (const p of this.#parts) {
      p.count = n;
      p.castShadow = n <= fewShadows && s.color.a >= 0.6;
      p.instanceMatrix.needsUpdate = true;
    }
  }

  /** Makes room for so many, and some more: forces of contact come and go. */
  #grow(n: number): void {
    this.#room = Math.max(n, 2 * this.#room);
    const shapes: BufferGeometry[] = this.#parts.length
      ? this.#parts.map((p) => p.geometry)
      : [new CylinderGeometry(1, 1, 1, 20), new ConeGeometry(wide, 1, 28)].map((g) => g.rotateX(Math.PI / 2).translate(0, 0, 0.5));
    for (const p of this.#parts) {
      this.object.remove(p);
      p.dispose();
    }
    this.#parts = shapes.map((g) => {
      const p = new InstancedMesh(g, this.#material, this.#room);
      p.instanceMatrix.setUsage(DynamicDrawUsage);
      p.frustumCulled = false;
      return p;
    });
    this.object.add(...this.#parts);
  }
}

/** Writes the matrix of what has its z axis along the unit vector t, is r wide and l long, and begins at x y z. */
function place(m: Float32Array, o: number, tx: number, ty: number, tz: number, r: number, l: number, x: number, y: number, z: number): void {
  // an orthonormal basis without a case of its own for any direction but straight down
  const s = tz >= 0 ? 1 : -1;
  const a = -1 / (s + tz);
  const b = tx * ty * a;
  m[o] = r * (1 + s * tx * tx * a);
  m[o + 1] = r * s * b;
  m[o + 2] = -r * s * tx;
  m[o + 3] = 0;
  m[o + 4] = r * b;
  m[o + 5] = r * (s + ty * ty * a);
  m[o + 6] = -r * ty;
  m[o + 7] = 0;
  m[o + 8] = l * tx;
  m[o + 9] = l * ty;
  m[o + 10] = l * tz;
  m[o + 11] = 0;
  m[o + 12] = x;
  m[o + 13] = y;
  m[o + 14] = z;
  m[o + 15] = 1;
}
