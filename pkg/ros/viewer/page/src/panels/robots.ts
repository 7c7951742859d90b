// Which robot of a swarm or of a fleet the page is about.
import { factsOf, type Facts } from "../scene/place";
import type { Scene } from "../scene/frames";
import type { Stage } from "../scene/stage";
import type { DataSource, Panel } from "../source";
import { button, enters, h, tell } from "../ui";
import { typed } from "../units";

const svg = "http://www.w3.org/2000/svg";

export class Robots {
  readonly element = h("div", { class: "robots", role: "group", "aria-label": "robot", hidden: true });
  /** Marks the chosen robot of a swarm over the canvas. */
  readonly mark = document.createElementNS(svg, "g");
  /** Called when another robot of a swarm is chosen. */
  onchosen: () => void = () => undefined;
  #stage: Stage;
  #source: DataSource;
  #swarm?: Panel["swarm"];
  #chosen = 0;
  #number = h("input", { type: "text", inputMode: "numeric", class: "number", "aria-label": "number of the robot", spellcheck: false });

  constructor(stage: Stage, source: DataSource) {
    [this.#stage, this.#source] = [stage, source];
    this.mark.setAttribute("class", "chosen");
    const ring = document.createElementNS(svg, "circle");
    ring.setAttribute("r", "13");
    this.mark.append(ring);
    this.mark.setAttribute("visibility", "hidden");
    this.#number.addEventListener("keydown", (e) => enters(e) && this.#type());
    this.#number.addEventListener("blur", () => this.#write());
  }

  /** The number of the chosen robot of a swarm, from 0; 0 where there is a single robot. */
  get chosen(): number {
    return this.#chosen;
  }

  /** Chooses a robot of the swarm, if there is one of that number. */
  set chosen(n: number) {
    if (n === this.#chosen || !this.#has(n)) return;
    this.#chosen = n;
    this.#follow();
    this.onchosen();
  }

  #has = (n: number) => Number.isInteger(n) && n >= 0 && n < (this.#swarm?.count ?? 1);

  /** The topic that has the pose of the chosen robot, with the way to read it; nothing for the first one, which has topics of its own. */
  get topic(): string | undefined {
    return this.#chosen > 0 ? this.#swarm?.topic : undefined;
  }

  /** What the page calls the chosen robot beside its node; empty where there is one. */
  get name(): string {
    return this.#swarm ? `robot ${this.#chosen}` : "";
  }

  /** Shows what there is to choose from, with a robot of a swarm chosen. */
  show(panel: Panel, node: string, chosen: number): void {
    this.#swarm = panel.swarm;
    this.#chosen = this.#has(chosen) ? chosen : 0;
    const fleet = panel.fleet ?? [];
    this.element.hidden = !this.#swarm && fleet.length < 2;
    if (this.#swarm) {
      const last = this.#swarm.count - 1;
      const step = (by: number) => () => (this.chosen = (this.#chosen + by + last + 1) % (last + 1));
      this.element.replaceChildren(h("span", {}, "robot"), button("minus", "the robot before", step(-1), { text: "" }), this.#number, button("plus", "the next robot", step(1), { text: "" }),
        h("span", { class: "unit" }, `of 0 to ${last}; commands act on all`));
    } else {
      const leave = () => {
        const to = choice.value;
        choice.value = fleet.find((r) => r.name === node)?.path ?? to; // whoever comes back to this page finds its robot chosen
        this.#go(to);
      };
      const choice = h("select", { "aria-label": "robot of the fleet", onchange: leave },
        ...fleet.map((r) => h("option", { value: r.path, selected: r.name === node }, r.name.slice(1))));
      this.element.replaceChildren(h("span", {}, "robot"), choice, h("span", { class: "unit" }, `of ${fleet.length}; numbers and commands are of this one`));
    }
    this.#follow();
  }

  /** Goes to the page of another robot of the fleet; commands of this page end with it. */
  #go(path: string): void {
    const to = new URL(location.href);
    [to.pathname, to.hash] = [path, ""];
    location.assign(to);
  }

  #type(): void {
    const n = typed(this.#number.value);
    if (typeof n === "string") tell(this.#number, 2, n);
    else if (!this.#has(n)) tell(this.#number, 2, `There is no robot ${n}: from 0 to ${this.#swarm!.count - 1}.`);
    else this.chosen = n;
    this.#write();
  }

  #write(): void {
    this.#number.value = String(this.#chosen);
  }

  /** Has the camera and the source go with the chosen robot. */
  #follow(): void {
    this.#write();
    this.#stage.robot = this.#chosen;
    if (!this.#swarm) return;
    if (this.#chosen > 0) this.#source.want(this.#swarm.topic);
    else this.#source.forget(this.#swarm.topic); // it has all robots, and is large
  }

  draw(): void {
    const scene = this.#stage.scene;
    const at = this.#swarm && scene && this.#facts(scene);
    const px = at && this.#stage.view.project(at.drawn);
    this.mark.setAttribute("visibility", px ? "visible" : "hidden");
    if (px) this.mark.setAttribute("transform", `translate(${px[0].toFixed(1)} ${px[1].toFixed(1)})`);
  }

  /** Where the chosen robot is drawn. */
  #facts(scene: Scene): Facts | undefined {
    return factsOf(scene, this.#chosen === 0 ? { name: "body", index: 0 } : { name: "swarm", index: this.#chosen - 1 });
  }
}
