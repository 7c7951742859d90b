// The page: a canvas that fills the window, what lies over it, and the data that move it all.
import "./style.css";
import { Bar } from "./panels/bar";
import { Display } from "./panels/display";
import { Drive } from "./panels/drive";
import { help } from "./panels/help";
import { Hud } from "./panels/hud";
import { Parameters } from "./panels/parameters";
import { Plots } from "./plots/plots";
import { LiveSource } from "./live";
import type { Scene } from "./scene/frames";
import { Stage } from "./scene/stage";
import { Timeline } from "./panels/timeline";
import type { DataSource, Link, Listener, Message, Panel, Parameter, Playback } from "./source";
import { h, icon, remembered, Toasts } from "./ui";

class Page implements Listener {
  #source: DataSource;
  #stage = new Stage();
  #toasts = new Toasts();
  #bar: Bar;
  #hud: Hud;
  #timeline?: Timeline; // of a recording
  #drive: Drive;
  #plots: Plots;
  #display: Display;
  #parameters: Parameters;
  #panel: HTMLElement;
  #node = "";
  #shown = "";
  #about = "";

  constructor(source: DataSource) {
    this.#source = source;
    const tell = (level: number, text: string) => this.#toasts.tell(level, text);
    this.#bar = new Bar(source, tell);
    this.#hud = new Hud(this.#stage);
    this.#drive = new Drive(source, this.#stage);
    this.#plots = new Plots(source);
    this.#parameters = new Parameters(source);
    this.#display = new Display(this.#stage, (theme) => {
      this.#stage.paint(theme);
      this.#plots.repaint();
    });
    this.#panel = this.#tabs([
      ["Robot", h("div", {}, this.#drive.element, this.#plots.element)],
      ["Scene", this.#display.element],
      ["Parameters", this.#parameters.element],
      ["Help", help(source.address(), "licenses.txt" + location.search)],
    ]);
    const fold = h("button", { type: "button", class: "fold", title: "hide or show the panel (P)", "aria-label": "panel", onclick: () => this.#fold() }, icon("panel"));
    document.body.append(this.#stage.canvas, this.#bar.head, this.#hud.element, this.#bar.element, this.#panel, fold, this.#toasts.element);
    if (remembered("panel", "open").get() === "closed") document.body.classList.add("folded");
    new ResizeObserver(() => this.#layout()).observe(this.#panel);
    addEventListener("resize", () => this.#layout());
    for (const [event, down] of [["keydown", true], ["keyup", false]] as const) addEventListener(event, (e) => this.#key(e, down));
    this.#stage.onframe = () => {
      this.#hud.draw();
      this.#plots.draw();
      this.#display.draw();
    };
    this.#layout();
    this.#stage.start();
    source.start(this);
  }

  #tabs(list: [string, HTMLElement][]): HTMLElement {
    const bodies = list.map(([name, e]) => h("div", { class: "tab", role: "tabpanel", id: `tab-${name}`, "aria-labelledby": `to-${name}` }, e));
    const heads = list.map(([name], i) => h("button", { type: "button", role: "tab", id: `to-${name}`, "aria-controls": `tab-${name}`, onclick: () => choose(i) }, name));
    const choose = (chosen: number) => {
      heads.forEach((e, i) => {
        e.setAttribute("aria-selected", String(i === chosen));
        e.tabIndex = i === chosen ? 0 : -1;
      });
      bodies.forEach((e, i) => (e.hidden = i !== chosen));
    };
    const row = h("div", { class: "tabs", role: "tablist" }, ...heads);
    row.addEventListener("keydown", (e) => {
      const way = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
      if (!way) return;
      e.stopPropagation();
      const to = (heads.indexOf(document.activeElement as HTMLButtonElement) + way + heads.length) % heads.length;
      choose(to);
      heads[to].focus();
    });
    choose(0);
    return h("aside", { class: "panel" }, row, ...bodies);
  }

  #fold(): void {
    const closed = document.body.classList.toggle("folded");
    remembered("panel", "open").set(closed ? "closed" : "open");
    this.#layout();
  }

  /** Tells the stage what of the window is free. */
  #layout(): void {
    const closed = document.body.classList.contains("folded");
    const p = this.#panel.getBoundingClientRect();
    const below = innerWidth < 760;
    this.#stage.free = { left: 0, top: below ? 70 : 0, right: closed || below ? 0 : p.width, bottom: below ? (closed ? 70 : p.height + 20) : 60 };
    this.#stage.layout();
  }

  joined(node: string, panel: Panel, topics: Set<string>): void {
    const same = this.#about === JSON.stringify(panel);
    [this.#node, this.#shown, this.#about] = [node, panel.shown, JSON.stringify(panel)];
    this.#stage.frames.clear();
    this.#bar.joined(node, panel.about);
    if (!same) {
      this.#stage.clear();
      this.#drive.show(panel);
      this.#plots.show(panel, node, topics);
      this.#parameters.clear();
    }
    this.#drive.releaseAll();
    for (const t of [`${node}/scene`, `${node}/operating_state`, `${node}/sim_stats`, `${node}/setpoint_js`, panel.shown]) this.#source.want(t);
  }

  link(state: Link, why: string): void {
    this.#bar.link(state, why);
    if (state === "lost") this.#drive.releaseAll();
  }

  message(m: Message): void {
    switch (m.topic) {
      case `${this.#node}/scene`:
        this.#stage.add(m.time, m.data as Scene);
        break;
      case `${this.#node}/operating_state`:
        this.#bar.operating(m.data.state, m.data.reason);
        if (m.data.state === "FAULT") this.#drive.releaseAll();
        break;
      case `${this.#node}/sim_stats`:
        this.#bar.stats(m.data);
        break;
      case `${this.#node}/setpoint_js`:
        this.#drive.applied(m.data.name, m.data.effort);
        break;
      case this.#shown:
        this.#hud.position(m.data.pose.position);
        break;
    }
    this.#plots.take(m);
  }

  status(level: number, text: string): void {
    if (!this.#drive.refused(text, () => void this.#relieve())) this.#toasts.tell(level, text);
  }

  async #relieve(): Promise<void> {
    const r = await this.#source.call("take_command", {});
    this.#toasts.tell(r.success ? 0 : 2, r.message);
  }

  parameters(list: Parameter[]): void {
    this.#parameters.take(list);
  }

  playback(p: Playback): void {
    if (!this.#timeline) {
      this.#timeline = new Timeline(this.#source);
      this.#bar.element.replaceWith(this.#timeline.element);
      document.body.classList.add("recording");
    }
    this.#timeline.take(p);
    this.#bar.recording(p.time - p.from);
  }

  #key(e: KeyboardEvent, down: boolean): void {
    const at = e.target as HTMLElement;
    const typing = at.matches("input[type=text], input[type=search], select, textarea");
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    if (this.#timeline && !typing) {
      const own = at.matches("button, summary, a, [role=tab], input[type=checkbox]") && [" ", "Enter", "ArrowLeft", "ArrowRight"].includes(e.key);
      if (down && !own && this.#timeline.key(e)) {
        e.preventDefault();
        return;
      }
      if (e.key === "Escape") return;
    }
    if (e.key === "Escape" && down && !typing) {
      void this.#bar.stop();
      return;
    }
    if (typing) return;
    const arrows = at.matches("input[type=range], [role=tab]") && e.key.startsWith("Arrow");
    if (!arrows && this.#drive.key(e, down)) {
      e.preventDefault();
      return;
    }
    if (!down) return;
    const pressed = at.matches("button, summary, a, input") && (e.key === " " || e.key === "Enter");
    const keys: Record<string, () => void> = {
      " ": () => void this.#bar.toggle(), ".": () => void this.#bar.step(), r: () => void this.#bar.reset(), Backspace: () => this.#drive.releaseAll(),
      x: () => this.#stage.look("x"), y: () => this.#stage.look("y"), z: () => this.#stage.look("z"), h: () => this.#stage.look("home"), f: () => this.#stage.fit(),
      a: () => this.#stage.nudge(-0.08, 0, 1), d: () => this.#stage.nudge(0.08, 0, 1), w: () => this.#stage.nudge(0, -0.06, 1), s: () => this.#stage.nudge(0, 0.06, 1),
      "+": () => this.#stage.nudge(0, 0, 0.9), "=": () => this.#stage.nudge(0, 0, 0.9), "-": () => this.#stage.nudge(0, 0, 1.1),
      t: () => this.#display.toggleTheme(), p: () => this.#fold(),
    };
    const act = keys[e.key.length === 1 ? e.key.toLowerCase() : e.key];
    if (!act || pressed) return;
    e.preventDefault();
    act();
  }
}

new Page(new LiveSource(location));
