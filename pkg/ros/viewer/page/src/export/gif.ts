// A GIF of scenes: drawn one by one between the pictures of the page, and put together beside it.
import type { Scene } from "../scene/frames";
import type { PictureRenderer } from "./picture";
import type { Reply, Request } from "./gif_worker";
import GIFWorker from "./gif_worker?worker&inline";

/** What of it is done, 0 to 1. */
export type Progress = (share: number) => void;

/** Makes a GIF of count pictures, shown for delay ms each. */
export async function makeGIF(pictures: PictureRenderer, count: number, delay: number, sceneAt: (i: number) => Promise<Scene>, progress: Progress, stop: AbortSignal): Promise<Blob> {
  const worker = new GIFWorker();
  const ask = (request: Request, transfer: Transferable[] = []) => new Promise<Reply>((done, failed) => {
    worker.onmessage = (e: MessageEvent<Reply>) => (e.data.fault ? failed(new Error(e.data.fault)) : done(e.data));
    worker.onerror = (e) => failed(new Error(e.message || "the browser does not start what makes the GIF"));
    stop.addEventListener("abort", () => failed(stop.reason), { once: true });
    worker.postMessage(request, transfer);
  });
  try {
    let taken: Promise<unknown> = Promise.resolve();
    for (let i = 0; i < count; i++) {
      const scene = await sceneAt(i);
      stop.throwIfAborted();
      pictures.draw(scene);
      const picture = await createImageBitmap(pictures.canvas);
      await taken;
      taken = ask({ picture, delay }, [picture]);
      taken.catch(() => undefined); // it is awaited with the next picture
      progress((i + 1) / count);
      await free();
    }
    await taken;
    const { gif } = await ask({ delay });
    return new Blob([gif!], { type: "image/gif" });
  } finally {
    worker.terminate();
  }
}

/** Lets the page draw and take messages. */
const free = () => new Promise((done) => setTimeout(done, 0));
