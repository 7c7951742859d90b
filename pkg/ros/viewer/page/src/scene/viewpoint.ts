// From where the robot is seen: the camera, what moves it, and how it goes with the robot.
import { PerspectiveCamera, Ray, Vector3 } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { Extent } from "./extent";

export type View = "home" | "x" | "y" | "z";

const directions: Record<View, Vector3> = {
  home: new Vector3(0.55, -1, 0.42).normalize(),
  x: new Vector3(1, 0, 0.0001).normalize(),
  y: new Vector3(0, -1, 0.0001).normalize(),
  z: new Vector3(0, -0.0001, 1).normalize(),
};

const glide = 350; // ms, of the camera from view to view
const leastFree = 80; // px, of the window
const ease = 3.7; // 1/s, of the way to where all is seen that the camera goes
const upright = 0.8; // of the free height, for what stands: headings lie over the rest
const longest = 0.25; // s, of a picture that counts

interface Motion {
  from: Vector3;
  to: Vector3;
  target: Vector3;
  aim: Vector3;
  begun: number;
}

export class Viewpoint {
  readonly camera = new PerspectiveCamera(32, 1, 0.001, 100);
  /** Whether the camera goes with the robot. */
  follow = false;
  /** What the panel leaves of the window, in pixels from the edges. */
  free = { left: 0, right: 0, top: 0, bottom: 0 };
  /** Where the robot was when the camera went with it. */
  readonly followed = new Vector3(Number.NaN);
  #controls: OrbitControls;
  #extent: Extent;
  #touched = false; // somebody has moved the camera
  #aimed = false; // the camera looks at the robot
  #eased = 0; // ms, when it went on to where all is seen
  #motion?: Motion;
  #linked?: number[]; // where the camera goes to as soon as there is a robot

