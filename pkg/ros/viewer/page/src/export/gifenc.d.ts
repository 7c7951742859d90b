// What is used of gifenc, which comes without types.
declare module "gifenc" {
  type Palette = number[][];
  type Format = "rgb565" | "rgb444" | "rgba4444";
  export function quantize(rgba: Uint8Array, most: number, options?: { format?: Format }): Palette;
  export function applyPalette(rgba: Uint8Array, palette: Palette, format?: Format): Uint8Array;
  export function GIFEncoder(): {
    writeFrame(index: Uint8Array, width: number, height: number, options: { palette: Palette; delay: number; transparent?: boolean; transparentIndex?: number; dispose?: number; repeat?: number }): void;
    finish(): void;
    bytes(): Uint8Array;
  };
}
