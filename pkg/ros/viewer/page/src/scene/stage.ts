// The canvas: what is drawn on it, when, and how well.
import { ACESFilmicToneMapping, PCFShadowMap, Scene as World, SRGBColorSpace, WebGLRenderer, WebGLRenderTarget, type PerspectiveCamera, type Vector3 } from "three";
import { looks } from "./colors";
import { Extent } from "./extent";
import { Frames, type Scene } from "./frames";
import { Surroundings, type Theme } from "./light";
import { Layers } from "./layers";
import { drawSimply } from "./materials";
import { ShapeSet } from "./shapes";
import { Triads } from "./triads";
import { Viewpoint } from "./viewpoint";

const qualities = [{ pixels: 2, shadows: true }, { pixels: 1, shadows: true }, { pixels: 1, shadows: false }, { pixels: 0.6, shadows: false }];
const simplest = qualities.length - 1;
const slow = 24; // pictures per second, below which pictures become simpler
const patience = 3; // half seconds of slow pictures in a row, until they do
const thinnest = 0.9; // px, radius of what is drawn at least
const counting = 500; // ms, over which pictures are counted

export type Background = "shown" | "white" | "transparent";

/** What is behind the robot on a picture. */
export interface Backdrop {
  theme: Theme;
  background: Background;
  ground: boolean;
}

/** Rows of a picture from its row y on; their pixels (rgba, times their opacity) from the lowest row to the highest. */
export interface Strip {
  y: number;
  rows: number;
  pixels: Uint8Array<ArrayBuffer>;
}

export class Stage {
  readonly canvas: HTMLCanvasElement;
  readonly frames = new Frames();
  readonly shapes = new ShapeSet();
  readonly layers = new Layers();
  readonly triads = new Triads();
  /** Whether the camera is to go with the next robot; without it, with one that is drawn larger. */
  following?: boolean;
  /** Chooses a robot of a swarm: the camera that goes with the robot goes with that one. */
  set robot(n: number) {
    this.#extent.robot = n;
  }
  get robot(): number {
    return this.#extent.robot;
  }
  /** A scene of the past that is shown in place of what is now. */
  past?: Scene;
  readonly view: Viewpoint;
  fps = 0;
  /** Called after each picture. */
  onframe: () => void = () => undefined;
  theme: Theme = "dark";
  /** Whether somebody else draws as well, so that few pictures say nothing about the computer. */
  shared = false;

  #renderer: WebGLRenderer;
  #world = new World();
  #extent = new Extent();
  #around = new Surroundings(this.#world);
  #begun = false; // there was a scene
  #pictures = 0;
  #counted = performance.now();
  #frame = 0;
  #quality = 0;
  #rest = 0; // ms, until which nothing is drawn
  #slow = 0; // half seconds in a row
  #held = false; // a picture is taken of what is seen
  #taken: Promise<unknown> = Promise.resolve(); // the newest picture

