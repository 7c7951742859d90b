// The controls of one group of ports.
import { Command } from "../command";
import { drivable, knobsOf, message, notInCommand, type Knobs } from "../commands";
import type { Stage } from "../scene/stage";
import type { DataSource, Port } from "../source";
import { h } from "../ui";
import { length } from "../units";
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
  readonly command: Command;
  port: Port;
  sliders: Slider[] = [];
  #knobs!: Knobs;
  #frame = 0;
  #frames?: HTMLSelectElement; // of a wrench
  #appliedFrame = ""; // of what the robot has
  #source: DataSource;
  #stage: Stage;
  #body = h("div", { class: "sliders" });
  #who = h("p", { class: "who", hidden: true });
  #note = h("p", { class: "note", hidden: true });
  #take = h("button", { type: "button", class: "take" });
  #timer = 0; // hides the note
  #said = ""; // in the note
  #held: number[] = []; // what the knobs command, or show of the robot
  #applied?: number[]; // what the robot has, of a command whose setpoint is a topic of its own
  #asks = false; // whether a jump is to be confirmed
  #state = ""; // operating state
  #force: number;
  #hotkeys: boolean;
  #full = 0; // of the knob of the speed, with the stick at its end
  #driven = Number.NaN; // where driving has left that knob

  constructor(group: string, ports: Port[], source: DataSource, stage: Stage, force: number, hotkeys: boolean) {
    [this.group, this.ports, this.#source, this.#stage, this.#force, this.#hotkeys] = [group, ports, source, stage, force, hotkeys];
    this.port = ports[0];
    this.command = new Command(source, () => this.#show(), (why) => this.#say(why, noted));
    const choice = h("select", { "aria-label": "kind of command", onchange: () => this.#choose(ports[Number(choice.value)]) },
      ...ports.map((p, i) => h("option", { value: String(i) }, title(p))));
    this.#take.addEventListener("click", () => {
      const release = this.command.phase === "commanding";
      this.cancel(); // a jump has a button of its own
      if (release) this.release();
      else this.take();
    });
    this.element = h("section", { class: "card" },
      h("header", {}, ports.length > 1 ? choice : h("h2", {}, title(ports[0])), this.#take), this.#who, this.#note, this.#body);
    // the first kind of command that has a heading to drive to is what people expect
    const first = Math.max(0, ports.findIndex((p) => p.kind === "rotating_field"));
    choice.value = String(first);
    this.#choose(ports[first]);
  }

  get drives(): boolean {
    return drivable(this.port);
  }

  #choose(p: Port): void {
    this.command.port = p;
    this.port = p;
    this.#knobs = knobsOf(p, this.#force)!;
    this.#applied = this.#frames = undefined;
    this.#driven = Number.NaN;
    this.sliders = this.#knobs.knobs.map((k, i) => new Slider(k, this.#hotkeys && i < 9 ? String(i + 1) : "", () => this.#moved()));
    this.#held = this.#values();
    this.#body.replaceChildren(...this.sliders.map((s) => s.element));
    if (p.kind === "wrench" && (p.frames?.length ?? 0) > 1) {
      const frames = h("select", { "aria-label": "frame", onchange: () => {
        this.release(); // the same numbers are another wrench
        this.#frame = Number(frames.value);
        this.#applied = undefined;
      } }, ...p.frames!.map((f, i) => h("option", { value: String(i), selected: i === this.#frame }, `in ${f}`)));
      this.#body.append((this.#frames = frames));
    }
    this.#say("");
    this.#show();
  }

  #values(): number[] {
    return this.sliders.map((s) => s.value);
  }

  #message(): object {
    return message(this.port, this.#knobs.values(this.#held), this.#frame)!;
  }

  /** Commands what the sliders show, and relieves whoever commands. */
  take(): void {
    if (!this.#may()) return;
    this.#held = this.#values();
    this.#settle();
    void this.command.take(this.#message());
  }

  /** Somebody has moved a slider or typed a number. */
  #moved(): void {
    if (!this.#may()) return;
    if (this.command.phase === "relieved") {
      this.#restore();
      return;
    }
    const to = this.#values();
    if (this.command.phase === "armed" && !this.#asks) { // for a click, because somebody else commands
      this.#held = to;
      return;
    }
    const far = this.#knobs.jump?.(this.command.phase === "commanding" || !this.#applied ? this.#held : this.#applied, to);
    if (far) {
      this.#ask(far);
      return;
    }
    this.#held = to;
    this.#settle();
    this.command.send(this.#message());
  }

  /** The operating state if commands are refused in it. */
  get #blocked(): string {
    return ["FAULT", "DISABLED"].includes(this.#state) ? this.#state : "";
  }

  /** Whether commands have somewhere to go; if not it says why, and the sliders go back. */
  #may(): boolean {
    const unknown = this.#knobs.jump && !this.#applied;
    if (!this.#blocked && !unknown) return true;
    this.#restore();
    this.#say(this.#blocked ? `${this.#blocked}: commands are refused; press Enable first` : `No command sent: ${this.port.setpoint} has not been received yet; try again in a second.`, noted);
    return false;
  }

  /** Has a jump confirmed, in place. */
  #ask(far: { way: number; turn: number }): void {
    this.#asks = true;
    this.command.arm();
    const [p, parts] = [this.port, [] as string[]];
    if (far.way > 0) parts.push(`${length(far.way)} away`);
    if (far.turn > 0) parts.push(`turned by ${Math.round((far.turn * 180) / Math.PI)}°`);
    this.#say(`Large move: ${parts.join(" and ")}. Not sent yet. It would move at up to ${length(p.speed!)}/s and ${Number((p.angular_speed! / (2 * Math.PI)).toPrecision(2))} turns/s.`, 0,
      this.#link("Move", () => this.take()), this.#link("Cancel", () => this.cancel()));
  }

  /** No jump waits any more. */
  #settle(): void {
    if (!this.#asks) return;
    this.#asks = false;
    this.#say("");
  }

  #link(text: string, onclick: () => void): HTMLElement {
    return h("button", { type: "button", class: "link", onclick }, text);
  }

  release(): void {
    if (this.command.phase === "none" && !this.#asks) return;
    this.#asks = false;
    this.command.release();
    this.#say("");
    if (this.#applied) this.#held = this.#applied;
    this.#restore();
  }

  /** Ends what has been lost on the way, and says why until somebody acts. */
  lost(why: string): void {
    const commanded = this.command.phase === "commanding";
    this.release();
    if (commanded) this.#say(why);
  }

  /** Drops what is typed, slid or waits to be confirmed. */
  cancel(): void {
    this.sliders.forEach((s) => s.cancel());
    if (this.#asks) {
      this.#settle();
      if (this.command.phase === "armed") this.command.release();
    }
    this.#restore();
  }

  #restore(): void {
    const to = this.#applied && !this.command.mine ? this.#applied : this.#held;
    this.sliders.forEach((s, i) => s.put(to[i]));
  }

  /** Takes the operating state: where commands are refused nothing is commanded on when it ends. */
  operating(state: string): void {
    if (state === this.#state) return;
    this.#state = state;
    if (this.#timer) this.#say(""); // it was about the state before
    if (this.#blocked) this.release();
  }

  /** Takes who commands the group, as the node publishes it. */
  commanded(by: string): void {
    const changed = by !== this.command.commander;
    this.command.commandedBy(by);
    if (changed) this.#show();
  }

  /** Shows who commands. */
  #show(): void {
    const { phase, commander } = this.command;
    const mine = phase === "commanding";
    this.element.classList.toggle("live", mine);
    this.element.dataset.phase = phase;
    this.#take.textContent = mine ? "Release" : "Take over";
    this.#take.title = mine ? "Stop commanding. After command_timeout_s tensions and fields go to their safe values; a pose completes the last command, motors hold" : "Send the values of these sliders now, also if another node commands";
    const by = mine ? this.#source.name : commander;
    this.#who.hidden = by === "";
    this.#who.textContent = `commanded by ${by}${by === this.#source.name ? " (this page)" : ""}`;
    if (!this.#asks && phase === "commanding" && !this.#timer) this.#say("");
  }

  #say(text: string, ms = 0, ...links: HTMLElement[]): void {
    clearTimeout(this.#timer);
    this.#timer = ms ? window.setTimeout(() => this.#say(""), ms) : 0;
    this.#note.hidden = text === "";
    if (text === this.#said && links.length === 0) return; // a button that is made anew while it is pressed is not clicked
    this.#said = text;
    this.#note.replaceChildren(text, ...links);
  }

  /** Takes the status of a command that the node does not take, and why. */
  refused(status: string, why: string): void {
    if (status !== notInCommand) {
      if (!this.#asks) this.#say(why, noted);
      return;
    }
    const by = /refused: (.+) is in command until /.exec(why)?.[1] || "another node";
    this.command.refused(by);
    const { phase } = this.command;
    if (phase !== "armed" && phase !== "relieved") return;
    this.#asks = false;
    this.#say(phase === "relieved" ? `${by} has taken over; this page sends no commands.` : why.replace(/^.*? refused: /, "").replace(/; call take_command.*/, "."), 0, this.#link("Take over", () => this.take()));
  }

  /** Shows what the robot's joints have. */
  applied(m: Joints): void {
    const values = this.port.kind === "tension" ? m.effort : ["tendon_length", "joint_state"].includes(this.port.kind) ? m.position : [];
    this.sliders.forEach((s, i) => {
      const x = values[m.name.indexOf(this.port.labels?.[i] ?? "")];
      if (Number.isFinite(x)) s.applied(x, this.command.mine);
    });
    if (!this.command.mine) this.#held = this.#values();
  }

  /** Shows what the robot has of a command whose setpoint is a topic of its own. */
  setpoint(topic: string, m: any): void {
    if (topic !== this.port.setpoint || !this.#knobs.begin) return;
    const applied = this.#knobs.begin(m, this.#values());
    const isZero = this.port.kind !== "pose" && applied.every((x) => x === 0); // which is the same in every frame
    if (!isZero && !this.#inFrame(m.header.frame_id)) return;
    this.#applied = applied;
    this.sliders.forEach((s, i) => s.applied(this.#applied![i], this.command.mine || this.#asks));
    if (!this.command.mine && !this.#asks) this.#held = this.#applied;
  }

  /** Whether what is applied is in the frame that is chosen. A frame that is new among what is applied is chosen, unless this page commands. */
  #inFrame(id: string): boolean {
    const frames = this.port.frames ?? [];
    if (!this.#frames || frames.length < 2) return true;
    if (id !== this.#appliedFrame && !this.command.mine) this.#frames.value = String((this.#frame = Math.max(0, frames.indexOf(id))));
    this.#appliedFrame = id;
    return frames[this.#frame] === id;
  }

  /** Drives towards a heading on the screen, -1 to 1 each; with 0 0 the stick has been let go, and the robot goes no further. */
  drive(dx: number, dy: number): void {
    if (this.port.kind === "tension") this.#pull(dx, dy);
    else if (this.#knobs.drive) this.#steer(dx, dy);
  }

  /** Pulls the tendons on the side to which the stick is pushed. Motors, whose efforts go both ways, have no side. */
  #pull(dx: number, dy: number): void {
    if (dx === 0 && dy === 0 && !this.command.mine) return;
    if (!this.#may()) return;
    const { right, up } = this.#stage.view.heading();
    const pulls = this.#stage.shapes.pulls(this.port.labels!);
    const to = [0, 1, 2].map((c) => dx * right.getComponent(c) + dy * up.getComponent(c));
    this.sliders.forEach((s, i) => {
      const p = pulls[i];
      const share = p && s.knob.least >= 0 ? Math.max(0, p[0] * to[0] + p[1] * to[1] + p[2] * to[2]) : 0;
      const slack = Math.max(0, s.knob.min);
      s.set(slack + 0.6 * share * (s.knob.max - slack));
    });
    this.#moved();
  }

  /** Turns the field to where the stick is pushed, as fast as it is pushed far. */
  #steer(dx: number, dy: number): void {
    const strength = Math.min(1, Math.hypot(dx, dy));
    if (strength === 0 && !this.command.mine) return;
    if (!this.#may()) return;
    if (strength > 0) {
      const { right, ahead } = this.#stage.view.heading();
      this.#knobs.drive!(this.#values(), right.toArray(), ahead.toArray(), dx, dy).forEach((x, i) => i !== this.#knobs.speed && this.sliders[i].set(x));
    }
    if (this.#knobs.speed !== undefined) this.#go(this.sliders[this.#knobs.speed], strength);
    this.#moved();
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
    if (!this.#may()) return;
    s.set(s.value + amount * (s.knob.max - s.knob.min));
    this.#moved();
  }
}

const titles: Record<string, string> = { // by name or kind
  servo_insertion: "Insertion",
  tension: "Tension", tendon_length: "Pull", currents: "Currents", field: "Field", field_gradient: "Field and gradient", rotating_field: "Rotating field",
};

function title(p: Port): string {
  const known = p.kind === "tension" && p.units ? "Effort" : titles[p.name] ?? titles[p.kind];
  if (known) return known;
  const words = p.name.replaceAll("_", " ");
  return words[0].toUpperCase() + words.slice(1);
}
