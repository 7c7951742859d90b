// What a pointer, fingers and keys do to the window of time of the plots. What is dragged goes with the pointer; fingers that pinch zoom.
import type { TimeWindow } from "./window";

const step = 0.01; // of what is shown, of the cursor by a key
const stride = 0.1; // the same with Shift, and of the window
const closer = 1.25; // of a zoom by a key or a notch of a wheel

/** Makes an element use the window; frame is where the time is on the screen, and nothing while there is none. */
export function handle(e: HTMLElement, w: TimeWindow, frame: () => DOMRect | undefined): void {
  const down = new Map<number, number>(); // px, of pointers
  const share = (x: number, f: DOMRect) => Math.min(Math.max((x - f.left) / f.width, 0), 1);
  e.addEventListener("pointerdown", (p) => {
    const f = frame();
    if (p.button !== 0 || !f) return;
    down.set(p.pointerId, p.clientX);
    e.setPointerCapture(p.pointerId);
    w.cursor = share(p.clientX, f);
  });
  e.addEventListener("pointermove", (p) => {
    const [was, f] = [down.get(p.pointerId), frame()];
    if (!f) return;
    w.cursor = share(p.clientX, f);
    if (was === undefined) return;
    const others = [...down].filter(([id]) => id !== p.pointerId).map(([, x]) => x);
    down.set(p.pointerId, p.clientX);
    if (others.length === 1) {
      const [before, after] = [Math.abs(was - others[0]), Math.abs(p.clientX - others[0])];
      if (before > 0 && after > 0) w.zoom(before / after, share((p.clientX + others[0]) / 2, f));
      w.pan((was - p.clientX) / 2 / f.width);
    } else if (p.pointerType === "mouse" && p.clientX !== was) w.pan((was - p.clientX) / f.width);
  });
  const up = (p: PointerEvent) => down.delete(p.pointerId);
  e.addEventListener("pointerup", up);
  e.addEventListener("pointercancel", up);
  e.addEventListener("pointerleave", (p) => p.pointerType === "mouse" && document.activeElement !== e && (w.cursor = undefined));
  e.addEventListener("blur", () => (w.cursor = undefined));
  e.addEventListener("dblclick", () => w.reset());
  e.addEventListener("wheel", (p) => {
    const f = frame();
    if (!f || (!p.shiftKey && !p.ctrlKey)) return; // the panel scrolls
    p.preventDefault();
    w.zoom(closer ** Math.sign(p.deltaY || p.deltaX), share(p.clientX, f));
  }, { passive: false });
  e.addEventListener("keydown", (k) => {
    if (k.ctrlKey || k.metaKey || k.altKey || !frame()) return;
    const move = (by: number) => () => (w.cursor = Math.min(Math.max((w.cursor ?? 1) + by, 0), 1));
    const acts: Record<string, () => void> = {
      ArrowLeft: move(k.shiftKey ? -stride : -step), ArrowRight: move(k.shiftKey ? stride : step), Home: move(-1), End: move(1),
      PageUp: () => w.pan(-stride), PageDown: () => w.pan(stride), "+": () => w.zoom(1 / closer), "=": () => w.zoom(1 / closer), "-": () => w.zoom(closer), "0": () => w.reset(),
    };
    const act = acts[k.key];
    if (!act) return;
    k.preventDefault();
    k.stopPropagation(); // these keys drive and look elsewhere
    act();
  });
}
