// The shapes of a scene as objects of three.js, which are kept from frame to frame.
import { CylinderGeometry, DynamicDrawUsage, Group, IcosahedronGeometry, InstancedMesh, Mesh, Object3D, SphereGeometry, Vector3, type BufferGeometry } from "three";
import { Arrows } from "./arrows";
import { linear, viridisTo } from "./colors";
import { dispose, glassOpacity, glassy, surface, type Surface } from "./materials";
import { Mount } from "./mount";
import { Kind, poseWidth, type Scene, type Shapes } from "./frames";
import { TubeGeometry } from "./tube";
import { Surfaces } from "./walls";

const manyInstances = 400; // from which on round bodies have few facets
const tooManyInstances = 3000;
const thinLine = 0.6; // of the thinnest rod

/** How rods are coloured. */
export type Coloring = "plain" | "curvature" | "strain";

interface Drawn {
  object: Object3D;
  update(s: Shapes): void;
}

export class ShapeSet {
  readonly group = new Group();
  coloring: Coloring = "plain";
  range = 0; // of the colours: the greatest curvature (1/m) or strain seen
  scale = 1;
  /** Radius below which rods and arrows are not drawn, m: a guide wire in a vessel is to be seen. */
  thinnest = 0;
  /** The greatest curvature, 1/m, and strain of the rod now. */
  curvature = 0;
  strain = 0;
  instances = 0;
  /** What is shown. */
  scene?: Scene;
  /** The same with what is hidden. */
  whole?: Scene;
  #drawn = new Map<string, Drawn>();

  clear(): void {
    this.#drawn.forEach((d) => this.#drop(d));
    this.#drawn.clear();
    this.scene = this.whole = undefined;
    this.range = 0;
  }