  constructor(canvas: HTMLCanvasElement, extent: Extent) {
    this.#extent = extent;
    this.camera.up.set(0, 0, 1);
    this.camera.position.set(0.4, -0.7, 0.3);
    this.#controls = new OrbitControls(this.camera, canvas);
    this.#controls.enableDamping = true;
    this.#controls.dampingFactor = 0.12;
    this.#controls.zoomToCursor = true;
    this.#controls.addEventListener("start", () => {
      this.#touched = true;
      this.#motion = undefined;
    });
  }

  /** What the camera looks at. */
  get target(): Vector3 {
    return this.#controls.target;
  }

  get distance(): number {
    return this.camera.position.distanceTo(this.target);
  }

  clear(): void {
    this.#aimed = false;
    this.followed.set(Number.NaN, 0, 0);
  }

  /** Goes with the robot, and to where all is seen until somebody moves the camera. */
  accompany(): void {
    const body = this.#extent.body;
    if (this.follow && !Number.isNaN(this.followed.x) && !Number.isNaN(body.x)) {
      const d = body.clone().sub(this.followed);
      const m = this.#motion;
      for (const v of [this.camera.position, this.target, m?.to, m?.from, m?.target, m?.aim]) v?.add(d);
    }
    this.followed.copy(body);
    if (this.#linked) this.#place(this.#linked);
    if (this.#touched) return;
    const now = performance.now();
    const share = this.#aimed ? 1 - Math.exp(-ease * Math.min((now - this.#eased) / 1000, longest)) : 1;
    this.#eased = now;
    const target = this.target;
    const distance = this.distance;
    if (!this.follow || !this.#aimed) target.lerp(this.#extent.all.getCenter(new Vector3()), share);
    this.#aimed = true;
    this.camera.position.copy(target).addScaledVector(directions.home, distance + share * (this.#roomy(directions.home) - distance));
  }

  /** Where the camera is and what it looks at, as drawn; of a camera that goes with the robot, from the robot. */
  get state(): number[] {
    const from = this.#origin();
    return [this.camera.position, this.target].flatMap((v) => v.clone().sub(from).toArray()).map((x) => Number(x.toPrecision(6)));
  }

  set state(s: number[]) {
    this.#linked = s;
  }

  #origin(): Vector3 {
    return this.follow && !Number.isNaN(this.followed.x) ? this.followed : new Vector3();
  }

  #place(s: number[]): void {
    this.#linked = undefined;
    this.#touched = this.#aimed = true;
    this.#motion = undefined;
    this.camera.position.fromArray(s, 0).add(this.#origin());
    this.target.fromArray(s, 3).add(this.#origin());
  }

  /** Goes on with what people and views have begun. */
  update(): void {
    this.#glideOn();
    this.#controls.update();
  }

  look(view: View): void {
    this.#touched = true;
    this.#begin(directions[view]);
  }

  fit(): void {
    this.#begin(this.camera.position.clone().sub(this.target).normalize());
  }

  /** Turns, moves or zooms as keys ask. */
  nudge(dx: number, dy: number, zoom: number): void {
    this.#touched = true;
    const arm = this.camera.position.clone().sub(this.target);
    arm.applyAxisAngle(new Vector3(0, 0, 1), dx);
    const side = new Vector3().crossVectors(arm, this.camera.up).normalize();
    const turned = arm.clone().applyAxisAngle(side, dy);
    if (Math.abs(turned.clone().normalize().z) < 0.995) arm.copy(turned);
    this.camera.position.copy(this.target).addScaledVector(arm, zoom);
  }

  /** Right and forward on the ground as they are on the screen, and up where one looks down. */
  heading(): { right: Vector3; up: Vector3; ahead: Vector3 } {
    const right = new Vector3().setFromMatrixColumn(this.camera.matrixWorld, 0);
    const up = new Vector3().setFromMatrixColumn(this.camera.matrixWorld, 1);
    const ahead = new Vector3().crossVectors(new Vector3(0, 0, 1), right).normalize();
    return { right, up, ahead };
  }

  /** Directions of the world's axes on the screen, for the axis cross. */
  axes(): Vector3[] {
    const turn = this.camera.quaternion.clone().invert();
    return [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)].map((v) => v.applyQuaternion(turn));
  }

  /** Width of a pixel of the window at the middle of the picture, as drawn, m. */
  get pixel(): number {
    return this.pixelAt(this.distance);
  }

  /** Width of a pixel of the window at a depth, as drawn, m. */
  pixelAt(depth: number): number {
    return (2 * depth * Math.tan((this.camera.fov * Math.PI) / 360)) / innerHeight;
  }

  /** The ray from the camera through a pixel of the window. */
  ray(x: number, y: number): Ray {
    this.camera.updateMatrixWorld();
    const far = new Vector3((2 * x) / innerWidth - 1, 1 - (2 * y) / innerHeight, 0.5).unproject(this.camera);
    return new Ray(this.camera.position.clone(), far.sub(this.camera.position).normalize());
  }

  /** The pixel of the window at which a point is seen; nothing behind the camera. */
  project(point: Vector3): [number, number] | undefined {
    const p = point.clone().project(this.camera);
    return p.z < 1 ? [((p.x + 1) * innerWidth) / 2, ((1 - p.y) * innerHeight) / 2] : undefined;
  }

  /** Puts the middle of the picture into the middle of what is free. */
  layout(): void {
    const [w, h] = [innerWidth, innerHeight];
    const f = this.free;
    this.camera.aspect = w / h;
    this.camera.setViewOffset(w, h, (f.right - f.left) / 2, (f.bottom - f.top) / 2, w, h);
    this.camera.updateProjectionMatrix();
  }

  /** A camera that sees what is free of the window, and the size of that in pixels. */
  window(): { camera: PerspectiveCamera; width: number; height: number } {
    const [w, h] = [innerWidth, innerHeight];
    const { width, height } = this.#freeSize();
    const camera = this.camera.clone();
    camera.setViewOffset(w, h, (w - width) / 2, (h - height) / 2, width, height);
    return { camera, width, height };
  }

  #freeSize(): { width: number; height: number } {
    const f = this.free;
    return { width: Math.max(innerWidth - f.left - f.right, leastFree), height: Math.max(innerHeight - f.top - f.bottom, leastFree) };
  }

  /** The distance from which all is seen in a direction. */
  #roomy(direction: Vector3): number {
    const { width, height } = this.#freeSize();
    const perPixel = (2 * Math.tan((this.camera.fov * Math.PI) / 360)) / innerHeight;
    const room = this.follow ? 0.95 : 0.72; // of what moves about, the surroundings are to be seen
    const usual = (room * this.#extent.size) / Math.min(0.5 * width * perPixel, 0.62 * height * perPixel) / 1.15;
    return Math.max(usual, this.#corners(direction, 0.5 * width * perPixel, 0.5 * upright * height * perPixel));
  }

  /** The distance from which the corners of all are within half a width and height of the picture, as tangents. */
  #corners(direction: Vector3, wide: number, high: number): number {
    const all = this.#extent.all;
    const half = all.getSize(new Vector3()).multiplyScalar(0.5);
    const right = new Vector3().crossVectors(this.camera.up, direction).normalize();
    const up = new Vector3().crossVectors(direction, right);
    let distance = 0;
    for (let i = 0; i < 8; i++) {
      const corner = half.clone().multiply(new Vector3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1));
      distance = Math.max(distance, corner.dot(direction) + Math.max(corner.dot(right) / wide, corner.dot(up) / high));
    }
    return distance;
  }

  #begin(direction: Vector3): void {
    if (this.#extent.size === 0) return;
    const aim = this.#extent.all.getCenter(new Vector3());
    const to = aim.clone().addScaledVector(direction, this.#roomy(direction));
    this.#motion = { from: this.camera.position.clone(), to, target: this.target.clone(), aim, begun: performance.now() };
  }

  #glideOn(): void {
    const m = this.#motion;
    if (!m) return;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const u = still ? 1 : Math.min(1, (performance.now() - m.begun) / glide);
    const e = u * u * (3 - 2 * u);
    this.target.lerpVectors(m.target, m.aim, e);
    const a = m.from.clone().sub(m.target);
    const b = m.to.clone().sub(m.aim);
    const arm = a.clone().lerp(b, e).normalize().multiplyScalar(a.length() + e * (b.length() - a.length()));
    this.camera.position.copy(this.target).add(arm);
    if (u === 1) this.#motion = undefined;
  }
}
