// Plots of what the robot tells, one below the other; each shows what its heading chooses.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { readings } from "../commands";
import type { DataSource, Message, Panel, Port } from "../source";
import { h, remembered } from "../ui";
import { save } from "../export/file";
import { digits, fixed, scaleFor } from "../units";
import { colorOf, dashOf, exactly, figure, likeOf, padded, type Frame } from "./figure";
import { handle } from "./hands";
import { Distance } from "./distance";
import { Series } from "./series";
import { Tools } from "./tools";
import { kept, TimeWindow } from "./window";

const perSecond = 70;
const height = 112; // px
const pause = 66; // ms, between drawings
const settled = 120; // ms without a further seek, after which the past is asked for
const mostLines = 64;
const mostNames = 8; // below a plot
const mostPlots = 4;

/** The name of a file with data of the robot: what they are, and the ending; of this time, or of another. */
export type Naming = (what: string, ending: string, when?: string) => string;

interface Reading {
  names: string[];
  values: number[];
  unit: string;
}

/** What can be plotted: a topic, and how its numbers are read. */
interface Signal {
  key: string;
  title: string;
  topic: string;
  rate: number; // Hz
  /** Of the distance of two poses: their topics, of which the first is topic. */
  between?: [string, string];
  read(m: any): Reading | undefined;
  /** Of a sensor: a topic that has the same without errors, by the same names. */
  truth?: { topic: string; read(m: any): Reading | undefined };
}

class Plot {
  readonly element: HTMLElement;
  #signal: Signal;
  #recorded: boolean; // and so time goes back only where somebody goes to, and plots begin anew
  #window: TimeWindow;
  #series?: Series;
  #distance?: Distance;
  #chart?: uPlot;
  #factor = 0;
  #unit = h("span", { class: "unit" });
  #body = h("div", { class: "chart" }); // a slider of time, once it has numbers
  #legend = h("div", { class: "legend" });
  #hidden = new Set<string>(); // names of lines that are not shown
  #whole = false; // all names are shown
  #choice: HTMLSelectElement;

