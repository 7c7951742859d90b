// Light, background and ground, which go with what is looked at.
import { CanvasTexture, Color, DirectionalLight, HemisphereLight, SRGBColorSpace, Vector3, type PerspectiveCamera, type Scene as World } from "three";
import { looks, type Look } from "./colors";
import { Ground } from "./grid";
import type { Extent } from "./extent";

export type Theme = "dark" | "light";

const shadowReach = 0.75; // of the size of what there is

export class Surroundings {
  readonly ground = new Ground();
  readonly sun = new DirectionalLight(0xffffff, 2.4);
  #fill = new DirectionalLight(0xbfd4ff, 0.5);
  #sky = new HemisphereLight(0xffffff, 0x444444, 1.15);
  #backgrounds = new Map<Theme, CanvasTexture>();

  constructor(world: World) {
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.radius = 5;
    this.sun.shadow.bias = -0.0004;
    this.sun.shadow.normalBias = 0.01;
    world.add(this.ground.group, this.#sky, this.sun, this.sun.target, this.#fill);
  }

  paint(theme: Theme): void {
    const look = looks[theme];
    this.ground.paint(look);
    this.#sky.intensity = look.ambient;
    this.#sky.color.set(look.sky);
    this.#sky.groundColor.set(look.earth);
  }

  /** What is behind everything; of a picture of which a share is drawn, that of the picture from a height on. */
  background(theme: Theme, from = 0, share = 1): CanvasTexture {
    let b = this.#backgrounds.get(theme);
    if (!b) this.#backgrounds.set(theme, (b = gradient(looks[theme])));
    [b.offset.y, b.repeat.y] = [from, share];
    return b;
  }

  /** Lays the ground below what a camera looks at, and the sun above the robot; scale is how much larger than life things are. */
  place(camera: PerspectiveCamera, target: Vector3, extent: Extent, scale: number): void {
    const size = extent.size || 1;
    const d = camera.position.distanceTo(target);
    camera.near = d / 200;
    camera.far = d * 60 + 20 * size;
    camera.updateProjectionMatrix();
    const cell = decade((0.16 * d) / scale) * scale;
    this.ground.place(target.x, target.y, Number.isNaN(extent.floor) ? 0 : extent.floor, cell, 4 * d);
    const sun = this.sun;
    if (extent.now.isEmpty()) sun.target.position.copy(target);
    else extent.now.getCenter(sun.target.position);
    sun.position.set(0.35, -0.5, 1.35).multiplyScalar(2 * size).add(sun.target.position);
    const reach = shadowReach * size;
    const s = sun.shadow.camera;
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

/** The greatest power of ten not above x. */
function decade(x: number): number {
  return 10 ** Math.floor(Math.log10(x));
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
