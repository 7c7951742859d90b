// What things are made of: with lights that shine where there is a graphics card, plainer where the
// processor draws.
import { DoubleSide, MeshLambertMaterial, MeshPhysicalMaterial, type Material, type MeshPhysicalMaterialParameters } from "three";

let simple = false;

/** A material whose colour can be set. */
export type Surface = MeshPhysicalMaterial | MeshLambertMaterial;

/** Makes all materials from now on plain. */
export function drawSimply(): void {
  simple = true;
}

export function surface(p: MeshPhysicalMaterialParameters): Surface {
  if (!simple) return new MeshPhysicalMaterial(p);
  const { roughness: _r, metalness: _m, clearcoat: _c, clearcoatRoughness: _o, ...plain } = p;
  return new MeshLambertMaterial(plain);
}

/** Opacity of what is seen through, over that of the robot: two of its sides are seen. */
export const glassOpacity = 0.7;

/** A material that is seen through. */
export function glassy(): Surface {
  return surface({ transparent: true, depthWrite: false, side: DoubleSide, roughness: 0.15, vertexColors: false });
}

export function dispose(m: Material | Material[]): void {
  [m].flat().forEach((one) => one.dispose());
}
