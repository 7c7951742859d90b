// The last seconds of some numbers.

export class Series {
  readonly names: string[];
  readonly unit: string;
  #size: number;
  #n = 0;
  #at = 0;
  #times: Float64Array;
  #values: Float64Array[];

  constructor(names: string[], unit: string, size: number) {
    [this.names, this.unit, this.#size] = [names, unit, size];
    this.#times = new Float64Array(size);
    this.#values = names.map(() => new Float64Array(size));
  }

  add(t: number, values: ArrayLike<number>): void {
    if (this.#n > 0 && t < this.#times[(this.#at + this.#size - 1) % this.#size]) this.#n = this.#at = 0; // time went back
    this.#times[this.#at] = t;
    this.#values.forEach((v, i) => (v[this.#at] = values[i]));
    this.#at = (this.#at + 1) % this.#size;
    this.#n = Math.min(this.#n + 1, this.#size);
  }

  /** Adds values by their names; others stay as they were, for several may publish parts on one topic. */
  put(t: number, names: string[], values: number[]): void {
    const own = this.names.every((n, i) => n === names[i]);
    this.add(t, own ? values : this.names.map((n, i) => values[names.indexOf(n)] ?? this.last(i)));
  }

  get length(): number {
    return this.#n;
  }

  get newest(): number {
    return this.#n ? this.#times[(this.#at + this.#size - 1) % this.#size] : Number.NaN;
  }

  get oldest(): number {
    return this.#n ? this.#times[(this.#at + this.#size - this.#n) % this.#size] : Number.NaN;
  }

  /** Calls f with each row, oldest first. */
  each(f: (t: number, values: number[]) => void): void {
    for (let k = 0; k < this.#n; k++) {
      const j = this.#row(k);
      f(this.#times[j], this.#values.map((v) => v[j]));
    }
  }

  last(i: number): number {
    return this.#n ? this.#values[i][(this.#at + this.#size - 1) % this.#size] : Number.NaN;
  }

  /** The place of row k, oldest first. */
  #row(k: number): number {
    return (this.#at + this.#size - this.#n + k) % this.#size;
  }

  /** How many rows are before a time. */
  #before(t: number): number {
    let [low, high] = [0, this.#n];
    while (low < high) {
      const mid = (low + high) >> 1;
      if (this.#times[this.#row(mid)] < t) low = mid + 1;
      else high = mid;
    }
    return low;
  }

  /** The rows between two times, oldest first: times since origin, and values. Lines go on to the row beyond each end. */
  table(from: number, to: number, origin: number): Float64Array[] {
    const first = Math.max(this.#before(from) - 1, 0);
    const n = Math.min(this.#before(to) + 1, this.#n) - first;
    const out = [this.#times, ...this.#values].map(() => new Float64Array(Math.max(n, 0)));
    for (let k = 0; k < n; k++) {
      const j = this.#row(first + k);
      out[0][k] = this.#times[j] - origin;
      this.#values.forEach((v, i) => (out[i + 1][k] = v[j]));
    }
    return out;
  }

  /** The row nearest to a time: its time and values; nothing before the first one. */
  near(t: number): { time: number; values: number[] } | undefined {
    if (!(t >= this.oldest)) return undefined;
    let k = Math.min(this.#before(t), this.#n - 1);
    if (k > 0 && t - this.#times[this.#row(k - 1)] < this.#times[this.#row(k)] - t) k--;
    const j = this.#row(k);
    return { time: this.#times[j], values: this.#values.map((v) => v[j]) };
  }

  /** The rows between two times, as text. */
  csv(from: number, to: number): string {
    const cell = (text: string) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    const rows = [["t", ...this.names.map((n) => cell(`${n} (${this.unit})`))].join(",")];
    for (let k = this.#before(from); k < this.#n; k++) {
      const j = this.#row(k);
      if (this.#times[j] > to) break;
      rows.push([this.#times[j].toFixed(6), ...this.#values.map((v) => String(v[j]))].join(","));
    }
    return rows.join("\n") + "\n";
  }
}
