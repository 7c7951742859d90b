// The window of time that all plots show: the last seconds, or a part of what is kept that somebody has gone to.

/** What is kept of the past, s. */
export const kept = 60;

const least = 0.05; // s, that is shown at least

export const spans = [5, 10, 20, 30, 60]; // s

export class TimeWindow {
  /** Seconds that are shown while the window goes with time. */
  span = 10;
  /** The newest time, s. */
  now = Number.NaN;
  /** Where the cursor is, as a share of what is shown. */
  cursor?: number;
  #view?: { from: number; to: number }; // that somebody has gone to, s
  #reference = Number.NaN; // of times that are shown, while there is a view

  /** Takes the newest time; a view of which nothing is kept any more ends, and so does one of a time before this. */
  advance(now: number): void {
    this.now = now;
    if (this.#view && !(this.#view.to > now - kept && this.#view.from < now)) this.reset();
  }

  /** Whether the window goes with time. */
  get follows(): boolean {
    return this.#view === undefined;
  }

  get from(): number {
    return this.#view?.from ?? this.now - this.span;
  }

  get to(): number {
    return this.#view?.to ?? this.now;
  }

  /** The time that is 0 on the axis: now, or where now was when somebody went elsewhere. */
  get origin(): number {
    return this.#view ? this.#reference : this.now;
  }

  /** The time at the cursor, s. */
  get at(): number | undefined {
    return this.cursor === undefined ? undefined : this.from + this.cursor * (this.to - this.from);
  }

  /** Shows so many times as much, about a share of what is shown. */
  zoom(factor: number, about = this.cursor ?? 1): void {
    const long = Math.min(Math.max((this.to - this.from) * factor, least), kept);
    const fixed = this.from + about * (this.to - this.from);
    this.#go(fixed - about * long, long);
  }

  /** Goes on by a share of what is shown. */
  pan(share: number): void {
    const long = this.to - this.from;
    this.#go(this.from + share * long, long);
  }

  #go(from: number, long: number): void {
    if (!Number.isFinite(from)) return;
    if (!this.#view) this.#reference = this.now;
    const begin = Math.min(Math.max(from, this.now - kept), this.now - long);
    this.#view = { from: begin, to: begin + long };
  }

  /** Ends at a time, s. */
  goTo(time: number): void {
    const long = this.to - this.from;
    this.#go(time - long, long);
    this.cursor = 1;
  }

  /** Goes with time again. */
  reset(): void {
    this.#view = undefined;
  }
}
