// What a rod is held by: a plate where its first point stands still and its line goes on from there.
import { BufferGeometry, LatheGeometry, Mesh, Quaternion, Vector2, Vector3 } from "three";
import type { Shapes } from "./frames";
import { surface } from "./materials";

const wait = 500; // ms during which the point has stood still
const radius = 5.2; // of the plate, over that of the rod
const thickness = 2.2; // the same

export class Mount {
  readonly mesh: Mesh;
  #since = performance.now(); // ms, when the point moved last
  #at = new Vector3(Number.NaN);
  #along = new Vector3();
  #up = new Vector3(0, 1, 0);
  #turn = new Quaternion();

  constructor() {
    const material = surface({ color: 0x2c333d, roughness: 0.55, metalness: 0.35, clearcoat: 0.25 });
    this.mesh = new Mesh(plate(), material);
    this.mesh.visible = false;
    this.mesh.castShadow = this.mesh.receiveShadow = true;
  }

  update(s: Shapes): void {
    const d = s.data;
    const moved = Math.hypot(d[0] - this.#at.x, d[1] - this.#at.y, d[2] - this.#at.z);
    const now = performance.now();
    if (!(moved < 1e-6)) this.#since = now;
    this.#at.set(d[0], d[1], d[2]);
    // a rod is long and held at one end; what swims is neither
    const length = Math.hypot(d[d.length - 3] - d[0], d[d.length - 2] - d[1], d[d.length - 1] - d[2]);
    this.mesh.visible = now - this.#since > wait && s.name !== "body" && length > 0;
    if (!this.mesh.visible) return;
    this.#along.set(d[3] - d[0], d[4] - d[1], d[5] - d[2]).normalize();
    this.mesh.position.copy(this.#at);
    this.mesh.quaternion.copy(this.#turn.setFromUnitVectors(this.#up, this.#along));
    this.mesh.scale.setScalar(s.size.x);
  }
}

/** A plate with rounded edges whose face is at 0, about the y axis, for a rod of radius 1. */
function plate(): BufferGeometry {
  const edge = 0.35;
  const outline = [new Vector2(0, -thickness), new Vector2(radius, -thickness)];
  for (let i = 0; i <= 6; i++) {
    const a = (Math.PI / 2) * (i / 6);
    outline.push(new Vector2(radius - edge + edge * Math.cos(a), -edge + edge * Math.sin(a)));
  }
  outline.push(new Vector2(0, 0));
  return new LatheGeometry(outline, 64);
}
