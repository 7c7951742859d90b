// What lies over the canvas: where the robot is, how long things are, where the axes point.
import type { Stage } from "../scene/stage";
import type { View } from "../scene/viewpoint";
import { button, h } from "../ui";
import { fixed, length, positionScale, type Scale } from "../units";

const bar = { wide: 110, narrow: 66 }; // px, of the scale at most; a narrow window has it beside the views
const narrow = 760; // px
const least = 80; // ms, between two positions that are written

export class Hud {
  readonly element: HTMLElement;
  readonly readout = h("output", { class: "readout", id: "readout", title: "position of the simulated robot in world, from measured_cp" });
  #stage: Stage;
  #cross: HTMLCanvasElement;
  #scale = h("div", { class: "scale", title: "length at the middle of the picture" }, h("i"), h("span"));
  #shown = 0;
  #position?: { x: number; y: number; z: number }; // that is not shown yet
  #unit: Scale = { factor: 1e-3, unit: "mm" };
  #widest = 0;
  #distance = h("output", { class: "readout distance", id: "distance", title: "distance of the robots of both recordings at this moment", hidden: true });
  #apart = Number.NaN; // m, of those
  #written?: { x: number; y: number; z: number }; // the newest position that is shown
  #length = 0; // m, of the robot; 0 where it is not known

  /** measure marks the next place to be measured. */
  constructor(stage: Stage, measure: () => void) {
    this.#stage = stage;
    this.#cross = h("canvas", { class: "cross", width: 128, height: 128, "aria-hidden": "true" });
    const view = (v: View, name: string, text: string) => h("button", { type: "button", title: name, "aria-label": name, onclick: () => stage.view.look(v) }, text);
    const views = h("div", { class: "views", role: "group", "aria-label": "views" },
      view("x", "look along x (X)", "X"), view("y", "look along y (Y)", "Y"), view("z", "look from above (Z)", "Z"), view("home", "view from the side above (H)", "⌂"),
      button("fit", "show everything (F)", () => stage.view.fit(), { text: "" }),
      button("ruler", "measure: the middle of the rod, then its tip (M)", measure, { text: "" }));
    this.element = h("section", { class: "hud", "aria-label": "position and views" }, this.#distance, this.readout, h("div", { class: "compass" }, this.#cross, views), this.#scale);
  }

  /** Shows the position x y z, m. */
  position(p: { x: number; y: number; z: number }): void {
    this.#position = p;
  }

  /** Shows the distance to the robot of a second recording, m; nothing where that is not known. */
  set distance(d: number) {
    this.#apart = d;
    this.#position ??= this.#written;
  }

  /** Takes the length of the robot, m: positions are shown in hundredths of the unit in which it has one digit or more. */
  set length(x: number) {
    this.#length = x;
  }

  /** Forgets a robot: another one is told anew, or nothing is where there is no position. */
  clear(): void {
    this.#position = this.#written = undefined;
    this.#distance.hidden = true;
    this.#widest = 0;
    this.#apart = Number.NaN;
    for (const axis of ["x", "y", "z"]) delete this.readout.dataset[axis];
    this.readout.replaceChildren();
  }

  /** Writes the newest position, and not more often than one can read. */
  #write(): void {
    const p = this.#position;
    const now = performance.now();
    if (!p || now - this.#shown < least) return;
    this.#shown = now;
    this.#position = undefined;
    this.#written = p;
    const size = Math.max(Math.abs(p.x), Math.abs(p.y), Math.abs(p.z));
    if (size > this.#widest || size < 0.01 * this.#widest) {
      this.#widest = size;
      this.#unit = positionScale(this.#length > 0 ? this.#length / 3 : size);
    }
    const f = this.#unit.factor;
    [this.readout.dataset.x, this.readout.dataset.y, this.readout.dataset.z] = [p.x, p.y, p.z].map(String);
    this.#distance.hidden = !Number.isFinite(this.#apart);
    this.#distance.dataset.value = String(this.#apart);
    this.#distance.replaceChildren(h("span", {}, h("i", {}, "distance"), fixed(this.#apart / f, 2)), h("span", { class: "unit" }, this.#unit.unit));
    const part = (name: string, x: number) => h("span", {}, h("i", {}, name), fixed(x / f, 2));
    this.readout.replaceChildren(part("x", p.x), part("y", p.y), part("z", p.z), h("span", { class: "unit" }, this.#unit.unit));
  }

  draw(): void {
    this.#write();
    const p = this.#stage.pixel;
    if (Number.isFinite(p) && p > 0) {
      const best = [1, 2, 5].map((m) => m * 10 ** Math.floor(Math.log10((p * (innerWidth < narrow ? bar.narrow : bar.wide)) / m))).sort((a, b) => b - a)[0];
      const [line, text] = [this.#scale.children[0] as HTMLElement, this.#scale.children[1]];
      line.style.width = `${(best / p).toFixed(1)}px`;
      const label = length(best);
      if (text.textContent !== label) text.textContent = label;
    }
    this.#drawCross();
  }

  #drawCross(): void {
    const g = this.#cross.getContext("2d")!;
    const style = getComputedStyle(document.documentElement);
    g.setTransform(2, 0, 0, 2, 64, 64);
    g.clearRect(-32, -32, 64, 64);
    const colors = ["#e5534b", "#2ea97d", "#3b8eea"];
    const axes = this.#stage.view.axes().map((v, i) => ({ v, i })).sort((a, b) => a.v.z - b.v.z);
    for (const { v, i } of axes) {
      g.strokeStyle = g.fillStyle = colors[i];
      g.globalAlpha = v.z < -0.1 ? 0.55 : 1;
      g.lineWidth = 2;
      g.lineCap = "round";
      g.beginPath();
      g.moveTo(0, 0);
      g.lineTo(18 * v.x, -18 * v.y);
      g.stroke();
      g.beginPath();
      g.arc(24 * v.x, -24 * v.y, 6.5, 0, 7);
      g.fill();
      g.fillStyle = style.getPropertyValue("--back");
      g.font = "700 8.5px system-ui, sans-serif";
      g.textAlign = "center";
      g.textBaseline = "middle";
      g.fillText("xyz"[i], 24 * v.x, -24 * v.y - 0.5);
    }
    g.globalAlpha = 1;
  }
}
