// Frames as three axes each, x red, y green, z blue: the world, and the pose that the program shows of the robot.
import { AxesHelper, Color, Group, Quaternion, Vector3 } from "three";

const colors = ["#e5534b", "#2ea97d", "#3b8eea"].map((c) => new Color(c));
const size = 0.15; // of what is drawn

export interface Pose {
  position: { x: number; y: number; z: number };
  orientation: { x: number; y: number; z: number; w: number };
}

export class Triads {
  readonly group = new Group();
  #world = new AxesHelper(1);
  #robot = new AxesHelper(1);
  #pose?: Pose;

  constructor() {
    for (const a of [this.#world, this.#robot]) {
      a.setColors(colors[0], colors[1], colors[2]);
      a.renderOrder = 1;
      this.group.add(a);
    }
    this.group.visible = false;
  }

  /** The pose of the robot, m; nothing where there is none. */
  set pose(p: Pose | undefined) {
    this.#pose = p;
  }

  /** Places the frames in a scene of an extent, as drawn, that is drawn larger by scale. */
  place(extent: number, scale: number): void {
    const p = this.#pose;
    this.#robot.visible = p !== undefined;
    for (const a of [this.#world, this.#robot]) a.scale.setScalar(size * extent || 1);
    if (!p) return;
    this.#robot.position.copy(new Vector3(p.position.x, p.position.y, p.position.z).multiplyScalar(scale));
    this.#robot.quaternion.copy(new Quaternion(p.orientation.x, p.orientation.y, p.orientation.z, p.orientation.w));
  }
}
