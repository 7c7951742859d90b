// The stretch of time that a GIF shows: the last seconds of a robot that runs, or any part of a recording.
import type { History } from "../export/history";
import type { Moments } from "../export/moments";
import type { Playback } from "../source";
import { h, tell } from "../ui";
import { fixed, typed } from "../units";
import type { Stretch } from "./export";

const lasts = [2, 5, 10, 20]; // s

export class Range {
  readonly element: HTMLElement;
  /** Called when the part of a recording is another, with its ends since the beginning, s. */
  onchange: (from: number, to: number) => void = () => undefined;
  #history: History;
  #moments: Moments;
  #last = h("select", { "aria-label": "seconds" }, ...lasts.map((s) => h("option", { value: String(s), selected: s === 5 }, `last ${s} s`)));
  #live = h("label", { class: "row" }, h("span", {}, "Range"), this.#last);
  #ends = [this.#field("from"), this.#field("to")];
  #recorded: HTMLElement;
  #now?: Playback; // of a recording
  #chosen = false; // a person has chosen the ends

  constructor(history: History, moments: Moments) {
    [this.#history, this.#moments] = [history, moments];
    const here = (i: number) => h("button", { type: "button", class: "take", title: `${i === 0 ? "begin" : "end"} at the present moment (${"IO"[i]})`, onclick: () => this.here(i) }, "here");
    this.#recorded = h("div", { hidden: true },
      ...["From", "To"].map((name, i) => h("div", { class: "row" }, h("span", {}, name), h("span", { class: "value" }, this.#ends[i], h("span", { class: "unit" }, "s"), here(i)))));
    this.element = h("div", {}, this.#live, this.#recorded);
  }

  #field(name: string): HTMLInputElement {
    const e = h("input", { type: "text", inputMode: "decimal", class: "number", id: `gif-${name}`, "aria-label": `${name}, s`, value: "0" });
    e.addEventListener("change", () => {
      this.#chosen = true;
      this.#tidy();
    });
    return e;
  }

  /** Takes how a recording stands. */
  playback(p: Playback): void {
    this.#now = p;
    this.#recorded.hidden = false;
    this.#live.hidden = true;
    if (!this.#chosen) this.#set(0, p.to - p.from);
  }

  /** This is no recording. */
  live(): void {
    this.#now = undefined;
    this.#recorded.hidden = true;
    this.#live.hidden = false;
    this.#chosen = false;
  }

  /** Puts the first or the last moment to where the recording is. */
  here(i: number): void {
    if (!this.#now) return;
    const t = this.#now.time - this.#now.from;
    const ends = this.#values();
    ends[i] = t;
    // whoever moves one end over the other begins a new range
    if (ends[0] > ends[1]) ends[1 - i] = i === 0 ? this.#now.to - this.#now.from : 0;
    this.#chosen = true;
    this.#set(ends[0], ends[1]);
  }

  #values(): number[] {
    return this.#ends.map((e) => Number(typed(e.value)));
  }

  /** Makes what was typed a part of the recording. */
  #tidy(): void {
    const length = this.#now ? this.#now.to - this.#now.from : 0;
    for (const e of this.#ends) {
      const x = typed(e.value);
      if (typeof x === "string") tell(e, 2, x);
    }
    const [a, b] = this.#values().map((x, i) => (Number.isFinite(x) ? Math.min(Math.max(x, 0), length) : i * length));
    this.#set(Math.min(a, b), Math.max(a, b));
  }

  #set(from: number, to: number): void {
    const texts = [from, to].map((t) => fixed(t, 3));
    this.#ends.forEach((e, i) => e.value !== texts[i] && (e.value = texts[i]));
    this.onchange(from, to);
  }

  /** What is chosen, or why there is nothing. */
  stretch(): Stretch | string {
    const now = this.#now;
    if (now) {
      const [from, to] = this.#values();
      return {
        from, to, what: "", when: `${from.toFixed(2)}-${to.toFixed(2)}s`,
        sceneAt: (t) => this.#moments.at(now.from + t, now), end: () => this.#moments.end(),
      };
    }
    const span = this.#history.span;
    if (!span || span[1] - span[0] < 0.1) return "No GIF: less than 0.1 s of scenes has been received.";
    const seconds = Number(this.#last.value);
    const from = Math.max(span[0], span[1] - seconds);
    const sceneAt = this.#history.snapshot();
    return { from: 0, to: span[1] - from, what: `last_${(span[1] - from).toFixed(0)}s`, sceneAt: async (t) => sceneAt(from + t)!, end: () => undefined };
  }
}
