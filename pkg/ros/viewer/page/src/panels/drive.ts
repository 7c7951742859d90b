// The controls of what a robot takes, one card for each group of actuators, made of its ports.
import { drivable, knobsOf } from "../commands";
import type { Stage } from "../scene/stage";
import type { DataSource, Panel, Port } from "../source";
import { h } from "../ui";
import { Card, type Joints } from "./card";
import { Pad } from "./pad";

const keyPeriod = 0.03; // s, between looks at keys and stick
const keyRate = 0.6; // of the range of a slider per second, while a key is held

export class Drive {
  readonly element = h("div", { class: "drive" });
  readonly pad: Pad;
  #cards: Card[] = [];
  #source: DataSource;
  #stage: Stage;
  #state = ""; // operating state
  #held = new Set<string>();
  #arrows = new Set<string>();
  #pressed = new Set<string>(); // keys that went down since the last look

  constructor(source: DataSource, stage: Stage) {
    [this.#source, this.#stage] = [source, stage];
    this.pad = new Pad((x, y) => this.#driven()?.drive(x, y));
    setInterval(() => this.#keys(keyPeriod), 1000 * keyPeriod);
    // what a key does when it comes up is not told to this page while a list or a menu is open, or something is dragged
    for (const event of ["blur", "contextmenu", "dragstart"]) addEventListener(event, () => this.#letGo());
    document.addEventListener("visibilitychange", () => this.#letGoAll()); // a hidden page is not told that a stick comes back
    addEventListener("focusin", (e) => (e.target as Element).matches("select") && this.#letGo());
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
    this.#cards.forEach((c) => c.operating(this.#state));
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

  /** Ends what keys hold. */
  #letGo(): void {
    this.#held.clear();
    this.#pressed.clear();
    if (this.#arrows.size > 0) this.pad.set(0, 0);
    this.#arrows.clear();
  }

  /** Ends what keys, the stick and a gamepad hold. */
  #letGoAll(): void {
    this.#letGo();
    this.pad.drop();
    if (this.#gamepad) this.pad.set(0, 0);
    this.#gamepad = this.#centred = false;
  }

  /** Ends all commands, and drops what is typed, slid, held or waits to be confirmed. */
  cancel(): void {
    this.releaseAll();
    this.#cards.forEach((c) => c.cancel());
    this.#letGoAll();
  }

  /** Takes the operating state. */
  operating(state: string): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#cards.forEach((c) => c.operating(state));
    if (state === "FAULT" || state === "DISABLED") this.cancel(); // also where somebody else has stopped the robot
  }

  /** Takes the diagnostics of commands: who commands the groups. */
  commanders(values: { key: string; value: string }[]): void {
    for (const c of this.#cards) c.commanded(values.find((v) => v.key === `commander/${c.group}`)?.value ?? "");
  }

  /** Takes what is applied of a command, of any topic. */
  setpoint(topic: string, m: unknown): void {
    this.#cards.forEach((c) => c.setpoint(topic, m));
  }

  /** The topics of what is applied. */
  get setpoints(): string[] {
    return this.#cards.flatMap((c) => c.ports.flatMap((p) => p.setpoint ?? []));
  }

  /** Takes what the robot tells of its joints. */
  applied(m: Joints): void {
    this.#cards.forEach((c) => c.applied(m));
  }

  /** Takes what the program tells its user; the id of a refusal is its status and its topic. It reports whether that was about a command from here. */
  refused(text: string, id: string): boolean {
    const [status, topic] = id.split(":");
    const of = this.#cards.find((c) => c.port.topic === topic);
    of?.refused(status, text.slice(topic.length + 2));
    return of !== undefined;
  }

  /** Ends the commands of a topic, or of all of them, that have been lost, and says why on their cards. */
  lost(topic: string, why: string): void {
    for (const c of this.#cards) if (topic === "" || topic === c.port.topic) c.lost(why);
    this.#letGo(); // a key that is still held begins nothing anew
    if (topic === "") this.commanders([]); // who commands is not known any more
  }

  /** Ends all commands, because they were for another state of the robot: it would jump. Says so where there were any. */
  restored(): void {
    this.#cards.forEach((c) => c.lost("The robot is back at an earlier state: what this page commanded has ended."));
    this.cancel();
  }

  releaseAll(): void {
    this.#letGo();
    this.#cards.forEach((c) => c.release());
  }

  /** A key goes down or up. It reports whether it was for the controls. */
  key(e: KeyboardEvent, down: boolean): boolean {
    const digit = /^(Digit|Numpad)([1-9])$/.exec(e.code)?.[2];
    const arrow = /^Arrow(Left|Right|Up|Down)$/.exec(e.key)?.[1];
    const set = digit ? this.#held : arrow ? this.#arrows : undefined;
    if (!set) return false;
    const name = digit ? (e.shiftKey ? `-${digit}` : digit) : arrow!;
    const names = digit ? [digit, `-${digit}`] : [name];
    if (!down && names.some((d) => this.#pressed.has(d))) this.#keys(keyPeriod); // a tap acts also where the page was too busy to look
    const held = set.has(name);
    names.forEach((d) => set.delete(d));
    if (down && !held && !e.repeat) this.#pressed.add(name);
    if (down && (held || !e.repeat)) set.add(name); // one that is held while its command was dropped begins nothing
    else if (arrow && held && set.size === 0) this.pad.set(0, 0);
    return true;
  }

  #keys(dt: number): void {
    this.#pressed.clear();
    for (const k of this.#held) this.#cards[0]?.nudge(Math.abs(Number(k)) - 1, Math.sign(Number(k)) * keyRate * dt);
    const has = (k: string) => (this.#arrows.has(k) ? 1 : 0);
    let [x, y] = [has("Right") - has("Left"), has("Up") - has("Down")];
    const stick = navigator.getGamepads?.().find((g) => g)?.axes;
    const pushed = !!stick && Math.hypot(stick[0], stick[1]) > 0.15;
    if (document.visibilityState !== "visible") return; // its numbers stand still
    if (!pushed) this.#centred = stick !== undefined;
    if (pushed && this.#centred) [x, y] = [stick![0], -stick![1]];
    else if (this.#arrows.size === 0) {
      if (this.#gamepad) this.pad.set(0, 0);
      this.#gamepad = false;
      return;
    }
    this.#gamepad = !!stick && this.#arrows.size === 0;
    this.pad.toward(x, y, dt);
  }

  #gamepad = false;
  #centred = false; // the stick of the gamepad, since it was there, or what it drove was dropped
}
