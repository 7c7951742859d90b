// The controls of one group of ports.
import { knobsOf, message, type Knobs } from "../commands";
import type { Stage } from "../scene/stage";
import type { DataSource, Port } from "../source";
import { h } from "../ui";
import { Slider } from "./slider";

/** The ports of one group, of which one is commanded at a time. */
export class Card {
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
    const { right, up, ahead } = this.#stage.view.heading();
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
