/** Tick marks of time axes. */
import { timeUnit } from "@cl/base/units";

/** Tick marks. */
export interface Ticks {
  readonly marks: readonly { readonly time: number; readonly label: string }[];
  /** Time that the labels are relative to, if absolute times would be too long; otherwise empty. */
  readonly base: string;
}

/** Returns at most `most` marks at round numbers between two times. */
export function ticks(from: number, to: number, maxCount: number): Ticks {
  const step = roundStep((to - from) / Math.max(1, maxCount));
  let unit = timeUnit(Math.max(Math.abs(from), Math.abs(to)));
  // If labels would need many decimals, make them relative to a base time.
  const relative = decimalsOf(step / unit.size) > 3;
  const origin = relative ? Math.floor(from / (step * 10)) * step * 10 : 0;
  if (relative) unit = timeUnit(Math.max(step, to - origin));
  const decimals = decimalsOf(step / unit.size);
  const marks = [];
  for (let index = Math.ceil((from - origin) / step); origin + index * step <= to; index++) {
    const offset = index * step;
    const label = `${relative ? "+" : ""}${(offset / unit.size).toFixed(decimals)} ${unit.name}`;
    marks.push({ time: origin + offset, label });
  }
  return { marks, base: relative ? exactTime(origin) : "" };
}

/** Formats a time with all digits that differ between times that are `step` nanoseconds apart. */
export function exactTime(ns: number, step = 1): string {
  const unit = timeUnit(ns);
  const digits = Math.round(Math.log10(unit.size / step));
  const text = (ns / unit.size).toFixed(Math.max(0, Math.min(9, digits)));
  return `${text.includes(".") ? text.replace(/\.?0+$/, "") : text} ${unit.name}`;
}

/** Rounds up to 1, 2 or 5 times a power of ten. */
function roundStep(size: number): number {
  const power = 10 ** Math.floor(Math.log10(size));
  const digit = size / power;
  return (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10) * power;
}

function decimalsOf(step: number): number {
  return Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
}
