// A GIF of scenes: drawn one by one between the pictures of the page, and put together beside it.
import type { Scene } from "../scene/frames";
import { ask } from "./ask";
import type { Photographer } from "./picture";
import type { Request } from "./gif_worker";
import GIFWorker from "./gif_worker?worker&inline";

/** What of it is done, 0 to 1. */
export type Progress = (share: number) => void;

/** Makes a GIF of count pictures, shown for delay ms each. */
export async function makeGIF(pictures: Photographer, count: number, delay: number, sceneAt: (i: number) => Promise<Scene>, progress: Progress, stop: AbortSignal): Promise<Blob> {
  const worker = new GIFWorker();
  const add = (request: Request) => ask<Uint8Array<ArrayBuffer>>(worker, request, request.picture?.strips.map((s) => s.pixels.buffer), stop);
  try {
    let taken: Promise<unknown> = Promise.resolve();
    for (let i = 0; i < count; i++) {
      const scene = await sceneAt(i);
      stop.throwIfAborted();
      const picture = await pictures.take(scene);
      await taken;
      taken = add({ picture, delay });
      taken.catch(() => undefined); // it is awaited with the next picture
      progress((i + 1) / count);
      await free();
    }
    await taken;
    return new Blob([await add({ delay })], { type: "image/gif" });
  } finally {
    worker.terminate();
  }
}

/** Lets the page draw and take messages. */
const free = () => new Promise((done) => setTimeout(done, 0));
