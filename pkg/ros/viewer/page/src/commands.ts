// How each kind of port is commanded: the message, in JSON, of values laid out as in the program
// (pkg/sim/port.go), and what a person moves to choose them.
import type { Port } from "./source";

const vector = (v: number[], at = 0) => ({ x: v[at], y: v[at + 1], z: v[at + 2] });
const frame = (p: Port, i = 0) => ({ frame_id: p.frames?.[i] ?? "" });

/** The message of values for a port; undefined for kinds that are not commanded from here. */
export function message(p: Port, v: number[], inFrame = 0): object | undefined {
  switch (p.kind) {
    case "tension":
      return { name: p.labels, effort: v };
    case "tendon_length":
    case "joint_state":
      return { name: p.labels, position: v };
    case "currents":
      return { currents: v };
    case "pose":
      return { header: frame(p), pose: { position: vector(v), orientation: { x: v[3], y: v[4], z: v[5], w: v[6] } } };
    case "twist":
      return { header: frame(p), twist: { linear: vector(v), angular: vector(v, 3) } };
    case "wrench":
      return { header: frame(p, inFrame), wrench: { force: vector(v), torque: vector(v, 3) } };
    case "field":
      return { header: frame(p), magnetic_field: vector(v) };
    case "field_gradient":
      return { header: frame(p), field: vector(v), gradient: v.slice(3, 8) };
    case "rotating_field":
      return { header: frame(p), axis: vector(v), amplitude: v[3], frequency: v[4], offset: v[5] };
  }
  return undefined;
}

/** One thing to move: a number with a range. */
export interface Knob {
  label: string;
  unit: string;
  min: number;
  max: number; // of the slider; what is typed may go to the limits
  least: number;
  most: number;
  start: number;
  open?: boolean; // there is no limit: the range is a guess and can be changed
  around?: boolean; // the range lies around what the robot has
}

/** Time between commands, s; well below any time-out of commands. */
export const period = 0.03;

/** What a person moves for a port, and the values that follow from it. */
export interface Knobs {
  knobs: Knob[];
  values(x: number[]): number[];
  /** Where the knobs are for a message of the port. Without it they begin at their start. */
  begin?(m: any, now: number[]): number[];
  /** How much further than the robot can follow in a period it is from one place to another, m and rad; nothing if it can. */
  jump?(from: number[], to: number[]): { way: number; turn: number } | undefined;
  /** Where the knobs are for a heading on the ground, -1 to 1 each and not both 0. */
  drive?(x: number[], right: number[], ahead: number[], dx: number, dy: number): number[];
  /** The knob that makes the robot go: it is 0 while nobody drives. Without one a heading is all that is driven. */
  speed?: number;
  /** What that knob is at full speed where nobody has set it. */
  cruise?: number;
}

/** Azimuth and elevation of a vector in degrees; of one that has no direction those that are shown. */
function anglesOf(v: number[], now: number[]): number[] {
  const n = Math.hypot(...v);
  return n > 0 ? [(Math.atan2(v[1], v[0]) * 180) / Math.PI, (Math.asin(Math.min(1, Math.max(-1, v[2] / n))) * 180) / Math.PI] : now;
}

const numbers = (v: { x: number; y: number; z: number }) => [v.x, v.y, v.z];

/** The status of a command that is refused because another source is in command. */
export const notInCommand = "not_in_command";

/** The status that tells that the state of the robot of a node has been replaced by an earlier one. */
export const restored = "restored";

/** Whether a stick drives a port. */
export const drivable = (p: Port) => p.in && ["tension", "field", "rotating_field"].includes(p.kind);

const bound = (list: (number | null)[] | undefined, i: number, or: number) => list?.[i] ?? or;

function knob(label: string, unit: string, min: number, max: number, least = -Infinity, most = Infinity, start = 0, open = false): Knob {
  return { label, unit, min: Math.max(min, least), max: Math.min(max, most), least, most, start, open };
}

/** Direction by azimuth and elevation, degrees. */
const directionKnobs = () => [knob("azimuth", "°", -180, 180), knob("elevation", "°", -90, 90)];

function direction(azimuth: number, elevation: number): number[] {
  const [a, e] = [(azimuth * Math.PI) / 180, (elevation * Math.PI) / 180];
  return [Math.cos(e) * Math.cos(a), Math.cos(e) * Math.sin(a), Math.sin(e)];
}

function azimuthOf(right: number[], ahead: number[], dx: number, dy: number): number {
  return (Math.atan2(dx * right[1] + dy * ahead[1], dx * right[0] + dy * ahead[0]) * 180) / Math.PI;
}

const typicalField = 0.02; // T, for a slider; the limit of what may be typed is the port's
const typicalFrequency = 50; // Hz
const startField = 0.005; // T
const startFrequency = 10; // Hz

