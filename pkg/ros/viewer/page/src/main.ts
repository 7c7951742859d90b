// The page: a canvas that fills the window, what lies over it, and the data that move it all.
import "./style.css";
import { restored } from "./commands";
import { fileName, wallTime } from "./export/file";
import { History } from "./export/history";
import { Moments } from "./export/moments";
import { listen } from "./keys";
import { LiveSource } from "./live";
import { Bar } from "./panels/bar";
import { Demo } from "./panels/demo";
import { Display } from "./panels/display";
import { Drive } from "./panels/drive";
import { Export } from "./panels/export";
import { Help } from "./panels/help";
import { Hud } from "./panels/hud";
import { LayerPanel } from "./panels/layers";
import { arrangementOf, LinkPanel, packed, unpacked, type Arrangement } from "./panels/link";
import { Parameters } from "./panels/parameters";
import { Past } from "./panels/past";
import { Probe } from "./panels/probe";
import { Robots } from "./panels/robots";
import { Recorder, type RecordingState } from "./panels/recorder";
import { Range } from "./panels/range";
import { Tabs } from "./panels/tabs";
import { Timeline } from "./panels/timeline";
import { Distance } from "./plots/distance";
import { Plots } from "./plots/plots";
import type { Scene } from "./scene/frames";
import type { Pose } from "./scene/triads";
import { Meshes } from "./scene/meshes";
import { Stage } from "./scene/stage";
import type { DataSource, Link, Listener, Message, Panel, Parameter, Playback } from "./source";
import { h, icon, remembered, Toasts } from "./ui";

const roomy = 1180; // px, of a window in which the picture makes room for a measurement

class Page implements Listener {
  #source: DataSource;
  #stage = new Stage();
  #toasts = new Toasts();
  #history = new History();
  #meshes = new Meshes();
  #moments: Moments;
  #bar: Bar;
  #hud: Hud;
  #timeline: Timeline;
  #drive: Drive;
  #demo: Demo;
  #layers: LayerPanel;
  #plots: Plots;
  #past: Past;
  #robots: Robots;
  #probe: Probe;
  #range: Range;
  #recorder: Recorder;
  #parameters: Parameters;
  #help: Help;
  #display: Display;
  #linked?: Arrangement; // of the address, until there is a robot
  #tabs: Tabs;
  #node = "";
  #shown = "";
  #about = "";
  #panel?: Panel;
  #distance?: Distance; // of two recordings
  #topics = new Set<string>();
  #recorded = false;
  #now?: Playback; // of a recording

