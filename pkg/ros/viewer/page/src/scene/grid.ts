// The ground: a grid of round distances that fades away, and the shadow on it.
import { Color, Group, Mesh, PlaneGeometry, ShaderMaterial, ShadowMaterial } from "three";
import type { Look } from "./colors";

const vertexShader = `
varying vec2 at;
varying vec2 off;
void main() {
  vec4 world = modelMatrix * vec4(position, 1.0);
  at = world.xy;
  off = position.xy;
  gl_Position = projectionMatrix * viewMatrix * world;
}`;

const fragmentShader = `
varying vec2 at;
varying vec2 off;
uniform float cell;
uniform vec3 weak;
uniform vec3 strong;
float lines(float c, float width) {
  vec2 g = at / c;
  vec2 w = fwidth(g);
  vec2 d = abs(fract(g - 0.5) - 0.5) / max(w, 1e-6);
  vec2 a = clamp(width - d, 0.0, 1.0) * clamp(1.2 - 2.5 * w, 0.0, 1.0);
  return max(a.x, a.y);
}
void main() {
  float fine = lines(cell, 1.0);
  float coarse = lines(10.0 * cell, 1.4);
  float fade = 1.0 - smoothstep(0.2, 1.0, length(off));
  float a = max(0.45 * fine, 0.8 * coarse) * fade;
  if (a < 0.004) discard;
  gl_FragColor = vec4(mix(weak, strong, coarse), a);
  #include <colorspace_fragment>
}`;

export class Ground {
  readonly group = new Group();
  #grid: ShaderMaterial;
  #shadow = new ShadowMaterial({ transparent: true, depthWrite: false });
  #plane: Mesh;

  constructor() {
    this.#grid = new ShaderMaterial({
      vertexShader, fragmentShader, transparent: true, depthWrite: false,
      uniforms: { cell: { value: 0.01 }, weak: { value: new Color() }, strong: { value: new Color() } },
    });
    this.#plane = new Mesh(new PlaneGeometry(2, 2), this.#grid);
    const floor = new Mesh(this.#plane.geometry, this.#shadow);
    floor.receiveShadow = true;
    floor.renderOrder = -1;
    this.group.add(floor, this.#plane);
  }

  paint(look: Look): void {
    (this.#grid.uniforms.weak.value as Color).set(look.grid);
    (this.#grid.uniforms.strong.value as Color).set(look.gridStrong);
    this.#shadow.opacity = look.shadow;
  }

  /** Lays the ground below x y at height z, with cells of that size, to be seen so far. */
  place(x: number, y: number, z: number, cell: number, reach: number): void {
    this.group.position.set(x, y, z);
    this.group.scale.setScalar(reach);
    this.#grid.uniforms.cell.value = cell;
  }
}
