/** Evenly and logarithmically spaced numbers, computed in float64. */
import { checkBoolean, checkInteger, checkOptions, rangeError, wrongValue } from "@cl/base";
import { runOver } from "../kernels/run-over.js";
import { spacedSource, type Spacing } from "../kernels/sequence-source.js";
import { filled } from "../storage/filled.js";
import { checkArrayType, type DTypeName, type TypedDType } from "../types/dtype-name.js";
import { kindOf } from "../types/promote.js";
import { numberElement } from "./number-element.js";
import type { ArrayRef, ArraySource, DTypeOptions } from "../storage/array-ref.js";

/** Options of `linspace`, `logspace` and `geomspace`. */
export interface SpacedOptions<D extends DTypeName> extends DTypeOptions<D> {
  /**
   * Whether `stop` is the last number.
   * @defaultValue true
   */
  readonly endpoint?: boolean;
}

interface Plan {
  readonly spacing: Spacing;
  readonly start: number;
  readonly stop: number;
  readonly base: number;
  readonly factor: number;
  readonly first: number;
  readonly last: number;
}

/** Evenly spaced. */
export function linear(
  xp: ArraySource,
  start: number,
  stop: number,
  count: number,
  options: SpacedOptions<DTypeName> | undefined,
): ArrayRef {
  const checked = checkOptions(options, ["endpoint", "dtype"]);
  checkFinite(start, "start");
  checkFinite(stop, "stop");
  return spaced(xp, { spacing: "linear", start, stop, base: 0, factor: 1, first: 0, last: 0 }, count, checked);
}

/** Powers of a base, whose exponents are evenly spaced. */
export function powers(
  xp: ArraySource,
  start: number,
  stop: number,
  count: number,
  options: (SpacedOptions<DTypeName> & { readonly base?: number }) | undefined,
): ArrayRef {
  const { base = 10, ...others } = checkOptions(options, ["endpoint", "dtype", "base"]);
  checkFinite(start, "start");
  checkFinite(stop, "stop");
  checkFinite(base, "options.base");
  return spaced(xp, { spacing: "power", start, stop, base, factor: 1, first: 0, last: 0 }, count, others);
}

/** Numbers with a constant ratio between neighbors. */
export function geometric(
  xp: ArraySource,
  start: number,
  stop: number,
  count: number,
  options: SpacedOptions<DTypeName> | undefined,
): ArrayRef {
  const checked = checkOptions(options, ["endpoint", "dtype"]);
  checkFinite(start, "start");
  checkFinite(stop, "stop");
  if (start === 0 || stop === 0 || start < 0 !== stop < 0) {
    throw wrongValue(`start and stop must both be positive or both be negative, received ${start} and ${stop}`);
  }
  const factor = start < 0 ? -1 : 1;
  const [low, high] = [Math.log10(start * factor), Math.log10(stop * factor)];
  const plan: Plan = { spacing: "geometric", start: low, stop: high, base: 10, factor, first: start, last: stop };
  return spaced(xp, plan, count, checked);
}

function spaced(
  xp: ArraySource,
  plan: Plan,
  count: number,
  { dtype = "float64", endpoint }: SpacedOptions<DTypeName>,
): ArrayRef {
  checkInteger(count, "count");
  const ends = checkBoolean(endpoint, "options.endpoint", true);
  const type = checkArrayType(dtype, "options.dtype");
  const { start, stop, spacing } = plan;
  const delta = stop - start;
  const parts = ends ? count - 1 : count;
  const step = parts > 0 ? delta / parts : delta;
  const divides = step === 0 && parts > 0;
  if (count === 0) return xp.empty([0], { dtype: type });
  if (xp.queue.device.doubleFpConfig === 0) return onHost(xp, plan, count, { parts, step, divides, ends }, type);
  const numbers = new ArrayBuffer(80);
  new Float64Array(numbers).set([start, stop, step, parts, delta, plan.base, plan.factor, plan.first, plan.last]);
  new BigInt64Array(numbers)[9] = ends ? 1n : 0n;
  return filled(xp.empty([count], { dtype: type }), (result) => {
    runOver(xp.queue, result.operand().storage, count, {
      key: `spaced ${spacing} ${type.name} ${divides}`,
      name: "sequence",
      source: () => spacedSource(type.name, spacing, divides),
      short: false,
      args: [new Uint8Array(numbers)],
    });
  });
}

/** The same where kernels have no float64. */
function onHost(
  xp: ArraySource,
  { spacing, start, stop, base, factor, first, last }: Plan,
  count: number,
  by: { readonly parts: number; readonly step: number; readonly divides: boolean; readonly ends: boolean },
  type: TypedDType<DTypeName>,
): ArrayRef {
  const view = new DataView(new ArrayBuffer(count * type.itemSize));
  const whole = kindOf(type.name) === 1 || kindOf(type.name) === 2;
  const delta = stop - start;
  for (let i = 0; i < count; i++) {
    const isLast = by.ends && i > 0 && i === count - 1;
    const place = isLast ? stop : (by.divides ? (i / by.parts) * delta : i * by.step) + start;
    let value = place;
    if (spacing === "linear" && whole) value = Math.floor(place);
    if (spacing !== "linear") value = factor * base ** place;
    if (spacing === "geometric" && i === 0) value = first;
    if (spacing === "geometric" && isLast) value = last;
    type.set(view, i * type.itemSize, numberElement(type.name, value));
  }
  return xp.fromHost(new Uint8Array(view.buffer), { dtype: type });
}

/** A number that is no infinity. */
export function checkFinite(value: unknown, name: string): void {
  if (!Number.isFinite(value)) throw rangeError(name, "a finite number", value);
}