  constructor(source: DataSource) {
    this.#source = source;
    const tell = (level: number, text: string) => this.#toasts.tell(level, text);
    const name = (what: string, ending: string, when = this.#time()) => fileName([this.#node, this.#robots.name, what, when], ending);
    addEventListener("tell", (e) => tell((e as CustomEvent).detail.level, (e as CustomEvent).detail.text));
    this.#moments = new Moments(source);
    this.#bar = new Bar(source, tell, () => this.#drive.cancel(), () => this.#past.toggle());
    this.#probe = new Probe(this.#stage);
    this.#probe.onshown = () => this.#layout();
    this.#hud = new Hud(this.#stage, () => this.#probe.next());
    this.#timeline = new Timeline(source);
    this.#robots = new Robots(this.#stage, source);
    this.#robots.onchosen = () => this.#choose();
    this.#drive = new Drive(source, this.#stage);
    this.#demo = new Demo(source, tell);
    this.#layers = new LayerPanel(this.#stage, source);
    this.#plots = new Plots(source, name);
    this.#plots.onchosen = () => this.#now && this.#plots.recall(this.#now.time);
    this.#past = new Past(this.#stage, this.#history, this.#plots, (p) => this.#place(p));
    this.#range = new Range(this.#history, this.#moments);
    this.#range.onchange = (from, to) => this.#timeline.mark(from, to);
    this.#recorder = new Recorder(source, tell);
    this.#parameters = new Parameters(source);
    this.#help = new Help(source.address(), "licenses.txt" + location.search);
    const link = new LinkPanel(() => this.#arrangement(), tell);
    const display = this.#display = new Display(this.#stage, (theme) => {
      this.#stage.paint(theme);
      this.#plots.repaint();
    });
    const exports = new Export(this.#stage, this.#plots, name, tell, this.#range.element, () => this.#stretch());
    this.#tabs = new Tabs([
      ["Robot", h("div", {}, this.#drive.element, this.#demo.element, this.#recorder.element, this.#plots.element)],
      ["Scene", h("div", { class: "display" }, this.#layers.element, display.element)],
      ["Export", h("div", { class: "display" }, exports.element, link.element)],
      ["Parameters", this.#parameters.element],
      ["Help", this.#help.element],
    ]);
    const fold = () => {
      remembered("panel", "open").set(document.body.classList.toggle("folded") ? "closed" : "open");
      this.#layout();
    };
    this.#probe.marks.append(this.#robots.mark);
    this.#bar.head.append(this.#robots.element, this.#probe.element);
    document.body.append(this.#stage.canvas, this.#probe.marks, this.#bar.head, this.#hud.element, this.#past.element, this.#bar.element, this.#tabs.element,
      h("button", { type: "button", class: "fold", title: "hide or show the panel (P)", "aria-label": "panel", onclick: fold }, icon("panel")), this.#toasts.element);
    if (remembered("panel", "open").get() === "closed") document.body.classList.add("folded");
    new ResizeObserver(() => this.#layout()).observe(this.#tabs.element);
    addEventListener("resize", () => this.#layout());
    listen({ stage: this.#stage, bar: this.#bar, link, drive: this.#drive, display, past: this.#past, probe: this.#probe, range: this.#range, timeline: this.#timeline, recorded: () => this.#recorded, fold });
    this.#stage.onframe = () => [this.#past, this.#hud, this.#robots, this.#probe, this.#plots, this.#recorder, this.#layers, display, exports].forEach((p) => p.draw());
    this.#layout();
    this.#stage.start();
    addEventListener("hashchange", () => location.reload());
    try {
      this.#linked = arrangementOf(location.href);
    } catch (e) {
      tell(2, `The view of this link cannot be read: ${(e as Error).message}. The robot is shown as usual.`);
    }
    source.start(this);
  }

  /** What the page shows, for a link. */
  #arrangement(): Arrangement {
    const { hidden, scale } = this.#layers.state;
    return { camera: this.#stage.view.state, follow: this.#stage.view.follow, hidden, arrows: scale, color: this.#display.coloring, ...this.#plots.state, places: packed(this.#probe.places), robot: this.#robots.chosen || undefined };
  }

  /** Shows what the link of the page holds, before plots are made or after. */
  #restore(a: Arrangement): void {
    this.#stage.following = a.follow;
    this.#stage.view.state = a.camera;
    this.#layers.state = { hidden: a.hidden, scale: a.arrows };
    this.#display.coloring = a.color;
    this.#plots.span = a.span;
    this.#plots.linked = a.plots;
    this.#probe.places = unpacked(a.places);
    this.#linked = undefined;
  }

  /** Tells the stage what of the window is free. */
  #layout(): void {
    const closed = document.body.classList.contains("folded");
    const p = this.#tabs.element.getBoundingClientRect();
    const below = innerWidth < 760;
    const left = innerWidth < roomy ? 0 : this.#probe.element.getBoundingClientRect().right; // 0 while it is hidden
    this.#stage.view.free = { left, top: below ? 70 : 0, right: closed || below ? 0 : p.width, bottom: below ? (closed ? 70 : p.height + 20) : 60 };
    this.#stage.view.layout();
  }

  /** The time for names of files: of a recording since it began. */
  #time(): string {
    return this.#now ? `${(this.#now.time - this.#now.from).toFixed(2)}s` : wallTime();
  }

  /** What a GIF is to show. Plots do not follow a recording that is shown moment by moment. */
  #stretch() {
    const s = this.#range.stretch();
    if (typeof s === "string" || !this.#recorded) return s;
    this.#plots.muted = true;
    return {
      ...s,
      end: () => {
        s.end();
        this.#plots.muted = false;
      },
    };
  }

  /** Shows what belongs to a recording, or to a robot that runs. */
  #mode(recorded: boolean): void {
    if (recorded === this.#recorded) return;
    this.#recorded = recorded;
    const [bar, line] = [this.#bar.element, this.#timeline.element];
    if (recorded) bar.replaceWith(line);
    else line.replaceWith(bar);
    document.body.classList.toggle("recording", recorded);
    this.#tabs.set("Robot", recorded ? "Plots" : "Robot", true);
    this.#tabs.set("Parameters", "Parameters", !recorded);
    this.#drive.element.hidden = recorded;
    this.#help.show(recorded);
    this.#past.clear();
    this.#history.clear();
    this.#now = undefined;
    if (recorded) return;
    document.body.classList.remove("still");
    this.#plots.origin = undefined;
    this.#range.live();
    this.#bar.recording(undefined);
  }

  joined(node: string, panel: Panel, topics: Set<string>, recorded: boolean): void {
    this.#mode(recorded);
    const about = JSON.stringify([panel, ...topics]);
    const same = this.#about === about;
    [this.#node, this.#shown, this.#about, this.#panel, this.#topics] = [node, panel.shown, about, panel, topics];
    this.#stage.frames.clear();
    this.#meshes.clear();
    this.#past.clear();
    this.#history.clear();
    this.#now = undefined; // what a recording says next is where it begins
    this.#bar.joined(node, panel.about);
    this.#hud.length = this.#probe.length = panel.length;
    if (!same) {
      this.#stage.clear();
      this.#hud.clear();
      this.#probe.places = [];
      this.#drive.show(panel);
      this.#robots.show(panel, node, this.#linked?.robot ?? 0);
      if (this.#linked) this.#restore(this.#linked);
      this.#layers.show(panel, node, topics);
      this.#plots.show(panel, node, topics, recorded, this.#robots.chosen);
      this.#parameters.clear();
      this.#distance = panel.overlay ? new Distance([panel.shown, panel.overlay]) : undefined;
      if (panel.overlay) this.#source.want(panel.overlay);
    }
    this.#bar.robot(this.#robots.name);
    this.#recorder.show();
    this.#demo.show();
    this.#drive.releaseAll();
    for (const t of ["/diagnostics", ...this.#drive.setpoints, `${node}/recording_state`, `${node}/meshes`, `${node}/scene`, `${node}/operating_state`, `${node}/sim_stats`, `${node}/setpoint_js`, panel.shown]) this.#source.want(t);
  }

  /** Another robot of the swarm is chosen: its numbers and plots begin anew. */
  #choose(): void {
    this.#past.clear();
    this.#hud.clear();
    this.#bar.robot(this.#robots.name);
    this.#plots.show(this.#panel!, this.#node, this.#topics, this.#recorded, this.#robots.chosen);
    if (this.#now) this.#plots.recall(this.#now.time);
  }

  /** Takes a pose of one of two recordings, and shows how far apart they are. */
  #apart(m: Message): void {
    this.#distance?.take(m);
    if (this.#distance) this.#hud.distance = this.#distance.now;
  }

  /** Takes where the chosen robot is. */
  #moved(time: number, p: Pose | undefined): void {
    if (!p) return;
    if (!this.#recorded) this.#past.take(time, p);
    if (!this.#past.active) this.#place(p);
  }

  /** Shows where the robot is, or was. */
  #place(p: Pose): void {
    this.#hud.position(p.position);
    this.#stage.triads.pose = p;
  }

  link(state: Link, why: string): void {
    this.#bar.link(state, why);
    if (state === "lost") this.#drive.lost("", "Connection lost: this page commands nothing and cannot stop the robot, which may continue.");
  }

  message(m: Message): void {
    switch (m.topic) {
      case `${this.#node}/scene`:
        this.#stage.add(m.time, this.#meshes.fill(m.data as Scene));
        if (this.#recorded) this.#moments.take(m.time, m.data as Scene);
        else this.#history.add(m.time, m.data as Scene);
        break;
      case `${this.#node}/meshes`:
        this.#meshes.take(m.data as Scene);
        break;
      case `${this.#node}/operating_state`:
        this.#bar.operating(m.data.state, m.data.reason);
        this.#drive.operating(m.data.state);
        break;
      case `${this.#node}/sim_stats`:
        this.#bar.stats(m.data);
        break;
      case `${this.#node}/setpoint_js`:
        this.#drive.applied(m.data);
        break;
      case `${this.#node}/recording_state`:
        this.#recorder.take(m.data as RecordingState);
        break;
      case "/diagnostics":
        for (const s of m.data.status) if (s.name === `${this.#node.slice(1)}: commands`) [this.#drive, this.#demo].forEach((p) => p.commanders(s.values));
        break;
      case this.#shown:
        this.#apart(m);
        if (!this.#robots.topic) this.#moved(m.time, m.data.pose);
        break;
      case this.#robots.topic:
        this.#moved(m.time, m.data.poses[this.#robots.chosen]);
        break;
      case this.#panel?.overlay:
        this.#apart(m);
        break;
      default:
        this.#drive.setpoint(m.topic, m.data);
    }
    this.#layers.take(m.topic, m.data);
    this.#plots.take(m);
  }

  status(level: number, text: string, id: string): void {
    if (id.startsWith(`${restored}:`)) {
      if (id === `${restored}:${this.#node}`) this.#drive.restored();
    } else if (!this.#drive.refused(text, id)) this.#toasts.tell(level, text);
  }

  commandLost(topic: string, why: string): void {
    this.#drive.lost(topic, why);
  }

  parameters(list: Parameter[]): void {
    this.#parameters.take(list);
  }

  playback(p: Playback): void {
    // what came too fast for this computer is not missing from the plots of a recording that is over
    if (!this.#now || p.sought || (p.ended && !this.#now.ended)) this.#plots.recall(p.time);
    this.#now = p;
    this.#plots.origin = p.from;
    document.body.classList.toggle("still", p.to <= p.from);
    this.#timeline.take(p);
    this.#range.playback(p);
    this.#bar.recording(p.time - p.from);
  }
}

try {
  new Page(new LiveSource(location));
} catch (e) { // without WebGL there is no picture
  document.body.replaceChildren(h("p", { class: "broken", role: "alert" }, `This browser cannot show the robot: ${(e as Error).message} The page draws with WebGL 2; most browsers have it, unless hardware acceleration is switched off in their settings.`));
}
