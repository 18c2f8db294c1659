/** Arrays made from the indices of their elements: identity and triangular matrices, grids. */
import {
  checkBoolean,
  checkFunction,
  checkInteger,
  checkList,
  checkOptions,
  checkShape,
  outOfRange,
  sizeOf,
  typeError,
} from "@cl/base";

import type { Shape } from "@cl/core";
import { filledElement } from "../../creation/number-element.js";
import { checkArrayType, type DTypeName, type FillValue, type TypedDType } from "../../types/dtype-name.js";
import { assign } from "../../elementwise/assign.js";
import { checkArray } from "../../storage/check-array.js";
import { filled, withViews } from "../../storage/filled.js";
import type { AnyArray, DTypeOptions } from "../../storage/array-ref.js";
import { Arrays, asDeviceArray, type DeviceArray } from "../../array/arrays.js";
import { type BandOptions, checkDiagonal, clearBand, eye, type MatrixOptions, triangle } from "../../creation/bands.js";
import { addComputations } from "../../array/add-methods.js";

/** Options of `meshgrid`. */
export interface MeshgridOptions {
  /**
   * Cartesian (`"xy"`: the first array is along the columns) or matrix indexing (`"ij"`: along the rows).
   * @defaultValue "xy"
   */
  readonly indexing?: "xy" | "ij";
  /**
   * If true, each result has only its own extent, so that the results broadcast to the grid.
   * @defaultValue false
   */
  readonly sparse?: boolean;
  /**
   * If false, returns views, which are read-only where elements are repeated.
   * @defaultValue true
   */
  readonly copy?: boolean;
}

/** Functions that make matrices and grids. */
class GridFunctions {
  /** Returns a matrix with ones on a diagonal and zeros elsewhere. */
  eye<D extends DTypeName = "float64">(this: Arrays, rows: number, options?: MatrixOptions<D>): DeviceArray<D> {
    return asDeviceArray(eye(this, rows, options));
  }

  /** Returns a square matrix with ones on the main diagonal. */
  identity<D extends DTypeName = "float64">(this: Arrays, rows: number, options?: DTypeOptions<D>): DeviceArray<D> {
    return this.eye(rows, options);
  }

  /** Returns a matrix with ones at and below a diagonal and zeros elsewhere. */
  tri<D extends DTypeName = "float64">(this: Arrays, rows: number, options?: MatrixOptions<D>): DeviceArray<D> {
    const {
      columns = rows,
      diagonal = 0,
      dtype = "float64" as D,
    } = checkOptions(options, ["columns", "dtype", "diagonal"]);
    checkInteger(rows, "rows");
    checkInteger(columns, "options.columns");
    checkDiagonal(diagonal);
    return filled(this.ones([rows, columns], { dtype }), (result) => clearBand(this, result, diagonal, true));
  }

  /** Returns a copy with the elements above a diagonal of the last two axes set to 0. */
  tril<D extends DTypeName>(this: Arrays, array: DeviceArray<D>, options?: BandOptions): DeviceArray<D> {
    return asDeviceArray(triangle(this, array, "lower", options));
  }

  /** Returns a copy with the elements below a diagonal of the last two axes set to 0. */
  triu<D extends DTypeName>(this: Arrays, array: DeviceArray<D>, options?: BandOptions): DeviceArray<D> {
    return asDeviceArray(triangle(this, array, "upper", options));
  }

  /** Returns a matrix with the given elements on a diagonal; for a matrix, a view of that diagonal. */
  diag<D extends DTypeName>(this: Arrays, array: DeviceArray<D>, options?: BandOptions): DeviceArray<D> {
    checkArray(array, this, "array");
    const { diagonal = 0 } = checkOptions(options, ["diagonal"]);
    checkDiagonal(diagonal);
    if (array.ndim === 2) return array.diagonal({ offset: diagonal });
    if (array.ndim !== 1) {
      throw outOfRange(`diag needs an array of 1 or 2 axes, received shape [${array.shape.join()}]`);
    }
    const rows = array.size + Math.abs(diagonal);
    return filled(this.zeros([rows, rows], { dtype: array.dtype }), (result) => {
      using line = result.diagonal({ offset: diagonal });
      assign(line, array);
    });
  }

  /**
   * Returns the index of each element along each axis: the first axis of the result has an entry for each axis of
   * `shape`.
   */
  indices<D extends DTypeName = "int64">(this: Arrays, shape: Shape, options?: DTypeOptions<D>): DeviceArray<D> {
    const extents = checkShape(shape, "shape");
    const type = checkArrayType(checkOptions(options, ["dtype"]).dtype ?? "int64", "options.dtype").name as D;
    return grid(
      this,
      extents.map((extent) => this.arange(extent, { dtype: type })),
      type,
      extents,
    );
  }

