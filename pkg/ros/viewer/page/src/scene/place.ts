// Places on what is drawn: on a rod, a body or a wall. They go with it.
import { Matrix4, Quaternion, Ray, Vector3 } from "three";
import { CenterLine } from "./centerline";
import { hasPoses, Kind, poseWidth, type Scene, type Shapes } from "./frames";

/** A place on what is drawn, in terms of what it is on. */
export interface Place {
  /** Name of the shapes, and which of those. */
  readonly name: string;
  readonly index: number;
  /** Of a line: the node with a fraction. */
  readonly node?: number;
  /** Of a wall: where on it, in its axes, as drawn. */
  readonly on?: Vector3;
}

/** What is known of a place, in metres of life and world axes. */
export interface Facts {
  /** As drawn, for marks. */
  drawn: Vector3;
  position: Vector3;
  /** Of a line. */
  line?: { arc: number; length: number; curvature: number; strain?: number; along: Vector3 };
  /** Of a body. */
  orientation?: Quaternion;
}

const thinGlass = 0.6; // opacity, below which one sees, and picks, through something

/** What has places, with how many there are of each: what is behind a robot comes last. */
export function placesOf(scene: Scene): { name: string; count: number; line: boolean }[] {
  const found = new Map<string, { name: string; count: number; line: boolean }>();
  for (const s of scene.shapes) {
    if (!isPicked(s)) continue;
    const line = !hasPoses(s);
    const known = found.get(s.name) ?? { name: s.name, count: 0, line };
    known.count = line ? 1 : known.count + s.data.length / poseWidth;
    found.set(s.name, known);
  }
  return [...found.values()];
}

/** Whether one can point at a shape. Arrows, the path behind a robot and planes that follow it are no things. */
function isPicked(s: Shapes): boolean {
  if (s.kind === Kind.arrow || s.name === "trail" || s.data.length === 0) return false;
  return s.kind === Kind.mesh || (s.color.a >= thinGlass && (hasPoses(s) || s.data.length >= 6));
}

/** The facts of a place in a scene; nothing where what it was on is gone. */
export function factsOf(scene: Scene, p: Place): Facts | undefined {
  const drawn = new Vector3();
  if (p.node !== undefined) {
    const line = CenterLine.of(scene, p.name);
    if (!line || p.node > line.last) return undefined;
    const along = new Vector3();
    line.place(p.node, drawn, along);
    const bend = line.curvatureAt(p.node);
    const rod = p.name !== "body" && scene.shapes.some((s) => s.name === p.name && s.kind === Kind.tube); // a helix is made bent
    return {
      drawn, position: drawn.clone().divideScalar(scene.scale),
      line: { arc: line.arcAt(p.node) / scene.scale, length: line.length / scene.scale, curvature: bend * scene.scale, strain: rod ? bend * line.radiusAt(p.node) : undefined, along },
    };
  }
  let before = 0;
  for (const s of scene.shapes) {
    if (s.name !== p.name || !hasPoses(s)) continue;
    const n = s.data.length / poseWidth;
    if (p.index < before + n) {
      const at = poseWidth * (p.index - before);
      const orientation = new Quaternion().fromArray(s.data, at + 3);
      drawn.fromArray(s.data, at);
      if (p.on) drawn.add(p.on.clone().applyQuaternion(orientation));
      return { drawn, position: drawn.clone().divideScalar(scene.scale), orientation };
    }
    before += n;
  }
  return undefined;
}

/**
 * The place in a scene that a ray points at, within slack(z) of it at a distance z along the ray, as drawn. What is nearer to the ray than its
 * own radius wins by depth; walls come last, for robots are seen through them.
 */
export function pick(scene: Scene, ray: Ray, slack: (depth: number) => number): Place | undefined {
  let best: { place: Place; rank: number; off: number } | undefined;
  // rank 0 is in front, by depth; what is only near comes after it, by the distance from the ray
  const offer = (place: Place, wall: boolean, depth: number, off: number) => {
    const rank = (wall ? 2 : 0) + (off > 0 ? 1 : 0);
    const by = off > 0 ? off : depth;
    if (!best || rank < best.rank || (rank === best.rank && by < best.off)) best = { place, rank, off: by };
  };
  const counts = new Map<string, number>();
  const lines = new Set<string>();
  for (const s of scene.shapes) {
    if (!isPicked(s)) continue;
    if (!hasPoses(s)) {
      if (!lines.has(s.name)) pickLine(scene, s.name, ray, slack, offer);
      lines.add(s.name);
      continue;
    }
    const before = counts.get(s.name) ?? 0;
    counts.set(s.name, before + s.data.length / poseWidth);
    if (s.kind === Kind.mesh) pickMesh(s, before, ray, offer);
    else pickBodies(s, before, ray, slack, offer);
  }
  return best?.place;
}

