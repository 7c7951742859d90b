// How to use this page, and how others connect.
import { h } from "../ui";

const driving: [string, string][] = [
  ["Esc", "emergency stop, also while you type"], ["Space", "pause or resume; in DISABLED: enable; in FAULT: nothing"], [".", "step 10 control periods, while PAUSED"], ["R", "reset to the initial state, without confirmation"],
  ["← ↑ → ↓", "drive, as the stick"], ["1 … 9", "hold: raise a slider; with Shift lower it"], ["Backspace", "release all commands"],
  ["B", "show the last minute (B again: live); commands act on the present"],
];
const playing: [string, string][] = [
  ["Space", "play and pause"], ["← →", "back or forward by 1 s, with Shift 10 s"], [", .", "back or forward by 20 ms"],
  ["Home End", "to the beginning and to the end"], ["[ ]", "slower and faster"], ["I O", "a GIF begins here, ends here"],
];
const looking: [string, string][] = [
  ["X Y Z H F", "view along x, y, z; default view; fit all"], ["A D W S + −", "turn and zoom"], ["M", "measure: mid-rod, then tip and distance, then clear; or click points"], ["L", "copy a link to this view"], ["T", "light or dark"], ["P", "hide or show this panel"],
];

const plotting: [string, string][] = [
  ["← →", "cursor, with Shift faster"], ["+ −", "zoom in time, as Shift and the wheel; drag to move"], ["PageUp PageDown", "pan back or forward"], ["0", "follow the newest data; also a double click"],
];

export class Help {
  readonly element = h("div", { class: "display" });
  #address: string;
  #licenses: string;

  constructor(address: string, licenses: string) {
    [this.#address, this.#licenses] = [address, licenses];
    this.show(false);
  }

  /** Tells of a robot that runs, or of a recording. */
  show(recorded: boolean): void {
    const keys = [...(recorded ? playing : driving), ...looking];
    const foxglove = `foxglove://open?ds=foxglove-websocket&ds.url=${encodeURIComponent(this.#address)}`;
    const card = (title: string, ...parts: HTMLElement[]) => h("section", { class: "card" }, h("header", {}, h("h2", {}, title)), ...parts);
    const list = (all: [string, string][]) => h("dl", { class: "facts keys" }, ...all.flatMap(([k, what]) => [h("dt", {}, ...k.split(" ").map((x) => h("kbd", {}, x))), h("dd", {}, what)]));
    this.element.replaceChildren(
      ...(recorded ? [card("Recording",
        h("p", {}, "This is a recording: the time line below goes to any moment of it, and nothing here commands a robot."),
        h("p", {}, "Each moment shows the newest message of every topic. A second recording that was opened with it lies over it in orange."),
        h("p", {}, "Export makes a GIF of any part of it, and pictures and plots of the present moment."))] : []),
      card("Keys", list(keys)),
      card("Keys in a plot", list(plotting)),
      card("Other viewers",
        h("p", {}, recorded ? "Foxglove and Lichtblick play the same recording, by the Foxglove WebSocket:" : "Foxglove and Lichtblick connect to the same program, by the Foxglove WebSocket:"),
        h("p", {}, h("code", {}, this.#address)), h("p", {}, h("a", { href: foxglove }, "Open in the Foxglove application"))),
      h("p", { class: "fine" }, h("a", { href: this.#licenses, target: "_blank", rel: "noopener" }, "Licenses of what this page is made of")));
  }
}
