// A stick on the screen: where it is pushed, the robot goes.
import { h } from "../ui";

const reach = 44; // px, of the stick
const speed = 4; // of the reach per second, by keys

export class Pad {
  readonly element: HTMLElement;
  #stick = h("div", { class: "stick" });
  #field: HTMLElement;
  #at = [0, 0];
  #pointerID?: number;
  #moved: (x: number, y: number) => void;

  constructor(moved: (x: number, y: number) => void) {
    this.#moved = moved;
    this.#field = h("div", { class: "field", role: "group", "aria-label": "Drive: drag, or use the arrow keys or a gamepad" }, this.#stick);
    this.element = h("div", { class: "pad" }, this.#field, h("p", {}, "Drag the stick, hold the arrow keys or use a gamepad; directions are those of the view. Letting go sets the tensions to their minimum or the rotation to 0 Hz; a field stays on. Release (Backspace) ends the commands."));
    this.#field.addEventListener("pointerdown", (e) => {
      this.#field.setPointerCapture((this.#pointerID = e.pointerId));
      this.#pointer(e);
    });
    this.#field.addEventListener("pointermove", (e) => this.#field.hasPointerCapture(e.pointerId) && this.#pointer(e));
    this.#field.addEventListener("lostpointercapture", () => this.set(0, 0)); // also where the page takes the finger for scrolling
  }

  #pointer(e: PointerEvent): void {
    const box = this.#field.getBoundingClientRect();
    this.set((e.clientX - box.left - box.width / 2) / reach, -(e.clientY - box.top - box.height / 2) / reach);
  }

  /** Puts the stick to x y, at most 1 from the middle. */
  set(x: number, y: number): void {
    const n = Math.max(1, Math.hypot(x, y));
    this.#at = [x / n, y / n];
    this.#stick.style.transform = `translate(${reach * this.#at[0]}px, ${-reach * this.#at[1]}px)`;
    this.#moved(this.#at[0], this.#at[1]);
  }

  /** Drops the pointer that holds the stick. */
  drop(): void {
    if (this.#pointerID !== undefined && this.#field.hasPointerCapture(this.#pointerID)) this.#field.releasePointerCapture(this.#pointerID);
  }

  /** Moves the stick towards x y for a time. */
  toward(x: number, y: number, dt: number): void {
    const [dx, dy] = [x - this.#at[0], y - this.#at[1]];
    const d = Math.hypot(dx, dy);
    const step = Math.min(d, speed * dt);
    this.set(this.#at[0] + (d ? (dx / d) * step : 0), this.#at[1] + (d ? (dy / d) * step : 0));
  }
}