/** The knobs of a port. force is what is much for the robot, N. */
export function knobsOf(p: Port, force: number): Knobs | undefined {
  const labels = p.labels ?? [];
  const same = (x: number[]) => x;
  const each = (names: string[], unit: string, range: number) => ({
    knobs: names.map((n, i) => {
      const [least, most] = [bound(p.min, i, -Infinity), bound(p.max, i, Infinity)];
      return knob(n, unit, -range, range, least, most, 0, !Number.isFinite(least) || !Number.isFinite(most));
    }),
    values: same,
  });
  switch (p.kind) {
    case "tension": // of tendons, and efforts of motors, which go both ways
      return {
        knobs: labels.map((n, i) => {
          const [least, most] = [bound(p.min, i, -Infinity), bound(p.max, i, Infinity)];
          const range = bound(p.max, i, 10);
          return knob(n, p.units?.[i] ?? "N", -range, range, least, most, bound(p.safe, i, 0), most === Infinity);
        }),
        values: same,
      };
    case "tendon_length":
      return each(labels, "m", 0.01);
    case "joint_state": { // motors, or how far the base has gone along its axis and turned about it
      const units = p.units ?? (p.unit ?? "").split(", ");
      if (units.some((u) => u !== "m" && u !== "rad") || (units.length > 1 && units.length !== labels.length)) return undefined;
      const all = labels.map((n, i) => {
        const unit = units[i] ?? units[0];
        const range = unit === "m" ? 0.1 : Math.PI;
        const [least, most] = [bound(p.min, i, -Infinity), bound(p.max, i, Infinity)];
        return { ...knob(n, unit, -range, range, least, most, 0, unit === "m" || most > range), around: !p.units && units.length > 1 };
      });
      return { knobs: all, values: same, begin: p.setpoint ? (m) => Array.from(m.position as ArrayLike<number>) : undefined };
    }
    case "currents":
      return {
        knobs: labels.map((n, i) => knob(n, "A", bound(p.min, i, -10), bound(p.max, i, 10), bound(p.min, i, -Infinity), bound(p.max, i, Infinity))),
        values: same,
        begin: (m) => Array.from(m.currents as ArrayLike<number>),
      };
    case "field": {
      const most = bound(p.max, 0, Infinity);
      return {
        knobs: [knob("amplitude", "T", 0, typicalField, 0, most, startField), ...directionKnobs()],
        values: ([b, az, el]) => direction(az, el).map((d) => b * d),
        begin: (m, now) => [Math.hypot(...numbers(m.magnetic_field)), ...anglesOf(numbers(m.magnetic_field), now.slice(1, 3))],
        drive: (x, right, ahead, dx, dy) => [x[0] || startField, azimuthOf(right, ahead, dx, dy), 0],
      };
    }
    case "rotating_field": {
      const most = bound(p.max, 3, Infinity);
      return {
        knobs: [
          knob("amplitude", "T", 0, typicalField, 0, most, startField),
          knob("frequency", "Hz", -typicalFrequency, typicalFrequency, bound(p.min, 4, -Infinity), bound(p.max, 4, Infinity), startFrequency),
          ...directionKnobs(),
          knob("along axis", "T", -typicalField, typicalField, -most, most),
        ],
        values: ([b, f, az, el, offset]) => [...direction(az, el), b, f, offset],
        begin: (m, now) => [m.amplitude, m.frequency, ...anglesOf(numbers(m.axis), now.slice(2, 4)), m.offset],
        drive: (x, right, ahead, dx, dy) => [x[0] || startField, x[1], azimuthOf(right, ahead, dx, dy), 0, x[4]],
        speed: 1,
        cruise: startFrequency,
      };
    }
    case "field_gradient": {
      const g = ["∂Bx/∂x", "∂Bx/∂y", "∂Bx/∂z", "∂By/∂y", "∂By/∂z"];
      return {
        knobs: [
          knob("amplitude", "T", 0, typicalField, 0, bound(p.max, 0, Infinity), 0), ...directionKnobs(),
          ...g.map((n, i) => knob(n, "T/m", -1, 1, bound(p.min, 3 + i, -Infinity), bound(p.max, 3 + i, Infinity))),
        ],
        values: ([b, az, el, ...g]) => [...direction(az, el).map((d) => b * d), ...g],
        begin: (m, now) => [Math.hypot(...numbers(m.field)), ...anglesOf(numbers(m.field), now.slice(1, 3)), ...m.gradient],
      };
    }
    case "wrench":
      return {
        ...each(["Fx", "Fy", "Fz"], "N", force),
        values: (x) => [...x, 0, 0, 0],
        begin: (m) => numbers(m.wrench.force),
      };
    case "twist":
      return {
        knobs: ["vx", "vy", "vz"].map((n) => knob(n, "m/s", -1e-3, 1e-3, -Infinity, Infinity, 0, true)).concat(["ωx", "ωy", "ωz"].map((n) => knob(n, "rad/s", -10, 10, -Infinity, Infinity, 0, true))),
        values: same,
        begin: (m) => [...numbers(m.twist.linear), ...numbers(m.twist.angular)],
      };
    case "pose":
      return {
        knobs: ["x", "y", "z"].map((n, i) => ({ ...knob(n, "m", -0.1, 0.1, bound(p.min, i, -Infinity), bound(p.max, i, Infinity), 0, true), around: true })).concat(
          ["roll", "pitch", "yaw"].map((n) => ({ ...knob(n, "°", -180, 180), around: false }))),
        values: ([x, y, z, ...rpy]) => [x, y, z, ...quaternion(rpy)],
        begin: (m) => {
          const { position: { x, y, z }, orientation: q } = m.pose;
          return [x, y, z, ...angles([q.x, q.y, q.z, q.w])];
        },
        jump: (from, to) => {
          const way = Math.hypot(...[0, 1, 2].map((i) => to[i] - from[i]));
          const [a, b] = [from, to].map((x) => quaternion(x.slice(3)));
          const turn = 2 * Math.acos(Math.min(1, Math.abs(a.reduce((sum, x, i) => sum + x * b[i], 0))));
          const far = (x: number, rate = 0) => (rate > 0 && x > rate * period ? x : 0);
          const jump = { way: far(way, p.speed), turn: far(turn, p.angular_speed) };
          return jump.way || jump.turn ? jump : undefined;
        },
      };
  }
  return undefined;
}