  constructor() {
    const best = new URLSearchParams(location.search).get("quality") === "best"; // however long it takes, for pictures
    const software = !best && drawsInSoftware();
    if (best) this.#slow = -Infinity;
    if (software) {
      drawSimply();
      this.#setQuality(simplest);
    }
    this.#renderer = newRenderer(!software);
    this.#around.sun.castShadow = qualities[this.#quality].shadows;
    this.canvas = this.#renderer.domElement;
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "region"); // a landmark, as all that is on the page is in one
    this.canvas.setAttribute("aria-label", "The robot. Drag to turn, right-drag or two fingers to move, scroll to zoom. Click a place for its numbers, or press M.");
    this.view = new Viewpoint(this.canvas, this.#extent);
    this.#world.add(this.shapes.group, this.triads.group);
    addEventListener("resize", () => this.#resize());
  }

  start(): void {
    this.#resize();
    this.#renderer.setAnimationLoop(() => this.#draw());
  }

  paint(theme: Theme): void {
    this.theme = theme;
    this.#around.paint(theme);
    this.#world.background = this.#around.background(theme);
    this.canvas.style.background = `#${looks[theme].bottom.toString(16).padStart(6, "0")}`;
  }

  /** Begins anew: another robot, or another time. */
  clear(): void {
    this.frames.clear();
    this.past = undefined;
    this.shapes.clear();
    this.triads.pose = undefined;
    this.#extent.clear();
    this.view.clear();
    this.#begun = false;
  }

  add(time: number, scene: Scene): void {
    if (!this.#begun) {
      this.#begun = true;
      this.view.follow = this.following ?? scene.scale !== 1;
      this.following = undefined;
    }
    this.frames.add(time, scene);
  }

  /** The scene that is shown, until the next picture. */
  get scene(): Scene | undefined {
    return this.shapes.scene;
  }

  /** Width of a pixel at the middle of the picture, in metres of life. */
  get pixel(): number {
    return this.view.pixel / this.shapes.scale;
  }

  /**
   * Takes a picture of a scene, or else of what is seen: as a camera sees it that looks at target, width pixels wide, each of so many
   * pixels of the window. Pictures are taken one by one, and the canvas stands still meanwhile.
   */
  take(scene: Scene | undefined, camera: PerspectiveCamera, target: Vector3, width: number, pixel: number, on: Backdrop): Promise<Strip[]> {
    const taken = this.#taken.then(() => this.#take(scene, camera, target, width, pixel, on));
    this.#taken = taken.catch(() => undefined);
    return taken;
  }

  /** Takes a picture strip by strip, each with as many pixels as the canvas: the page has to wait for none longer than for what it shows. */
  async #take(scene: Scene | undefined, camera: PerspectiveCamera, target: Vector3, width: number, pixel: number, on: Backdrop): Promise<Strip[]> {
    const [r, around, view] = [this.#renderer, this.#around, camera.view!];
    const [top, height] = [view.offsetY, Math.round(view.height / pixel)];
    const rows = Math.min(Math.max(Math.floor((this.canvas.width * this.canvas.height) / width), 1), height);
    const into = new WebGLRenderTarget(width, rows, { samples: 4, colorSpace: SRGBColorSpace, internalFormat: "RGBA8" });
    Object.assign(into, { isXRRenderTarget: true }); // three draws into such a target with the tones and colours of the canvas
    const strips: Strip[] = [];
    this.#held = true;
    try {
      const shown = scene ?? this.shapes.whole;
      if (shown) this.shapes.show(this.layers.of(shown));
      around.place(camera, target, this.#extent, this.shapes.scale);
      around.ground.group.visible = on.ground;
      for (let y = 0; y < height; y += rows) {
        camera.setViewOffset(view.fullWidth, view.fullHeight, view.offsetX, top + y * pixel, view.width, rows * pixel);
        around.paint(on.theme);
        this.#world.background = on.background === "shown" ? around.background(on.theme, 1 - (y + rows) / height, rows / height) : null;
        r.setClearColor(0xffffff, on.background === "white" ? 1 : 0);
        r.setRenderTarget(into);
        r.render(this.#world, camera);
        r.setRenderTarget(null);
        this.paint(this.theme);
        const count = Math.min(rows, height - y);
        strips.push({ y, rows: count, pixels: (await r.readRenderTargetPixelsAsync(into, 0, rows - count, width, count, new Uint8Array(4 * width * count))) as Uint8Array<ArrayBuffer> });
      }
      return strips;
    } finally {
      this.#held = false;
      into.dispose();
    }
  }

  #resize(): void {
    this.#renderer.setPixelRatio(Math.min(devicePixelRatio, qualities[this.#quality].pixels));
    this.#renderer.setSize(innerWidth, innerHeight);
    this.view.layout();
  }

  /** Draws simpler pictures, on a computer that cannot draw better ones. */
  #setQuality(q: number): void {
    this.#slow = 0;
    this.#quality = q;
    this.#around.sun.castShadow = qualities[q].shadows;
    document.body.classList.toggle("simple", q === simplest);
  }

  /** Draws a picture; where that takes long, half of the time is left to everything else. */
  #render(): void {
    if (this.#quality < simplest) {
      this.#renderer.render(this.#world, this.view.camera);
      return;
    }
    const begun = performance.now();
    this.#renderer.render(this.#world, this.view.camera);
    this.#renderer.getContext().finish();
    const end = performance.now();
    this.#rest = end + (end - begun);
  }

  #draw(): void {
    if (this.#held) {
      this.#restart();
      this.onframe();
      return;
    }
    if (performance.now() < this.#rest) return;
    const scene = this.past ?? this.frames.now();
    if (scene) {
      this.shapes.thinnest = thinnest * this.view.pixel;
      this.shapes.whole = scene;
      this.shapes.show(this.layers.of(scene));
      if (this.#extent.measure(scene, this.view.follow)) this.view.accompany();
    }
    this.view.update();
    this.#around.place(this.view.camera, this.view.target, this.#extent, this.shapes.scale);
    this.#around.ground.group.visible = this.layers.shows("ground");
    this.triads.group.visible = this.layers.shows("frames") && scene !== undefined;
    this.triads.place(this.#extent.size, this.shapes.scale);
    this.#render();
    this.canvas.dataset.frames = String(++this.#frame);
    this.#count();
    this.onframe();
  }

  /** Begins to count pictures anew. */
  #restart(): void {
    [this.#pictures, this.#counted] = [0, performance.now()];
  }

  /** Counts pictures, and draws simpler ones where too few come. */
  #count(): void {
    this.#pictures++;
    const now = performance.now();
    if (now - this.#counted <= counting) return;
    this.fps = (1000 * this.#pictures) / (now - this.#counted);
    this.#restart();
    this.#slow = this.fps >= slow || this.shared || document.visibilityState !== "visible" ? Math.min(this.#slow, 0) : this.#slow + 1;
    if (this.#slow >= patience && this.#quality < simplest) {
      this.#setQuality(this.#quality + 1);
      this.#resize();
    }
  }
}

function newRenderer(antialias: boolean): WebGLRenderer {
  const r = new WebGLRenderer({ antialias, powerPreference: "high-performance" });
  r.toneMapping = ACESFilmicToneMapping;
  r.toneMappingExposure = 1.12;
  r.outputColorSpace = SRGBColorSpace;
  r.shadowMap.enabled = true;
  r.shadowMap.type = PCFShadowMap;
  return r;
}

/** Whether the processor draws, as in a virtual machine. */
function drawsInSoftware(): boolean {
  const gl = document.createElement("canvas").getContext("webgl2");
  const info = gl?.getExtension("WEBGL_debug_renderer_info");
  const name = info ? String(gl!.getParameter(info.UNMASKED_RENDERER_WEBGL)) : "";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}
