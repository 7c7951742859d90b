// What is drawn: layers to show and hide, how long arrows are, and what their lengths mean.
import { layerNames, type Layer, type Layers } from "../scene/layers";
import type { Stage } from "../scene/stage";
import type { DataSource, Panel } from "../source";
import { h, remembered } from "../ui";
import { digits, length, scaleFor } from "../units";

const titles: Record<Layer, string> = {
  robot: "robot", disks: "disks", tendons: "tendons and springs", forces: "forces", field: "magnetic field", moments: "magnetic moments", magnets: "magnets",
  path: "path", hardware: "measured hardware (hardware/…)", overlay: "second recording", walls: "walls", ground: "ground", frames: "frames of the world and of the robot",
};
const widest = 10; // times as long, or short, as arrows are drawn
const half = 2e-3; // T, at which the arrow of a field has half of its greatest length
const pause = 300; // ms, between two writings

export class LayerPanel {
  readonly element: HTMLElement;
  /** Called when something else is shown. */
  onchosen: () => void = () => undefined;
  #layers: Layers;
  #stage: Stage;
  #source: DataSource;
  #boxes = new Map<Layer, HTMLInputElement>();
  #rows = new Map<Layer, HTMLElement>();
  #scale = h("input", { type: "range", id: "arrow-scale", min: "-1", max: "1", step: "0.05", value: "0", "aria-label": "length of arrows" });
  #factor = h("output", { class: "unit" });
  #arrows: HTMLElement;
  #meaning = h("dl", { class: "facts meaning" });
  #field = { topic: "", value: Number.NaN }; // T
  #contacts = { topic: "", value: Number.NaN }; // N, the largest
  #written = 0; // ms
  #memory = remembered("layers", "frames");

  constructor(stage: Stage, source: DataSource) {
    [this.#stage, this.#layers, this.#source] = [stage, stage.layers, source];
    for (const l of layerNames) {
      const box = h("input", { type: "checkbox", onchange: () => this.#choose() });
      this.#boxes.set(l, box);
      this.#rows.set(l, h("label", { class: "row" }, h("span", {}, titles[l]), box));
    }
    this.#scale.addEventListener("input", () => {
      this.#layers.scale = Number((widest ** Number(this.#scale.value)).toPrecision(2));
      this.#show();
      this.onchosen();
    });
    this.#arrows = h("div", {}, h("label", { class: "row" }, h("span", {}, "Length of arrows"), h("span", { class: "track" }, this.#scale), this.#factor), this.#meaning);
    this.element = h("section", { class: "card layers" }, h("header", {}, h("h2", {}, "Layers")), ...this.#rows.values(), this.#arrows);
    this.state = { hidden: this.#memory.get().split(",").filter(Boolean), scale: 1 };
  }

  /** The names of layers that are not shown, and the scale of arrows. */
  get state(): { hidden: string[]; scale: number } {
    return { hidden: [...this.#layers.hidden], scale: this.#layers.scale };
  }

  set state({ hidden, scale }: { hidden: string[]; scale: number }) {
    for (const [l, box] of this.#boxes) box.checked = !hidden.includes(l);
    this.#layers.scale = Math.min(Math.max(scale, 1 / widest), widest);
    this.#scale.value = String(Math.log(this.#layers.scale) / Math.log(widest));
    this.#apply();
  }

  show(panel: Panel, node: string, topics: Set<string>): void {
    this.#layers.clear();
    this.#field = { topic: panel.ports.find((p) => !p.in && p.kind === "field")?.topic ?? "", value: Number.NaN };
    this.#contacts = { topic: topics.has(`${node}/contacts`) ? `${node}/contacts` : "", value: Number.NaN };
    for (const t of [this.#field.topic, this.#contacts.topic]) if (t) this.#source.want(t);
  }

  /** Takes what the lengths of arrows mean. */
  take(topic: string, m: any): void {
    if (topic === this.#field.topic) this.#field.value = Math.hypot(m.magnetic_field.x, m.magnetic_field.y, m.magnetic_field.z);
    if (topic === this.#contacts.topic) this.#contacts.value = m.contacts.reduce((most: number, c: any) => Math.max(most, Math.hypot(...["x", "y", "z"].map((a) => c.normal_force * c.normal[a] + c.friction[a]))), 0);
  }

  #choose(): void {
    this.#apply();
    this.#memory.set([...this.#layers.hidden].join());
    this.onchosen();
  }

  #apply(): void {
    for (const [l, box] of this.#boxes) {
      if (box.checked) this.#layers.hidden.delete(l);
      else this.#layers.hidden.add(l);
    }
    this.#show();
  }

  #show(): void {
    this.#written = 0;
    const u = (Number(this.#scale.value) + 1) / 2;
    this.#scale.style.setProperty("--at", u.toFixed(3));
    this.#scale.style.setProperty("--zero", "0.5");
    this.#factor.textContent = `${this.#layers.scale} ×`;
    this.#scale.setAttribute("aria-valuetext", `${this.#layers.scale} times`);
  }

  draw(): void {
    if (performance.now() - this.#written < pause || this.element.offsetParent === null) return;
    this.#written = performance.now();
    const { present } = this.#layers;
    for (const [l, row] of this.#rows) row.hidden = !present.has(l);
    this.#arrows.hidden = !present.has("forces") && !present.has("field");
    const fact = (name: string, text: string) => [h("dt", {}, name), h("dd", {}, text)];
    this.#meaning.replaceChildren(...this.#facts(fact));
  }

  /** What arrows of a length mean: one that is seen now, with its length on the picture's scale. */
  #facts(fact: (name: string, text: string) => HTMLElement[]): HTMLElement[] {
    const names = new Set(this.#stage.scene?.shapes.map((s) => s.name));
    const long = (name: string) => length((this.#layers.longest.get(name) ?? 0) / (this.#stage.scene?.scale ?? 1));
    const rows: HTMLElement[] = [];
    if (names.has("contact") && this.#contacts.value > 0) rows.push(...fact("contact forces", `${quantity(this.#contacts.value, "N")} is ${long("contact")} long now, linear`));
    if (names.has("external_force")) rows.push(...fact("force on the tip", "length: tip deflection that it alone would cause, at most the rod length"));
    if (names.has("body_force")) rows.push(...fact("force on a body", "length: a tenth of the robot for the weight of the body on Earth, at most the length of the robot"));
    if (names.has("field")) rows.push(...fact("field", `${Number.isFinite(this.#field.value) ? `${quantity(this.#field.value, "T")} is ${long("field")} long; ` : ""}arrow length saturates; half of the maximum at ${quantity(half, "T")}`));
    return rows;
  }
}

function quantity(x: number, unit: string): string {
  const s = scaleFor(x, unit);
  return `${digits(x / s.factor, 3)} ${s.unit}`;
}
