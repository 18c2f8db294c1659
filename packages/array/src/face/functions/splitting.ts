/** Splitting of arrays into views, and broadcasting of several arrays. */
import { checkInteger, checkList, checkOptions, outOfRange } from "@cl/base";
import type { DTypeName } from "../../types/dtype-name.js";
import { broadcastShapes } from "../../shapes/broadcast-shapes.js";
import { checkArray } from "../../storage/check-array.js";
import { checkAxis } from "../../shapes/check-axes.js";
import type { AnyArray } from "../../storage/array-ref.js";
import type { DeviceArray } from "../../array/arrays.js";
import { Arrays } from "../../array/arrays.js";
import { addMethods } from "../../array/add-methods.js";

/** The axis of an operation. */
export interface AxisOptions {
  /**
   * The axis.
   * @defaultValue 0
   */
  readonly axis?: number;
}

/** Functions that split. The results are views of the array. */
class SplittingFunctions {
  /** Splits an axis into a number of equal parts, or at the given indices. */
  split<D extends DTypeName>(
    this: Arrays,
    array: DeviceArray<D>,
    parts: number | readonly number[],
    options?: AxisOptions,
  ): DeviceArray<D>[] {
    const { axis = 0 } = checkOptions(options, ["axis"]);
    return partsOf(this, array, parts, axis, true);
  }

  /** Splits as {@link split} does, but allows unequal parts: the first ones are longer by one. */
  arraySplit<D extends DTypeName>(
    this: Arrays,
    array: DeviceArray<D>,
    parts: number | readonly number[],
    options?: AxisOptions,
  ): DeviceArray<D>[] {
    const { axis = 0 } = checkOptions(options, ["axis"]);
    return partsOf(this, array, parts, axis, false);
  }

  /** Splits horizontally: along the second axis, or along the only one. */
  hsplit<D extends DTypeName>(
    this: Arrays,
    array: DeviceArray<D>,
    parts: number | readonly number[],
  ): DeviceArray<D>[] {
    return partsOf(this, array, parts, checkArray(array, this, "array").shape.length > 1 ? 1 : 0, true);
  }

  /** Splits vertically, along the first axis. Needs at least two axes. */
  vsplit<D extends DTypeName>(
    this: Arrays,
    array: DeviceArray<D>,
    parts: number | readonly number[],
  ): DeviceArray<D>[] {
    atLeast(checkArray(array, this, "array"), 2, "vsplit");
    return partsOf(this, array, parts, 0, true);
  }

  /** Splits along the third axis. */
  dsplit<D extends DTypeName>(
    this: Arrays,
    array: DeviceArray<D>,
    parts: number | readonly number[],
  ): DeviceArray<D>[] {
    atLeast(checkArray(array, this, "array"), 3, "dsplit");
    return partsOf(this, array, parts, 2, true);
  }

  /** Broadcasts arrays to a common shape; the results are views, read-only where elements are repeated. */
  broadcastArrays<const A extends readonly AnyArray[]>(this: Arrays, ...arrays: A): { [K in keyof A]: A[K] };
  broadcastArrays(this: Arrays, ...arrays: readonly AnyArray[]): readonly DeviceArray[] {
    const list = arrays.map((array, i) => checkArray(array, this, `arrays[${i}]`) as DeviceArray);
    const shape = broadcastShapes(list.map((array) => array.shape));
    return list.map((array) => array.broadcastTo(shape));
  }
}

declare module "../../array/arrays.js" {
  interface Arrays extends SplittingFunctions {}
}
addMethods(Arrays, SplittingFunctions);

function partsOf<D extends DTypeName>(
  xp: Arrays,
  array: DeviceArray<D>,
  parts: number | readonly number[],
  axis: number,
  equal: boolean,
): DeviceArray<D>[] {
  checkArray(array, xp, "array");
  const along = checkAxis(axis, array.ndim, "options.axis");
  const before = Array.from({ length: along }, () => ":");
  const extent = array.shape[along] as number;
  return bounds(parts, extent, equal, array.shape).map(([start, end]) => array.slice(...before, [start, end]));
}

function bounds(
  parts: number | readonly number[],
  extent: number,
  equal: boolean,
  shape: readonly number[],
): readonly (readonly [number, number])[] {
  let ends: readonly number[];
  if (Array.isArray(parts)) {
    ends = checkList(parts, "parts", "a list of integers").map((index, i) =>
      checkInteger(index, `parts[${i}]`, Number.MIN_SAFE_INTEGER),
    );
  } else {
    const count = checkInteger(parts, "parts", 1);
    if (equal && extent % count !== 0) {
      throw outOfRange(
        `${extent} elements (shape [${shape.join()}]) cannot be split into ${count} equal parts; use arraySplit()`,
      );
    }
    const [least, longer] = [Math.floor(extent / count), extent % count];
    ends = Array.from({ length: count - 1 }, (_, i) => (i + 1) * least + Math.min(i + 1, longer));
  }
  return [...ends, extent].map((end, i) => [i === 0 ? 0 : (ends[i - 1] as number), end]);
}

function atLeast({ shape }: { readonly shape: readonly number[] }, axes: number, what: string): void {
  if (shape.length >= axes) return;
  throw outOfRange(`${what} needs an array of at least ${axes} axes, received shape [${shape.join()}]`);
}
