// Numbers of one or two places that somebody points at: where they are, how the rod bends there, and how far they are apart.
import { angles } from "../commands";
import { CenterLine } from "../scene/centerline";
import { factsOf, pick, placesOf, type Facts, type Place } from "../scene/place";
import type { Stage } from "../scene/stage";
import { button, enters, h, tell } from "../ui";
import { digits, fixed, positionScale, typed, type Scale } from "../units";

const still = 6; // px, within which a pointer that goes down and up points at something
const slack = { mouse: 10, touch: 20 }; // px, beside what is pointed at
const least = 80; // ms, between numbers that are written
const svg = "http://www.w3.org/2000/svg";

export class Probe {
  readonly element = h("section", { class: "probe", "aria-label": "measurement", hidden: true });
  /** Marks over the canvas. */
  readonly marks = document.createElementNS(svg, "svg");
  /** Called when the numbers have come or gone. */
  onshown: () => void = () => undefined;
  #stage: Stage;
  #points: Point[] = [];
  #between = h("p", { class: "between", hidden: true });
  #ends = document.createElementNS(svg, "line");
  #written = 0; // ms
  #length = 0; // m, of the robot; 0 where it is not known

  constructor(stage: Stage) {
    this.#stage = stage;
    this.marks.setAttribute("class", "marks");
    this.marks.setAttribute("aria-hidden", "true");
    this.marks.append(this.#ends);
    let down: { x: number; y: number } | undefined;
    stage.canvas.addEventListener("pointerdown", (e) => (down = e.isPrimary && e.button === 0 ? { x: e.clientX, y: e.clientY } : undefined));
    stage.canvas.addEventListener("pointerup", (e) => {
      if (down && Math.hypot(e.clientX - down.x, e.clientY - down.y) < still) this.#point(e);
      down = undefined;
    });
  }

  /** Takes the length of the robot, m: it decides the unit. */
  set length(x: number) {
    this.#length = x;
  }

  get places(): Place[] {
    return this.#points.map((p) => p.place);
  }

  /** Marks these places and no others, at most two. */
  set places(list: Place[]) {
    this.#points.forEach((p) => p.mark.remove());
    this.#points = list.slice(0, 2).map((place, i) => new Point(i, place, () => this.places = this.places.filter((_, k) => k !== i), () => (this.#written = 0)));
    this.marks.append(...this.#points.map((p) => p.mark));
    this.element.replaceChildren(...this.#points.map((p) => p.element), this.#between);
    const hidden = list.length === 0;
    if (hidden !== this.element.hidden) {
      this.element.hidden = hidden;
      this.onshown();
    }
    this.#written = 0;
    this.draw();
  }

  /** Marks one more place; after two it begins anew. */
  #add(place: Place): void {
    this.places = [...(this.#points.length < 2 ? this.places : []), place];
  }

  #point(e: PointerEvent): void {
    const scene = this.#stage.scene;
    if (!scene) return;
    const px = e.pointerType === "mouse" ? slack.mouse : slack.touch;
    const place = pick(scene, this.#stage.view.ray(e.clientX, e.clientY), (depth) => px * this.#stage.view.pixelAt(depth));
    if (place) this.#add(place);
  }

  /** Marks the middle of the rod or the first body, then its tip or the next one, then nothing: for who has no pointer. */
  next(): void {
    const scene = this.#stage.scene;
    const all = scene ? placesOf(scene) : [];
    const first = all.find((p) => p.line) ?? all[0];
    if (!scene || !first) {
      tell(this.element, 0, "There is nothing to measure: no rod, body or wall is shown.");
      return;
    }
    const n = this.#points.length;
    if (n === 2) this.places = [];
    else if (first.line) {
      const line = CenterLine.of(scene, first.name)!;
      this.#add({ name: first.name, index: 0, node: n === 0 ? line.nodeAt(line.length / 2) : line.last });
    } else this.#add({ name: first.name, index: Math.min(n, first.count - 1) });
  }

  draw(): void {
    const scene = this.#stage.scene;
    if (this.#points.length === 0) {
      this.#ends.setAttribute("visibility", "hidden");
      return;
    }
    const facts = this.#points.map((p) => scene && factsOf(scene, p.place));
    const at = facts.map((f, i) => this.#mark(this.#points[i].mark, f));
    const both = at.length === 2 && at[0] && at[1];
    this.#ends.setAttribute("visibility", both ? "visible" : "hidden");
    if (both) at.forEach((p, i) => ["x", "y"].forEach((c, k) => this.#ends.setAttribute(c + (i + 1), p![k].toFixed(1))));
    if (performance.now() - this.#written < least) return;
    this.#written = performance.now();
    this.#points.forEach((p, i) => p.show(scene ? placesOf(scene) : [], facts[i], this.#scale(facts), scene && p.place.node !== undefined ? CenterLine.of(scene, p.place.name) : undefined, scene?.scale ?? 1));
    this.#measure(facts);
  }

  /** The unit of all numbers that are shown. */
  #scale(facts: (Facts | undefined)[]): Scale {
    const far = Math.max(...facts.map((f) => Math.max(f?.position.length() ?? 0, f?.line?.length ?? 0)));
    return positionScale(this.#length > 0 ? this.#length / 3 : far);
  }

  /** Puts a mark to where its place is on the screen, in px; nothing where that is behind the camera. */
  #mark(mark: SVGGElement, f: Facts | undefined): [number, number] | undefined {
    const at = f && this.#stage.view.project(f.drawn);
    mark.setAttribute("visibility", at ? "visible" : "hidden");
    if (at) mark.setAttribute("transform", `translate(${at[0].toFixed(1)} ${at[1].toFixed(1)})`);
    return at;
  }

  #measure([a, b]: (Facts | undefined)[]): void {
    this.#between.hidden = !(a && b);
    if (!a || !b) return;
    const { factor, unit } = this.#scale([a, b]);
    const straight = a.position.distanceTo(b.position);
    const d = b.position.clone().sub(a.position);
    this.#between.dataset.distance = String(straight);
    const same = a.line && b.line && this.#points[0].place.name === this.#points[1].place.name;
    const parts = [`${fixed(straight / factor, 2)} ${unit}`];
    if (same) parts.push(`${fixed(Math.abs(b.line!.arc - a.line!.arc) / factor, 2)} ${unit} along it`);
    this.#between.replaceChildren(h("b", {}, "1–2"), h("span", {}, parts.join(", ")), h("small", {}, `Δ ${[d.x, d.y, d.z].map((x) => fixed(x / factor, 2)).join("  ")} ${unit}`));
  }
}

/** One place with its numbers. */
class Point {
  readonly element: HTMLElement;
  readonly mark = document.createElementNS(svg, "g");
  place: Place;
  #number: string;
  #choice: HTMLSelectElement;
  #options = "";
  #slider = h("input", { type: "range", min: "0", max: "1000", step: "1" });
  #arc = h("input", { type: "text", inputMode: "decimal", class: "number", spellcheck: false });
  #unit = h("span", { class: "unit" });
  #along: HTMLElement;
  #facts = h("dl", { class: "facts" });
  #shown: { line?: CenterLine; scale: number; factor: number; count: number } = { scale: 1, factor: 1, count: 1 };
  #changed: () => void;

  constructor(i: number, place: Place, remove: () => void, changed: () => void) {
    [this.place, this.#number, this.#changed] = [place, String(i + 1), changed];
    this.#choice = h("select", { "aria-label": `what point ${this.#number} is on`, onchange: () => this.#choose(this.#choice.value) });
    this.#slider.addEventListener("input", () => this.#slide(Number(this.#slider.value) / 1000));
    this.#arc.addEventListener("keydown", (e) => enters(e) && this.#type());
    this.#arc.addEventListener("blur", changed);
    this.#along = h("div", { class: "along" }, this.#slider, h("span", { class: "value" }, this.#arc, this.#unit));
    this.element = h("div", { class: "point" },
      h("header", {}, h("b", {}, this.#number), this.#choice, button("close", `remove point ${this.#number}`, remove, { text: "" })), this.#along, this.#facts);
    const [ring, text] = [document.createElementNS(svg, "circle"), document.createElementNS(svg, "text")];
    ring.setAttribute("r", "6");
    text.setAttribute("x", "11");
    text.setAttribute("y", "-8");
    text.textContent = this.#number;
    this.mark.append(ring, text);
  }

  #choose(name: string): void {
    const line = this.#choice.selectedOptions[0].dataset.line === "true";
    this.#move({ name, index: 0, node: line ? 0 : undefined });
  }

  #move(p: Place): void {
    this.place = p;
    this.#changed();
  }

  /** Goes to a share of the line, or of the bodies. */
  #slide(u: number): void {
    const { line, count } = this.#shown;
    if (line) this.#move({ ...this.place, node: line.nodeAt(u * line.length) });
    else this.#move({ ...this.place, index: Math.round(u * (count - 1)) });
  }

  #type(): void {
    const x = typed(this.#arc.value);
    const { line, scale, factor, count } = this.#shown;
    const most = line ? line.length / scale / factor : count;
    const from = line ? 0 : 1;
    if (typeof x === "string") tell(this.#arc, 2, x);
    else if (x < from || x > most * (1 + 1e-9)) tell(this.#arc, 2, `${x} is outside the range; allowed: ${from} to ${digits(most)}${line ? ` ${this.#unit.textContent}` : ""}.`);
    else if (line) this.#move({ ...this.place, node: line.nodeAt(x * factor * scale) });
    else this.#move({ ...this.place, index: Math.round(x) - 1 });
    this.#show(true);
  }

  show(all: { name: string; count: number; line: boolean }[], f: Facts | undefined, { factor, unit }: Scale, line: CenterLine | undefined, scale: number): void {
    this.#shown = { line, scale, factor, count: all.find((p) => p.name === this.place.name)?.count ?? 1 };
    const options = all.map((p) => p.name).join();
    if (options !== this.#options && document.activeElement !== this.#choice) {
      this.#options = options;
      this.#choice.replaceChildren(...all.map((p) => h("option", { value: p.name, "data-line": String(p.line) }, p.name.replaceAll("_", " "))));
    }
    if (document.activeElement !== this.#choice) this.#choice.value = this.place.name;
    this.#along.hidden = !line && this.#shown.count < 2;
    const what = line ? "arc length" : "body";
    this.#slider.setAttribute("aria-label", `${what} of point ${this.#number}`);
    this.#arc.setAttribute("aria-label", `${what} of point ${this.#number}${line ? `, ${unit}` : ""}`);
    this.#unit.textContent = line ? unit : `of ${this.#shown.count}`;
    this.#show(false);
    this.#write(f, factor, unit);
  }

  /** Shows where on the line it is; what is typed stays until it counts. */
  #show(force: boolean): void {
    const { line, scale, factor, count } = this.#shown;
    const u = line ? line.arcAt(this.place.node!) / line.length : count > 1 ? this.place.index / (count - 1) : 0;
    this.#slider.value = String(Math.round(1000 * u));
    this.#slider.style.setProperty("--at", u.toFixed(4));
    if (force || document.activeElement !== this.#arc) this.#arc.value = line ? fixed(line.arcAt(this.place.node!) / scale / factor, 2) : String(this.place.index + 1);
  }

  #write(f: Facts | undefined, factor: number, unit: string): void {
    const row = (name: string, text: string, value: number[]) => [h("dt", { "data-name": name }, name), h("dd", { "data-name": name, "data-value": value.join(" ") }, text)];
    if (!f) {
      this.#facts.replaceChildren(...row("not shown any more", "", []));
      return;
    }
    const { line, position: p } = f;
    const rows: HTMLElement[] = [];
    if (line) {
      rows.push(...row("of length", `${fixed(line.length / factor, 2)} ${unit}`, [line.length]), ...row("curvature", `${digits(line.curvature)} 1/m`, [line.curvature]));
      if (line.strain !== undefined) rows.push(...row("bending strain", `${digits(100 * line.strain, 3)} %`, [line.strain]));
    }
    rows.push(...row("position", `${[p.x, p.y, p.z].map((x) => fixed(x / factor, 2)).join("  ")} ${unit}`, [p.x, p.y, p.z]));
    if (line) rows.push(...row("tangent", line.along.toArray().map((x) => fixed(x, 3)).join("  "), line.along.toArray()));
    if (f.orientation) {
      const rpy = angles(f.orientation.toArray());
      rows.push(...row("roll pitch yaw", `${rpy.map((x) => fixed(x, 1)).join("  ")} °`, rpy));
    }
    this.#facts.replaceChildren(...rows);
  }
}
