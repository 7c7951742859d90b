// How things are drawn.
import { viridisCSS } from "../scene/colors";
import type { Coloring } from "../scene/shapes";
import type { Stage } from "../scene/stage";
import { h, remembered } from "../ui";
import { digits } from "../units";

export class Display {
  readonly element: HTMLElement;
  readonly theme = h("select", { "aria-label": "theme" }, ...["system", "dark", "light"].map((t) => h("option", { value: t }, t)));
  readonly follow = h("input", { type: "checkbox", id: "follow" });
  #coloring = h("select", { "aria-label": "colour of the rod" },
    h("option", { value: "plain" }, "plain"), h("option", { value: "curvature" }, "curvature"), h("option", { value: "strain" }, "bending strain"));
  #stage: Stage;
  #legend = h("div", { class: "colors" });
  #greatest = h("b");
  #stats = h("dl", { class: "facts" });
  #shown = 0;

  constructor(stage: Stage, repaint: (theme: "dark" | "light") => void) {
    this.#stage = stage;
    const memory = remembered("theme", "system");
    this.theme.value = memory.get();
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const apply = () => {
      const t = this.theme.value === "system" ? (dark.matches ? "dark" : "light") : this.theme.value;
      document.documentElement.dataset.theme = t;
      repaint(t as "dark" | "light");
    };
    this.theme.addEventListener("change", () => {
      memory.set(this.theme.value);
      apply();
    });
    dark.addEventListener("change", apply);
    queueMicrotask(apply);

    const coloring = this.#coloring;
    coloring.addEventListener("change", () => {
      stage.shapes.coloring = coloring.value as Coloring;
      stage.shapes.range = 0;
      this.#legend.hidden = coloring.value === "plain";
    });
    this.#legend.hidden = true;
    this.#legend.append(h("i", { style: `background:${viridisCSS()}` }), h("span", {}, "0"), this.#greatest);
    this.follow.addEventListener("change", () => (stage.view.follow = this.follow.checked));
    const row = (label: string, e: HTMLElement) => h("label", { class: "row" }, h("span", {}, label), e);
    this.element = h("div", { class: "display" },
      h("section", { class: "card" }, h("header", {}, h("h2", {}, "Picture")),
        row("Rod coloured by", coloring), this.#legend, row("Camera follows the robot", this.follow), row("Theme", this.theme)),
      h("section", { class: "card" }, h("header", {}, h("h2", {}, "Drawing")), this.#stats));
  }

  /** How the rod is coloured. */
  get coloring(): string {
    return this.#coloring.value;
  }

  set coloring(c: string) {
    if (![...this.#coloring.options].some((o) => o.value === c)) return;
    this.#coloring.value = c;
    this.#coloring.dispatchEvent(new Event("change"));
  }

  /** The other theme than the one that is. */
  toggleTheme(): void {
    this.theme.value = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    this.theme.dispatchEvent(new Event("change"));
  }

  draw(): void {
    if (performance.now() - this.#shown < 300 || this.element.offsetParent === null) return;
    this.#shown = performance.now();
    const s = this.#stage.shapes;
    const strain = s.coloring === "strain";
    this.#greatest.textContent = strain ? `${digits(100 * s.range, 3)} %` : `${digits(s.range, 3)} 1/m`;
    this.follow.checked = this.#stage.view.follow;
    const fact = (name: string, text: string) => [h("dt", {}, name), h("dd", {}, text)];
    this.#stats.replaceChildren(
      ...fact("frames per second", this.#stage.fps.toFixed(0)),
      ...(s.curvature > 0 ? fact("greatest curvature", `${digits(s.curvature, 3)} 1/m`) : []),
      ...(s.strain > 0 ? fact("greatest bending strain", `${digits(100 * s.strain, 3)} %`) : []),
      ...(s.instances > 20 ? fact("bodies", String(s.instances)) : []),
      ...(s.scale !== 1 ? fact("drawing scale", `${s.scale} ×`) : []));
  }
}
