// The centre line of a rod as it is published: its nodes, and between them the curve that is drawn.
import { Vector3 } from "three";
import { Kind, type Scene } from "./frames";
import { curvatures } from "./tube";

const joined = 1e-5; // gap between two sections of one rod, over the length of the first

export class CenterLine {
  /** Numbers x y z of the nodes, as drawn. */
  readonly nodes: Float32Array;
  readonly radius: number[]; // at the nodes, as drawn
  /** Arc lengths of the nodes, as drawn. */
  readonly arcs: Float64Array;
  #bend: Float32Array; // curvature, as drawn

  private constructor(nodes: Float32Array, radius: number[]) {
    [this.nodes, this.radius] = [nodes, radius];
    const n = nodes.length / 3;
    this.#bend = new Float32Array(n);
    curvatures(nodes, this.#bend);
    this.arcs = new Float64Array(n);
    for (let k = 1; k < n; k++) {
      const i = 3 * k;
      const chord = Math.hypot(nodes[i] - nodes[i - 3], nodes[i + 1] - nodes[i - 2], nodes[i + 2] - nodes[i - 1]);
      const bend = 0.5 * (this.#bend[k - 1] + this.#bend[k]);
      this.arcs[k] = this.arcs[k - 1] + chord * (1 + (bend * chord) ** 2 / 24); // of an arc over its chord
    }
  }

  /** The line of the tubes or of the polyline of a name; tubes that go on from one another are sections of one rod. */
  static of(scene: Scene, name: string): CenterLine | undefined {
    const parts = scene.shapes.filter((s) => s.name === name && (s.kind === Kind.tube || s.kind === Kind.polyline) && s.data.length >= 6);
    if (parts.length === 0) return undefined;
    const nodes: number[] = [];
    const radius: number[] = [];
    for (const p of parts) {
      const [d, n] = [p.data, nodes.length];
      const reach = Math.hypot(...[0, 1, 2].map((c) => d[d.length - 3 + c] - d[c]));
      const gap = n ? Math.hypot(...[0, 1, 2].map((c) => d[c] - nodes[n - 3 + c])) : 0;
      if (gap > joined * reach) break;
      const first = n ? 3 : 0; // the node that both have
      for (let i = first; i < d.length; i++) nodes.push(d[i]);
      for (let k = first / 3; k < d.length / 3; k++) radius.push(p.radii.length ? p.radii[k] : p.kind === Kind.tube ? p.size.x : p.size.x / 2);
    }
    return new CenterLine(Float32Array.from(nodes), radius);
  }

  get last(): number {
    return this.arcs.length - 1;
  }

  get length(): number {
    return this.arcs[this.last];
  }

  /** The node, with a fraction, at an arc length. */
  nodeAt(arc: number): number {
    let k = 0;
    while (k < this.last - 1 && this.arcs[k + 1] < arc) k++;
    return Math.min(Math.max(k + (arc - this.arcs[k]) / (this.arcs[k + 1] - this.arcs[k] || 1), 0), this.last);
  }

  /** The arc length at a node with a fraction. */
  arcAt(node: number): number {
    return this.#mix(node, this.arcs);
  }

  curvatureAt(node: number): number {
    return this.#mix(node, this.#bend);
  }

  radiusAt(node: number): number {
    return this.#mix(node, this.radius);
  }

  #mix(node: number, of: ArrayLike<number>): number {
    const k = Math.min(Math.floor(node), this.last - 1);
    return of[k] + (node - k) * (of[k + 1] - of[k]);
  }

  /** Writes where the line is at a node with a fraction, and along which unit vector it goes on, on the Catmull-Rom curve that is drawn. */
  place(node: number, at: Vector3, along?: Vector3): void {
    const k = Math.min(Math.floor(node), this.last - 1);
    const u = node - k;
    const p = this.nodes;
    const value = (c: number) => {
      const [b, d] = [p[3 * k + c], p[3 * k + 3 + c]];
      const a = k === 0 ? 2 * b - d : p[3 * k - 3 + c];
      const e = k === this.last - 1 ? 2 * d - b : p[3 * k + 6 + c];
      const [c1, c2, c3] = [d - a, 2 * a - 5 * b + 4 * d - e, 3 * (b - d) + e - a];
      return [b + 0.5 * u * (c1 + u * (c2 + u * c3)), c1 + u * (2 * c2 + 3 * u * c3)];
    };
    const [x, y, z] = [value(0), value(1), value(2)];
    at.set(x[0], y[0], z[0]);
    along?.set(x[1], y[1], z[1]).normalize();
  }
}
