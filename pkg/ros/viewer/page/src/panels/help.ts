// How to use this page, and how others connect.
import { h } from "../ui";

const keys: [string, string][] = [
  ["Esc", "emergency stop"], ["Space", "pause and resume"], [".", "ten single steps while paused"], ["R", "reset"],
  ["← ↑ → ↓", "drive, as the stick"], ["1 … 9", "hold: raise a slider; with Shift lower it"], ["Backspace", "release all commands"],
  ["X Y Z H F", "views along the axes, from the side, of everything"], ["A D W S + −", "turn and zoom"], ["T", "light or dark"], ["P", "hide or show this panel"],
];

export function help(address: string, licenses: string): HTMLElement {
  const foxglove = `foxglove://open?ds=foxglove-websocket&ds.url=${encodeURIComponent(address)}`;
  return h("div", { class: "display" },
    h("section", { class: "card" }, h("header", {}, h("h2", {}, "Keys")),
      h("dl", { class: "facts keys" }, ...keys.flatMap(([k, what]) => [h("dt", {}, ...k.split(" ").map((x) => h("kbd", {}, x))), h("dd", {}, what)]))),
    h("section", { class: "card" }, h("header", {}, h("h2", {}, "Other viewers")),
      h("p", {}, "Foxglove and Lichtblick connect to the same program, by the Foxglove WebSocket:"),
      h("p", {}, h("code", {}, address)), h("p", {}, h("a", { href: foxglove }, "Open in the Foxglove application"))),
    h("p", { class: "fine" }, h("a", { href: licenses, target: "_blank", rel: "noopener" }, "Licenses of what this page is made of")));
}
