/** Indices along several axes: conversions, grids, triangles and diagonals. */
import { checkInteger, checkOptions } from "@cl/base";
import type { Shape } from "@cl/core";
import { addComputations } from "../../array/add-methods.js";
import { Arrays, asDeviceArray, type DeviceArray } from "../../array/arrays.js";
import { type IndexArrays, rowsOf } from "../../array/index-arrays.js";
import type { MatrixOptions } from "../../creation/bands.js";
import { fillDiagonal, type FillDiagonalOptions } from "../../indexing/fill-diagonal.js";
import type { HostIndices, IntegerArray } from "../../indexing/index-types.js";
import { type AxisIndices, ravelMultiIndex, type RavelOptions, unravelIndex } from "../../indexing/multi-index.js";
import { NonzeroRead } from "../../indexing/nonzero.js";
import { openMesh } from "../../indexing/open-mesh.js";
import type { OrderOptions } from "../../storage/array-ref.js";
import type { DTypeName } from "../../types/dtype-name.js";
import type { StoredValues } from "../methods/indexing.js";

/** Options that select a triangle of a matrix. */
export type TriangleOptions = Pick<MatrixOptions<DTypeName>, "columns" | "diagonal">;

/** Functions of indices along several axes. */
class MultiIndexFunctions {
  /**
   * Returns the indices along each axis of a shape for indices of the flattened array. If a device index is out of
   * range, the next operation that waits throws.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const [rows, columns] = xp.unravelIndex([5, 0, 3], [2, 3]);
   * console.log(await rows.data(), await columns?.data()); // BigInt64Array(3) [1n, 0n, 1n] BigInt64Array(3) [2n, 0n, 0n]
   * ```
   */
  unravelIndex(this: Arrays, indices: AxisIndices, shape: Shape, options?: OrderOptions): IndexArrays {
    return rowsOf(unravelIndex(this, indices, shape, options));
  }

  /**
   * Returns indices of the flattened array for indices along each axis of a shape, which are broadcast together. If a
   * device index is out of range, the next operation that waits throws, unless `mode` wraps or clips it.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * console.log(await xp.ravelMultiIndex([[1, 0], [2, 1]], [2, 3]).data()); // BigInt64Array(2) [5n, 1n]
   * ```
   */
  ravelMultiIndex(
    this: Arrays,
    indices: readonly AxisIndices[],
    shape: Shape,
    options?: RavelOptions,
  ): DeviceArray<"int64"> {
    return asDeviceArray(ravelMultiIndex(this, indices, shape, options));
  }

  /**
   * Returns each list of indices along a separate axis. With these, `at` selects the elements in all given rows and
   * columns. A host list of booleans stands for the indices where it is true.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const a = xp.arange(12).reshape([3, 4]);
   * console.log(await a.at(...xp.ix([0, 2], [1, 3])).toNested()); // [ [ 1, 3 ], [ 9, 11 ] ]
   * ```
   */
  ix(this: Arrays, ...indices: readonly (HostIndices | IntegerArray)[]): (DeviceArray & IntegerArray)[] {
    return openMesh(this, indices) as (DeviceArray & IntegerArray)[];
  }

  /** Returns the row and column indices of the elements at and below a diagonal, in C order. */
  trilIndices(this: Arrays, rows: number, options?: TriangleOptions): IndexArrays {
    return triangleIndices(this, rows, options, true);
  }

  /** Returns the row and column indices of the elements at and above a diagonal, in C order. */
  triuIndices(this: Arrays, rows: number, options?: TriangleOptions): IndexArrays {
    return triangleIndices(this, rows, options, false);
  }

  /**
   * Stores values on the main diagonal of an array, where the indices along all axes are equal, and returns the array.
   * If there are fewer values than elements, they are repeated.
   */
  fillDiagonal<D extends DTypeName>(
    this: Arrays,
    array: DeviceArray<D>,
    values: StoredValues<D>,
    options?: FillDiagonalOptions,
  ): DeviceArray<D> {
    fillDiagonal(this, array, values, options);
    return array;
  }
}

declare module "../../array/arrays.js" {
  interface Arrays extends MultiIndexFunctions {}
}
addComputations(Arrays, MultiIndexFunctions);

/** The number of elements is known, so the call does not wait. */
function triangleIndices(xp: Arrays, rows: number, options: TriangleOptions | undefined, lower: boolean): IndexArrays {
  const { columns = rows, diagonal = 0 } = checkOptions(options, ["columns", "diagonal"]);
  const last = lower ? diagonal : checkInteger(diagonal, "options.diagonal", Number.MIN_SAFE_INTEGER) - 1;
  using below = xp.tri(rows, { columns, diagonal: last, dtype: "bool" });
  using mask = lower ? below.slice() : below.logicalNot();
  let count = 0;
  for (let row = 0; row < rows; row++) count += Math.min(Math.max(row + last + 1, 0), columns);
  using read = new NonzeroRead(mask);
  return rowsOf(read.resultOf(lower ? count : rows * columns - count));
}
