// What of a scene is shown, and how long its arrows are.
import { arrowWidth, Kind, type Scene, type Shapes } from "./frames";

/** Layers in the order in which they are offered; those after walls are drawn by the page. */
export const layerNames = ["robot", "disks", "tendons", "forces", "field", "moments", "magnets", "path", "hardware", "overlay", "walls", "ground", "frames"] as const;
export type Layer = (typeof layerNames)[number];

const byName: Record<string, Layer> = { field: "field", contact: "forces", external_force: "forces", body_force: "forces", magnet: "magnets", hil_error: "hardware", trail: "path", vessel: "walls", wall: "walls" };

/** The layer of a shape, by what its name and kind say of it. */
export function layerOf(s: Shapes): Layer {
  if (s.name.startsWith("overlay ")) return "overlay";
  if (s.name.startsWith("hardware")) return "hardware";
  if (s.kind === Kind.arrow && !["field", "forces"].includes(byName[s.name])) return "moments";
  if (byName[s.name]) return byName[s.name];
  if (["body", "swarm", "backbone"].includes(s.name)) return "robot";
  if (s.kind === Kind.mesh) return "walls";
  if (s.kind === Kind.polyline) return "tendons";
  return s.kind === Kind.disk ? "disks" : "robot";
}

export class Layers {
  readonly hidden = new Set<Layer>(["frames"]);
  /** Layers of the scenes so far. */
  readonly present = new Set<Layer>(["ground", "frames"]);
  /** How much longer arrows of forces and fields are drawn. */
  scale = 1;
  /** The longest arrow of each name now, m as drawn. */
  readonly longest = new Map<string, number>();
  #scaled = new WeakMap<Shapes, Shapes>();
  #factor = 1; // of those

  clear(): void {
    this.present.clear();
    this.present.add("ground").add("frames");
  }

  shows(l: Layer): boolean {
    return !this.hidden.has(l);
  }

  /** What of a scene is shown. */
  of(scene: Scene): Scene {
    this.longest.clear();
    if (this.#factor !== this.scale) [this.#scaled, this.#factor] = [new WeakMap(), this.scale];
    const shapes: Shapes[] = [];
    for (const s of scene.shapes) {
      const l = layerOf(s);
      this.present.add(l);
      if (this.hidden.has(l)) continue;
      const sized = l === "forces" || l === "field";
      if (sized) this.longest.set(s.name, Math.max(this.longest.get(s.name) ?? 0, this.scale * longestOf(s)));
      shapes.push(sized && this.scale !== 1 ? this.#enlarge(s) : s);
    }
    return { scale: scene.scale, shapes };
  }

  /** The arrows of a shape, longer from where they begin. */
  #enlarge(s: Shapes): Shapes {
    let to = this.#scaled.get(s);
    if (!to || to.data.length !== s.data.length) this.#scaled.set(s, (to = { ...s, data: new Float32Array(s.data.length) }));
    [to.color, to.size] = [s.color, s.size];
    for (let i = 0; i < s.data.length; i++) {
      const from = i % arrowWidth < 3 ? i : i - 3;
      to.data[i] = s.data[from] + this.scale * (s.data[i] - s.data[from]);
    }
    return to;
  }
}

function longestOf(s: Shapes): number {
  let most = 0;
  const d = s.data;
  for (let i = 0; i + 5 < d.length; i += arrowWidth) most = Math.max(most, Math.hypot(d[i + 3] - d[i], d[i + 4] - d[i + 1], d[i + 5] - d[i + 2]));
  return most;
}
