/** Search in sorted values, and interpolation between them. */
import { checkBoolean, checkList, checkOptions, outOfRange, typeError, wrongType, wrongValue } from "@cl/base";
import { hasParallelWorkItems } from "@cl/characterize";
import type { Nested, TypedArray } from "@cl/core";
import { checkArray, isArray } from "../storage/check-array.js";
import { filled } from "../storage/filled.js";
import { scalarElement } from "../creation/number-element.js";
import type { IntegerArray } from "../indexing/index-types.js";
import { kernelOf } from "../kernels/kernel-cache.js";
import { launchOrdered, wholeGroups } from "../kernels/launch.js";
import { checkComputable } from "../types/capabilities.js";
import type { DTypeName } from "../types/dtype-name.js";
import { kindOf, promote, promoteScalar, quotientDType } from "../types/promote.js";
import { contiguousAs, firstOf } from "../elementwise/contiguous-as.js";
import { orderedType } from "./order-code.js";
import { interpolateSource, searchLanes, searchSource } from "./search-source.js";
import type { AnyArray, ArrayRef, ArraySource } from "../storage/array-ref.js";
import { take } from "../indexing/take.js";

/** Values to search for: a device array or host values. */
export type SearchValues = AnyArray | number | bigint | Nested | TypedArray;

/** Options of `searchsorted`. */
export interface SearchOptions {
  /**
   * Insertion position among equal values: before (`"left"`) or after them (`"right"`).
   * @defaultValue "left"
   */
  readonly side?: "left" | "right";
  /** Indices that sort the first argument, as from `argsort`. */
  readonly sorter?: IntegerArray;
}

/** Options of `digitize`. */
export interface DigitizeOptions {
  /**
   * If true, a bin includes its right edge and not its left one.
   * @defaultValue false
   */
  readonly right?: boolean;
}

/** Values outside the range of an interpolation. */
export interface InterpolateOptions {
  /**
   * Value before the first place.
   * @defaultValue the first value
   */
  readonly left?: number;
  /**
   * Value after the last place.
   * @defaultValue the last value
   */
  readonly right?: number;
}

/** The place of each value. */
export function searchsorted(
  xp: ArraySource,
  sorted: AnyArray,
  values: SearchValues,
  options?: SearchOptions,
): ArrayRef<"int64"> {
  const { side = "left", sorter } = checkOptions(options, ["side", "sorter"]);
  if (side !== "left" && side !== "right") throw wrongValue(`options.side must be "left" or "right"`);
  checkLine(checkArray(sorted, xp, "sorted"), "sorted");
  if (sorter !== undefined) {
    checkLine(checkArray(sorter, xp, "options.sorter"), "options.sorter");
    if (sorter.size !== sorted.size) {
      throw outOfRange(`options.sorter must have an index for each of ${sorted.size} values, received ${sorter.size}`);
    }
  }
  using wanted = valuesFor(xp, sorted.dtype.name, values, "values");
  using taken = sorter === undefined ? undefined : take(sorted, sorter);
  return search(xp, taken ?? sorted, wanted, side === "right", false);
}

/** The number of the bin of each value, where the edges rise or fall. */
export function digitize(
  xp: ArraySource,
  values: SearchValues,
  bins: AnyArray | Nested | TypedArray,
  options?: DigitizeOptions,
): ArrayRef<"int64"> {
  const right = checkBoolean(checkOptions(options, ["right"]).right, "options.right", false);
  if (isArray(bins)) checkLine(checkArray(bins, xp, "bins"), "bins");
  else checkMonotonic(bins, "bins");
  if (isArray(values)) checkArray(values, xp, "values");
  const type = isArray(values) ? values.dtype.name : "float64";
  using edges = valuesFor(xp, type, bins, "bins");
  using wanted = valuesFor(xp, edges.dtype.name, values, "values");
  if (kindOf(edges.dtype.name) === 4 || kindOf(wanted.dtype.name) === 4) {
    throw wrongType("digitize does not support complex numbers");
  }
  return search(xp, edges, wanted, !right, true);
}

