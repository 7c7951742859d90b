// What keys do. Whoever types into a field, or uses a control by its own keys, is left alone.
import type { Bar } from "./panels/bar";
import type { Display } from "./panels/display";
import type { Drive } from "./panels/drive";
import type { LinkPanel } from "./panels/link";
import type { Past } from "./panels/past";
import type { Probe } from "./panels/probe";
import type { Range } from "./panels/range";
import type { Timeline } from "./panels/timeline";
import type { Stage } from "./scene/stage";

/** What keys act on. */
export interface Keyed {
  stage: Stage;
  bar: Bar;
  drive: Drive;
  display: Display;
  link: LinkPanel;
  past: Past;
  probe: Probe;
  range: Range;
  timeline: Timeline;
  /** Whether the time line is there in place of the bar. */
  recorded(): boolean;
  fold(): void;
}

const turn = 0.08; // rad
const tilt = 0.06; // rad
const zoom = 1.1;
const once = [" ", "r", "t", "p", "m", "b", "l"]; // what a key does that is held does not go to and fro

export function listen(to: Keyed): void {
  for (const [event, down] of [["keydown", true], ["keyup", false]] as const) addEventListener(event, (e) => key(to, e, down));
}

let escapes = false; // Escape went down where this page was told

function key(to: Keyed, e: KeyboardEvent, down: boolean): void {
  const at = e.target as HTMLElement;
  // also for who types; a list that is open, which Escape closes, is told alone that it goes down
  if (e.key === "Escape" && !to.recorded() && (down || !escapes)) void to.bar.stop();
  if (e.key === "Escape") escapes = down;
  if (!down) { // wherever the key comes up: what was held must not go on
    to.drive.key(e, false);
    return;
  }
  const typing = at.matches("input[type=text], input[type=search], select, textarea");
  if (e.ctrlKey || e.metaKey || e.altKey || typing) return;
  const pressed = at.matches("button, summary, a, input") && (e.key === " " || e.key === "Enter");
  const acts = to.recorded() ? playing(to, e, at) : driving(to, e, at);
  if (acts === false) return;
  const act = acts ?? (pressed ? undefined : looking(to)[name(e)]);
  if (!act) return;
  e.preventDefault();
  if (e.repeat && once.includes(name(e))) return;
  act();
}

const name = (e: KeyboardEvent) => (e.key.length === 1 ? e.key.toLowerCase() : e.key);

/** What a key does to a recording; false if it belongs to a control, nothing if it is for others. */
function playing(to: Keyed, e: KeyboardEvent, at: HTMLElement): (() => void) | false | undefined {
  if (at.matches("button, summary, a, input[type=checkbox]") && [" ", "Enter"].includes(e.key)) return false;
  if (at.matches("[role=tab], input[type=range]:not(#moment)") && (e.key.startsWith("Arrow") || e.key === "Home" || e.key === "End")) return false;
  const end = "io".indexOf(name(e));
  if (end >= 0) return () => to.range.here(end);
  return to.timeline.key(e) ? () => undefined : undefined;
}

/** The same for a robot that runs. */
function driving(to: Keyed, e: KeyboardEvent, at: HTMLElement): (() => void) | false | undefined {
  const own = at.matches("input[type=range], [role=tab]") && (e.key.startsWith("Arrow") || ["Home", "End", "PageUp", "PageDown"].includes(e.key));
  if (!own && to.drive.key(e, true)) return () => undefined;
  if (at.matches("button, summary, a, input") && (e.key === " " || e.key === "Enter")) return false;
  const keys: Record<string, () => void> = {
    " ": () => void to.bar.space(), ".": () => void to.bar.step(), r: () => void to.bar.reset(), Backspace: () => to.drive.releaseAll(),
    b: () => to.past.toggle(),
  };
  return keys[name(e)];
}

/** What keys do to the picture. */
function looking(to: Keyed): Record<string, (() => void) | undefined> {
  const view = to.stage.view;
  return {
    x: () => view.look("x"), y: () => view.look("y"), z: () => view.look("z"), h: () => view.look("home"), f: () => view.fit(),
    a: () => view.nudge(-turn, 0, 1), d: () => view.nudge(turn, 0, 1), w: () => view.nudge(0, -tilt, 1), s: () => view.nudge(0, tilt, 1),
    "+": () => view.nudge(0, 0, 1 / zoom), "=": () => view.nudge(0, 0, 1 / zoom), "-": () => view.nudge(0, 0, zoom),
    t: () => to.display.toggleTheme(), p: () => to.fold(), m: () => to.probe.next(),
    l: () => void to.link.copy(),
  };
}
