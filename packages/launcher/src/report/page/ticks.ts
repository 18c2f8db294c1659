/** The times that an axis names. */
import { timeUnit } from "@cl/base/units";

/** Marks of an axis. */
export interface Ticks {
  readonly marks: readonly { readonly time: number; readonly label: string }[];
  /** What the labels count from, where times themselves would be too long to read; else empty. */
  readonly base: string;
}

/** Marks between two times, at most `most` of them, at round numbers. */
export function ticks(from: number, to: number, most: number): Ticks {
  const step = roundStep((to - from) / Math.max(1, most));
  let unit = timeUnit(Math.max(Math.abs(from), Math.abs(to)));
  // With many decimals, a label says only how far it is from a time that is told once.
  const far = decimalsOf(step / unit.size) > 3;
  const origin = far ? Math.floor(from / (step * 10)) * step * 10 : 0;
  if (far) unit = timeUnit(Math.max(step, to - origin));
  const decimals = decimalsOf(step / unit.size);
  const marks = [];
  for (let index = Math.ceil((from - origin) / step); origin + index * step <= to; index++) {
    const offset = index * step;
    const label = `${far ? "+" : ""}${(offset / unit.size).toFixed(decimals)} ${unit.name}`;
    marks.push({ time: origin + offset, label });
  }
  return { marks, base: far ? exactTime(origin) : "" };
}

/** A time with all of its digits. */
export function exactTime(ns: number): string {
  const unit = timeUnit(ns);
  const text = (ns / unit.size).toFixed(unit.size === 1 ? 0 : Math.min(9, Math.round(Math.log10(unit.size))));
  return `${text.includes(".") ? text.replace(/\.?0+$/, "") : text} ${unit.name}`;
}

/** 1, 2 or 5 times a power of ten, not less than a size. */
function roundStep(size: number): number {
  const power = 10 ** Math.floor(Math.log10(size));
  const digit = size / power;
  return (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10) * power;
}

function decimalsOf(step: number): number {
  return Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
}
