// Surfaces of triangles, such as walls, seen through where they are transparent.
import { BufferAttribute, BufferGeometry, DoubleSide, Mesh } from "three";
import type { Shapes } from "./frames";
import { glassy, glassOpacity, surface } from "./materials";

export class Surfaces {
  readonly object: Mesh;
  #shown?: Float32Array;

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
    this.object.position.fromArray(s.data);
    this.object.quaternion.fromArray(s.data, 3);
    if (this.#shown === s.corners) return;
    this.#shown = s.corners;
    const g = this.object.geometry;
    g.setAttribute("position", new BufferAttribute(s.corners ?? new Float32Array(), 3));
    g.computeVertexNormals();
  }
}
