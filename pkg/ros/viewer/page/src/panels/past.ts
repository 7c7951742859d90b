// The last minute of a robot that runs: any moment of it, while the robot goes on and takes commands.
import type { History } from "../export/history";
import type { Plots } from "../plots/plots";
import type { Pose } from "../scene/triads";
import type { Stage } from "../scene/stage";
import { h, tell } from "../ui";
import { fixed } from "../units";

const shortest = 0.2; // s, of a past that can be gone to
const step = 0.1; // s, of the slider by a key
const begin = 1; // s before now, where the past is entered

export class Past {
  readonly element: HTMLElement;
  #stage: Stage;
  #history: History;
  #plots: Plots;
  #shown: (p: Pose) => void;
  #poses: { time: number; pose: Pose }[] = [];
  #time?: number; // s, of the moment that is shown
  #slider = h("input", { type: "range", id: "past", "aria-label": "seconds before now", step: String(step), max: "0" });
  #label = h("output", { class: "ago" });

  /** shown shows where the robot was. */
  constructor(stage: Stage, history: History, plots: Plots, shown: (p: Pose) => void) {
    [this.#stage, this.#history, this.#plots, this.#shown] = [stage, history, plots, shown];
    this.#slider.addEventListener("input", () => this.#go((this.#history.span?.[1] ?? 0) + Number(this.#slider.value)));
    this.element = h("nav", { class: "past", "aria-label": "the past", hidden: true },
      h("p", { role: "status" }, h("b", {}, "Past"), " Not the present: the robot keeps running; commands and E-STOP act now."), this.#slider, this.#label,
      h("button", { type: "button", class: "take", title: "show what is now (B)", onclick: () => this.leave() }, "Live"));
  }

  /** Whether a moment of the past is shown. */
  get active(): boolean {
    return this.#time !== undefined;
  }

  /** Takes where the robot is, at a time in s. */
  take(time: number, pose: Pose): void {
    const list = this.#poses;
    if (list.length && time < list.at(-1)!.time) list.length = 0;
    list.push({ time, pose });
    const oldest = this.#history.span?.[0] ?? time;
    let gone = 0;
    while (gone < list.length - 1 && list[gone + 1].time <= oldest) gone++;
    if (gone > 100) list.splice(0, gone); // not one by one
  }

  /** Goes to the past, or back. */
  toggle(): void {
    const span = this.#history.span;
    if (this.active) this.leave();
    else if (!span || span[1] - span[0] < shortest) tell(this.element, 0, "No history yet: it begins with the first received scene.");
    else {
      this.#go(span[1] - begin);
      this.#slider.focus();
    }
  }

  #go(time: number): void {
    const span = this.#history.span;
    if (!span) return;
    this.#time = Math.min(Math.max(time, span[0]), span[1]);
    this.element.hidden = false;
    document.body.classList.add("in-past");
    this.#plots.goTo(this.#time);
    this.draw();
  }

  /** Shows what is now. */
  leave(): void {
    if (!this.active) return;
    this.#time = undefined;
    this.#stage.past = undefined;
    if (this.element.contains(document.activeElement)) this.#stage.canvas.focus();
    this.element.hidden = true;
    document.body.classList.remove("in-past");
    this.#plots.goTo(undefined);
  }

  /** Forgets what was. */
  clear(): void {
    this.leave();
    this.#poses = [];
  }

  draw(): void {
    if (this.#time === undefined) return;
    const span = this.#history.span;
    if (!span || this.#time > span[1] + 1e-9) { // another robot, or time went back
      this.leave();
      return;
    }
    this.#time = Math.max(this.#time, span[0]); // what is older is not kept
    this.#stage.past = this.#history.at(this.#time);
    let i = this.#poses.length - 1;
    while (i > 0 && this.#poses[i].time > this.#time + 1e-9) i--;
    if (i >= 0) this.#shown(this.#poses[i].pose);
    const ago = this.#time - span[1];
    this.#slider.min = (span[0] - span[1]).toFixed(1);
    this.#slider.value = ago.toFixed(2);
    this.#slider.style.setProperty("--at", (1 - ago / (span[0] - span[1] || -1)).toFixed(4));
    this.#slider.setAttribute("aria-valuetext", `${fixed(-ago, 1)} seconds ago`);
    this.#label.textContent = `${fixed(ago, 1)} s`;
    this.#label.dataset.time = String(this.#time);
  }
}