  /**
   * Returns a dense grid of ranges, each given as `[start, stop]` or `[start, stop, step]`: the first axis of the
   * result has an entry for each range.
   */
  mgrid(
    this: Arrays,
    ...ranges: readonly (readonly [start: number, stop: number, step?: number])[]
  ): DeviceArray<"float64"> {
    const lines = ranges.map((one, i) => {
      if (!Array.isArray(one)) throw typeError(`ranges[${i}]`, "[start, stop] or [start, stop, step]", one);
      return this.arange(one[0], one[1], one[2] ?? 1);
    });
    return grid(
      this,
      lines,
      "float64",
      lines.map(({ size }) => size),
    );
  }

  /** Returns coordinate matrices from coordinate vectors: for each array, one with as many axes as there are arrays. */
  meshgrid<const A extends readonly AnyArray[]>(
    this: Arrays,
    arrays: A,
    options?: MeshgridOptions,
  ): { -readonly [K in keyof A]: A[K] };
  meshgrid(this: Arrays, arrays: readonly AnyArray[], options?: MeshgridOptions): readonly DeviceArray[] {
    const { indexing = "xy", sparse, copy } = checkOptions(options, ["indexing", "sparse", "copy"]);
    if (indexing !== "xy" && indexing !== "ij") throw typeError("options.indexing", '"xy" or "ij"', indexing);
    const isSparse = checkBoolean(sparse, "options.sparse", false);
    const copies = checkBoolean(copy, "options.copy", true);
    const lines = checkList(arrays, "arrays", "a list of arrays").map((array, i) => {
      const line = checkArray(array, this, `arrays[${i}]`) as DeviceArray;
      if (line.ndim < 2) return line;
      throw outOfRange(`arrays[${i}] must have one axis, received shape [${line.shape.join()}]`);
    });
    const { length } = lines;
    // The first two change places where the first one says the columns.
    const axisOf = (i: number): number => (indexing === "xy" && length > 1 && i < 2 ? 1 - i : i);
    const own = lines.map((line, i) =>
      line.reshape(Array.from({ length }, (_, axis) => (axis === axisOf(i) ? -1 : 1))),
    );
    const shape = Array.from({ length }, (_, axis) => (lines[axisOf(axis)] as DeviceArray).size);
    const views = isSparse ? own : withViews(own, () => own.map((line) => line.broadcastTo(shape)));
    return copies ? withViews(views, () => views.map((view) => view.copy())) : views;
  }

  /** Creates an array by calling a host function with the indices of each element. */
  fromFunction<D extends DTypeName = "float64">(
    this: Arrays,
    value: (...indices: number[]) => FillValue<D>,
    shape: Shape,
    options?: DTypeOptions<D>,
  ): DeviceArray<D> {
    checkFunction(value, "value");
    const extents = checkShape(shape, "shape");
    const type = checkArrayType(checkOptions(options, ["dtype"]).dtype ?? "float64", "options.dtype") as TypedDType<D>;
    const size = sizeOf(extents);
    const view = new DataView(new ArrayBuffer(size * type.itemSize));
    const indices = extents.map(() => 0);
    for (let i = 0; i < size; i++) {
      type.set(view, i * type.itemSize, filledElement(type.name, value(...indices)));
      for (let axis = extents.length - 1; axis >= 0; axis--) {
        const next = (indices[axis] as number) + 1;
        indices[axis] = next < (extents[axis] as number) ? next : 0;
        if (indices[axis] !== 0) break;
      }
    }
    return this.fromHost(new Uint8Array(view.buffer), { dtype: type, shape: extents });
  }
}

declare module "../../array/arrays.js" {
  interface Arrays extends GridFunctions {}
}
addComputations(Arrays, GridFunctions);

/** Lines along their axes of one array each. */
function grid<D extends DTypeName>(
  xp: Arrays,
  lines: readonly DeviceArray<D>[],
  dtype: D,
  extents: readonly number[],
): DeviceArray<D> {
  return withViews(lines, () =>
    filled(xp.empty([extents.length, ...extents], { dtype }), (result) => {
      for (const [axis, line] of lines.entries()) {
        using target = result.slice(axis);
        using source = line.reshape(extents.map((_, k) => (k === axis ? -1 : 1)));
        assign(target, source);
      }
    }),
  );
}
