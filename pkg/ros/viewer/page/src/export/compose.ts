// Puts pictures together from what the graphics card gives, beside the page.
import type { Strip } from "../scene/stage";

/** A scale bar: a line with its length below it. */
export interface Bar {
  wide: number; // px
  text: string;
  color: string;
}

export interface Picture {
  width: number; // px
  height: number; // px
  strips: Strip[];
  bar?: Bar;
}

const font = "system-ui, -apple-system, 'Segoe UI', sans-serif";

/** Draws a picture on a canvas of its size. */
export function compose(g: OffscreenCanvasRenderingContext2D, { width, height, strips, bar }: Picture): void {
  for (const { y, rows, pixels } of strips) {
    const image = new ImageData(width, rows);
    for (let row = 0; row < rows; row++) image.data.set(pixels.subarray(4 * width * (rows - 1 - row), 4 * width * (rows - row)), 4 * width * row);
    divide(image.data);
    g.putImageData(image, 0, y);
  }
  if (bar) draw(g, bar, width, height);
}

/** Divides colours by their opacity. */
function divide(d: Uint8ClampedArray): void {
  for (let i = 0; i < d.length; i += 4) {
    const a = d[i + 3] / 255;
    if (a > 0 && a < 1) for (const c of [i, i + 1, i + 2]) d[c] /= a;
  }
}

function draw(g: OffscreenCanvasRenderingContext2D, bar: Bar, width: number, height: number): void {
  const unit = Math.max(width, height) / 100;
  const [x, y] = [2.5 * unit, height - 5 * unit];
  g.fillStyle = g.strokeStyle = bar.color;
  g.lineWidth = Math.max(1, 0.25 * unit);
  g.beginPath();
  g.moveTo(x, y - 0.8 * unit);
  g.lineTo(x, y);
  g.lineTo(x + bar.wide, y);
  g.lineTo(x + bar.wide, y - 0.8 * unit);
  g.stroke();
  g.font = `${Math.max(9, 1.9 * unit)}px ${font}`;
  g.textAlign = "center";
  g.textBaseline = "top";
  g.fillText(bar.text, x + bar.wide / 2, y + 0.7 * unit);
}