  #drop(d: Drawn): void {
    this.group.remove(d.object);
    d.object.traverse((o) => {
      if (o instanceof Mesh) {
        o.geometry.dispose();
        dispose(o.material);
        if (o instanceof InstancedMesh) o.dispose();
      }
    });
  }

  /** Shows a scene. */
  show(scene: Scene): void {
    this.scene = scene;
    this.scale = scene.scale;
    this.curvature = 0;
    this.strain = 0;
    this.instances = 0;
    const used = new Set<string>();
    const seen = new Map<string, number>();
    for (const s of scene.shapes) {
      const n = seen.get(s.name) ?? 0;
      seen.set(s.name, n + 1);
      const key = `${s.name} ${n} ${s.kind} ${layout(s)}`;
      let d = this.#drawn.get(key);
      if (!d) {
        const made = this.#make(s, n === 0);
        if (!made) continue;
        d = made;
        d.object.name = s.name;
        this.#drawn.set(key, d);
        this.group.add(d.object);
      }
      used.add(key);
      d.update(s);
    }
    for (const [key, d] of this.#drawn) {
      if (!used.has(key)) {
        this.#drop(d);
        this.#drawn.delete(key);
      }
    }
  }

  /** Where lines of these names pull: from the beginning of the rod to theirs, of length 1. */
  pulls(names: string[]): ([number, number, number] | undefined)[] {
    const rod = this.whole?.shapes.find((s) => s.kind === Kind.tube);
    return names.map((name) => {
      const line = this.whole?.shapes.find((s) => s.kind === Kind.polyline && s.name === name);
      if (!rod || !line) return undefined;
      const v = [0, 1, 2].map((c) => line.data[c] - rod.data[c]);
      const n = Math.hypot(...v);
      return n > 0 ? [v[0] / n, v[1] / n, v[2] / n] : undefined;
    });
  }

  /** Makes the object of a shape; begins tells that it is the first of its name: a rod of several stretches is held at that. */
  #make(s: Shapes, begins: boolean): Drawn | undefined {
    const points = s.data.length / 3;
    switch (s.kind) {
      case Kind.tube:
        return points >= 2 ? this.#tube(s, points, begins) : undefined;
      case Kind.polyline:
        return points >= 2 ? this.#line(s, points) : undefined;
      case Kind.disk:
        return this.#disks(s);
      case Kind.sphere:
        return this.#spheres(s);
      case Kind.arrow:
        return new Arrows(s, () => this.thinnest);
      case Kind.mesh:
        return new Surfaces(s);
    }
    return undefined;
  }

  #tube(s: Shapes, points: number, begins: boolean): Drawn {
    const glass = s.color.a < 0.6;
    const smooth = points > 2 ? Math.max(1, Math.min(4, Math.round(120 / points))) : 1;
    const geometry = new TubeGeometry(points, glass ? 48 : 24, smooth);
    const material = glass ? glassy() : surface({ vertexColors: true, roughness: 0.42, metalness: 0.05, clearcoat: 0.35, clearcoatRoughness: 0.4 });
    const mesh = new Mesh(geometry, material);
    mesh.frustumCulled = false;
    mesh.castShadow = !glass;
    mesh.receiveShadow = !glass;
    const mount = begins ? new Mount() : undefined;
    if (mount) mesh.add(mount.mesh);
    return {
      object: mesh,
      update: (s) => {
        if (glass) material.opacity = s.color.a * glassOpacity;
        if (glass) material.color.setRGB(s.color.r, s.color.g, s.color.b, "srgb");
        const plain = [linear(s.color.r), linear(s.color.g), linear(s.color.b)];
        const radius = s.size.x / this.scale; // of life
        const of = this.coloring === "strain" ? radius : 1;
        const range = this.range || 1;
        geometry.set(s.data, s.size.x, s.radii, this.scale, glass ? 0 : this.thinnest, (k, _, out, at) => {
          if (this.coloring === "plain" || glass) out.set(glass ? [1, 1, 1] : plain, at);
          else viridisTo((k * of) / range, out, at);
        });
        if (glass) return;
        mount?.update(s);
        this.curvature = Math.max(this.curvature, geometry.greatest);
        this.strain = Math.max(this.strain, geometry.greatest * radius);
        this.range = Math.max(this.range * 0.999, geometry.greatest * of, 1e-9);
      },
    };
  }

  #line(s: Shapes, points: number): Drawn {
    const trail = points > 60;
    const geometry = new TubeGeometry(points, trail ? 6 : 8, 1);
    const material = surface({ vertexColors: true, roughness: 0.55, metalness: 0.1, transparent: s.color.a < 1, opacity: s.color.a });
    const mesh = new Mesh(geometry, material);
    mesh.frustumCulled = false;
    mesh.castShadow = !trail;
    return {
      object: mesh,
      update: (s) => {
        const c = [linear(s.color.r), linear(s.color.g), linear(s.color.b)];
        geometry.set(s.data, s.size.x / 2, undefined, this.scale, thinLine * this.thinnest, (_, share, out, at) => {
          const glow = trail ? 0.25 + 0.75 * share : 1; // the way behind fades
          out[at] = c[0] * glow;
          out[at + 1] = c[1] * glow;
          out[at + 2] = c[2] * glow;
        });
      },
    };
  }

  #disks(s: Shapes): Drawn {
    const glass = s.color.a < 0.6;
    const geometry = new CylinderGeometry(1, 1, 1, 64).rotateX(Math.PI / 2);
    const material = glass ? glassy() : surface({ roughness: 0.5, metalness: 0.15, clearcoat: 0.2, transparent: s.color.a < 1, opacity: Math.min(1, s.color.a + 0.1) });
    return this.#instanced(s, geometry, material, (s, m) => m.set(s.size.x, s.size.x, s.size.z), glass);
  }

  #spheres(s: Shapes): Drawn {
    const n = s.data.length / poseWidth;
    const geometry = n > tooManyInstances ? new IcosahedronGeometry(1, 1) : n > manyInstances ? new SphereGeometry(1, 16, 10) : new SphereGeometry(1, 48, 32);
    const glass = s.color.a < 0.6;
    const material = glass ? glassy() : surface({ roughness: 0.35, metalness: 0.25, transparent: s.color.a < 1, opacity: s.color.a });
    return this.#instanced(s, geometry, material, (s, m) => m.set(s.size.x, s.size.y, s.size.z), glass);
  }

  #instanced(s: Shapes, geometry: BufferGeometry, material: Surface, size: (s: Shapes, to: Vector3) => void, glass: boolean): Drawn {
    const n = s.data.length / poseWidth;
    const mesh = new InstancedMesh(geometry, material, n);
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.frustumCulled = false;
    mesh.castShadow = !glass && n <= tooManyInstances;
    mesh.receiveShadow = !glass && n <= manyInstances;
    const extent = new Vector3();
    return {
      object: mesh,
      update: (s) => {
        material.color.setRGB(s.color.r, s.color.g, s.color.b, "srgb");
        if (glass) material.opacity = s.color.a * glassOpacity;
        size(s, extent);
        this.instances += n;
        writeMatrices(s.data, extent, mesh.instanceMatrix.array as Float32Array);
        mesh.instanceMatrix.needsUpdate = true;
      },
    };
  }
}

/** What must stay the same for an object to be used on. */
function layout(s: Shapes): string {
  return `${s.kind === Kind.arrow ? "" : s.data.length} ${s.color.a < 0.6}`;
}

/** Writes matrices column by column of poses x y z qx qy qz qw and semi-axes. */
function writeMatrices(d: Float32Array, size: Vector3, out: Float32Array): void {
  for (let i = 0, o = 0; i < d.length; i += poseWidth, o += 16) {
    const [x, y, z, w] = [d[i + 3], d[i + 4], d[i + 5], d[i + 6]];
    out[o] = (1 - 2 * (y * y + z * z)) * size.x;
    out[o + 1] = 2 * (x * y + z * w) * size.x;
    out[o + 2] = 2 * (x * z - y * w) * size.x;
    out[o + 3] = 0;
    out[o + 4] = 2 * (x * y - z * w) * size.y;
    out[o + 5] = (1 - 2 * (x * x + z * z)) * size.y;
    out[o + 6] = 2 * (y * z + x * w) * size.y;
    out[o + 7] = 0;
    out[o + 8] = 2 * (x * z + y * w) * size.z;
    out[o + 9] = 2 * (y * z - x * w) * size.z;
    out[o + 10] = (1 - 2 * (x * x + y * y)) * size.z;
    out[o + 11] = 0;
    out[o + 12] = d[i];
    out[o + 13] = d[i + 1];
    out[o + 14] = d[i + 2];
    out[o + 15] = 1;
  }
}
