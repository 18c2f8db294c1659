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
import { runOver } from "../kernels/run-over.js";
import { bandSource } from "../kernels/sequence-source.js";
import { filledElement, numberElement } from "../creation/number-element.js";
import { checkArrayType, type DTypeName, type FillValue, type TypedDType } from "../types/dtype-name.js";
import type { AnyArray } from "./any-array.js";
import type { DTypeOptions } from "./arrays-creation.js";
import { ArraysRanges } from "./arrays-ranges.js";
import { assign } from "./assign.js";
import { checkArray } from "./check-array.js";
import type { DeviceArray } from "./device-array.js";
import { filled, withViews } from "./filled.js";

/** Options that select a diagonal. */
export interface BandOptions {
  /**
   * Offset from the main diagonal: positive is above it, negative below.
   * @defaultValue 0
   */
  readonly diagonal?: number;
}

/** Options of matrices with a diagonal. */
export interface MatrixOptions<D extends DTypeName> extends DTypeOptions<D>, BandOptions {
  /**
   * The number of columns.
   * @defaultValue the number of rows
   */
  readonly columns?: number;
}

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

/** The part of `Arrays` that makes matrices and grids. */
export abstract class ArraysGrids extends ArraysRanges {
  /** Returns a matrix with ones on a diagonal and zeros elsewhere. */
  eye<D extends DTypeName = "float64">(rows: number, options?: MatrixOptions<D>): DeviceArray<D> {
    const { columns = rows, diagonal = 0, dtype = "float64" } = checkOptions(options, ["columns", "dtype", "diagonal"]);
    checkInteger(rows, "rows");
    checkInteger(columns, "options.columns");
    checkDiagonal(diagonal);
    const type = checkArrayType(dtype, "options.dtype").name;
    return filled(this.zeros([rows, columns], { dtype: type as D }), (result) => {
      using line = result.diagonal({ offset: diagonal });
      if (line.size > 0) line.assign(numberElement(type, 1) as FillValue<D>);
    });
  }

  /** Returns a square matrix with ones on the main diagonal. */
  identity<D extends DTypeName = "float64">(rows: number, options?: DTypeOptions<D>): DeviceArray<D> {
    return this.eye(rows, options);
  }

  /** Returns a matrix with ones at and below a diagonal and zeros elsewhere. */
  tri<D extends DTypeName = "float64">(rows: number, options?: MatrixOptions<D>): DeviceArray<D> {
    const {
      columns = rows,
      diagonal = 0,
      dtype = "float64" as D,
    } = checkOptions(options, ["columns", "dtype", "diagonal"]);
    checkInteger(rows, "rows");
    checkInteger(columns, "options.columns");
    checkDiagonal(diagonal);
    return filled(this.ones([rows, columns], { dtype }), (result) => this.#clear(result, diagonal, true));
  }

  /** Returns a copy with the elements above a diagonal of the last two axes set to 0. */
  tril<D extends DTypeName>(array: DeviceArray<D>, options?: BandOptions): DeviceArray<D> {
    return this.#triangle(array, options, true);
  }

  /** Returns a copy with the elements below a diagonal of the last two axes set to 0. */
  triu<D extends DTypeName>(array: DeviceArray<D>, options?: BandOptions): DeviceArray<D> {
    return this.#triangle(array, options, false);
  }

  /** Returns a matrix with the given elements on a diagonal; for a matrix, a view of that diagonal. */
  diag<D extends DTypeName>(array: DeviceArray<D>, options?: BandOptions): DeviceArray<D> {
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
  indices<D extends DTypeName = "int64">(shape: Shape, options?: DTypeOptions<D>): DeviceArray<D> {
    const extents = checkShape(shape, "shape");
    const type = checkArrayType(checkOptions(options, ["dtype"]).dtype ?? "int64", "options.dtype").name as D;
    return this.#grid(
      extents.map((extent) => this.arange(extent, { dtype: type })),
      type,
      extents,
    );
  }

  /**
   * Returns a dense grid of ranges, each given as `[start, stop]` or `[start, stop, step]`: the first axis of the
   * result has an entry for each range.
   */
  mgrid(...ranges: readonly (readonly [start: number, stop: number, step?: number])[]): DeviceArray<"float64"> {
    const lines = ranges.map((one, i) => {
      if (!Array.isArray(one)) throw typeError(`ranges[${i}]`, "[start, stop] or [start, stop, step]", one);
      return this.arange(one[0], one[1], one[2] ?? 1);
    });
    return this.#grid(
      lines,
      "float64",
      lines.map(({ size }) => size),
    );
  }

  /** Returns coordinate matrices from coordinate vectors: for each array, one with as many axes as there are arrays. */
  meshgrid<const A extends readonly AnyArray[]>(
    arrays: A,
    options?: MeshgridOptions,
  ): { -readonly [K in keyof A]: A[K] } {
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
    const results = copies ? withViews(views, () => views.map((view) => view.copy())) : views;
    return results as unknown as { -readonly [K in keyof A]: A[K] };
  }

  /** Creates an array by calling a host function with the indices of each element. */
  fromFunction<D extends DTypeName = "float64">(
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

  #triangle<D extends DTypeName>(
    array: DeviceArray<D>,
    options: BandOptions | undefined,
    lower: boolean,
  ): DeviceArray<D> {
    checkArray(array, this, "array");
    const { diagonal = 0 } = checkOptions(options, ["diagonal"]);
    checkDiagonal(diagonal);
    if (array.ndim < 2) {
      throw outOfRange(
        `${lower ? "tril" : "triu"} needs an array of at least 2 axes, received shape [${array.shape.join()}]`,
      );
    }
    return filled(this.empty(array.shape, { dtype: array.dtype }), (result) => {
      assign(result, array);
      this.#clear(result, diagonal, lower);
    });
  }

  /** Zeros on one side of a diagonal of new memory. */
  #clear(array: DeviceArray, diagonal: number, lower: boolean): void {
    if (array.size === 0) return;
    const [rows = 1, columns = 1] = array.shape.slice(-2);
    const { itemSize } = array;
    runOver(this.queue, array.operand().storage, array.size, {
      key: `band ${itemSize} ${lower}`,
      name: "band",
      source: () => bandSource(itemSize, lower),
      short: false,
      args: [BigInt(rows), BigInt(columns), BigInt(diagonal)],
    });
  }

  /** Lines along their axes of one array each. */
  #grid<D extends DTypeName>(lines: readonly DeviceArray<D>[], dtype: D, extents: readonly number[]): DeviceArray<D> {
    return withViews(lines, () =>
      filled(this.empty([extents.length, ...extents], { dtype }), (result) => {
        for (const [axis, line] of lines.entries()) {
          using target = result.slice(axis);
          using source = line.reshape(extents.map((_, k) => (k === axis ? -1 : 1)));
          assign(target, source);
        }
      }),
    );
  }
}

function checkDiagonal(diagonal: unknown): void {
  checkInteger(diagonal, "options.diagonal", Number.MIN_SAFE_INTEGER);
}
