// Pictures of what is seen, apart from those on the screen: of any size, on any background.
import { Vector3, type PerspectiveCamera } from "three";
import { bodyOf } from "../scene/extent";
import type { Scene } from "../scene/frames";
import type { Background, Stage } from "../scene/stage";
import { length } from "../units";
import { ask } from "./ask";
import type { Bar, Picture } from "./compose";
import PNGWorker from "./png_worker?worker&inline";

export interface Look {
  background: Background;
  ground: boolean;
  scaleBar: boolean;
}

const barShare = 0.2; // of the width that the scale bar has at most

/** Takes pictures from where the camera is now; with a camera that goes with the robot, from beside the robot. */
export class Photographer {
  #stage: Stage;
  #camera: PerspectiveCamera;
  #target: Vector3;
  #beside?: Vector3; // the robot, when the camera was there
  #look: Look;
  #width: number;
  #pixel: number; // of the window, of a pixel of the picture

  /** Pictures have that width, and the height that goes with what is free of the window. */
  constructor(stage: Stage, width: number, look: Look) {
    [this.#stage, this.#width, this.#look] = [stage, width, look];
    const seen = stage.view.window();
    this.#camera = seen.camera;
    this.#target = stage.view.target.clone();
    if (stage.view.follow && !Number.isNaN(stage.view.followed.x)) this.#beside = stage.view.followed.clone();
    this.#pixel = seen.width / width;
  }

  /** Takes a picture of a scene, or without one of what is seen now. */
  async take(scene?: Scene): Promise<Picture> {
    const [camera, target] = [this.#camera.clone(), this.#target.clone()];
    if (scene && this.#beside) {
      const way = bodyOf(scene, new Vector3(), this.#stage.robot).sub(this.#beside);
      if (!Number.isNaN(way.x)) [camera.position, target].forEach((v) => v.add(way));
    }
    const { background, ground, scaleBar } = this.#look;
    const theme = background === "shown" ? this.#stage.theme : "light";
    const strips = await this.#stage.take(scene, camera, target, this.#width, this.#pixel, { theme, background, ground });
    const bar = scaleBar ? this.#bar(theme === "dark") : undefined;
    return { width: this.#width, height: strips.reduce((n, s) => n + s.rows, 0), strips, bar };
  }

  /** A line of a round length. */
  #bar(light: boolean): Bar | undefined {
    const perPixel = this.#stage.pixel * this.#pixel; // m of life
    if (!(perPixel > 0) || !Number.isFinite(perPixel)) return undefined;
    const size = round(perPixel * barShare * this.#width);
    return { wide: size / perPixel, text: length(size), color: light ? "#e8ecf1" : "#18212b" };
  }
}

/** The greatest of 1, 2, 5, 10, ... not above x. */
export function round(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x));
  return [5, 2, 1].find((m) => m * power <= x * 1.000001)! * power;
}

let worker: Worker | undefined; // from the first picture on: the page would have to wait for its end

/** A picture as a file. */
export function png(picture: Picture): Promise<Blob> {
  return ask<Blob>((worker ??= new PNGWorker()), picture, picture.strips.map((s) => s.pixels.buffer));
}
