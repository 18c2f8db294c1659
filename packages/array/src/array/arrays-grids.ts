/** Arrays that are made of the indices of their elements: identities, triangles, grids. */
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
import type { TypeOptions } from "./arrays-creation.js";
import { ArraysRanges } from "./arrays-ranges.js";
import { assign } from "./assign.js";
import { checkArray } from "./check-array.js";
import type { DeviceArray } from "./device-array.js";
import { filled, withViews } from "./filled.js";

/** Which diagonal. */
export interface BandOptions {
  /** How far above the main diagonal; below with negative numbers. 0 if not said. */
  readonly diagonal?: number;
}

/** A matrix and its diagonal. */
export interface MatrixOptions<D extends DTypeName> extends TypeOptions<D>, BandOptions {
  /** As many as rows if not said. */
  readonly columns?: number;
}

/** How a grid is made of lines. */
export interface MeshgridOptions {
  /** Whether the first array says the columns (`"xy"`, if not said) or the rows (`"ij"`). */
  readonly indexing?: "xy" | "ij";
  /** True leaves each array its own axis only, so that they broadcast to the grid. */
  readonly sparse?: boolean;
  /** False gives views, which are read-only where elements are repeated; true if not said. */
  readonly copy?: boolean;
}

/** The part of `Arrays` that makes matrices and grids. */
export abstract class ArraysGrids extends ArraysRanges {
  /** A matrix with ones on a diagonal. */
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

  /** A square matrix with ones on its diagonal. */
  identity<D extends DTypeName = "float64">(rows: number, options?: TypeOptions<D>): DeviceArray<D> {
    return this.eye(rows, options);
  }

  /** A matrix with ones on and below a diagonal. */
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

  /** A copy with zeros above a diagonal of the last two axes. */
  tril<D extends DTypeName>(array: DeviceArray<D>, options?: BandOptions): DeviceArray<D> {
    return this.#triangle(array, options, true);
  }

  /** A copy with zeros below a diagonal of the last two axes. */
  triu<D extends DTypeName>(array: DeviceArray<D>, options?: BandOptions): DeviceArray<D> {
    return this.#triangle(array, options, false);
  }

  /** A matrix with these elements on a diagonal; of a matrix, a view of that diagonal. */
  diag<D extends DTypeName>(array: DeviceArray<D>, options?: BandOptions): DeviceArray<D> {
    checkArray(array, this, "array");
    const { diagonal = 0 } = checkOptions(options, ["diagonal"]);
    checkDiagonal(diagonal);
    if (array.ndim === 2) return array.diagonal({ offset: diagonal });
    if (array.ndim !== 1) {
      throw outOfRange(`diag is for arrays of 1 or 2 axes, but this one's shape is [${array.shape.join()}]`);
    }
    const rows = array.size + Math.abs(diagonal);
    return filled(this.zeros([rows, rows], { dtype: array.dtype }), (result) => {
      using line = result.diagonal({ offset: diagonal });
      assign(line, array);
    });
  }

  /** The index of each element along each axis: one array of the shape for each axis, along a new first axis. */
  indices<D extends DTypeName = "int64">(shape: Shape, options?: TypeOptions<D>): DeviceArray<D> {
    const extents = checkShape(shape, "shape");
    const type = checkArrayType(checkOptions(options, ["dtype"]).dtype ?? "int64", "options.dtype").name as D;
    return this.#grid(
      extents.map((extent) => this.arange(extent, { dtype: type })),
      type,
      extents,
    );
  }

  /** The numbers of ranges as a grid, of which each is `[start, stop]` or `[start, stop, step]`: one array for each axis. */
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

  /** Lines as coordinates of a grid: for each array one of as many axes as there are arrays. */
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
      throw outOfRange(`arrays[${i}] has the shape [${line.shape.join()}], but coordinates have one axis`);
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

  /** What a function of the host gives for the indices of each element. */
  fromFunction<D extends DTypeName = "float64">(
    value: (...indices: number[]) => FillValue<D>,
    shape: Shape,
    options?: TypeOptions<D>,
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
        `${lower ? "tril" : "triu"} is for arrays of at least 2 axes, but this one's shape is [${array.shape.join()}]`,
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
