// Plots as SVG, for papers: lines are paths, words are words.
import { lineColors } from "../scene/colors";

/** What is plotted in one frame. */
export interface Frame {
  title: string;
  unit: string;
  names: string[];
  times: ArrayLike<number>; // s
  values: ArrayLike<number>[]; // in unit
}

const width = 480; // px, of 1/96 inch, as everything here
const height = 190; // of a plot
const margin = { left: 62, right: 14, top: 30, bottom: 38 };
const textSize = 11;
const letter = 6.1; // mean width of one
const legendRow = 13; // px, height
const dashes = [undefined, [6, 2], [2, 2], [8, 2, 2, 2]];

/** How line i is dashed: colours come again. */
export const dashOf = (i: number) => dashes[Math.floor(i / lineColors.length) % dashes.length];

/** What the name of a line begins with that shows what a sensor measures without errors, lighter than the line of the measurements. */
export const exactly = "true ";

/** The line that line i looks like, but for being lighter. */
export const likeOf = (names: string[], i: number) => (names[i].startsWith(exactly) ? Math.max(names.indexOf(names[i].slice(exactly.length)), 0) : i);

/** The colour of line i. */
export const colorOf = (names: string[], i: number) => lineColors[likeOf(names, i) % lineColors.length] + (names[i].startsWith(exactly) ? "80" : "");

const look = (names: string[], i: number) => {
  const [k, opacity] = [likeOf(names, i), names[i].startsWith(exactly) ? ' stroke-opacity="0.5"' : ""];
  return `stroke="${lineColors[k % lineColors.length]}"${opacity}${dashOf(k) ? ` stroke-dasharray="${dashOf(k)!.join(" ")}"` : ""}`;
};

/** The plots below one another, with the same range of time. */
export function figure(plots: Frame[]): string {
  const all = plots.flatMap((p) => (p.times.length ? [p.times[0], p.times[p.times.length - 1]] : []));
  const span = all.length ? [Math.min(...all), Math.max(...all)] : [0, 1];
  const legends = plots.map((p) => legend(p.names, width - margin.left - margin.right));
  let high = 0;
  const tops = legends.map((l) => {
    const top = high + margin.top + (l.rows - 1) * legendRow;
    high = top + height - margin.top;
    return top;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${high}" viewBox="0 0 ${width} ${high}" font-family="Helvetica, Arial, sans-serif" font-size="${textSize}" fill="#111">`,
    ...plots.map((p, i) => plot(p, span, i, tops[i], legends[i].text)), "</svg>", "",
  ].join("\n");
}

function plot(p: Frame, [from, to]: number[], row: number, top: number, names: string): string {
  const [w, h] = [width - margin.left - margin.right, height - margin.top - margin.bottom];
  const [low, high] = rangeOf(p.values);
  const [xs, ys] = [ticks(from, to, 6), ticks(low, high, 5)];
  const x = (t: number) => ((t - from) / (to - from || 1)) * w;
  const y = (v: number) => h - ((v - low) / (high - low)) * h;
  const name = escaped(p.unit ? `${p.title} (${p.unit})` : p.title);
  const grid = [...xs.map((t) => `M${at(x(t))} 0V${h}`), ...ys.map((v) => `M0 ${at(y(v))}H${w}`)].join("");
  return [
    `<g transform="translate(${margin.left} ${top})">`, `<title>${name}</title>`,
    `<clipPath id="frame${row}"><path d="M0 0H${w}V${h}H0Z"/></clipPath>`,
    `<path class="grid" d="${grid}" fill="none" stroke="#ddd" stroke-width="0.6"/>`,
    `<path class="frame" d="M0 0H${w}V${h}H0Z" fill="none" stroke="#333" stroke-width="0.8"/>`,
    ...p.names.map((n, i) => `<path class="line" d="${line(p.times, p.values[i], x, y)}" clip-path="url(#frame${row})" fill="none" ${look(p.names, i)} stroke-width="1.3" stroke-linejoin="round"><title>${escaped(n)}</title></path>`),
    ...xs.map((t) => `<text x="${at(x(t))}" y="${h + 14}" text-anchor="middle">${numeral(t, xs)}</text>`),
    ...ys.map((v) => `<text x="-6" y="${at(y(v) + 3.8)}" text-anchor="end">${numeral(v, ys)}</text>`),
    `<text x="${w / 2}" y="${h + 30}" text-anchor="middle">time (s)</text>`,
    `<text transform="translate(${14 - margin.left} ${h / 2}) rotate(-90)" text-anchor="middle">${name}</text>`,
    names, "</g>",
  ].join("\n");
}

/** Names with samples of their lines, above the frame: row by row from below, each to its right end. */
function legend(names: string[], wide: number): { text: string; rows: number } {
  const parts: string[] = [];
  let [x, row] = [wide, 0];
  for (const [i, n] of [...names.entries()].reverse()) {
    const size = [...n].length * letter + 26;
    if (x < wide && x - size < 0) [x, row] = [wide, row + 1];
    x -= size;
    parts.push(`<g transform="translate(${at(x)} ${-8 - row * legendRow})"><path d="M0 -3.5h15" ${look(names, i)} stroke-width="1.8"/><text x="19">${escaped(n)}</text></g>`);
  }
  return { text: parts.join("\n"), rows: row + 1 };
}

/** The path of a line; gaps are where there is no number. */
function line(times: ArrayLike<number>, values: ArrayLike<number>, x: (t: number) => number, y: (v: number) => number): string {
  let d = "";
  let pen = "M";
  for (let i = 0; i < times.length; i++) {
    if (!Number.isFinite(values[i])) {
      pen = "M";
      continue;
    }
    d += `${pen}${at(x(times[i]))} ${at(y(values[i]))}`;
    pen = "L";
  }
  return d;
}

/** A range with some room, also for what does not change. */
export function rangeOf(values: ArrayLike<number>[]): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const v of values) {
    for (let i = 0; i < v.length; i++) {
      if (v[i] < low) low = v[i];
      if (v[i] > high) high = v[i];
    }
  }
  return padded(low, high);
}

export function padded(low: number, high: number): [number, number] {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return [-1, 1];
  const room = Math.max(0.1 * (high - low), 1e-3 * Math.max(Math.abs(low), Math.abs(high))) || 1; // of what is 0 all the time
  return [low - room, high + room];
}

/** Round numbers from low to high, about so many. */
function ticks(low: number, high: number, about: number): number[] {
  const least = (high - low) / about;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = ([1, 2, 5, 10].find((m) => m * power >= least * 0.999) ?? 10) * power;
  const list: number[] = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) list.push(k * step);
  return list;
}

/** A tick's number, with the places that tell it from its neighbours. */
function numeral(x: number, all: number[]): string {
  const step = all.length > 1 ? all[1] - all[0] : 1;
  const places = Math.min(Math.max(0, -Math.floor(Math.log10(step) + 1e-9)), 12);
  const text = x.toFixed(places);
  return (Number(text) === 0 ? text.replace("-", "") : text).replace("-", "−");
}

const at = (x: number) => String(Number(x.toFixed(2)));

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
}
