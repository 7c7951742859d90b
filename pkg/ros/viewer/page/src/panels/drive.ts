// The controls of what a robot takes, one card for each group of actuators, made of its ports.
import { drivable, knobsOf } from "../commands";
import type { Stage } from "../scene/stage";
import type { DataSource, Panel, Port } from "../source";
import { every } from "../ticks";
import { h } from "../ui";
import { Card, type Joints } from "./card";
import { Pad } from "./pad";

const period = 30; // ms, between commands; well below any time-out of commands
const keyRate = 0.6; // of the range of a slider per second, while a key is held

export class Drive {
  readonly element = h("div", { class: "drive" });
  readonly pad: Pad;
  #cards: Card[] = [];
  #source: DataSource;
  #stage: Stage;
  #held = new Set<string>();
  #arrows = new Set<string>();

  constructor(source: DataSource, stage: Stage) {
    [this.#source, this.#stage] = [source, stage];
    this.pad = new Pad((x, y) => this.#driven()?.drive(x, y));
    every(period, () => this.#cards.forEach((c) => c.live && c.send()));
    setInterval(() => this.#keys(0.03), 30);
    addEventListener("blur", () => {
      this.#held.clear();
      if (this.#arrows.size > 0) this.pad.set(0, 0);
      this.#arrows.clear();
    });
  }

  show(panel: Panel): void {
    const groups = new Map<string, Port[]>();
    const force = panel.length > 0.005 ? 1 : 1e-9;
    for (const p of panel.ports) {
      if (p.in && knobsOf(p, force)) groups.set(p.group || p.name, [...(groups.get(p.group || p.name) ?? []), p]);
    }
    // what the stick and the keys move comes first
    const sorted = [...groups].sort(([, a], [, b]) => Number(b.some(drivable)) - Number(a.some(drivable)));
    let first = true;
    this.#cards = sorted.map(([name, ports]) => {
      const c = new Card(name, ports, this.#source, this.#stage, force, first);
      first = false;
      return c;
    });
    const driven = this.#driven();
    const [main, others] = [this.#cards.slice(0, 1), this.#cards.slice(1)];
    this.element.replaceChildren(
      ...main.map((c) => c.element),
      ...(driven ? [this.pad.element] : []),
      ...(others.length ? [h("details", { class: "more" }, h("summary", {}, "More inputs"), ...others.map((c) => c.element))] : []));
  }

  #driven(): Card | undefined {
    return this.#cards.find((c) => c.drives);
  }

  /** Takes what the robot tells of its joints. */
  applied(m: Joints): void {
    this.#cards.forEach((c) => c.applied(m));
  }

  /** Takes what the program tells its user. It reports whether that was about a command from here. */
  refused(text: string, relieve: () => void): boolean {
    const of = this.#cards.find((c) => text.startsWith(`${c.port.topic}: `));
    of?.refused(text.slice(of.port.topic.length + 2), relieve);
    return of !== undefined;
  }

  releaseAll(): void {
    this.#cards.forEach((c) => c.release());
  }

  /** A key goes down or up. It reports whether it was for the controls. */
  key(e: KeyboardEvent, down: boolean): boolean {
    const digit = /^(Digit|Numpad)([1-9])$/.exec(e.code)?.[2];
    const arrow = /^Arrow(Left|Right|Up|Down)$/.exec(e.key)?.[1];
    const set = digit ? this.#held : arrow ? this.#arrows : undefined;
    if (!set) return false;
    const name = digit ? (e.shiftKey ? `-${digit}` : digit) : arrow!;
    const held = set.has(name);
    (digit ? [digit, `-${digit}`] : [name]).forEach((d) => set.delete(d));
    if (down) set.add(name);
    else if (arrow && held && set.size === 0) this.pad.set(0, 0);
    return true;
  }

  #keys(dt: number): void {
    for (const k of this.#held) this.#cards[0]?.nudge(Math.abs(Number(k)) - 1, Math.sign(Number(k)) * keyRate * dt);
    const has = (k: string) => (this.#arrows.has(k) ? 1 : 0);
    let [x, y] = [has("Right") - has("Left"), has("Up") - has("Down")];
    const stick = navigator.getGamepads?.().find((g) => g)?.axes;
    if (stick && Math.hypot(stick[0], stick[1]) > 0.15) [x, y] = [stick[0], -stick[1]];
    else if (this.#arrows.size === 0) {
      if (this.#gamepad) this.pad.set(0, 0);
      this.#gamepad = false;
      return;
    }
    this.#gamepad = !!stick && this.#arrows.size === 0;
    this.pad.toward(x, y, dt);
  }

  #gamepad = false;
}
