// Makes a PNG of a picture, beside the page.
import { answer } from "./ask";
import { compose, type Picture } from "./compose";

answer(async (picture: Picture) => {
  const canvas = new OffscreenCanvas(picture.width, picture.height);
  const g = canvas.getContext("2d", { willReadFrequently: true }); // it is in the memory of this worker
  if (!g) throw new Error(`the browser makes no picture of ${picture.width} × ${picture.height} pixels`);
  compose(g, picture);
  return { result: await canvas.convertToBlob({ type: "image/png" }) };
});
