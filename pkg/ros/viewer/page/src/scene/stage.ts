// The canvas: light, ground, camera, and what is drawn when.
import {
  ACESFilmicToneMapping, Box3, CanvasTexture, Color, DirectionalLight, HemisphereLight, PCFShadowMap, PerspectiveCamera,
  Scene as World, SRGBColorSpace, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { looks, type Look } from "./colors";
import { Frames, Kind, type Scene } from "./frames";
import { Ground } from "./grid";
import { drawSimply } from "./materials";
import { ShapeSet } from "./shapes";

export type View = "home" | "x" | "y" | "z";

const directions: Record<View, Vector3> = {
  home: new Vector3(0.55, -1, 0.42).normalize(),
  x: new Vector3(1, 0, 0.0001).normalize(),
  y: new Vector3(0, -1, 0.0001).normalize(),
  z: new Vector3(0, -0.0001, 1).normalize(),
};

const glide = 350; // ms, of the camera from view to view
const qualities = [{ pixels: 2, shadows: true }, { pixels: 1, shadows: true }, { pixels: 1, shadows: false }, { pixels: 0.6, shadows: false }];
const simplest = qualities.length - 1;
const slow = 24; // pictures per second, below which pictures become simpler
const ease = 0.06; // of the way to where all is seen that the camera goes with each picture

export class Stage {
  readonly canvas: HTMLCanvasElement;
  readonly frames = new Frames();
  readonly shapes = new ShapeSet();
  readonly camera = new PerspectiveCamera(32, 1, 0.001, 100);
  follow = false;
  fps = 0;
  /** Called after each picture. */
  onframe: () => void = () => undefined;
  /** What the panel leaves of the window, in pixels from the edges. */
  free = { left: 0, right: 0, top: 0, bottom: 0 };

  #renderer: WebGLRenderer;
  #world = new World();
  #ground = new Ground();
  #sun = new DirectionalLight(0xffffff, 2.4);
  #fill = new DirectionalLight(0xbfd4ff, 0.5);
  #sky = new HemisphereLight(0xffffff, 0x444444, 1.15);
  #controls: OrbitControls;
  #box = new Box3();
  #size = 0; // of what there is, drawn
  #floor = Number.NaN;
  #all = new Box3(); // that the robot has been in
  #begun = false; // there was a scene
  #touched = false; // somebody has moved the camera
  #aimed = false; // the camera looks at the robot
  #followed = new Vector3(Number.NaN);
  #motion?: { from: Vector3; to: Vector3; target: Vector3; aim: Vector3; begun: number };
  #pictures = 0;
  #counted = performance.now();
  #frame = 0;
  #quality = 0;
  #rest = 0; // ms, until which nothing is drawn
  #slow = 0; // half seconds in a row

  constructor() {
    const best = new URLSearchParams(location.search).get("quality") === "best"; // however long it takes, for pictures
    const software = !best && drawsInSoftware();
    if (best) this.#slow = -Infinity;
    this.#renderer = new WebGLRenderer({ antialias: !software, powerPreference: "high-performance" });
    const r = this.#renderer;
    if (software) {
      drawSimply();
      this.#setQuality(simplest);
    }
    r.toneMapping = ACESFilmicToneMapping;
    r.toneMappingExposure = 1.12;
    r.outputColorSpace = SRGBColorSpace;
    r.shadowMap.enabled = true;
    r.shadowMap.type = PCFShadowMap;
    this.canvas = r.domElement;
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("aria-label", "The robot. Drag to turn, right-drag or two fingers to move, scroll to zoom.");
    this.camera.up.set(0, 0, 1);
    this.camera.position.set(0.4, -0.7, 0.3);
    this.#controls = new OrbitControls(this.camera, this.canvas);
    this.#controls.enableDamping = true;
    this.#controls.dampingFactor = 0.12;
    this.#controls.zoomToCursor = true;
    this.#controls.addEventListener("start", () => {
      this.#touched = true;
      this.#motion = undefined;
    });
    this.#sun.castShadow = qualities[this.#quality].shadows;
    this.#sun.shadow.mapSize.set(2048, 2048);
    this.#sun.shadow.radius = 5;
    this.#sun.shadow.bias = -0.0004;
    this.#sun.shadow.normalBias = 0.01;
    this.#world.add(this.#ground.group, this.shapes.group, this.#sky, this.#sun, this.#sun.target, this.#fill);
    addEventListener("resize", () => this.#resize());
  }

  start(): void {
    this.#resize();
    this.#renderer.setAnimationLoop(() => this.#draw());
  }

  paint(theme: "dark" | "light"): void {
    const look: Look = looks[theme];
    this.#ground.paint(look);
    this.#sky.intensity = look.ambient;
    this.#sky.color.set(look.sky);
    this.#sky.groundColor.set(look.earth);
    this.#world.background = gradient(look);
    this.canvas.style.background = `#${look.bottom.toString(16).padStart(6, "0")}`;
  }

  /** Begins anew: another robot, or another time. */
  clear(): void {
    this.frames.clear();
    this.shapes.clear();
    this.#all.makeEmpty();
    this.#begun = this.#aimed = false;
    this.#floor = Number.NaN;
    this.#size = 0;
    this.#followed.set(Number.NaN, 0, 0);
  }

  add(time: number, scene: Scene): void {
    if (!this.#begun) {
      this.#begun = true;
      this.follow = scene.scale !== 1;
    }
    this.frames.add(time, scene);
  }

  get scale(): number {
    return this.shapes.scale;
  }

  /** Width of a pixel at the middle of the picture, in metres of life. */
  get pixel(): number {
    const d = this.camera.position.distanceTo(this.#controls.target);
    return (2 * d * Math.tan((this.camera.fov * Math.PI) / 360)) / (this.canvas.clientHeight || 1) / this.scale;
  }

  /** Right and forward on the ground as they are on the screen, and up where one looks down. */
  heading(): { right: Vector3; up: Vector3; ahead: Vector3 } {
    const right = new Vector3().setFromMatrixColumn(this.camera.matrixWorld, 0);
    const up = new Vector3().setFromMatrixColumn(this.camera.matrixWorld, 1);
    const ahead = new Vector3().crossVectors(new Vector3(0, 0, 1), right).normalize();
    return { right, up, ahead };
  }

  /** Directions of the world's axes on the screen, for the axis cross. */
  axes(): Vector3[] {
    const turn = this.camera.quaternion.clone().invert();
    return [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)].map((v) => v.applyQuaternion(turn));
  }

  look(view: View): void {
    this.#touched = true;
    this.#glide(directions[view]);
  }

  fit(): void {
    this.#glide(this.camera.position.clone().sub(this.#controls.target).normalize());
  }

  /** Turns, moves or zooms as keys ask. */
  nudge(dx: number, dy: number, zoom: number): void {
    this.#touched = true;
    const arm = this.camera.position.clone().sub(this.#controls.target);
    arm.applyAxisAngle(new Vector3(0, 0, 1), dx);
    const side = new Vector3().crossVectors(arm, this.camera.up).normalize();
    const turned = arm.clone().applyAxisAngle(side, dy);
    if (Math.abs(turned.clone().normalize().z) < 0.995) arm.copy(turned);
    this.camera.position.copy(this.#controls.target).addScaledVector(arm, zoom);
  }

  /** A still picture of what is seen. */
  picture(): string {
    this.#renderer.render(this.#world, this.camera);
    return this.canvas.toDataURL("image/png");
  }

  #resize(): void {
    const [w, h] = [innerWidth, innerHeight];
    this.#renderer.setPixelRatio(Math.min(devicePixelRatio, qualities[this.#quality].pixels));
    this.#renderer.setSize(w, h);
    this.camera.aspect = w / h;
    this.layout();
  }

  /** Draws simpler pictures, on a computer that cannot draw better ones. */
  #setQuality(q: number): void {
    this.#slow = 0;
    this.#quality = q;
    this.#sun.castShadow = qualities[q].shadows;
    document.body.classList.toggle("simple", q === simplest);
  }

  /** Draws a picture; where that takes long, half of the time is left to everything else. */
  #render(): void {
    if (this.#quality < simplest) {
      this.#renderer.render(this.#world, this.camera);
      return;
    }
    const begun = performance.now();
    this.#renderer.render(this.#world, this.camera);
    this.#renderer.getContext().finish();
    const end = performance.now();
    this.#rest = end + (end - begun);
  }

  /** Puts the middle of the picture into the middle of what is free. */
  layout(): void {
    const [w, h] = [innerWidth, innerHeight];
    const f = this.free;
    this.camera.setViewOffset(w, h, (f.right - f.left) / 2, (f.bottom - f.top) / 2, w, h);
    this.camera.updateProjectionMatrix();
  }

  #draw(): void {
    if (performance.now() < this.#rest) return;
    const scene = this.frames.now();
    if (scene) {
      this.shapes.show(scene);
      this.#measure(scene);
    }
    this.#glideOn();
    this.#controls.update();
    this.#placeGround();
    this.#render();
    this.#pictures++;
    this.canvas.dataset.frames = String(++this.#frame);
    const now = performance.now();
    if (now - this.#counted > 500) {
      this.fps = (1000 * this.#pictures) / (now - this.#counted);
      this.#pictures = 0;
      this.#counted = now;
      this.#slow = this.fps >= slow || document.visibilityState !== "visible" ? Math.min(this.#slow, 0) : this.#slow + 1;
      if (this.#slow >= 3 && this.#quality < simplest) {
        this.#setQuality(this.#quality + 1);
        this.#resize();
      }
    }
    this.onframe();
  }

  /** Finds out how large things are, and goes with the robot. */
  #measure(scene: Scene): void {
    const box = this.#box.makeEmpty();
    const p = new Vector3();
    const body = new Vector3(Number.NaN);
    for (const s of scene.shapes) {
      const wide = s.kind === Kind.disk || s.kind === Kind.sphere ? 7 : 3;
      const aside = s.color.a < 0.6 || s.name === "trail"; // walls and ways are as long as one likes
      if (s.name === "body" || (Number.isNaN(body.x) && !aside)) {
        if (s.kind === Kind.sphere || s.kind === Kind.disk) body.set(s.data[0], s.data[1], s.data[2]);
        else if (s.name === "body") middle(s.data, body);
      }
      if (aside) continue;
      const r = Math.max(s.size.x, s.kind === Kind.sphere ? Math.max(s.size.y, s.size.z) : 0);
      const every = Math.max(1, Math.floor(s.data.length / wide / 500)) * wide;
      for (let i = 0; i + 2 < s.data.length; i += every) {
        p.set(s.data[i], s.data[i + 1], s.data[i + 2]);
        box.expandByPoint(p.addScalar(r));
        box.expandByPoint(p.addScalar(-2 * r));
      }
    }
    if (box.isEmpty()) return;
    const size = (this.follow ? box : this.#all.clone().union(box)).getSize(p).length();
    this.#size = Math.max(this.#size * 0.9995, size);
    const margin = 0.12 * this.#size;
    if (!(this.#floor <= box.min.z - 0.02 * this.#size)) this.#floor = Math.min(Number.isNaN(this.#floor) ? Infinity : this.#floor, box.min.z - margin);
    if (this.#floor < box.min.z - 1.2 * this.#size) this.#floor = box.min.z - margin;
    if (this.follow && !Number.isNaN(this.#followed.x) && !Number.isNaN(body.x)) {
      const d = body.clone().sub(this.#followed);
      this.camera.position.add(d);
      this.#controls.target.add(d);
      this.#motion?.to.add(d);
      this.#motion?.from.add(d);
      this.#motion?.target.add(d);
      this.#motion?.aim.add(d);
    }
    this.#followed.copy(body);
    const fresh = this.#all.isEmpty() || !this.#aimed;
    if (this.follow) this.#all.copy(box);
    else this.#all.union(box);
    if (!this.#touched) this.#keepInView(fresh ? 1 : ease);
  }

  /** Goes a share of the way to where all is seen, until somebody moves the camera. */
  #keepInView(share: number): void {
    const target = this.#controls.target;
    const distance = this.camera.position.distanceTo(target);
    if (!this.follow || !this.#aimed) target.lerp(this.#all.getCenter(new Vector3()), share);
    this.#aimed = true;
    this.camera.position.copy(target).addScaledVector(directions.home, distance + share * (this.#distance() - distance));
  }

  #distance(): number {
    const f = this.free;
    const [w, h] = [Math.max(innerWidth - f.left - f.right, 80), Math.max(innerHeight - f.top - f.bottom, 80)];
    const tan = Math.tan((this.camera.fov * Math.PI) / 360);
    const perPixel = (2 * tan) / innerHeight;
    const room = this.follow ? 0.95 : 0.72; // of what moves about, the surroundings are to be seen
    return (room * this.#size) / Math.min(0.5 * w * perPixel, 0.62 * h * perPixel) / 1.15;
  }

  #frameAll(direction: Vector3, time: number): void {
    if (this.#size === 0) return;
    const aim = this.#all.getCenter(new Vector3());
    const to = aim.clone().addScaledVector(direction, this.#distance());
    if (time === 0) {
      this.camera.position.copy(to);
      this.#controls.target.copy(aim);
      return;
    }
    this.#motion = { from: this.camera.position.clone(), to, target: this.#controls.target.clone(), aim, begun: performance.now() };
  }

  #glide(direction: Vector3): void {
    this.#frameAll(direction, glide);
  }

  #glideOn(): void {
    const m = this.#motion;
    if (!m) return;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const u = still ? 1 : Math.min(1, (performance.now() - m.begun) / glide);
    const e = u * u * (3 - 2 * u);
    this.#controls.target.lerpVectors(m.target, m.aim, e);
    const a = m.from.clone().sub(m.target);
    const b = m.to.clone().sub(m.aim);
    const arm = a.clone().lerp(b, e).normalize().multiplyScalar(a.length() + e * (b.length() - a.length()));
    this.camera.position.copy(this.#controls.target).add(arm);
    if (u === 1) this.#motion = undefined;
  }

  #placeGround(): void {
    const size = this.#size || 1;
    const d = this.camera.position.distanceTo(this.#controls.target);
    this.camera.near = d / 200;
    this.camera.far = d * 60 + 20 * size;
    this.camera.updateProjectionMatrix();
    const target = this.#controls.target;
    const cell = decade(0.16 * d / this.scale) * this.scale;
    this.#ground.place(target.x, target.y, Number.isNaN(this.#floor) ? 0 : this.#floor, cell, 4 * d);
    const reach = 0.75 * size;
    this.#sun.target.position.copy(this.#box.isEmpty() ? target : this.#box.getCenter(this.#sun.target.position));
    this.#sun.position.copy(this.#sun.target.position).add(new Vector3(0.35, -0.5, 1.35).multiplyScalar(2 * size));
    const s = this.#sun.shadow.camera;
    if (Math.abs(s.right - reach) > 0.05 * reach) {
      s.left = s.bottom = -reach;
      s.right = s.top = reach;
      s.near = 0.2 * size;
      s.far = 6 * size;
      s.updateProjectionMatrix();
    }
    this.#fill.position.set(-size, size, 0.6 * size);
  }
}

/** Whether the processor draws, as in a virtual machine. */
function drawsInSoftware(): boolean {
  const gl = document.createElement("canvas").getContext("webgl2");
  const info = gl?.getExtension("WEBGL_debug_renderer_info");
  const name = info ? String(gl!.getParameter(info.UNMASKED_RENDERER_WEBGL)) : "";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

/** The greatest power of ten not above x. */
function decade(x: number): number {
  return 10 ** Math.floor(Math.log10(x));
}

function middle(data: Float32Array, to: Vector3): void {
  to.set(0, 0, 0);
  const n = data.length / 3;
  for (let i = 0; i < data.length; i += 3) to.add(new Vector3(data[i], data[i + 1], data[i + 2]));
  to.divideScalar(n);
}

function gradient(look: Look): CanvasTexture {
  const c = document.createElement("canvas");
  [c.width, c.height] = [4, 512];
  const g = c.getContext("2d")!;
  const fill = g.createLinearGradient(0, 0, 0, 512);
  fill.addColorStop(0, `#${new Color(look.top).getHexString()}`);
  fill.addColorStop(1, `#${new Color(look.bottom).getHexString()}`);
  g.fillStyle = fill;
  g.fillRect(0, 0, 4, 512);
  const t = new CanvasTexture(c);
  t.colorSpace = SRGBColorSpace;
  return t;
}
