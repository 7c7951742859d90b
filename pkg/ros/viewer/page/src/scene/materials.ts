// What things are made of: with lights that shine where there is a graphics card, plainer where the
// processor draws.
import { MeshLambertMaterial, MeshPhysicalMaterial, type Material, type MeshPhysicalMaterialParameters } from "three";

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

export function dispose(m: Material | Material[]): void {
  [m].flat().forEach((one) => one.dispose());
}
