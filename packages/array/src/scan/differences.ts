/** Differences of adjacent elements, and the trapezoidal rule. */
import { checkInteger, outOfRange, rangeError, wrongType, wrongValue } from "@cl/base";
import { checkArray, isArray } from "../storage/check-array.js";
import { checkAxis } from "../shapes/check-axes.js";
import { scalarElement } from "../creation/number-element.js";
import type { DTypeName } from "../types/dtype-name.js";
import { kindOf, promote, promoteScalar, type WeakScalar } from "../types/promote.js";
import type { AnyArray, ArrayRef, ArraySource } from "../storage/array-ref.js";
import type { OperandLike } from "../storage/operand-like.js";
import { operators } from "../elementwise/operators.js";
import { concatenate } from "../creation/join.js";
import * as reductions from "../reductions/reduce.js";

/** Options of `diff`. */
export interface DiffOptions {
  /**
   * Number of times to take differences; each makes the axis shorter by one.
   * @defaultValue 1
   */
  readonly n?: number | undefined;
  /**
   * The axis.
   * @defaultValue the last
   */
  readonly axis?: number | undefined;
  /** An array or value to prepend along the axis. With a number, uint8, uint16 and uint32 become int64. */
  readonly prepend?: OperandLike | undefined;
  /** An array or value to append along the axis. */
  readonly append?: OperandLike | undefined;
}

/** Options of `ediff1d`. */
export interface Ediff1dOptions {
  /** Values to prepend to the differences. */
  readonly toBegin?: OperandLike | undefined;
  /** Values to append to the differences. */
  readonly toEnd?: OperandLike | undefined;
}

/** Options of `trapezoid`. */
export interface TrapezoidOptions {
  /**
   * Sample points along the axis, as an array of one axis or of the values' shape.
   * @defaultValue evenly spaced by `dx`
   */
  readonly x?: AnyArray | undefined;
  /**
   * Spacing of the sample points without `x`.
   * @defaultValue 1
   */
  readonly dx?: number | undefined;
  /**
   * The axis.
   * @defaultValue the last
   */
  readonly axis?: number | undefined;
}

/** What is put at an end, if anything. */
type End = AnyArray | WeakScalar | undefined;

/** Returns the differences of adjacent elements along an axis, taken `n` times. */
export function diff(array: ArrayRef, options: DiffOptions): ArrayRef {
  const { n = 1, axis = -1, prepend, append } = options;
  const { xp, ndim } = array;
  if (ndim === 0) throw outOfRange("array must have at least one axis");
  const times = checkInteger(n, "options.n", 0);
  const along = checkAxis(axis, ndim, "options.axis");
  const type = typeWithEnds(array.dtype.name, [prepend, append]);
  if (times === 0) return array.astype(type);
  const before = checkEnd(prepend, array, type, along, "options.prepend");
  const behind = checkEnd(append, array, type, along, "options.append");
  let result = joined(xp, before, array, behind, along, type);
  for (let k = 0; k < times; k++) {
    const last = result;
    try {
      result = differences(last, along);
    } finally {
      if (last !== array) last.release();
    }
  }
  return result;
}

/** Returns the differences of adjacent elements in C order, between the given values. */
export function ediff1d(array: ArrayRef, { toBegin, toEnd }: Ediff1dOptions): ArrayRef {
  const type = array.dtype.name;
  if (type === "bool") throw wrongType("ediff1d does not support bool; convert the array with astype(), or use diff()");
  const before = checkValues(toBegin, array.xp, type, "options.toBegin");
  const behind = checkValues(toEnd, array.xp, type, "options.toEnd");
  using line = array.ravel();
  const own = differences(line, 0);
  let result: ArrayRef | undefined;
  try {
    return (result = joined(array.xp, before, own, behind, 0, type));
  } finally {
    if (result !== own) own.release();
  }
}

