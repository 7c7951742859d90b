// How large what is drawn is, where its floor is, and where the robot is.
import { Box3, Quaternion, Vector3 } from "three";
import { hasPoses, Kind, poseWidth, type Scene, type Shapes } from "./frames";
import { factsOf } from "./place";

const mostMeasured = 500; // points of shapes that are looked at for their extent
const far = 2; // sizes of the rod, from which on something does not count: a magnet that an arm holds would make the robot small

export class Extent {
  /** What there is now, and where the robot has been. */
  readonly now = new Box3();
  readonly all = new Box3();
  /** The middle of the robot; not a number where it has none. */
  readonly body = new Vector3(Number.NaN);
  size = 0; // drawn
  floor = Number.NaN; // height of the ground
  #at = new Vector3();
  #rod = new Box3();

  clear(): void {
    this.all.makeEmpty();
    this.body.set(Number.NaN, 0, 0);
    this.size = 0;
    this.floor = Number.NaN;
  }

  /** Which robot of a swarm is the one that counts. */
  robot = 0;

  /** Takes a scene; follow tells that only what there is now is to be seen. It reports whether there is anything. */
  measure(scene: Scene, follow: boolean): boolean {
    const box = this.now.makeEmpty();
    const p = this.#at;
    const rod = this.#rod.makeEmpty();
    for (const s of scene.shapes) if (s.kind === Kind.tube && !aside(s)) for (let i = 0; i < s.data.length; i += 3) rod.expandByPoint(place(s, i, p));
    const reach = rod.isEmpty() ? Infinity : far * rod.getSize(p).length();
    for (const s of scene.shapes) {
      if (aside(s)) continue;
      const r = Math.max(s.size.x, s.kind === Kind.sphere ? Math.max(s.size.y, s.size.z) : 0);
      const [data, wide] = placesOf(s);
      const every = Math.max(1, Math.floor(data.length / wide / mostMeasured)) * wide;
      for (let i = 0; i + 2 < data.length; i += every) {
        if (rod.distanceToPoint(place(s, i, p)) > reach) continue;
        box.expandByPoint(p.addScalar(r));
        box.expandByPoint(p.addScalar(-2 * r));
      }
    }
    if (box.isEmpty()) return false;
    bodyOf(scene, this.body, this.robot);
    if (follow) this.all.copy(box);
    else this.all.union(box);
    this.size = Math.max(this.size * 0.9995, this.all.getSize(p).length());
    const margin = 0.12 * this.size;
    if (!(this.floor <= box.min.z - 0.02 * this.size)) this.floor = Math.min(Number.isNaN(this.floor) ? Infinity : this.floor, box.min.z - margin);
    if (this.floor < box.min.z - 1.2 * this.size) this.floor = box.min.z - margin;
    return true;
  }
}

/** The numbers of where a shape is, and how many of them are one place. */
function placesOf(s: Shapes): [Float32Array, number] {
  if (s.kind === Kind.mesh) return [s.corners ?? new Float32Array(), 3];
  return [s.data, hasPoses(s) ? poseWidth : 3];
}

/** Writes the place of a shape that begins with number i. */
function place(s: Shapes, i: number, to: Vector3): Vector3 {
  if (s.kind !== Kind.mesh) return to.set(s.data[i], s.data[i + 1], s.data[i + 2]);
  to.fromArray(s.corners!, i).applyQuaternion(attitude.fromArray(s.data, 3));
  return to.set(to.x + s.data[0], to.y + s.data[1], to.z + s.data[2]);
}

const attitude = new Quaternion();

/** Whether a shape says nothing of how large the robot is: walls and ways are as long as one likes. */
const aside = (s: Shapes) => s.color.a < 0.6 || s.name === "trail";

/** Writes where the robot of a scene is: its body, or else the first thing that has a place; of a swarm that of a number. */
export function bodyOf(scene: Scene, to: Vector3, robot = 0): Vector3 {
  const other = robot > 0 ? factsOf(scene, { name: "swarm", index: robot - 1 }) : undefined;
  if (other) return to.copy(other.drawn);
  to.set(Number.NaN, 0, 0);
  for (const s of scene.shapes) {
    const own = s.name === "body";
    if (!own && (!Number.isNaN(to.x) || aside(s))) continue;
    if (placesOf(s)[1] === poseWidth) place(s, 0, to);
    else if (own) middle(s, to);
  }
  return to;
}

function middle(s: Shapes, to: Vector3): void {
  const { length } = placesOf(s)[0];
  to.set(0, 0, 0);
  for (let i = 0; i < length; i += 3) to.add(place(s, i, at));
  to.multiplyScalar(3 / length);
}

const at = new Vector3();
