// The parameters of the node, with what they mean; those that can change while the robot runs can be
// set here.
import type { DataSource, Parameter } from "../source";
import { h } from "../ui";

export class Parameters {
  readonly element: HTMLElement;
  #list = h("div", { class: "parameters" });
  #find = h("input", { type: "search", placeholder: "find a parameter", "aria-label": "find a parameter" });
  #all = h("input", { type: "checkbox" });
  #known = new Map<string, Parameter>();
  #rows = new Map<string, HTMLElement>();
  #source: DataSource;

  constructor(source: DataSource) {
    this.#source = source;
    this.#find.addEventListener("input", () => this.#filter());
    this.#all.addEventListener("change", () => this.#filter());
    this.element = h("div", { class: "display" }, h("section", { class: "card" },
      h("header", {}, h("h2", {}, "Parameters")), this.#find,
      h("label", { class: "row" }, h("span", {}, "also those fixed while the robot runs"), this.#all), this.#list));
  }

  clear(): void {
    this.#known.clear();
    this.#rows.clear();
    this.#list.replaceChildren();
  }

  take(list: Parameter[]): void {
    for (const p of list) {
      this.#known.set(p.name, { ...this.#known.get(p.name), ...p });
      const row = this.#row(this.#known.get(p.name)!);
      const old = this.#rows.get(p.name);
      if (old && !old.contains(document.activeElement)) old.replaceWith(row);
      else if (!old) this.#list.append(row);
      else continue;
      this.#rows.set(p.name, row);
    }
    this.#filter();
  }

  #filter(): void {
    const words = this.#find.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const [name, row] of this.#rows) {
      const p = this.#known.get(name)!;
      const text = `${name} ${p.description ?? ""}`.toLowerCase();
      row.hidden = (!!p.fixed && !this.#all.checked && words.length === 0) || !words.every((w) => text.includes(w));
    }
  }

  #row(p: Parameter): HTMLElement {
    const id = `p-${p.name}`;
    let field: HTMLInputElement;
    if (typeof p.value === "boolean") {
      field = h("input", { type: "checkbox", id, checked: p.value, disabled: !!p.fixed });
      field.addEventListener("change", () => this.#source.setParameter(p, field.checked));
    } else {
      field = h("input", { type: "text", id, value: text(p.value), disabled: !!p.fixed, spellcheck: false });
      field.addEventListener("change", () => {
        const v = parse(field.value, p.value);
        if (v === undefined) field.value = text(p.value);
        else this.#source.setParameter(p, v);
        field.blur();
      });
    }
    return h("div", { class: "parameter", title: p.fixed ?? "" },
      h("label", { for: id }, p.name), field, h("p", {}, [p.description, p.constraints && `allowed: ${p.constraints}`].filter(Boolean).join(" · ")));
  }
}

function text(v: unknown): string {
  return Array.isArray(v) ? v.join(", ") : String(v);
}

/** What was typed, in the type of what was there. */
function parse(s: string, like: unknown): unknown {
  if (typeof like === "number") {
    const x = Number(s);
    return s.trim() === "" || Number.isNaN(x) ? undefined : x;
  }
  if (Array.isArray(like)) {
    const parts = s.split(/[\s,]+/).filter(Boolean);
    if (like.length > 0 && typeof like[0] === "string") return parts;
    const numbers = parts.map(Number);
    return numbers.some(Number.isNaN) ? undefined : numbers;
  }
  return s;
}
