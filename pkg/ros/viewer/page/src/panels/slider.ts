// A slider with its number, for one of the things that a port takes.
import type { Knob } from "../commands";
import { enters, h, tell } from "../ui";
import { digits, scaleFor, typed, type Scale } from "../units";

const roundoff = 1e-9; // of the range of a slider, below which a number is 0
const decided = 6; // px along a slider, from which on a finger moves it

export class Slider {
  readonly element: HTMLElement;
  readonly #range: HTMLInputElement;
  readonly #number: HTMLInputElement;
  readonly #mark = h("i", { class: "applied", hidden: true });
  readonly knob: Knob;
  #unit: Scale;
  #limit: number;
  #finger?: number; // px, where one has come down that has not gone along the slider yet
  #down = false; // a pointer, on the slider
  #dropped = false; // what that does counts no more
  value: number;

  constructor(knob: Knob, hotkey: string, changed: () => void) {
    this.knob = knob;
    this.value = knob.start;
    this.#limit = Math.max(Math.abs(knob.min), Math.abs(knob.max));
    this.#unit = scaleFor(this.#limit, knob.unit);
    this.#range = h("input", { type: "range", min: "0", max: "1000", step: "1", "aria-label": knob.label, title: "drag to command at once; double click: 0" });
    this.#number = h("input", { type: "text", inputMode: "decimal", class: "number", "aria-label": `${knob.label}, ${this.#unit.unit}`, spellcheck: false });
    const slid = () => {
      const u = Number(this.#range.value) / 1000;
      this.#take(knob.min + u * (knob.max - knob.min));
      changed();
    };
    this.#range.addEventListener("input", () => {
      if (this.#dropped) this.#show();
      else if (this.#finger === undefined) slid();
    });
    this.#range.addEventListener("keydown", () => (this.#dropped = false));
    this.#follow(slid);
    this.#range.addEventListener("dblclick", () => {
      this.#take(Math.min(Math.max(0, knob.min), knob.max));
      changed();
    });
    this.#number.addEventListener("keydown", (e) => {
      if (enters(e) && this.#type()) changed();
      if (enters(e)) this.#show(true);
      if (e.key === "Escape") this.#number.blur();
    });
    this.#number.addEventListener("blur", () => this.#show(true)); // what is typed counts by Enter alone
    this.element = h("div", { class: "slider" },
      h("label", {}, hotkey ? h("kbd", { title: `hold ${hotkey} to raise, Shift+${hotkey} to lower; commands at once` }, hotkey) : null, h("span", { title: knob.label }, knob.label)),
      h("span", { class: "track" }, this.#range, this.#mark),
      h("span", { class: "value" }, this.#number, h("span", { class: "unit" }, this.#unit.unit)));
    this.#show();
  }

  /** Follows a finger once it goes along the slider, or has only touched it: one that goes up or down scrolls, and commands nothing. */
  #follow(slid: () => void): void {
    const r = this.#range;
    r.addEventListener("pointerdown", (e) => {
      [this.#down, this.#dropped] = [true, false];
      this.#finger = e.pointerType === "touch" ? e.clientX : undefined;
    });
    r.addEventListener("pointermove", (e) => {
      if (this.#finger !== undefined && Math.abs(e.clientX - this.#finger) > decided) this.#finger = undefined;
    });
    r.addEventListener("pointerup", () => {
      if (this.#finger !== undefined && !this.#dropped) slid();
      this.#finger = undefined;
      this.#down = false;
    });
    r.addEventListener("pointercancel", () => {
      this.#finger = undefined;
      this.#down = false;
      this.#show();
    });
  }

  /** Sets the value, within what is allowed, and widens the range where there is no limit. */
  #take(x: number): void {
    const k = this.knob;
    this.value = Math.min(Math.max(x, k.least), k.most);
    if (this.value > k.max) k.max = this.value;
    if (this.value < k.min) k.min = this.value;
    this.#show();
  }

  /** Takes what was typed. It reports whether that was a number that is allowed. */
  #type(): boolean {
    const [k, u] = [this.knob, this.#unit];
    const shown = typed(this.#number.value);
    if (typeof shown === "string") {
      tell(this.#number, 2, `${k.label}: ${shown}`);
      return false;
    }
    const [x, slack] = [shown * u.factor, roundoff * this.#limit];
    if (x < k.least - slack || x > k.most + slack) {
      const [least, most] = [k.least, k.most].map((x) => digits(x / u.factor, 3));
      const allowed = !Number.isFinite(k.least) ? `at most ${most}` : !Number.isFinite(k.most) ? `at least ${least}` : `${least} to ${most}`;
      tell(this.#number, 2, `${k.label}: ${digits(shown, 3)} ${u.unit} is outside the limits; allowed: ${allowed} ${u.unit}. Nothing was sent.`);
      return false;
    }
    this.#take(x);
    return true;
  }

  /** Shows a value that nobody has chosen here. */
  put(x: number): void {
    this.value = x;
    this.#show();
  }

  /** Drops what is typed, and what the pointer that is down still does to the slider. */
  cancel(): void {
    this.#dropped = this.#down;
    this.#show(true);
  }

  set(x: number): void {
    this.#take(Math.min(Math.max(x, this.knob.min), this.knob.max));
  }

  /** Shows what the robot has, where a command of somebody else put it. */
  applied(x: number, mine: boolean): void {
    const k = this.knob;
    const half = (k.max - k.min) / 2;
    if (k.around && !mine && Math.abs(x - k.min - half) > 0.8 * half) { // near an end
      [k.min, k.max] = [Math.max(x - half, k.least), Math.min(x + half, k.most)];
    }
    const u = Math.min(Math.max((x - k.min) / (k.max - k.min), 0), 1);
    this.#mark.style.setProperty("--at", u.toFixed(4));
    this.#mark.hidden = false;
    if (!mine) this.put(x);
  }

  /** Shows the value, also in place of what is being typed. */
  #show(typed = false): void {
    const k = this.knob;
    const u = (this.value - k.min) / (k.max - k.min);
    this.#range.value = String(Math.round(1000 * u));
    this.#range.style.setProperty("--at", Math.min(Math.max(u, 0), 1).toFixed(4));
    this.#range.style.setProperty("--zero", Math.min(Math.max(-k.min / (k.max - k.min), 0), 1).toFixed(4));
    const nothing = Math.abs(this.value) < roundoff * this.#limit;
    const text = digits(nothing ? 0 : this.value / this.#unit.factor, 3);
    this.#range.setAttribute("aria-valuetext", `${text} ${this.#unit.unit}`);
    if (typed || document.activeElement !== this.#number) this.#number.value = text;
  }
}
