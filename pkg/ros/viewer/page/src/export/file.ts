// Files that the page gives, with names that say the robot and the time.
import { h } from "../ui";

/** Offers a file to keep. */
export function save(data: Blob, name: string): void {
  const url = URL.createObjectURL(data);
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

/** A name of parts: letters, digits, points and dashes as they are. */
export function fileName(parts: string[], ending: string): string {
  return `${parts.map((p) => p.replace(/[^\p{L}\p{N}.-]+/gu, "_").replace(/^_+|_+$/g, "")).filter(Boolean).join("_")}.${ending}`;
}

/** Date and time of the clock on the wall, as in 2026-11-22_13-05-09. */
export function wallTime(now = new Date()): string {
  const two = (x: number) => String(x).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}_${two(now.getHours())}-${two(now.getMinutes())}-${two(now.getSeconds())}`;
}
