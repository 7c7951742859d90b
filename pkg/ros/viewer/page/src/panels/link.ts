// A link to what this page shows: camera, layers, colours, plots and measured places, in the fragment of its address.
import type { Place } from "../scene/place";
import { Vector3 } from "three";
import { button, h } from "../ui";

/** What a link holds. */
export interface Arrangement {
  /** Where the camera is and what it looks at, as drawn; of a camera that goes with the robot, from the robot. */
  camera: number[];
  follow: boolean;
  hidden: string[];
  arrows: number;
  color: string;
  span: number;
  plots: { key: string; hidden: string[] }[];
  places: { name: string; index: number; node?: number; on?: number[] }[];
  /** Of a swarm: which of its robots, from 0. */
  robot?: number;
}

/** The arrangement of an address; nothing where it has none, and an error where nobody can read it. */
export function arrangementOf(address: string): Arrangement | undefined {
  const text = new URL(address).hash.slice(1);
  if (!text) return undefined;
  const a = JSON.parse(decodeURIComponent(text)) as Arrangement;
  const numbers = (x: unknown, n: number) => Array.isArray(x) && x.length === n && x.every((v) => Number.isFinite(v));
  const texts = (x: unknown) => Array.isArray(x) && x.every((v) => typeof v === "string");
  const whole = numbers(a.camera, 6) && texts(a.hidden) && Number.isFinite(a.arrows) && typeof a.color === "string" && Number.isFinite(a.span) &&
    Array.isArray(a.plots) && a.plots.every((p) => typeof p.key === "string" && texts(p.hidden)) &&
    (a.robot === undefined || (Number.isInteger(a.robot) && a.robot >= 0)) && Array.isArray(a.places) && a.places.every((p) => typeof p.name === "string" && Number.isInteger(p.index) && (p.node === undefined || p.node >= 0) && (p.on === undefined || numbers(p.on, 3)));
  if (!whole) throw new Error("a part of it is missing");
  return a;
}

export const packed = (list: Place[]) => list.map((p) => ({ name: p.name, index: p.index, node: p.node, on: p.on?.toArray() }));
export const unpacked = (list: Arrangement["places"]): Place[] => list.map((p) => ({ ...p, on: p.on && new Vector3(...p.on) }));

export class LinkPanel {
  readonly element: HTMLElement;
  #now: () => Arrangement;
  #tell: (level: number, text: string) => void;
  #field = h("input", { type: "text", class: "address", id: "link", readOnly: true, "aria-label": "link to this view", hidden: true, onfocus: () => this.#field.select() });

  /** now is what the page shows. */
  constructor(now: () => Arrangement, tell: (level: number, text: string) => void) {
    [this.#now, this.#tell] = [now, tell];
    this.element = h("section", { class: "card link-card" }, h("header", {}, h("h2", {}, "Link")),
      h("p", { class: "fine" }, "Link to this view: robot, camera, layers, plots and measured points. It contains the access token, if there is one: whoever has the link can command the robot until the program ends."),
      button("chart", "Copy link", () => void this.copy(), { class: "wide", id: "copy-link", title: "copy a link to this view (L)" }), this.#field);
  }

  /** Copies the link, or where the browser does not allow that, as without https, shows it to be copied. */
  async copy(): Promise<void> {
    const url = new URL(location.href);
    url.hash = encodeURIComponent(JSON.stringify(this.#now()));
    this.#field.value = url.href;
    this.#field.hidden = false;
    try {
      await navigator.clipboard.writeText(url.href);
      this.#tell(0, "The link to this view is copied.");
    } catch {
      this.#field.select();
      const done = document.execCommand("copy");
      this.#tell(done ? 0 : 1, done ? "The link to this view is copied." : "This browser does not copy by itself: the link is below Export, to be copied from there.");
    }
  }
}