type Offer = (place: Place, wall: boolean, depth: number, off: number) => void;

function pickLine(scene: Scene, name: string, ray: Ray, slack: (depth: number) => number, offer: Offer): void {
  const line = CenterLine.of(scene, name)!;
  const [a, b, seen, on] = [new Vector3(), new Vector3(), new Vector3(), new Vector3()];
  const parts = Math.max(1, Math.min(4, Math.round(120 / line.last))); // of an element, as it is drawn
  // of each piece that the ray passes, where it is nearest to the middle of the rod: the mark is there
  let nearest: { node: number; depth: number; off: number; distance: number } | undefined;
  const end = () => {
    if (nearest) offer({ name, index: 0, node: nearest.node }, false, nearest.depth, Math.max(0, nearest.off));
    nearest = undefined;
  };
  line.place(0, a);
  for (let i = 1; i <= line.last * parts; i++, a.copy(b)) {
    line.place(i / parts, b);
    const distance = Math.sqrt(ray.distanceSqToSegment(a, b, seen, on));
    const depth = seen.distanceTo(ray.origin);
    const node = (i - 1 + on.distanceTo(a) / (a.distanceTo(b) || 1)) / parts;
    const radius = line.radiusAt(node);
    if (distance > Math.max(radius, slack(depth))) end();
    else if (!nearest || distance < nearest.distance) nearest = { node, depth: depth - radius, off: distance - radius, distance };
  }
  end();
}

function pickBodies(s: Shapes, before: number, ray: Ray, slack: (depth: number) => number, offer: Offer): void {
  const flat = s.kind === Kind.disk;
  const [near, far] = flat ? [Math.max(s.size.x, s.size.z / 2), Math.max(s.size.x, s.size.z / 2)] : [Math.min(s.size.x, s.size.y, s.size.z), Math.max(s.size.x, s.size.y, s.size.z)];
  const [at, foot] = [new Vector3(), new Vector3()];
  for (let i = 0; i < s.data.length / poseWidth; i++) {
    at.fromArray(s.data, poseWidth * i);
    ray.closestPointToPoint(at, foot);
    const depth = foot.distanceTo(ray.origin);
    const distance = foot.distanceTo(at);
    if (distance > Math.max(far, slack(depth))) continue;
    if (flat) { // one sees past the edge of a disk, and a rod through its middle is in front of it
      const hit = hitDisk(s, i, ray);
      if (hit !== undefined) offer({ name: s.name, index: before + i }, false, hit, 0);
    } else offer({ name: s.name, index: before + i }, false, depth - near, distance > far ? distance - far : 0);
  }
}

/** The depth at which a ray meets a disk. */
function hitDisk(s: Shapes, i: number, ray: Ray): number | undefined {
  const back = new Quaternion().fromArray(s.data, poseWidth * i + 3).invert();
  const from = ray.origin.clone().sub(new Vector3().fromArray(s.data, poseWidth * i)).applyQuaternion(back);
  const way = ray.direction.clone().applyQuaternion(back);
  let first: number | undefined;
  const offer = (t: number, x: Vector3) => {
    if (t > 0 && Math.hypot(x.x, x.y) <= s.size.x * 1.0001 && Math.abs(x.z) <= 0.5001 * s.size.z && !(first! <= t)) first = t;
  };
  const at = (t: number) => from.clone().addScaledVector(way, t);
  for (const side of [-0.5, 0.5]) if (way.z !== 0) offer((side * s.size.z - from.z) / way.z, at((side * s.size.z - from.z) / way.z));
  const [a, b, c] = [way.x ** 2 + way.y ** 2, from.x * way.x + from.y * way.y, from.x ** 2 + from.y ** 2 - s.size.x ** 2];
  const root = b * b - a * c;
  if (a > 0 && root >= 0) for (const sign of [-1, 1]) offer((-b + sign * Math.sqrt(root)) / a, at((-b + sign * Math.sqrt(root)) / a));
  return first;
}

function pickMesh(s: Shapes, index: number, ray: Ray, offer: Offer): void {
  const corners = s.corners;
  if (!corners) return;
  const frame = new Matrix4().compose(new Vector3().fromArray(s.data), new Quaternion().fromArray(s.data, 3), new Vector3(1, 1, 1));
  const local = ray.clone().applyMatrix4(frame.clone().invert());
  const [a, b, c, hit] = [new Vector3(), new Vector3(), new Vector3(), new Vector3()];
  const wall = !["body", "swarm"].includes(s.name);
  for (let i = 0; i + 8 < corners.length; i += 9) {
    if (!local.intersectTriangle(a.fromArray(corners, i), b.fromArray(corners, i + 3), c.fromArray(corners, i + 6), false, hit)) continue;
    offer({ name: s.name, index, on: wall ? hit.clone() : undefined }, wall, hit.distanceTo(local.origin), 0);
  }
}