/** The quaternion x y z w of roll, pitch and yaw in degrees. */
function quaternion([roll, pitch, yaw]: number[]): number[] {
  const [cr, cp, cy] = [roll, pitch, yaw].map((a) => Math.cos((a * Math.PI) / 360));
  const [sr, sp, sy] = [roll, pitch, yaw].map((a) => Math.sin((a * Math.PI) / 360));
  return [sr * cp * cy - cr * sp * sy, cr * sp * cy + sr * cp * sy, cr * cp * sy - sr * sp * cy, cr * cp * cy + sr * sp * sy];
}

/** Roll, pitch and yaw in degrees of a quaternion x y z w. */
export function angles([x, y, z, w]: number[]): number[] {
  const sine = Math.min(1, Math.max(-1, 2 * (w * y - z * x)));
  const pitch = Math.asin(sine);
  if (Math.abs(sine) > 1 - 1e-9) return [0, pitch, 2 * Math.atan2(-Math.sign(sine) * x, w)].map((a) => (a * 180) / Math.PI); // roll and yaw are about one axis
  const roll = Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y));
  const yaw = Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
  return [roll, pitch, yaw].map((a) => (a * 180) / Math.PI);
}

/** The numbers of a message of a port, for plots and read-outs, with their names and unit; those of names that are
 * left out are in another unit. */
export function readings(p: Port, m: any, without: string[] = [], effort?: string): { names: string[]; values: number[]; unit: string } | undefined {
  const xyz = (v: any) => [v.x, v.y, v.z];
  switch (p.kind) {
    case "pose":
      return { names: ["x", "y", "z"], values: xyz(m.pose.position), unit: "m" };
    case "twist":
      return { names: ["vx", "vy", "vz"], values: xyz(m.twist.linear), unit: (p.unit ?? "").split(",")[0] };
    case "wrench":
      return { names: ["Fx", "Fy", "Fz"], values: xyz(m.wrench.force), unit: "N" };
    case "field":
      return { names: ["Bx", "By", "Bz"], values: xyz(m.magnetic_field), unit: "T" };
    case "imu": // two units, of which one is asked for
      return effort === "m/s^2"
        ? { names: ["ax", "ay", "az"], values: xyz(m.linear_acceleration), unit: effort }
        : { names: ["wx", "wy", "wz"], values: xyz(m.angular_velocity), unit: "rad/s" };
    case "image_points": { // those that are not seen have no numbers
      const at = (l: string) => m.detections.find((d: any) => d.id === l)?.bbox.center.position;
      const labels = p.labels ?? [];
      return { names: labels.flatMap((l) => [`${l} u`, `${l} v`]), values: labels.flatMap((l) => [at(l)?.x ?? Number.NaN, at(l)?.y ?? Number.NaN]), unit: p.unit ?? "px" };
    }
    case "named":
      return { names: m.names, values: Array.from(m.values as ArrayLike<number>), unit: m.unit };
    case "joint_state": {
      const units = (p.unit ?? "").split(", ");
      const part = m.effort.length ? m.effort : m.position.length ? m.position : m.velocity;
      const kept = (_: unknown, i: number) => (effort ? p.units![p.labels!.indexOf(m.name[i])] === effort : !without.includes(m.name[i]));
      return { names: m.name.filter(kept), values: Array.from(part as ArrayLike<number>).filter(kept), unit: effort ?? (m.effort.length ? units.at(-1)! : units[0]) };
    }
  }
  return undefined;
}
