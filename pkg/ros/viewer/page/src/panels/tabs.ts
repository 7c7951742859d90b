// The panel: one of several bodies at a time, chosen by tabs.
import { h } from "../ui";

interface Tab {
  head: HTMLButtonElement;
  body: HTMLElement;
}

export class Tabs {
  readonly element: HTMLElement;
  #tabs = new Map<string, Tab>();

  constructor(list: [string, HTMLElement][]) {
    for (const [name, e] of list) {
      this.#tabs.set(name, {
        head: h("button", { type: "button", role: "tab", id: `to-${name}`, "aria-controls": `tab-${name}`, onclick: () => this.#choose(name) }, name),
        body: h("div", { class: "tab", role: "tabpanel", id: `tab-${name}`, "aria-labelledby": `to-${name}` }, e),
      });
    }
    const all = [...this.#tabs.values()];
    const row = h("div", { class: "tabs", role: "tablist" }, ...all.map((t) => t.head));
    row.addEventListener("keydown", (e) => this.#key(e));
    this.element = h("aside", { class: "panel" }, row, ...all.map((t) => t.body));
    this.#choose(list[0][0]);
  }

  /** Says what a tab is called, and whether it is there. */
  set(name: string, title: string, there: boolean): void {
    const t = this.#tabs.get(name)!;
    t.head.textContent = title;
    t.head.hidden = !there;
    if (!there && !t.body.hidden) this.#choose(this.#there()[0]);
  }

  #there(): string[] {
    return [...this.#tabs].filter(([, t]) => !t.head.hidden).map(([name]) => name);
  }

  #choose(chosen: string): void {
    for (const [name, t] of this.#tabs) {
      t.head.setAttribute("aria-selected", String(name === chosen));
      t.head.tabIndex = name === chosen ? 0 : -1;
      t.body.hidden = name !== chosen;
    }
  }

  #key(e: KeyboardEvent): void {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
    if (!way) return;
    e.stopPropagation();
    const names = this.#there();
    const from = names.findIndex((n) => this.#tabs.get(n)!.head === document.activeElement);
    const to = names[(from + way + names.length) % names.length];
    this.#choose(to);
    this.#tabs.get(to)!.head.focus();
  }
}
