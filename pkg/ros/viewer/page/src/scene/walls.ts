// Surfaces of triangles, such as walls: flat where they are, seen through where they are transparent.
import { BufferAttribute, BufferGeometry, DoubleSide, Mesh } from "three";
import type { Shapes } from "./frames";
import { glassy, glassOpacity, surface } from "./materials";

export class Surfaces {
  readonly object: Mesh;
  #shown: Float32Array = new Float32Array();

  constructor(s: Shapes) {
    const glass = s.color.a < 0.6;
    const material = glass ? glassy() : surface({ roughness: 0.6, metalness: 0.05, side: DoubleSide, transparent: s.color.a < 1, opacity: s.color.a });
    this.object = new Mesh(new BufferGeometry(), material);
    this.object.frustumCulled = false;
    this.object.castShadow = this.object.receiveShadow = !glass;
    this.object.userData.paint = (c: Shapes["color"]) => {
      material.color.setRGB(c.r, c.g, c.b, "srgb");
      if (glass) material.opacity = c.a * glassOpacity;
    };
  }

  update(s: Shapes): void {
    this.object.userData.paint(s.color);
    if (same(this.#shown, s.data)) return; // walls stand still
    this.#shown = s.data;
    const g = this.object.geometry;
    g.setAttribute("position", new BufferAttribute(s.data, 3));
    g.computeVertexNormals();
  }
}

function same(a: Float32Array, b: Float32Array): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
