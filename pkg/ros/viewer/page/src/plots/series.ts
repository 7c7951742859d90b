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
      const j = (this.#at + this.#size - this.#n + k) % this.#size;
      f(this.#times[j], this.#values.map((v) => v[j]));
    }
  }

  last(i: number): number {
    return this.#n ? this.#values[i][(this.#at + this.#size - 1) % this.#size] : Number.NaN;
  }

  /** Times before now and the values over factor, oldest first. */
  table(window: number, factor: number): Float64Array[] {
    const newest = this.newest;
    let first = 0;
    const index = (k: number) => (this.#at + this.#size - this.#n + k) % this.#size;
    while (first < this.#n && this.#times[index(first)] < newest - window) first++;
    const n = this.#n - first;
    const out = [this.#times, ...this.#values].map(() => new Float64Array(n));
    for (let k = 0; k < n; k++) {
      const j = index(first + k);
      out[0][k] = this.#times[j] - newest;
      for (let i = 0; i < this.#values.length; i++) out[i + 1][k] = this.#values[i][j] / factor;
    }
    return out;
  }

  /** All rows, as text. */
  csv(): string {
    const cell = (text: string) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    const rows = [["t", ...this.names.map((n) => cell(`${n} (${this.unit})`))].join(",")];
    for (let k = 0; k < this.#n; k++) {
      const j = (this.#at + this.#size - this.#n + k) % this.#size;
      rows.push([this.#times[j].toFixed(6), ...this.#values.map((v) => String(v[j]))].join(","));
    }
    return rows.join("\n") + "\n";
  }
}
