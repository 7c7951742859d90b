// The time line of a recording: play, pause, speed, and any moment of it.
import type { DataSource, Playback } from "../source";
import { button, h, sign } from "../ui";
import { fixed } from "../units";

const speeds = [0.1, 0.25, 0.5, 1, 2, 5, 10, 50];
const near = 1; // s, of a key
const far = 10; // s

export class Timeline {
  readonly element: HTMLElement;
  #source: DataSource;
  #play: HTMLButtonElement;
  #slider = h("input", { type: "range", id: "moment", "aria-label": "time", min: "0", max: "1", step: "0.001", value: "0" });
  #speed: HTMLSelectElement;
  #time = h("output", { class: "moment" });
  #now: Playback = { playing: false, ended: false, sought: false, time: 0, speed: 1, from: 0, to: 0 };
  #held = false;

  constructor(source: DataSource) {
    this.#source = source;
    this.#play = button("play", "Play", () => this.toggle(), { id: "play" });
    this.#speed = h("select", { id: "speed", "aria-label": "speed", title: "speed", onchange: () => this.#ask({ speed: Number(this.#speed.value) }) },
      ...speeds.map((s) => h("option", { value: String(s), selected: s === 1 }, `${s} ×`)));
    this.#slider.addEventListener("pointerdown", () => (this.#held = true));
    for (const end of ["pointerup", "pointercancel", "change"]) this.#slider.addEventListener(end, () => (this.#held = false));
    this.#slider.addEventListener("input", () => this.go(this.#now.from + Number(this.#slider.value)));
    this.element = h("nav", { class: "bar timeline", "aria-label": "recording" }, this.#play, this.#slider, this.#time, this.#speed);
  }

  /** Marks a part of the recording, s since its beginning. */
  mark(from: number, to: number): void {
    const length = this.#now.to - this.#now.from || 1;
    const whole = from <= 0 && to >= length;
    this.#slider.style.setProperty("--marked-from", whole ? "0" : (from / length).toFixed(4));
    this.#slider.style.setProperty("--marked-to", whole ? "0" : (to / length).toFixed(4));
  }

  /** Shows how things stand. */
  take(p: Playback): void {
    this.#now = p;
    const length = p.to - p.from;
    this.#slider.max = String(length);
    this.#slider.step = String(Math.max(length / 10000, 0.001));
    if (!this.#held) this.#slider.value = String(p.time - p.from);
    this.#slider.style.setProperty("--at", ((Number(this.#slider.value) || 0) / (length || 1)).toFixed(4));
    this.#time.textContent = `${fixed(p.time - p.from, 2)} / ${fixed(length, 2)} s`;
    this.#time.dataset.t = String(p.time - p.from);
    sign(this.#play, p.playing ? "pause" : "play", p.playing ? "Pause" : "Play");
    if (document.activeElement !== this.#speed && speeds.includes(p.speed)) this.#speed.value = String(p.speed);
  }

  #ask(change: { playing?: boolean; speed?: number; time?: number }): void {
    this.#now = { ...this.#now, ...change };
    this.#source.control(this.#now.playing, this.#now.speed, change.time);
  }

  toggle(): void {
    this.#ask({ playing: !this.#now.playing });
  }

  /** Goes to a time of the recording, s. */
  go(t: number): void {
    this.#ask({ time: Math.min(Math.max(t, this.#now.from), this.#now.to) });
  }

  /** Does what a key is for, and reports whether it is for anything. */
  key(e: KeyboardEvent): boolean {
    const to = {
      ArrowLeft: this.#now.time - (e.shiftKey ? far : near), ArrowRight: this.#now.time + (e.shiftKey ? far : near),
      ",": this.#now.time - 0.02, ".": this.#now.time + 0.02, Home: this.#now.from, End: this.#now.to,
    }[e.key];
    const at = speeds.indexOf(this.#now.speed);
    if (e.key === " ") this.toggle();
    else if (to !== undefined) this.go(to);
    else if (e.key === "[" && at > 0) this.#ask({ speed: speeds[at - 1] });
    else if (e.key === "]" && at >= 0 && at < speeds.length - 1) this.#ask({ speed: speeds[at + 1] });
    else return false;
    return true;
  }
}