/** Values on straight lines between known ones. */
export function interpolate(
  xp: ArraySource,
  x: SearchValues,
  places: AnyArray,
  values: AnyArray,
  options?: InterpolateOptions,
): ArrayRef {
  const { left, right } = checkOptions(options, ["left", "right"]);
  for (const [name, value] of Object.entries({ left, right })) {
    if (value !== undefined && typeof value !== "number") throw wrongType(`options.${name} must be a number`);
  }
  checkLine(checkArray(places, xp, "places"), "places");
  checkLine(checkArray(values, xp, "values"), "values");
  if (places.size !== values.size || places.size === 0) {
    throw outOfRange(
      `places and values must have the same number of elements, at least 1, received ${places.size} and ${values.size}`,
    );
  }
  if (isArray(x)) checkArray(x, xp, "x");
  const own = promote(places.dtype.name, values.dtype.name);
  const given = isArray(x) ? promote(own, x.dtype.name) : own;
  const result = quotientDType(given);
  if (kindOf(result) === 4) {
    throw wrongType("interp does not support complex numbers; interpolate the real and imaginary parts");
  }
  const type = orderedType(result);
  checkComputable(xp.queue.device, type, "interp");
  using wanted = valuesFor(xp, type, x, "x");
  using at = contiguousAs(wanted, type);
  using known = contiguousAs(places, type);
  using heights = contiguousAs(values, type);
  using outside = xp.array([left ?? 0, right ?? 0], { dtype: type });
  const all = filled(xp.empty(at.shape, { dtype: type }), (into) => {
    if (into.size === 0) return;
    const { queue } = xp;
    const kernel = kernelOf(queue.context, `interpolate ${type}`, "interpolate", () => interpolateSource(type));
    const reads = [at, known, heights, outside].map((one) => one.operand().storage);
    const target = into.operand().storage;
    const [fromX, fromPlaces, fromValues, beyond] = reads.map(({ memory }) => memory);
    launchOrdered(
      queue,
      kernel,
      wholeGroups(queue.device, at.size),
      [
        fromX,
        firstOf(at),
        BigInt(at.size),
        fromPlaces,
        firstOf(known),
        BigInt(known.size),
        fromValues,
        firstOf(heights),
        beyond,
        left === undefined ? 0 : 1,
        right === undefined ? 0 : 1,
        target.memory,
      ],
      reads,
      [target],
    );
  });
  if (type === result) return all;
  using wide = all;
  return wide.astype(result);
}

function search(
  xp: ArraySource,
  sorted: AnyArray,
  values: AnyArray,
  after: boolean,
  anyOrder: boolean,
): ArrayRef<"int64"> {
  const type = orderedType(promote(sorted.dtype.name, values.dtype.name));
  checkComputable(xp.queue.device, type, anyOrder ? "digitize" : "searchsorted");
  using line = contiguousAs(sorted, type);
  using wanted = contiguousAs(values, type);
  return filled(xp.empty(values.shape, { dtype: "int64" }), (places) => {
    if (places.size === 0) return;
    const { queue } = xp;
    const lanes = hasParallelWorkItems(queue.device) ? 1 : searchLanes;
    const short = line.size < 2 ** 31;
    const key = `search ${type} ${lanes} ${String(short)}`;
    const kernel = kernelOf(queue.context, key, "search_all", () => searchSource(type, lanes, short));
    const into = places.operand().storage;
    const from = wanted.operand().storage;
    // Where there is nothing in order there is no memory of it; any will do, since it is not used.
    const among = line.size === 0 ? from : line.operand().storage;
    launchOrdered(
      queue,
      kernel,
      wholeGroups(queue.device, Math.ceil(wanted.size / lanes)),
      [
        among.memory,
        line.size === 0 ? 0n : firstOf(line),
        BigInt(line.size),
        from.memory,
        firstOf(wanted),
        BigInt(wanted.size),
        into.memory,
        after ? 1 : 0,
        anyOrder ? 1 : 0,
      ],
      [among, from],
      [into],
    );
  });
}

function checkLine(array: AnyArray, name: string): void {
  if (array.ndim === 1) return;
  throw outOfRange(`${name} must have one axis, received shape [${array.shape.join()}]`);
}

/**
 * Returns host values as an array of the dtype of the array they are compared with, if they fit, as operands of
 * operators.
 */
export function valuesFor(xp: ArraySource, arrayType: DTypeName, values: SearchValues, name: string): ArrayRef {
  if (isArray(values)) return checkArray(values, xp, name).slice();
  if (typeof values === "number" || typeof values === "bigint") {
    const dtype = promoteScalar(arrayType, values, name);
    return xp.full([], scalarElement(dtype, values), { dtype });
  }
  if (ArrayBuffer.isView(values)) return xp.array(values) as AnyArray;
  if (!Array.isArray(values)) throw wrongType(`${name} must be numbers or a DeviceArray`);
  const kind = kindOf(arrayType);
  if (kind > 2) return xp.array(values, { dtype: arrayType });
  return xp.array(values);
}

/** Numbers of the host that rise or fall. */
export function checkMonotonic(values: unknown, name: string, direction: "rising" | "any" = "any"): void {
  if (!ArrayBuffer.isView(values) && !Array.isArray(values)) throw typeError(name, "a list of numbers", values);
  const list = Array.isArray(values)
    ? checkList(values, name, "a list of numbers")
    : Array.from(values as Float64Array);
  for (const [i, one] of list.entries()) {
    if (typeof one === "bigint" || (typeof one === "number" && !Number.isNaN(one))) continue;
    throw wrongType(`${name}[${i}] must be a number, received ${String(one)}`);
  }
  const numbers = list as readonly number[];
  const rises = numbers.every((one, i) => i === 0 || (numbers[i - 1] as number) <= one);
  if (rises || (direction === "any" && numbers.every((one, i) => i === 0 || (numbers[i - 1] as number) >= one))) return;
  throw wrongValue(`${name} must be strictly ${direction === "rising" ? "increasing" : "increasing or decreasing"}`);
}
