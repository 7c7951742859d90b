// The controls of one group of ports.
import { drivable, knobsOf, message, type Knobs } from "../commands";
import type { Stage } from "../scene/stage";
import type { DataSource, Port } from "../source";
import { h } from "../ui";
import { Slider } from "./slider";

const noted = 2500; // ms, for which it is said why a command was not taken

/** What of a message of joints is shown at sliders. */
export interface Joints {
  name: string[];
  position: ArrayLike<number>; // m
  effort: ArrayLike<number>; // N
}

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
  #why = ""; // commands are not taken
  #force: number;
  #hotkeys: boolean;
  #full = 0; // of the knob of the speed, with the stick at its end
  #driven = Number.NaN; // where driving has left that knob

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
    return drivable(this.port);
  }

  #choose(p: Port): void {
    this.release();
    this.port = p;
    this.#knobs = knobsOf(p, this.#force)!;
    this.#driven = Number.NaN;
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
    if (!this.#note.hidden && performance.now() - this.#told > noted) this.#note.hidden = true;
  }

  /** Says why commands are not taken, with the way out. */
  refused(why: string, relieve: () => void): void {
    this.#told = performance.now();
    this.#note.hidden = false;
    if (this.#why === why) return; // a button that is made anew while it is pressed is not clicked
    this.#why = why;
    const other = /take_command/.test(why);
    this.#note.replaceChildren(why.replace(/^refused, /, ""), ...(other ? [" ", h("button", { type: "button", class: "link", onclick: relieve }, "Take command")] : []));
  }

  /** Shows what the robot's joints have. */
  applied(m: Joints): void {
    const values = this.port.kind === "tension" ? m.effort : ["tendon_length", "joint_state"].includes(this.port.kind) ? m.position : [];
    this.sliders.forEach((s, i) => {
      const x = values[m.name.indexOf(this.port.labels?.[i] ?? "")];
      if (Number.isFinite(x)) s.applied(x, this.live);
    });
  }

  /** Drives towards a heading on the screen, -1 to 1 each; with 0 0 the stick has been let go, and the robot goes no further. */
  drive(dx: number, dy: number): void {
    if (this.port.kind === "tension") this.#pull(dx, dy);
    else if (this.#knobs.drive) this.#steer(dx, dy);
  }

  /** Pulls the tendons on the side to which the stick is pushed. */
  #pull(dx: number, dy: number): void {
    if (dx === 0 && dy === 0 && !this.live) return;
    const { right, up } = this.#stage.view.heading();
    const pulls = this.#stage.shapes.pulls(this.port.labels!);
    const to = [0, 1, 2].map((c) => dx * right.getComponent(c) + dy * up.getComponent(c));
    this.sliders.forEach((s, i) => {
      const p = pulls[i];
      const share = p ? Math.max(0, p[0] * to[0] + p[1] * to[1] + p[2] * to[2]) : 0;
      s.set(s.knob.min + 0.6 * share * (s.knob.max - s.knob.min));
    });
    this.take();
  }

  /** Turns the field to where the stick is pushed, as fast as it is pushed far. */
  #steer(dx: number, dy: number): void {
    const strength = Math.min(1, Math.hypot(dx, dy));
    if (strength === 0 && !this.live) return;
    if (strength > 0) {
      const { right, ahead } = this.#stage.view.heading();
      this.#knobs.drive!(this.sliders.map((s) => s.value), right.toArray(), ahead.toArray(), dx, dy).forEach((x, i) => i !== this.#knobs.speed && this.sliders[i].set(x));
    }
    if (this.#knobs.speed !== undefined) this.#go(this.sliders[this.#knobs.speed], strength);
    this.take();
  }

  /** Sets a share of the full speed, which is what a person has set, or what driving began with. */
  #go(s: Slider, share: number): void {
    if (s.value !== this.#driven) this.#full = s.value || this.#knobs.cruise!;
    s.set(share * this.#full);
    this.#driven = s.value;
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
