// What is chosen for all plots: how much time they show, and a way back to now.
import { button, h, remembered } from "../ui";
import { fixed } from "../units";
import { spans, type TimeWindow } from "./window";

const closer = 2; // of a zoom by a button

export class Tools {
  readonly element: HTMLElement;
  #window: TimeWindow;
  #span: HTMLSelectElement;
  #reset: HTMLButtonElement;
  #at = h("output", { class: "at" });

  /** chosen is called when another time is to be shown. */
  constructor(window: TimeWindow, chosen: () => void) {
    this.#window = window;
    const memory = remembered("plots.span", String(window.span));
    if (spans.includes(Number(memory.get()))) window.span = Number(memory.get());
    this.#span = h("select", {
      "aria-label": "time that plots show",
      onchange: () => {
        window.span = Number(this.#span.value);
        memory.set(this.#span.value);
        window.reset();
        chosen();
      },
    }, ...spans.map((s) => h("option", { value: String(s), selected: s === window.span }, `last ${s} s`)));
    this.#reset = h("button", { type: "button", class: "take", title: "show the newest numbers again (0, or a double click on a plot)", onclick: () => window.reset() }, "Reset");
    this.element = h("div", { class: "tools", role: "group", "aria-label": "time of the plots" }, this.#span, this.#at, this.#reset,
      button("minus", "zoom out in time", () => window.zoom(closer, window.cursor ?? (window.follows ? 1 : 0.5)), { text: "" }),
      button("plus", "zoom in in time", () => window.zoom(1 / closer, window.cursor ?? (window.follows ? 1 : 0.5)), { text: "" }));
  }

  /** Shows so many seconds, if they can be chosen. */
  set span(s: number) {
    if (!spans.includes(s)) return;
    this.#window.span = s;
    this.#span.value = String(s);
  }

  draw(): void {
    const w = this.#window;
    this.#reset.hidden = w.follows;
    const at = w.at;
    const text = at === undefined ? (w.follows ? "" : `${fixed(w.to - w.from, 2)} s shown`) : `at ${fixed(at - w.origin, 2)} s`;
    if (this.#at.textContent !== text) this.#at.textContent = text;
  }
}