/** The integral along an axis. */
export function trapezoid(array: ArrayRef, { x, dx = 1, axis = -1 }: TrapezoidOptions): ArrayRef {
  const { xp, shape, ndim } = array;
  if (ndim === 0) throw outOfRange("array must have at least one axis");
  const along = checkAxis(axis, ndim, "options.axis");
  if (typeof dx !== "number" || !Number.isFinite(dx)) throw rangeError("options.dx", "a finite number", dx);
  const places = x === undefined ? undefined : checkArray(x, xp, "options.x");
  if (places !== undefined) checkPlaces(places, shape, along);
  using high = part(array, along, "1:");
  using low = part(array, along, ":-1");
  using sums = operators.add(high, low);
  using weighted = places === undefined ? operators.multiply(sums, dx) : timesSteps(sums, places, along);
  using halves = operators.divide(weighted, 2);
  return reductions.sum(halves, { axis: along });
}

function checkPlaces(places: ArrayRef, shape: readonly number[], along: number): void {
  const extent = shape[along] as number;
  if (places.ndim === 1 && places.shape[0] === extent) return;
  if (places.ndim === shape.length && String(places.shape) === String(shape)) return;
  throw outOfRange(
    `options.x must have the shape [${extent}] of axis ${along}, or [${shape.join()}], received [${places.shape.join()}]`,
  );
}

function timesSteps(sums: ArrayRef, places: ArrayRef, along: number): ArrayRef {
  const isLine = places.ndim === 1;
  using steps = differences(places, isLine ? 0 : along);
  if (!isLine) return operators.multiply(sums, steps);
  using turned = steps.reshape(sums.shape.map((_, axis) => (axis === along ? -1 : 1)));
  return operators.multiply(sums, turned);
}

/** Returns an array with the other extents of `array`, or a value. */
function checkEnd(value: OperandLike | undefined, array: ArrayRef, type: DTypeName, along: number, name: string): End {
  const end = checkValues(value, array.xp, type, name);
  if (!isArray(end) || end.ndim === 0) return end;
  const fits = end.ndim === array.ndim && end.shape.every((extent, k) => k === along || extent === array.shape[k]);
  if (fits) return end;
  throw outOfRange(
    `${name} must have the shape [${array.shape.join()}] of the array, except along axis ${along}, received [${end.shape.join()}]`,
  );
}

/**
 * Unsigned integers with a number at an end become int64, as in NumPy: the difference to it may be negative. uint64 stays, since
 * no integer type holds all of its differences.
 */
function typeWithEnds(type: DTypeName, ends: readonly (OperandLike | undefined)[]): DTypeName {
  const hasNumber = ends.some((end) => typeof end === "number" || typeof end === "bigint");
  return hasNumber && kindOf(type) === 1 && type !== "uint64" ? "int64" : type;
}

/** Checks that elements of the type hold the values. */
function checkValues(value: OperandLike | undefined, xp: ArraySource, type: DTypeName, name: string): End {
  if (value === undefined) return undefined;
  const own = isArray(value) ? checkArray(value, xp, name) : value;
  const needed = isArray(own) ? promote(own.dtype.name, type) : promoteScalar(type, own, name);
  if (needed === type) return own;
  throw wrongValue(
    `${name} must be representable in ${type}, received a value that needs ${needed}; convert the array with astype()`,
  );
}

/** Concatenates arrays and values; returns the array itself if nothing is added. */
function joined(xp: ArraySource, before: End, array: ArrayRef, behind: End, along: number, dtype: DTypeName): ArrayRef {
  if (before === undefined && behind === undefined) return array;
  const temporary: AnyArray[] = [];
  const placed = (one: Exclude<End, undefined>): AnyArray => {
    if (isArray(one) && one.ndim === array.ndim) return one;
    const shape = array.shape.with(along, 1);
    const made = isArray(one)
      ? one.ndim === 0
        ? one.broadcastTo(shape)
        : one.ravel()
      : xp.full(shape, scalarElement(dtype, one), { dtype });
    temporary.push(made);
    return made;
  };
  try {
    const all = [before, array, behind].filter((one) => one !== undefined).map(placed);
    return concatenate(xp, all, { axis: along, dtype });
  } finally {
    for (const one of temporary) one.release();
  }
}

function differences(array: ArrayRef, along: number): ArrayRef {
  using high = part(array, along, "1:");
  using low = part(array, along, ":-1");
  return array.dtype.name === "bool" ? (operators.logicalXor(high, low) as AnyArray) : operators.subtract(high, low);
}

/** A part along one axis. */
function part(array: ArrayRef, along: number, range: string): ArrayRef {
  return array.slice(...Array.from({ length: along }, () => ":"), range);
}
