// Small means to build the page.

type Child = Node | string | null | undefined | false;
type Props = Record<string, unknown>;

/** Makes an element: properties, attributes (with a dash or as aria), listeners (on...), children. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, props: Props = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) e.addEventListener(name.slice(2), value as EventListener);
    else if (name === "class") e.className = String(value);
    else if (name in e && !name.includes("-")) (e as unknown as Props)[name] = value;
    else e.setAttribute(name, value === true ? "" : String(value));
  }
  e.append(...(children.filter((c) => c !== null && c !== undefined && c !== false) as (Node | string)[]));
  return e;
}

/** Drawn signs, of 16 by 16. */
const signs = {
  pause: "M5 3v10M11 3v10",
  play: "M5 3l8 5-8 5z",
  step: "M4 3l6 5-6 5zM13 3v10",
  reset: "M3 8a5 5 0 1 0 1.6-3.7M3 2v3.2h3.2",
  stop: "M5.5 2h5L14 5.5v5L10.5 14h-5L2 10.5v-5z",
  sun: "M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6M8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1",
  panel: "M2 3h12v10H2zM10 3v10",
  camera: "M2 5h3l1-2h4l1 2h3v8H2zM8 7a2 2 0 1 0 0 4 2 2 0 0 0 0-4",
  power: "M8 2v6M4.5 4.5a5 5 0 1 0 7 0",
  record: "M8 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8",
  film: "M2 3h12v10H2zM5 3v10M11 3v10M2 8h12",
  chart: "M2 2v12h12M4.5 10.5l3-4 2.5 2 4-5",
  ruler: "M1.5 10.5l9-9 4 4-9 9zM4.5 7.5l1.5 1.5M7 5l1.5 1.5M9.5 2.5",
  back: "M3 8a5 5 0 1 0 1.6-3.7M3 2v3.2h3.2M8 5v3l2 1.5",
  plus: "M8 3v10M3 8h10",
  minus: "M3 8h10",
  close: "M4 4l8 8M12 4l-8 8",
  fit: "M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4",
};

export function icon(name: keyof typeof signs): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", signs[name]);
  svg.append(path);
  return svg;
}

/** A button with a sign; its name is told by title and to screen readers. */
export function button(sign: keyof typeof signs, name: string, onclick: () => void, props: Props = {}): HTMLButtonElement {
  return h("button", { type: "button", title: name, "aria-label": name, onclick, ...props }, icon(sign), h("span", { class: "label" }, String(props.text ?? name)));
}

export function sign(b: HTMLButtonElement, name: keyof typeof signs, text: string): void {
  if (b.dataset.sign === name + text) return;
  b.dataset.sign = name + text;
  b.querySelector("svg")!.replaceWith(icon(name));
  b.querySelector(".label")!.textContent = text;
  b.title = text;
  b.setAttribute("aria-label", text);
}

/** Tells something for a while. */
export class Toasts {
  readonly element = h("div", { class: "toasts", role: "status", "aria-live": "polite" });
  #shown = new Map<string, { e: HTMLElement; timer: number }>();

  tell(level: number, text: string): void {
    const known = this.#shown.get(text);
    if (known) {
      if (!known.e.isConnected) this.element.append(known.e); // others have taken its place
      clearTimeout(known.timer);
      known.timer = this.#forget(text, known.e);
      return;
    }
    const e = h("div", { class: `toast level${level}` }, text);
    this.element.append(e);
    this.#shown.set(text, { e, timer: this.#forget(text, e) });
    while (this.element.childElementCount > 4) this.element.firstElementChild!.remove();
  }

  #forget(text: string, e: HTMLElement): number {
    return window.setTimeout(() => {
      e.remove();
      this.#shown.delete(text);
    }, 5000);
  }
}

/** Whether a key enters what is typed: Enter, unless it takes what an input method composes. */
export function enters(e: KeyboardEvent): boolean {
  return e.key === "Enter" && !e.isComposing;
}

/** Tells the user something about what was done at an element. */
export function tell(at: HTMLElement, level: number, text: string): void {
  at.dispatchEvent(new CustomEvent("tell", { bubbles: true, detail: { level, text } }));
}

/** A switch whose state is remembered. */
export function remembered(key: string, initial: string): { get(): string; set(v: string): void } {
  const name = `sinew.${key}`;
  let value = initial;
  try {
    value = localStorage.getItem(name) ?? initial;
  } catch { /* there is no memory */ }
  return {
    get: () => value,
    set: (v) => {
      value = v;
      try {
        localStorage.setItem(name, v);
      } catch { /* there is no memory */ }
    },
  };
}
