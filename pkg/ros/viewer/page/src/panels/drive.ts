// The controls of what a robot takes, one card for each group of actuators, made of its ports.
import { knobsOf, message, type Knob, type Knobs } from "../commands";
import type { Stage } from "../scene/stage";
import type { DataSource, Panel, Port } from "../source";
import { h } from "../ui";
import { digits, scaleFor, type Scale } from "../units";
import { Pad } from "./pad";

const period = 30; // ms, between commands; well below any time-out of commands
const keyRate = 0.6; // of the range of a slider per second, while a key is held

/** A slider with its number. */
class Slider {
  readonly element: HTMLElement;
  readonly #range: HTMLInputElement;
  readonly #number: HTMLInputElement;
  readonly #mark = h("i", { class: "applied", hidden: true });
  readonly knob: Knob;
  #unit: Scale;
  #limit: number;
  value: number;

  constructor(knob: Knob, hotkey: string, changed: () => void) {
    this.knob = knob;
    this.value = knob.start;
    this.#limit = Math.max(Math.abs(knob.min), Math.abs(knob.max));
    this.#unit = scaleFor(this.#limit, knob.unit);
    this.#range = h("input", { type: "range", min: "0", max: "1000", step: "1", "aria-label": knob.label });
    this.#number = h("input", { type: "text", inputMode: "decimal", class: "number", "aria-label": `${knob.label}, ${this.#unit.unit}`, spellcheck: false });
    this.#range.addEventListener("input", () => {
      const u = Number(this.#range.value) / 1000;
      this.#take(knob.min + u * (knob.max - knob.min));
      changed();
    });
    this.#range.addEventListener("dblclick", () => {
      this.#take(Math.min(Math.max(0, knob.min), knob.max));
      changed();
    });
    this.#number.addEventListener("change", () => {
      const x = Number(this.#number.value.replace("−", "-").replace(",", ".")) * this.#unit.factor;
      if (Number.isFinite(x)) {
        this.#take(x);
        changed();
      } else this.#show();
    });
    this.#number.addEventListener("keydown", (e) => e.key === "Escape" && (this.#number.blur(), this.#show()));
    this.element = h("div", { class: "slider" },
      h("label", {}, hotkey ? h("kbd", { title: `hold ${hotkey} to raise, Shift+${hotkey} to lower` }, hotkey) : null, h("span", {}, knob.label)),
      h("span", { class: "track" }, this.#range, this.#mark),
      h("span", { class: "value" }, this.#number, h("span", { class: "unit" }, this.#unit.unit)));
    this.#show();
  }

  /** Sets the value, within what is allowed, and widens the range where there is no limit. */
  #take(x: number): void {
    const k = this.knob;
    this.value = Math.min(Math.max(x, k.least), k.most);
    if (this.value > k.max) k.max = this.value;
    if (this.value < k.min) k.min = this.value;
    this.#show();
  }

  set(x: number): void {
    this.#take(Math.min(Math.max(x, this.knob.min), this.knob.max));
  }

  /** Shows what the robot has, where a command of somebody else put it. */
  applied(x: number, mine: boolean): void {
    const k = this.knob;
    const u = Math.min(Math.max((x - k.min) / (k.max - k.min), 0), 1);
    this.#mark.style.setProperty("--at", u.toFixed(4));
    this.#mark.hidden = false;
    if (!mine && document.activeElement !== this.#number) {
      this.value = x;
      this.#show();
    }
  }

  #show(): void {
    const k = this.knob;
    const u = (this.value - k.min) / (k.max - k.min);
    this.#range.value = String(Math.round(1000 * u));
    this.#range.style.setProperty("--at", Math.min(Math.max(u, 0), 1).toFixed(4));
    this.#range.style.setProperty("--zero", Math.min(Math.max(-k.min / (k.max - k.min), 0), 1).toFixed(4));
    const text = digits(this.value / this.#unit.factor, 3);
    this.#range.setAttribute("aria-valuetext", `${text} ${this.#unit.unit}`);
    if (document.activeElement !== this.#number) this.#number.value = text;
  }
}

/** The ports of one group, of which one is commanded at a time. */
class Card {
  readonly element: HTMLElement;
  readonly group: string;
  readonly ports: Port[];
  port: Port;
  sliders: Slider[] = [];
  live = false;
  #knobs!: Knobs;
  #frame = 0;
  #source: DataSource;
  #stage: Stage;
  #body = h("div", { class: "sliders" });
  #note = h("p", { class: "note", hidden: true });
  #state = h("button", { type: "button", class: "take" });
  #told = 0;
  #force: number;
  #hotkeys: boolean;

  constructor(group: string, ports: Port[], source: DataSource, stage: Stage, force: number, hotkeys: boolean) {
    [this.group, this.ports, this.#source, this.#stage, this.#force, this.#hotkeys] = [group, ports, source, stage, force, hotkeys];
    this.port = ports[0];
    const choice = h("select", { "aria-label": "kind of command", onchange: () => this.#choose(ports[Number(choice.value)]) },
      ...ports.map((p, i) => h("option", { value: String(i) }, title(p))));
    this.#state.addEventListener("click", () => (this.live ? this.release() : this.take()));
    this.element = h("section", { class: "card" },
      h("header", {}, ports.length > 1 ? choice : h("h2", {}, title(ports[0])), this.#state), this.#note, this.#body);
    // the first kind of command that has a heading to drive to is what people expect
    const first = Math.max(0, ports.findIndex((p) => p.kind === "rotating_field"));
    choice.value = String(first);
    this.#choose(ports[first]);
  }

  get drives(): boolean {
    return this.#knobs.drive !== undefined || this.port.kind === "tension";
  }

  #choose(p: Port): void {
    this.release();
    this.port = p;
    this.#knobs = knobsOf(p, this.#force)!;
    this.sliders = this.#knobs.knobs.map((k, i) => new Slider(k, this.#hotkeys && i < 9 ? String(i + 1) : "", () => this.take()));
    this.#body.replaceChildren(...this.sliders.map((s) => s.element));
    if (p.kind === "wrench" && (p.frames?.length ?? 0) > 1) {
      const frames = h("select", { "aria-label": "frame", onchange: () => (this.#frame = Number(frames.value)) },
        ...p.frames!.map((f, i) => h("option", { value: String(i) }, `in ${f}`)));
      this.#body.append(frames);
    }
    this.#show();
  }

  take(): void {
    this.live = true;
    this.#note.hidden = true;
    this.#show();
    this.send();
  }

  release(): void {
    if (this.live) this.#source.release(this.port.topic);
    this.live = false;
    this.#show();
  }

  #show(): void {
    this.element.classList.toggle("live", this.live);
    this.#state.textContent = this.live ? "Release" : "Take over";
    this.#state.title = this.live ? "Send no more commands; the robot goes back to its safe state or to the next commander" : "Command this from here";
  }

  send(): void {
    const m = message(this.port, this.#knobs.values(this.sliders.map((s) => s.value)), this.#frame);
    if (m) this.#source.publish(this.port.topic, this.port.schema, m);
    if (!this.#note.hidden && performance.now() - this.#told > 1500) this.#note.hidden = true;
  }

  /** Says why commands are not taken, with the way out. */
  refused(why: string, relieve: () => void): void {
    this.#told = performance.now();
    const other = /take_command/.test(why);
    this.#note.replaceChildren(why.replace(/^refused, /, ""), ...(other ? [" ", h("button", { type: "button", class: "link", onclick: relieve }, "Take command")] : []));
    this.#note.hidden = false;
  }

  applied(names: string[], values: number[]): void {
    if (this.port.kind !== "tension" && this.port.kind !== "tendon_length") return;
    this.sliders.forEach((s, i) => {
      const k = names.indexOf(this.port.labels![i]);
      if (k >= 0) s.applied(values[k], this.live);
    });
  }

  /** Drives towards a heading on the screen, -1 to 1 each. */
  drive(dx: number, dy: number): void {
    const strength = Math.min(1, Math.hypot(dx, dy));
    const { right, up, ahead } = this.#stage.heading();
    if (this.port.kind === "tension") {
      if (strength === 0 && !this.live) return;
      const pulls = this.#stage.shapes.pulls(this.port.labels!);
      const to = [0, 1, 2].map((c) => dx * right.getComponent(c) + dy * up.getComponent(c));
      this.sliders.forEach((s, i) => {
        const p = pulls[i];
        const share = p ? Math.max(0, p[0] * to[0] + p[1] * to[1] + p[2] * to[2]) : 0;
        s.set(s.knob.min + 0.6 * share * (s.knob.max - s.knob.min));
      });
    } else if (this.#knobs.drive && strength > 0.05) {
      this.#knobs.drive(this.sliders.map((s) => s.value), right.toArray(), ahead.toArray(), dx, dy).forEach((x, i) => this.sliders[i].set(x));
    } else return;
    this.take();
  }

  /** Moves slider i while its key is held. */
  nudge(i: number, amount: number): void {
    const s = this.sliders[i];
    if (!s) return;
    s.set(s.value + amount * (s.knob.max - s.knob.min));
    this.take();
  }
}

const titles: Record<string, string> = {
  tension: "Tension", tendon_length: "Pull", currents: "Currents", field: "Field", field_gradient: "Field and gradient", rotating_field: "Rotating field",
};

function title(p: Port): string {
  if (titles[p.kind]) return titles[p.kind];
  const words = p.name.replaceAll("_", " ");
  return words[0].toUpperCase() + words.slice(1);
}

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
    setInterval(() => this.#cards.forEach((c) => c.live && c.send()), period);
    setInterval(() => this.#keys(0.03), 30);
    addEventListener("blur", () => {
      this.#held.clear();
      this.#arrows.clear();
    });
  }

  show(panel: Panel): void {
    const groups = new Map<string, Port[]>();
    const force = panel.length > 0.005 ? 1 : 1e-9;
    for (const p of panel.ports) {
      if (p.in && knobsOf(p, force)) groups.set(p.group || p.name, [...(groups.get(p.group || p.name) ?? []), p]);
    }
    let first = true;
    this.#cards = [...groups].map(([name, ports]) => {
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
  applied(names: string[], values: number[]): void {
    this.#cards.forEach((c) => c.applied(names, values));
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
    if (digit) [digit, `-${digit}`].forEach((d) => set.delete(d));
    if (down) set.add(name);
    else {
      set.delete(name);
      if (arrow && set.size === 0) this.pad.set(0, 0);
    }
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
