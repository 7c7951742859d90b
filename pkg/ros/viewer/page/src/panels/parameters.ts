// The parameters of the node, with what they mean; those that can change while the robot runs can be
// set here.
import type { DataSource, Parameter } from "../source";
import { enters, h, tell } from "../ui";
import { typed } from "../units";

export class Parameters {
  readonly element: HTMLElement;
  #list = h("div", { class: "parameters" });
  #find = h("input", { type: "search", placeholder: "filter by name or description", "aria-label": "filter by name or description" });
  #all = h("input", { type: "checkbox" });
  #known = new Map<string, Parameter>();
  #rows = new Map<string, Row>();
  #source: DataSource;

  constructor(source: DataSource) {
    this.#source = source;
    this.#find.addEventListener("input", () => this.#filter());
    this.#all.addEventListener("change", () => this.#filter());
    this.element = h("div", { class: "display" }, h("section", { class: "card" },
      h("header", {}, h("h2", {}, "Parameters")), h("p", { class: "fine" }, "Enter sets the value in the running node at once."), this.#find,
      h("label", { class: "row" }, h("span", {}, "show also parameters that need a restart"), this.#all), this.#list));
  }

  clear(): void {
    this.#known.clear();
    this.#rows.clear();
    this.#list.replaceChildren();
  }

  take(list: Parameter[]): void {
    for (const p of list) {
      this.#known.set(p.name, { ...this.#known.get(p.name), ...p });
      let row = this.#rows.get(p.name);
      if (!row) {
        this.#rows.set(p.name, (row = this.#row(p.name)));
        this.#list.append(row.element);
      }
      row.show();
    }
    this.#filter();
  }

  #filter(): void {
    const words = this.#find.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const [name, { element }] of this.#rows) {
      const p = this.#known.get(name)!;
      const text = `${name} ${p.description ?? ""}`.toLowerCase();
      element.hidden = (!!p.fixed && !this.#all.checked && words.length === 0) || !words.every((w) => text.includes(w));
    }
  }

  #row(name: string): Row {
    const now = () => this.#known.get(name)!;
    const id = `p-${name}`;
    const flag = typeof now().value === "boolean";
    const words = typeof now().value === "string" ? now().words : undefined;
    const field = words ? h("select", { id }, ...words.map((w) => h("option", {}, w))) : h("input", { type: flag ? "checkbox" : "text", id, spellcheck: false });
    const checked = () => (field as HTMLInputElement).checked;
    const enter = () => {
      try {
        this.#source.setParameter(now(), flag ? checked() : parse(field.value, now().value));
      } catch (e) {
        tell(field, 2, `${name}: ${(e as Error).message}`);
      }
    };
    if (flag || words) field.addEventListener("change", enter);
    else field.addEventListener("keydown", (e: Event) => {
      if (!(e instanceof KeyboardEvent)) return;
      if (enters(e)) enter();
      if (enters(e) || e.key === "Escape") field.blur();
    });
    const about = h("p");
    const element = h("div", { class: "parameter" }, h("label", { for: id }, ...broken(name)), field, about);
    const show = () => {
      const p = now();
      element.title = p.fixed ?? "";
      field.disabled = !!p.fixed;
      about.textContent = [p.description, p.constraints && !words && `allowed: ${p.constraints}`].filter(Boolean).join(" · ");
      if (flag) (field as HTMLInputElement).checked = p.value === true;
      else if (words || document.activeElement !== field) field.value = text(p.value);
    };
    field.addEventListener("blur", show); // what is typed counts by Enter alone; until that is answered it shows what holds
    return { element, show };
  }
}

/** A name that may go on in the next line after a dot. */
function broken(name: string): (string | HTMLElement)[] {
  return name.split(/(?<=\.)/).flatMap((part, i) => (i ? [h("wbr"), part] : [part]));
}

/** A parameter on the page; show brings it up to date. */
interface Row {
  element: HTMLElement;
  show: () => void;
}

function text(v: unknown): string {
  return Array.isArray(v) ? v.join(", ") : String(v);
}

/** What was typed, in the type of what was there. */
function parse(s: string, like: unknown): unknown {
  if (typeof like === "number") return number(s);
  if (!Array.isArray(like)) return s;
  const parts = s.split(/[\s,]+/).filter(Boolean);
  return like.length > 0 && typeof like[0] === "string" ? parts : parts.map(number);
}

function number(text: string): number | string {
  if (/^[+-]?inf(inity)?$/i.test(text.trim())) return text.trim(); // as the program writes it
  const x = typed(text);
  if (typeof x === "string") throw new Error(x);
  return x;
}
