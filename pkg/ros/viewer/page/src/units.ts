// Numbers for people: SI inside, with a prefix outside.

const prefixes: [number, string][] = [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"], [1e-12, "p"]];

export interface Scale {
  factor: number; // of one shown unit, in SI
  unit: string;
}

/** The unit in which numbers about as large as size are between 1 and 1000. */
export function scaleFor(size: number, unit: string): Scale {
  if (!unit || !Number.isFinite(size) || size <= 0) return { factor: 1, unit };
  if (!/^(m|N|T|A|s|N m|m\/s|T\/m|Pa)$/.test(unit)) return { factor: 1, unit };
  for (const [factor, prefix] of prefixes) {
    if (size >= 0.9995 * factor) return { factor, unit: prefix + unit };
  }
  return { factor: 1e-12, unit: "p" + unit };
}

/** The unit of positions about as large as size, m: a robot of decimetres has mm, as the program writes them. */
export function positionScale(size: number): Scale {
  const s = scaleFor(size, "m");
  return s.factor >= 1e-2 ? { factor: 1e-3, unit: "mm" } : s;
}

/** x with about so many significant digits, without an exponent where that is readable. */
export function digits(x: number, n = 4): string {
  if (!Number.isFinite(x)) return "–";
  const a = Math.abs(x);
  if (a !== 0 && (a >= 1e6 || a < 1e-4)) return x.toExponential(2).replace("-", "−");
  const places = Math.max(0, n - 1 - Math.floor(Math.log10(Math.max(a, 1e-3))));
  return x.toFixed(Math.min(places, n - 1)).replace("-", "−");
}

export function fixed(x: number, places: number): string {
  const text = x.toFixed(places);
  return (Number(text) === 0 ? text.replace("-", "") : text).replace("-", "−");
}

/**
 * The number that somebody typed, with a decimal point or comma, or why it is none. 1,000 is one to some and a thousand to
 * others: it is left to who typed it.
 */
export function typed(text: string): number | string {
  const t = text.trim().replace("−", "-");
  if (/^[+-]?[1-9]\d{0,2}(,\d{3})+$/.test(t)) {
    const [small, large] = [t.replace(",", "."), t.replaceAll(",", "")];
    return Number.isFinite(Number(small)) ? `${text}: ${Number(small)} or ${large}? Write one of these.` : `${text}: write ${large}.`;
  }
  const x = t === "" ? NaN : Number(t.includes(".") ? t : t.replace(",", "."));
  return Number.isFinite(x) ? x : `${text || "nothing"}: not a number, such as 1250, 0.5 or 2e-3.`;
}

/** A length of so many metres. */
export function length(x: number): string {
  const s = scaleFor(Math.abs(x) || 1, "m");
  return `${Number((x / s.factor).toPrecision(3))} ${s.unit}`;
}

/** A duration of so many seconds, as 1:05 or 1:01:05. */
export function clock(t: number): string {
  const two = (x: number) => String(Math.floor(x)).padStart(2, "0");
  const [hours, minutes, seconds] = [Math.floor(t / 3600), (t / 60) % 60, t % 60];
  return hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${Math.floor(minutes)}:${two(seconds)}`;
}

/** So many bytes. */
export function size(bytes: number): string {
  const [factor, unit] = bytes >= 1e9 ? [1e9, "GB"] : bytes >= 1e6 ? [1e6, "MB"] : [1e3, "kB"];
  return `${(bytes / (factor as number)).toFixed(bytes >= 1e6 ? 1 : 0)} ${unit}`;
}
