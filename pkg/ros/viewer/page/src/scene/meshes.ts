// The triangles of walls. They come once, and when they change; scenes tell where they are.
import { Kind, type Scene } from "./frames";

export class Meshes {
  #corners: Float32Array[] = [];
  #newest?: Scene;

  clear(): void {
    this.#corners = [];
    this.#newest = undefined;
  }

  take(m: Scene): void {
    this.#corners = m.shapes.map((s) => s.data);
    if (this.#newest) this.fill(this.#newest); // a viewer that is slow may get them later
  }

  /** Gives the meshes of a scene their triangles. */
  fill(scene: Scene): Scene {
    this.#newest = scene;
    let n = 0;
    for (const s of scene.shapes) if (s.kind === Kind.mesh) s.corners = this.#corners[n++];
    return scene;
  }
}
