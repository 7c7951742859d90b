// Ticks that go on while nobody looks at the page. Browsers slow the timers of hidden pages down to one a second, and a
// robot would be let go and taken again with each of them; timers of workers keep their pace.

/** Calls f every so many ms, or later where the page is busy. */
export function every(ms: number, f: () => void): void {
  let last = -Infinity;
  const tick = () => {
    const now = performance.now();
    if (now - last < ms / 2) return; // ticks that have waited come all at once
    last = now;
    f();
  };
  const url = URL.createObjectURL(new Blob([`setInterval(() => postMessage(0), ${ms})`], { type: "text/javascript" }));
  try {
    const worker = new Worker(url);
    worker.onmessage = tick;
    worker.onerror = () => setInterval(tick, ms);
  } catch {
    setInterval(tick, ms);
  }
}
