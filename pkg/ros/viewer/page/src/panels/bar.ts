// What is always in reach: pause, step, reset, emergency stop; and how things stand.
import type { DataSource, Link, Reply } from "../source";
import { button, h, sign } from "../ui";
import { fixed } from "../units";

export class Bar {
  readonly element: HTMLElement;
  readonly head: HTMLElement;
  state = "";
  #source: DataSource;
  #tell: (level: number, text: string) => void;
  #cancel: () => void;
  #pause: HTMLButtonElement;
  #step: HTMLButtonElement;
  #reset: HTMLButtonElement;
  #stop: HTMLButtonElement;
  #name = h("h1", {}, "Sinew");
  #about = h("p", { class: "about" });
  #pill = h("span", { class: "pill", id: "state", role: "status" }, "connecting");
  #reason = h("p", { class: "reason", hidden: true });
  #time = h("span", { class: "time" });
  #link: Link = "connecting";
  /** The call that the node has not answered yet; empty: none. */
  #pending = "";
  #stops = false; // from an emergency stop on until FAULT is there
  #recording = false;

  /** cancel ends all commands of the page, with what waits to be one; past goes to the past, or back. */
  constructor(source: DataSource, tell: (level: number, text: string) => void, cancel: () => void, past: () => void) {
    [this.#source, this.#tell, this.#cancel] = [source, tell, cancel];
    this.#pause = button("pause", "Pause", () => void this.toggle(), { id: "pause" });
    this.#step = button("step", "Step 10", () => void this.step(), { id: "step", title: "Step 10 control periods (.), while PAUSED" });
    this.#reset = button("reset", "Reset", () => void this.reset(), { id: "reset" });
    this.#stop = button("stop", "E-stop", () => void this.stop(), { id: "estop", class: "estop", text: "E-STOP", title: "Stop the simulated robot (Esc): FAULT, commands refused, inputs to their safe values. Does not stop hardware" });
    this.element = h("nav", { class: "bar", "aria-label": "simulation" }, this.#pause, this.#step, this.#reset, button("back", "the last minute (B)", past, { id: "to-past", text: "Past" }), this.#stop);
    this.head = h("header", { class: "head" }, h("div", { class: "title" }, this.#name, this.#pill), this.#about, this.#time, this.#reason);
    this.#show("", "");
  }

  joined(node: string, about: string): void {
    this.#name.textContent = node.replace(/^\//, "");
    this.#about.textContent = about;
    document.title = node.replace(/^\//, "");
  }

  /** Says which robot of the node the page is about. */
  robot(name: string): void {
    const node = this.#name.firstChild?.textContent ?? "";
    this.#name.replaceChildren(node, ...(name ? [h("small", {}, ` ${name}`)] : []));
    document.title = name ? `${node} ${name}` : node;
  }

  link(link: Link, why: string): void {
    this.#link = link;
    this.#show(this.state, why);
  }

  /** Shows the operating state. */
  operating(state: string, reason: string): void {
    if (state === "FAULT") this.#stops = false;
    if (state === "FAULT" && this.state !== state) this.#pause.blur(); // Space, which has paused by it, would enable now
    this.state = state;
    this.#show(state, reason);
  }

  stats(m: { sim_time: number; real_time_factor: number; rate: number }): void {
    if (this.#recording) return;
    this.#time.textContent = `${fixed(m.sim_time, 1)} s  ·  ${fixed(m.real_time_factor, 2)} × real time  ·  ${Math.round(m.rate)} Hz`;
  }

  /** Shows that this is a recording, at a time since its beginning, s; or that it is none. */
  recording(t: number | undefined): void {
    this.#recording = t !== undefined;
    this.#time.textContent = t === undefined ? "" : `${fixed(t, 2)} s`;
    this.#show(this.state, "");
  }

  #show(state: string, reason: string): void {
    const up = this.#link === "open";
    const shown = up ? (this.#recording ? "recording" : state || "…") : this.#link === "connecting" ? "connecting" : this.#link === "refused" ? "refused" : "connection lost";
    this.#pill.textContent = shown;
    this.#pill.dataset.state = up ? state : "lost";
    const again = this.#recording ? "Reconnecting automatically." : "E-STOP does not work from this page. Reconnecting automatically.";
    const text = up || this.#link !== "lost" ? reason : reason ? `${reason[0].toUpperCase()}${reason.slice(1)}. ${again}` : again;
    this.#reason.textContent = text;
    this.#reason.hidden = text === "";
    const paused = state === "PAUSED";
    const off = state === "FAULT" || state === "DISABLED";
    if (off) sign(this.#pause, "power", "Enable");
    else sign(this.#pause, paused ? "play" : "pause", paused ? "Resume" : "Pause");
    this.#pause.classList.toggle("named", off); // what is wanted there is no sign that one knows
    this.#step.disabled = !up || !paused;
    this.#pause.disabled = this.#reset.disabled = !up;
    this.#stop.disabled = !up;
    document.body.dataset.state = up ? state : "lost";
  }

  async #call(name: string, request: object): Promise<Reply | undefined> {
    if (this.#pending && name !== "e_stop") {
      this.#tell(1, `${name} was not sent: the node has not answered ${this.#pending} yet. Try again.`);
      return undefined;
    }
    this.#pending = name;
    const r = await this.#source.call(name, request);
    this.#pending = "";
    if (!r.success) this.#tell(2, `${name} failed: ${r.message || "no reason given"}${name === "e_stop" ? ". The robot may still move" : ""}`);
    return r;
  }

  async toggle(): Promise<void> {
    if (this.state === "FAULT" || this.state === "DISABLED") await this.#call("enable", {});
    else await this.#call("pause", { data: this.state !== "PAUSED" });
  }

  /** Space pauses, resumes and enables, but not after an emergency stop: that takes the button. */
  async space(): Promise<void> {
    if (this.state === "FAULT" || this.#stops) this.#tell(1, "FAULT: press Enable");
    else await this.toggle();
  }

  async step(): Promise<void> {
    const first = this.state === "FAULT" || this.state === "DISABLED" ? "Enable and then Pause" : "Pause (Space)";
    if (this.state !== "PAUSED") this.#tell(0, `${this.state}: step needs PAUSED; press ${first} first.`);
    else await this.#call("step", { steps: 10n });
  }

  async reset(): Promise<void> {
    this.#cancel(); // the robot is at its start then, and would jump to what is commanded
    await this.#call("reset", {});
  }

  async stop(): Promise<void> {
    this.#stops = true;
    const done = this.#call("e_stop", {});
    this.#cancel();
    if (!(await done)?.success) this.#stops = false;
  }
}
