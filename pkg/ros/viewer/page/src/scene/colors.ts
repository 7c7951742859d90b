// Colours of numbers, and of the page's themes.

/** Viridis without its dark end, in steps; between them it is linear. */
const viridis = [
  [0.254, 0.265, 0.53], [0.207, 0.372, 0.553], [0.164, 0.471, 0.558],
  [0.128, 0.567, 0.551], [0.135, 0.659, 0.518], [0.267, 0.749, 0.441], [0.478, 0.821, 0.318], [0.741, 0.873, 0.15], [0.993, 0.906, 0.144],
];

/** Writes the colour of x from 0 to 1, as light is added (linear). */
export function viridisTo(x: number, out: Float32Array, at: number): void {
  const u = Math.min(Math.max(x, 0), 0.9999) * (viridis.length - 1);
  const i = Math.floor(u);
  for (let c = 0; c < 3; c++) {
    const s = viridis[i][c] + (u - i) * (viridis[i + 1][c] - viridis[i][c]);
    out[at + c] = linear(s);
  }
}

/** A step of the colour scale for the page. */
export function viridisCSS(): string {
  return `linear-gradient(90deg, ${viridis.map((c) => `rgb(${c.map((x) => Math.round(255 * x)).join(" ")})`).join(", ")})`;
}

/** What a number of sRGB is as light. */
export function linear(s: number): number {
  return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
}

/** Colours of the lines of plots, the same in both themes. */
export const lineColors = ["#e5534b", "#2ea97d", "#3b8eea", "#c98a1b", "#a371f7", "#12a5b8", "#d9619f", "#7d8590"];

export interface Look {
  top: number; // of the background
  bottom: number;
  grid: number;
  gridStrong: number;
  shadow: number; // opacity
  ambient: number; // strength of the light from everywhere
  sky: number;
  earth: number;
}

export const looks: Record<"dark" | "light", Look> = {
  dark: { top: 0x1b212a, bottom: 0x0c0f14, grid: 0x36404d, gridStrong: 0x556274, shadow: 0.38, ambient: 1.3, sky: 0xdfe8f5, earth: 0x39424f },
  light: { top: 0xfbfcfd, bottom: 0xdfe4ea, grid: 0xcbd2db, gridStrong: 0x9aa6b5, shadow: 0.2, ambient: 2.1, sky: 0xffffff, earth: 0x8f98a5 },
};
