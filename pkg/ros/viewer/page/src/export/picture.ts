// Pictures of what is seen, apart from those on the screen: of any size, on any background.
import { Vector3, type PerspectiveCamera, type WebGLRenderer } from "three";
import { bodyOf } from "../scene/extent";
import type { Scene } from "../scene/frames";
import { newRenderer, type Stage } from "../scene/stage";
import { length } from "../units";

export type Background = "shown" | "white" | "transparent";

export interface Look {
  background: Background;
  ground: boolean;
  scaleBar: boolean;
}

const barShare = 0.2; // of the width that the scale bar has at most
const font = "system-ui, -apple-system, 'Segoe UI', sans-serif";

/** Draws scenes from where the camera is now; with a camera that goes with the robot, from beside the robot. */
export class PictureRenderer {
  /** The newest picture. */
  readonly canvas = document.createElement("canvas");
  #stage: Stage;
  #renderer: WebGLRenderer;
  #camera: PerspectiveCamera;
  #target: Vector3;
  #beside?: Vector3; // the robot, when the camera was there
  #look: Look;
  #pixel: number; // of the window, of a pixel of the picture

  /** Pictures have that width, and the height that goes with what is free of the window. */
  constructor(stage: Stage, width: number, look: Look) {
    [this.#stage, this.#look] = [stage, look];
    const seen = stage.view.window();
    this.#camera = seen.camera;
    this.#target = stage.view.target.clone();
    if (stage.view.follow && !Number.isNaN(stage.view.followed.x)) this.#beside = stage.view.followed.clone();
    this.#pixel = seen.width / width;
    this.canvas.width = width;
    this.canvas.height = Math.round(seen.height / this.#pixel);
    this.#renderer = newRenderer({ antialias: true, alpha: true });
    this.#renderer.setSize(this.canvas.width, this.canvas.height, false);
    if (look.background === "white") this.#renderer.setClearColor(0xffffff, 1);
    else this.#renderer.setClearColor(0, 0);
  }

  /** Draws a scene, or without one what is seen now. */
  draw(scene?: Scene): void {
    const [camera, target] = [this.#camera.clone(), this.#target.clone()];
    if (scene && this.#beside) {
      const way = bodyOf(scene, new Vector3(), this.#stage.robot).sub(this.#beside);
      if (!Number.isNaN(way.x)) [camera.position, target].forEach((v) => v.add(way));
    }
    const shown = this.#look.background === "shown";
    this.#stage.drawWith(this.#renderer, scene, camera, target, { theme: shown ? this.#stage.theme : "light", background: shown, ground: this.#look.ground });
    const g = this.canvas.getContext("2d")!;
    g.clearRect(0, 0, this.canvas.width, this.canvas.height);
    g.drawImage(this.#renderer.domElement, 0, 0);
    if (this.#look.scaleBar) this.#drawScale(g, shown && this.#stage.theme === "dark");
  }

  /** Draws a line of a round length with that length below it. */
  #drawScale(g: CanvasRenderingContext2D, light: boolean): void {
    const [w, h] = [this.canvas.width, this.canvas.height];
    const perPixel = this.#stage.pixel * this.#pixel; // m of life
    if (!(perPixel > 0) || !Number.isFinite(perPixel)) return;
    const unit = Math.max(w, h) / 100;
    const size = round(perPixel * barShare * w);
    const [x, y, wide] = [2.5 * unit, h - 5 * unit, size / perPixel];
    g.fillStyle = g.strokeStyle = light ? "#e8ecf1" : "#18212b";
    g.lineWidth = Math.max(1, 0.25 * unit);
    g.beginPath();
    g.moveTo(x, y - 0.8 * unit);
    g.lineTo(x, y);
    g.lineTo(x + wide, y);
    g.lineTo(x + wide, y - 0.8 * unit);
    g.stroke();
    g.font = `${Math.max(9, 1.9 * unit)}px ${font}`;
    g.textAlign = "center";
    g.textBaseline = "top";
    g.fillText(length(size), x + wide / 2, y + 0.7 * unit);
  }

  /** Gives back what the pictures took of the graphics card. */
  dispose(): void {
    this.#renderer.dispose();
    this.#renderer.forceContextLoss();
  }
}

/** The greatest of 1, 2, 5, 10, ... not above x. */
export function round(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x));
  return [5, 2, 1].find((m) => m * power <= x * 1.000001)! * power;
}

/** The picture of a canvas as a file. */
export function png(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((done, failed) => canvas.toBlob((b) => (b ? done(b) : failed(new Error(`the browser makes no picture of ${canvas.width} × ${canvas.height} pixels`))), "image/png"));
}
