// What is taken from the page into papers and talks: pictures, plots, and GIFs.
import { save } from "../export/file";
import { makeGIF } from "../export/gif";
import { Photographer, png } from "../export/picture";
import type { Naming, Plots } from "../plots/plots";
import type { Scene } from "../scene/frames";
import type { Background, Stage } from "../scene/stage";
import { button, h } from "../ui";
import { fixed } from "../units";

/** A stretch of time whose scenes can be had. Times are since it or, of a recording, since its beginning, s. */
export interface Stretch {
  from: number;
  to: number;
  /** What of files' names says which it is: for how long, or from when to when. */
  what: string;
  when?: string;
  sceneAt(time: number): Promise<Scene>;
  /** Says that no more scenes are wanted. */
  end(): void;
}

/** What a GIF is made of: a stretch of the past, or undefined and why there is none. */
export type Stretches = () => Stretch | string;

const mostPictures = 1000; // of a GIF
const mostPixels = 8192; // of a side; no graphics card takes much more
const rates = [10, 20, 25, 50]; // Hz; a GIF counts hundredths of a second
const speeds = [0.1, 0.25, 0.5, 1, 2, 5, 10];
const widths = [320, 480, 640, 960, 1280];

export class Export {
  readonly element: HTMLElement;
  #stage: Stage;
  #plots: Plots;
  #name: Naming;
  #tell: (level: number, text: string) => void;
  #stretch: Stretches;
  #background = choice("background", ["shown", "white", "transparent"], "shown", (b) => (b === "shown" ? "as shown" : b));
  #pixels = choice("resolution", [1, 2, 4], 2, (n) => `${n} ×`);
  #ground = h("input", { type: "checkbox", checked: true });
  #scale = h("input", { type: "checkbox", checked: true });
  #size = h("span", { class: "fine", id: "picture-size" });
  #rate = choice("frames per second", rates, 25, (n) => `${n} per s`);
  #speed = choice("speed", speeds, 1, (n) => `${n} ×`);
  #width = choice("width", widths, 640, (n) => `${n} px`);
  #save: HTMLButtonElement;
  #make: HTMLButtonElement;
  #cancel: HTMLButtonElement;
  #progress = h("progress", { max: 1, value: 0, "aria-label": "GIF" });
  #running = h("div", { class: "running", hidden: true });
  #stop?: AbortController;

  /** range is where a person chooses the stretch of a GIF. */
  constructor(stage: Stage, plots: Plots, name: Naming, tell: (level: number, text: string) => void, range: HTMLElement, stretch: Stretches) {
    [this.#stage, this.#plots, this.#name, this.#tell, this.#stretch] = [stage, plots, name, tell, stretch];
    this.#save = button("camera", "Save picture (PNG)", () => void this.#picture(), { class: "wide", id: "save-picture" });
    this.#make = button("film", "Make GIF", () => void this.#gif(), { class: "wide", id: "make-gif" });
    this.#cancel = h("button", { type: "button", class: "take", onclick: () => this.#stop?.abort(new Error("cancelled")) }, "Cancel");
    this.#running.append(this.#progress, this.#cancel);
    const row = (label: string, e: HTMLElement) => h("label", { class: "row" }, h("span", {}, label), e);
    const card = (title: string, ...parts: HTMLElement[]) => h("section", { class: `card ${title}` }, h("header", {}, h("h2", {}, title)), ...parts);
    this.element = h("div", { class: "display" },
      card("Picture", row("Background", this.#background), row("Resolution", this.#pixels), row("Ground", this.#ground), row("Scale bar", this.#scale), this.#size, this.#save),
      card("Plots", h("p", { class: "fine" }, "The plots of this page as one figure of vectors, with axes, units and names."),
        button("chart", "Save plots (SVG)", () => this.#figure(), { class: "wide", id: "save-plots" })),
      card("GIF", range, row("Speed", this.#speed), row("Rate", this.#rate), row("Width", this.#width), this.#make, this.#running));
  }

  /** Brings what is shown up to date. */
  draw(): void {
    if (this.element.offsetParent === null) return;
    const { width, height } = this.#pictureSize();
    const text = `${width} × ${height} pixels, as the robot is seen now`;
    if (this.#size.textContent !== text) this.#size.textContent = text;
  }

  #look(background: Background) {
    return { background, ground: this.#ground.checked, scaleBar: this.#scale.checked };
  }

  #pictureSize(): { width: number; height: number } {
    const seen = this.#stage.view.window();
    const n = Math.min(Number(this.#pixels.value), mostPixels / Math.max(seen.width, seen.height));
    return { width: Math.round(n * seen.width), height: Math.round(n * seen.height) };
  }

  async #picture(): Promise<void> {
    this.#save.disabled = true;
    try {
      const pictures = new Photographer(this.#stage, this.#pictureSize().width, this.#look(this.#background.value as Background));
      save(await png(await pictures.take()), this.#name("", "png"));
    } catch (e) {
      this.#tell(2, `No picture: ${(e as Error).message}`);
    } finally {
      this.#save.disabled = false;
    }
  }

  #figure(): void {
    const svg = this.#plots.svg();
    if (svg) save(new Blob([svg], { type: "image/svg+xml" }), this.#name("plots", "svg"));
    else this.#tell(1, "Nothing has been plotted yet.");
  }

  async #gif(): Promise<void> {
    const stretch = this.#stretch();
    if (typeof stretch === "string") {
      this.#tell(1, stretch);
      return;
    }
    const [rate, speed] = [Number(this.#rate.value), Number(this.#speed.value)];
    const count = Math.floor(((stretch.to - stretch.from) * rate) / speed + 1e-6) + 1;
    if (count > mostPictures) {
      stretch.end();
      this.#tell(2, `A GIF of ${fixed(stretch.to - stretch.from, 2)} s would have ${count} pictures; allowed: up to ${mostPictures}. Shorten the range, or take a lower rate or a higher speed.`);
      return;
    }
    const background = this.#background.value === "shown" ? "shown" : "white"; // a GIF is not half transparent
    const pictures = new Photographer(this.#stage, Number(this.#width.value), this.#look(background));
    this.#stop = new AbortController();
    this.#busy(true);
    try {
      const time = (i: number) => stretch.from + (i * speed) / rate;
      const gif = await makeGIF(pictures, count, 1000 / rate, (i) => stretch.sceneAt(time(i)), (share) => (this.#progress.value = share), this.#stop.signal);
      save(gif, this.#name(stretch.what, "gif", stretch.when));
      this.#tell(0, `GIF of ${count} pictures, ${fixed(gif.size / 1e6, 1)} MB`);
    } catch (e) {
      this.#tell(1, `No GIF: ${(e as Error).message}`);
    } finally {
      this.#busy(false);
      stretch.end();
    }
  }

  #busy(yes: boolean): void {
    this.#stage.shared = yes;
    this.#make.hidden = yes;
    this.#running.hidden = !yes;
    this.#progress.value = 0;
  }
}

function choice<T extends string | number>(name: string, values: T[], of: T, text: (v: T) => string): HTMLSelectElement {
  return h("select", { "aria-label": name }, ...values.map((v) => h("option", { value: String(v), selected: v === of }, text(v))));
}
