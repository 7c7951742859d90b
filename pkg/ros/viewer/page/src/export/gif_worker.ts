// Makes a GIF of pictures, beside the page. Of each picture but the first only what has changed is in it.
import { applyPalette, GIFEncoder, quantize } from "gifenc";
import { answer } from "./ask";
import { compose, type Picture } from "./compose";

/** A picture, with how long it is shown in ms; without one the GIF is wanted. */
export interface Request {
  picture?: Picture;
  delay: number;
}

const most = 255; // colours of a picture; one more stands for what has not changed
const format = "rgb565";
const gif = GIFEncoder();
let context: OffscreenCanvasRenderingContext2D | undefined;
let before: Uint32Array | undefined;

answer(async ({ picture, delay }: Request) => {
  if (!picture) {
    gif.finish();
    const result = gif.bytes() as Uint8Array<ArrayBuffer>;
    return { result, transfer: [result.buffer] };
  }
  const { width, height } = picture;
  context ??= new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true })!;
  compose(context, picture);
  add(new Uint32Array(context.getImageData(0, 0, width, height).data.buffer), width, height, delay);
  return {};
});

function add(pixels: Uint32Array, width: number, height: number, delay: number): void {
  const old = before;
  const changed = old ? pixels.filter((c, i) => c !== old[i]) : pixels;
  const some = changed.length > 0 ? changed : pixels.subarray(0, 1);
  const palette = quantize(new Uint8Array(some.buffer, some.byteOffset, some.byteLength), most, { format });
  const index = applyPalette(new Uint8Array(pixels.buffer), palette, format);
  const same = palette.length;
  palette.push([0, 0, 0]);
  if (old) for (let i = 0; i < pixels.length; i++) if (pixels[i] === old[i]) index[i] = same;
  gif.writeFrame(index, width, height, { palette, delay, transparent: old !== undefined, transparentIndex: same, dispose: old ? 1 : 0 });
  before = pixels;
}