  constructor(all: Signal[], of: Signal, recorded: boolean, window: TimeWindow, chosen: (s: Signal) => void, name: Naming, draw: (p: Plot) => string | undefined) {
    [this.#signal, this.#recorded, this.#window] = [of, recorded, window];
    this.#choice = h("select", {
      "aria-label": "what is plotted",
      onchange: () => {
        this.#signal = all[Number(this.#choice.value)];
        this.clear();
        chosen(this.#signal);
      },
    }, ...all.map((s, i) => h("option", { value: String(i), selected: s === of }, s.title)));
    this.element = h("section", { class: "plot" }, h("header", {}, this.#choice, this.#unit,
      saver("CSV", "Save these numbers as CSV", () => this.#series && save(new Blob([this.#series.csv(window.from, window.to)], { type: "text/csv" }), name(this.#signal.key, "csv"))),
      saver("SVG", "Save this plot as SVG", () => {
        const svg = draw(this);
        if (svg) save(new Blob([svg], { type: "image/svg+xml" }), name(this.#signal.key, "svg"));
      })), this.#body, this.#legend);
    handle(this.#body, window, () => this.#frame());
    this.#empty();
  }

  /** Where the frame of the chart is on the screen; nothing without numbers, of which there is nothing to look at. */
  #frame(): DOMRect | undefined {
    return this.#body.role ? (this.#chart?.over ?? this.#body).getBoundingClientRect() : undefined;
  }

  get key(): string {
    return this.#signal.key;
  }

  /** Names of lines that are not shown. */
  get hidden(): Set<string> {
    return this.#hidden;
  }

  get topics(): string[] {
    return topicsOf(this.#signal);
  }

  clear(): void {
    this.#series = this.#distance = undefined;
    this.#chart?.destroy();
    this.#chart = undefined;
    this.#factor = 0;
    this.#hidden.clear();
    this.#whole = false;
    this.#unit.textContent = "";
    this.#empty();
  }

  #empty(): void {
    for (const name of ["role", "tabindex", "aria-label", "aria-valuemin", "aria-valuemax", "aria-valuenow", "aria-valuetext"]) this.#body.removeAttribute(name);
    this.#body.replaceChildren(h("p", { class: "empty" }, "nothing yet"));
    this.#legend.replaceChildren();
  }

  take(m: Message): void {
    if (!this.topics.includes(m.topic)) return;
    const { between } = this.#signal;
    if (between) {
      this.#distance ??= new Distance(between);
      for (const { time, distance } of this.#distance.take(m)) this.#add(time, { names: ["distance"], values: [distance], unit: "m" });
      return;
    }
    const { truth } = this.#signal;
    if (m.topic === truth?.topic && !this.#series) return; // the measurements, which have the first lines, have not begun
    const r = m.topic === truth?.topic ? truth.read(m.data) : this.#signal.read(m.data);
    if (r && r.values.length > 0) this.#add(m.time, m.topic === truth?.topic ? { ...r, names: r.names.map((n) => exactly + n) } : r);
  }

  #add(time: number, r: Reading): void {
    const known = this.#series?.names ?? [];
    const added = r.names.filter((n) => !known.includes(n));
    if (!this.#series || (added.length > 0 && known.length < mostLines)) {
      this.#series = new Series([...known, ...added].slice(0, mostLines), r.unit, Math.ceil(kept * Math.min(this.#signal.rate, perSecond) * (this.#signal.truth ? 2 : 1)));
      this.repaint();
    }
    if (this.#recorded && time < this.#series.newest) return; // it was overtaken by what came before it
    this.#series.put(time, r.names, r.values);
  }

  /** Forgets the numbers; the chart stays until there are others. */
  restart(): void {
    this.#series = this.#distance = undefined;
  }

  /** Takes what came before, ascending in time. */
  takePast(list: Message[]): void {
    const [now, distance] = [this.#series, this.#distance];
    this.#series = this.#distance = undefined;
    const first = now?.length ? now.oldest : Infinity;
    for (const m of list) if (m.time < first) this.take(m);
    this.#distance = distance ?? this.#distance;
    if (!this.#series) this.#series = now;
    else if (now) now.each((t, values) => this.#series!.put(t, now.names, values));
    if (!(this.#series && this.#series.length > 1)) {
      this.repaint();
      this.#empty();
    }
  }

  /** Times on the axis and values in a unit in which they are easy to read. */
  #table(s: Series): Float64Array[] {
    const w = this.#window;
    const raw = s.table(w.from, w.to, w.origin);
    let size = 0;
    raw.slice(1).forEach((line, i) => {
      if (!this.#hidden.has(s.names[i])) for (const x of line) if (Math.abs(x) > size) size = Math.abs(x);
    });
    const scale = scaleFor(size, s.unit);
    if (!this.#factor || scale.factor > this.#factor || size < 0.3 * this.#factor) {
      this.#factor = scale.factor;
      this.#unit.textContent = scale.unit;
    }
    return raw.map((c, i) => (i === 0 ? c : c.map((x) => x / this.#factor)));
  }

  draw(): void {
    const s = this.#series;
    if (s?.length === 1) this.#single(s);
    if (!s || s.length < 2 || this.#body.clientWidth === 0) return;
    const table = this.#table(s);
    this.#chart ??= this.#make(s);
    if (this.#chart.width !== this.#body.clientWidth) this.#chart.setSize({ width: this.#body.clientWidth, height });
    const gaps = (line: Float64Array) => (line.some(Number.isNaN) ? Array.from(line, (x) => (Number.isNaN(x) ? null : x)) : line);
    this.#chart.setData(table.map(gaps) as unknown as uPlot.AlignedData);
    this.#write(s);
  }

  /** Writes the numbers at the cursor, or else the newest ones, beside the names; what is round-off beside the others is nothing. */
  #write(s: Series): void {
    const at = this.#window.at;
    const values = at === undefined ? s.names.map((_, i) => s.last(i)) : (s.near(at)?.values ?? s.names.map(() => Number.NaN));
    const least = 1e-6 * Math.max(...values.map(Math.abs)); // not a number where there are none
    const texts = values.map((x) => digits(Math.abs(x) < least ? 0 : x / this.#factor));
    for (const [i, b] of [...this.#legend.querySelectorAll("b")].entries()) b.textContent = texts[i];
    const w = this.#window;
    const when = moment((at ?? w.to) - w.origin);
    const shown = s.names.map((n, i) => `${n} ${texts[i]}`).filter((_, i) => i < mostNames && !this.#hidden.has(s.names[i]));
    [this.#body.role, this.#body.tabIndex] = ["slider", 0];
    for (const [name, x] of [["valuemin", w.from - w.origin], ["valuemax", w.to - w.origin], ["valuenow", (at ?? w.to) - w.origin]] as const) this.#body.setAttribute(`aria-${name}`, x.toFixed(3));
    this.#body.setAttribute("aria-valuetext", `${when}: ${shown.join(", ")} ${this.#unit.textContent}`);
    this.#body.setAttribute("aria-label", `${this.#signal.title} over time`);
  }

  /** Shows numbers of which there is one each, as at the beginning of a recording and of an equilibrium. */
  #single(s: Series): void {
    if (this.#chart || this.#legend.childElementCount > 0) return;
    this.#table(s);
    this.#legend.replaceChildren(...this.#names(s));
    this.#write(s);
    this.#body.firstElementChild!.textContent = "one sample only";
  }

  /** Names with their numbers, which hide and show their lines. */
  #names(s: Series): HTMLElement[] {
    const more = this.#whole ? [] : s.names.slice(mostNames);
    const toggle = (i: number, n: string) => {
      const b = h("button", {
        type: "button", title: `hide or show ${n}`, "aria-pressed": String(!this.#hidden.has(n)),
        onclick: () => {
          if (!this.#hidden.delete(n)) this.#hidden.add(n);
          b.setAttribute("aria-pressed", String(!this.#hidden.has(n)));
          this.#chart?.setSeries(i + 1, { show: !this.#hidden.has(n) });
          this.#factor = 0;
        },
      }, h("i", { style: `background:${colorOf(s.names, i)}` }), n, h("b", {}, ""));
      return b;
    };
    const all = h("button", {
      type: "button", title: more.join(", "),
      onclick: () => {
        this.#whole = true;
        this.#legend.replaceChildren(...this.#names(s));
        this.#legend.querySelectorAll("button")[mostNames].focus();
      },
    }, `and ${more.length} more`);
    return [...s.names.slice(0, s.names.length - more.length).map((n, i) => toggle(i, n)), ...(more.length ? [all] : [])];
  }

  repaint(): void {
    this.#chart?.destroy();
    this.#chart = undefined;
  }

  #make(s: Series): uPlot {
    const style = getComputedStyle(document.documentElement);
    const [text, lines] = [style.getPropertyValue("--muted"), style.getPropertyValue("--line")];
    const axis = { stroke: text, grid: { stroke: lines, width: 1 }, ticks: { show: false }, font: "11px system-ui, sans-serif" };
    this.#body.replaceChildren();
    this.#legend.replaceChildren(...this.#names(s));
    const follows = () => this.#window.follows;
    return new uPlot({
      width: this.#body.clientWidth, height, padding: [6, 14, 0, 0], legend: { show: false }, cursor: { show: false },
      scales: { x: { time: false, range: () => [this.#window.from - this.#window.origin, this.#window.to - this.#window.origin] }, y: { range: (_u, lo, hi) => padded(lo, hi) } },
      axes: [
        { ...axis, size: 20, space: 64, values: (_u, v) => v.map((x) => (x === 0 && follows() ? "now" : `${Number(x.toFixed(3))} s`.replace("-", "−"))) },
        { ...axis, size: 44, space: 26, values: (_u, v) => v.map((x) => String(x).replace("-", "−")) },
      ],
      series: [{}, ...s.names.map((n, i) => ({ label: n, show: !this.#hidden.has(n), stroke: colorOf(s.names, i), dash: dashOf(likeOf(s.names, i)), width: 1.6, points: { show: false } }))],
      hooks: { draw: [(u) => this.#drawCursor(u, text)] },
    }, [[], ...s.names.map(() => [])] as unknown as uPlot.AlignedData, this.#body);
  }

  #drawCursor(u: uPlot, color: string): void {
    const at = this.#window.at;
    const row = at === undefined ? undefined : this.#series?.near(at);
    if (at === undefined || !row) return;
    const g = u.ctx;
    g.save();
    const x = u.valToPos(at - this.#window.origin, "x", true);
    g.strokeStyle = color;
    g.lineWidth = devicePixelRatio;
    g.beginPath();
    g.moveTo(x, u.bbox.top);
    g.lineTo(x, u.bbox.top + u.bbox.height);
    g.stroke();
    const seen = row.time >= this.#window.from && row.time <= this.#window.to;
    row.values.forEach((value, i) => {
      if (!seen || this.#hidden.has(this.#series!.names[i])) return;
      g.fillStyle = colorOf(this.#series!.names, i);
      g.beginPath();
      g.arc(u.valToPos(row.time - this.#window.origin, "x", true), u.valToPos(value / this.#factor, "y", true), 3 * devicePixelRatio, 0, 7);
      g.fill();
    });
    g.restore();
  }

  /** The time of the newest number, s; nothing before there was one. */
  get newest(): number | undefined {
    return this.#series?.length ? this.#series.newest : undefined;
  }

  /** What is plotted, with times since origin. */
  frame(origin: number): Frame | undefined {
    const s = this.#series;
    if (!s || s.length < 2) return undefined;
    const [times, ...values] = this.#table(s);
    const shown = (_: unknown, i: number) => !this.#hidden.has(s.names[i]);
    return { title: this.#signal.title, unit: this.#unit.textContent!, names: s.names.filter(shown), times: times.map((t) => t + this.#window.origin - origin), values: values.filter(shown) };
  }
}

/** A time on the axis. */
const moment = (t: number) => `${fixed(t, 2)} s`;

function saver(text: string, title: string, onclick: () => void): HTMLButtonElement {
  return h("button", { type: "button", class: "link", title, onclick }, text);
}

const topicsOf = (s: Signal) => s.between ?? [s.topic, ...(s.truth ? [s.truth.topic] : [])];

/** What a sensor would measure without errors, where a topic has that: poses are those of frames, of joints it is measured_js. */
function truthOf(p: Port, node: string, topics: Set<string>, unit?: string): Signal["truth"] {
  if (!p.name.startsWith("sensors/")) return undefined;
  const joints = `${node}/measured_js`;
  if (p.kind === "pose" && topics.has("/tf")) {
    return {
      topic: "/tf",
      read: (m) => {
        const at = m.transforms.find((t: any) => p.topic.endsWith(`/${t.child_frame_id}`))?.transform.translation;
        return at && { names: ["x", "y", "z"], values: [at.x, at.y, at.z], unit: "m" };
      },
    };
  }
  if (p.kind === "joint_state" && topics.has(joints) && p.labels && unit) {
    const labels = p.labels.filter((_, i) => p.units![i] === unit);
    return {
      topic: joints,
      read: (m) => {
        const part = unit.startsWith("N") ? m.effort : m.position;
        return { names: labels, values: labels.map((l) => part[m.name.indexOf(l)] ?? Number.NaN), unit };
      },
    };
  }
  return undefined;
}

const words = (p: Port) => p.name.replace(/^sensors\//, "sensor ").replaceAll("_", " ");

/** Signals of the robot, those that matter most first; of a swarm of which robot. Only poses are published of all of them. */
function signalsOf(panel: Panel, node: string, topics: Set<string>, robot: number): Signal[] {
  const whose = robot > 0 ? " of robot 0" : "";
  const motors = panel.ports.filter((p) => p.in && p.kind === "joint_state").flatMap((p) => p.labels ?? []); // their torques are not tensions
  const port = (p: Port): Signal => ({
    key: p.name, title: whose ? words(p) + whose : p.topic === panel.shown ? "position" : p.kind === "joint_state" && p.name.endsWith("_js") ? `${words(p).replace(" js", "")} tension` : words(p),
    topic: p.topic, rate: 60, read: (m) => readings(p, m, motors), truth: truthOf(p, node, topics),
  });
  const quantities: Record<string, string> = { N: "force", "N m": "torque", m: "position", rad: "angle", "rad/s": "angular velocity", "m/s^2": "specific force" };
  /** Of a port, or of joints with forces and torques, of each of these. */
  const unitsOf = (p: Port) => (p.kind === "imu" ? ["rad/s", "m/s^2"] : p.labels && p.units);
  const signals = (p: Port): Signal[] => unitsOf(p)?.length ? [...new Set(unitsOf(p))].map((unit) => ({
    ...port(p), key: `${p.name} ${unit}`, title: `${words(p).replace(" js", "")} ${quantities[unit] ?? unit}`, read: (m) => readings(p, m, [], unit), truth: truthOf(p, node, topics, unit),
  })) : [port(p)];
  const plottable = panel.ports.filter((p) => !p.in && ["pose", "twist", "wrench", "field", "joint_state", "imu", "named", "image_points"].includes(p.kind));
  const shown = plottable.filter((p) => p.topic === panel.shown);
  const main = plottable.filter((p) => p.topic !== panel.shown && !p.name.startsWith("sensors/") && (p.kind === "field" || p.kind === "joint_state"));
  const others = plottable.filter((p) => !shown.includes(p) && !main.includes(p));
  const stats = (key: string, title: string, read: (m: any) => [string, number][]): Signal => ({
    key, title, topic: `${node}/sim_stats`, rate: 1,
    read: (m) => ({ names: read(m).map((r) => r[0]), values: read(m).map((r) => r[1]), unit: "s" }),
  });
  const other: Signal = {
    key: shown[0]?.name ?? "robot", title: `position of robot ${robot}`, topic: panel.swarm?.topic ?? "", rate: 60,
    read: (m) => m.poses[robot] && { names: ["x", "y", "z"], values: [m.poses[robot].position.x, m.poses[robot].position.y, m.poses[robot].position.z], unit: "m" },
  };
  const distance: Signal = { key: "distance", title: "distance of the recordings", topic: panel.shown, rate: 60, between: [panel.shown, panel.overlay ?? ""], read: () => undefined };
  const list = [
    ...(robot > 0 ? [other] : shown.map(port)), ...(panel.overlay ? [distance] : []), ...main.flatMap(signals),
    {
      key: "hil_error", title: "error against hardware", topic: `${node}/hil_error`, rate: 60,
      read: (m: any) => ({ names: ["now", "rms"], values: [m.position_error_norm, m.rmse], unit: "m" }),
    },
    stats("step_time", "step time", (m) => [["median", m.step_p50], ["99 %", m.step_p99]]),
    stats("lateness", "lateness", (m) => [["median", m.lateness_p50], ["99 %", m.lateness_p99]]),
    ...others.flatMap(signals),
  ];
  return list.filter((s) => topics.has(s.topic));
}

export class Plots {
  readonly element = h("div", { class: "plots" });
  #window = new TimeWindow();
  #tools: Tools;
  #plots: Plot[] = [];
  #hardware?: { topic: string; plot: () => Plot }; // that is waited for, unless somebody has chosen what is plotted
  /** What is to be plotted when a robot is there, in place of what this browser remembers. */
  linked?: { key: string; hidden: string[] }[];
  /** Of a recording, when it begins, s. */
  origin?: number;
  /** Whether messages pass by, as when a recording is shown moment by moment for a GIF. */
  muted = false;
  /** Called when somebody has chosen something else to plot. */
  onchosen: () => void = () => undefined;
  #source: DataSource;
  #name: Naming;
  #drawn = 0;
  #recalling = 0;
  #recalled = Number.NaN; // time, s

  constructor(source: DataSource, name: Naming) {
    [this.#source, this.#name] = [source, name];
    this.#tools = new Tools(this.#window, () => this.onchosen());
  }

  show(panel: Panel, node: string, topics: Set<string>, recorded: boolean, robot = 0): void {
    const all = signalsOf(panel, node, topics, robot);
    this.#window.reset();
    const hardware = all.find((s) => s.key === "hil_error");
    const compared = recorded && hardware ? [hardware] : []; // of a robot that runs nobody knows whether hardware will come
    const memory = remembered(`plots.${panel.program}${recorded ? ".recorded" : ""}`, "");
    const kept = memory.get().split(",").map((key) => all.find((s) => s.key === key)).filter((s) => s !== undefined);
    const over = recorded ? all.filter((s) => s.topic === panel.overlay || (s.key === "distance" && !hardware)) : []; // of what lies over the recording
    const standard = [all[0], ...over, ...compared, all.find((s, i) => i > 0 && !compared.includes(s) && !over.includes(s)), ...all.filter((s) => s.key === "step_time" || s.key === "lateness")].filter((s) => s !== undefined);
    const usual = [...new Set(standard)].slice(0, mostPlots);
    const linked = (this.linked ?? []).flatMap((l) => all.filter((s) => s.key === l.key)).slice(0, mostPlots);
    const chosen = linked.length ? linked : kept.length === usual.length ? kept : usual;
    const make = (s: Signal) => new Plot(all, s, recorded, this.#window, (to) => {
      this.#hardware = undefined;
      memory.set(this.#plots.map((p) => p.key).join(","));
      topicsOf(to).forEach((t) => this.#source.want(t));
      this.onchosen();
    }, this.#name, (p) => this.svg([p]));
    this.#plots = chosen.map(make);
    this.#plots.forEach((p) => this.linked?.find((l) => l.key === p.key)?.hidden.forEach((n) => p.hidden.add(n)));
    this.linked = undefined;
    this.#lay();
    this.#plots.forEach((p) => p.topics.forEach((t) => this.#source.want(t)));
    this.#hardware = undefined;
    if (!hardware || chosen.includes(hardware) || chosen !== usual) return;
    this.#source.want(hardware.topic);
    this.#hardware = { topic: hardware.topic, plot: () => make(hardware) };
  }

  #lay(): void {
    this.element.replaceChildren(this.#tools.element, ...this.#plots.map((p) => p.element));
    if (this.#plots.length === 0) this.element.replaceChildren(h("p", { class: "fine" }, "There is nothing here that could be plotted."));
  }

  /** Forgets all numbers and, a moment later, shows those that a recording has of the seconds before a time. */
  recall(time: number): void {
    if (this.muted) return;
    this.#plots.forEach((p) => p.restart());
    clearTimeout(this.#recalling);
    this.#recalling = window.setTimeout(async () => {
      const plots = this.#plots;
      const list = await this.#source.history([...new Set(plots.flatMap((p) => p.topics))], Math.max(0, time - this.#window.span), time).catch(() => []); // without the past plots begin now
      if (plots === this.#plots && !this.muted && this.#recalled === time) plots.forEach((p) => p.takePast(list.filter((m) => p.topics.includes(m.topic))));
    }, settled);
    this.#recalled = time;
  }

  /** What is plotted. */
  get state(): { span: number; plots: { key: string; hidden: string[] }[] } {
    return { span: this.#window.span, plots: this.#plots.map((p) => ({ key: p.key, hidden: [...p.hidden] })) };
  }

  /** Shows so many seconds. */
  set span(s: number) {
    this.#tools.span = s;
  }

  /** Shows what was before a time, s, or goes with time again. */
  goTo(time: number | undefined): void {
    if (time !== undefined) this.#window.goTo(time);
    else {
      this.#window.reset();
      this.#window.cursor = undefined;
    }
  }

  take(m: Message): void {
    if (m.topic === this.#hardware?.topic) { // there is hardware: how far it is away is what people look for
      this.#plots = [...this.#plots.slice(0, 1), this.#hardware.plot(), ...this.#plots.slice(1, mostPlots - 1)];
      this.#hardware = undefined;
      this.#lay();
    }
    if (!this.muted) this.#plots.forEach((p) => p.take(m));
  }

  /** What is plotted as a figure; nothing before there is something. Time begins with a recording, or else with what is shown. */
  svg(plots = this.#plots): string | undefined {
    const frames = plots.map((p) => p.frame(this.origin ?? this.#window.from)).filter((f) => f !== undefined);
    return frames.length ? figure(frames) : undefined;
  }

  draw(): void {
    if (performance.now() - this.#drawn < pause) return;
    this.#drawn = performance.now();
    this.#window.advance(Math.max(...this.#plots.map((p) => p.newest ?? -Infinity)));
    if (this.element.offsetParent === null) return;
    this.#plots.forEach((p) => p.draw());
    this.#tools.draw();
  }

  repaint(): void {
    this.#plots.forEach((p) => p.repaint());
  }
}
