/** One array as several views, and several as views of one shape. */
import { checkInteger, checkList, checkOptions, outOfRange } from "@cl/base";
import type { DTypeName } from "../types/dtype-name.js";
import type { AnyArray } from "./any-array.js";
import { ArraysJoining } from "./arrays-joining.js";
import { broadcastShapes } from "./broadcast-shapes.js";
import { checkArray } from "./check-array.js";
import { checkAxis } from "./check-axes.js";
import type { DeviceArray } from "./device-array.js";

/** Along which axis. */
export interface AxisOptions {
  /** 0 if not said. */
  readonly axis?: number;
}

/** The part of `Arrays` that takes arrays apart. The parts share the array's memory. */
export abstract class ArraysSplitting extends ArraysJoining {
  /** So many equal parts of an axis, or the parts between these indices. */
  split<D extends DTypeName>(
    array: DeviceArray<D>,
    parts: number | readonly number[],
    options?: AxisOptions,
  ): DeviceArray<D>[] {
    const { axis = 0 } = checkOptions(options, ["axis"]);
    return this.#parts(array, parts, axis, true);
  }

  /** Splits as {@link split} does; if so many parts cannot be equal, the first ones are longer by one. */
  arraySplit<D extends DTypeName>(
    array: DeviceArray<D>,
    parts: number | readonly number[],
    options?: AxisOptions,
  ): DeviceArray<D>[] {
    const { axis = 0 } = checkOptions(options, ["axis"]);
    return this.#parts(array, parts, axis, false);
  }

  /** Splits from left to right: along the second axis, or the only one. */
  hsplit<D extends DTypeName>(array: DeviceArray<D>, parts: number | readonly number[]): DeviceArray<D>[] {
    return this.#parts(array, parts, checkArray(array, this, "array").shape.length > 1 ? 1 : 0, true);
  }

  /** Splits the rows: along the first of at least two axes. */
  vsplit<D extends DTypeName>(array: DeviceArray<D>, parts: number | readonly number[]): DeviceArray<D>[] {
    atLeast(checkArray(array, this, "array"), 2, "vsplit");
    return this.#parts(array, parts, 0, true);
  }

  /** Splits along the third axis. */
  dsplit<D extends DTypeName>(array: DeviceArray<D>, parts: number | readonly number[]): DeviceArray<D>[] {
    atLeast(checkArray(array, this, "array"), 3, "dsplit");
    return this.#parts(array, parts, 2, true);
  }

  /** Views of all arrays under the shape to which they broadcast; read-only where elements are repeated. */
  broadcastArrays<const A extends readonly AnyArray[]>(...arrays: A): { [K in keyof A]: A[K] } {
    const list = arrays.map((array, i) => checkArray(array, this, `arrays[${i}]`) as DeviceArray);
    const shape = broadcastShapes(list.map((array) => array.shape));
    return list.map((array) => array.broadcastTo(shape)) as unknown as { [K in keyof A]: A[K] };
  }

  #parts<D extends DTypeName>(
    array: DeviceArray<D>,
    parts: number | readonly number[],
    axis: number,
    equal: boolean,
  ): DeviceArray<D>[] {
    checkArray(array, this, "array");
    const along = checkAxis(axis, array.ndim, "options.axis");
    const before = Array.from({ length: along }, () => ":");
    const extent = array.shape[along] as number;
    return bounds(parts, extent, equal, array.shape).map(([start, end]) => array.slice(...before, [start, end]));
  }
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
        `${count} parts of ${extent} elements (shape [${shape.join()}]) cannot be equal: use arraySplit()`,
      );
    }
    const [least, longer] = [Math.floor(extent / count), extent % count];
    ends = Array.from({ length: count - 1 }, (_, i) => (i + 1) * least + Math.min(i + 1, longer));
  }
  return [...ends, extent].map((end, i) => [i === 0 ? 0 : (ends[i - 1] as number), end]);
}

function atLeast({ shape }: { readonly shape: readonly number[] }, axes: number, what: string): void {
  if (shape.length >= axes) return;
  throw outOfRange(`${what} is for arrays of at least ${axes} axes, but this one's shape is [${shape.join()}]`);
}
