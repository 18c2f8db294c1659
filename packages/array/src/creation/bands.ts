/** Matrices with zeros on one side of a diagonal, or everywhere else. */
import { checkInteger, checkOptions, outOfRange } from "@cl/base";
import { assign, fill } from "../elementwise/assign.js";
import { runOver } from "../kernels/run-over.js";
import { bandSource } from "../kernels/sequence-source.js";
import type { ArrayRef, ArraySource, DTypeOptions } from "../storage/array-ref.js";
import { checkArray } from "../storage/check-array.js";
import { filled } from "../storage/filled.js";
import { checkArrayType, type DTypeName } from "../types/dtype-name.js";
import { numberElement } from "./number-element.js";

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

/** Returns a matrix with ones on a diagonal and zeros elsewhere. */
export function eye<D extends DTypeName = "float64">(
  xp: ArraySource,
  rows: number,
  options?: MatrixOptions<D>,
): ArrayRef<D> {
  const { columns = rows, diagonal = 0, dtype = "float64" } = checkOptions(options, ["columns", "dtype", "diagonal"]);
  checkInteger(rows, "rows");
  checkInteger(columns, "options.columns");
  checkDiagonal(diagonal);
  const type = checkArrayType(dtype, "options.dtype").name;
  return filled(xp.zeros([rows, columns], { dtype: type as D }), (result) => {
    using line = result.diagonal({ offset: diagonal });
    if (line.size > 0) fill(line, numberElement(type, 1));
  });
}

/** Returns a copy with the elements above or below a diagonal of the last two axes set to 0. */
export function triangle<D extends DTypeName>(
  xp: ArraySource,
  array: ArrayRef<D>,
  part: "lower" | "upper",
  options?: BandOptions,
): ArrayRef<D> {
  checkArray(array, xp, "array");
  const { diagonal = 0 } = checkOptions(options, ["diagonal"]);
  checkDiagonal(diagonal);
  if (array.ndim < 2) {
    throw outOfRange(
      `${part === "lower" ? "tril" : "triu"} needs an array of at least 2 axes, received shape [${array.shape.join()}]`,
    );
  }
  return filled(xp.empty(array.shape, { dtype: array.dtype }), (result) => {
    assign(result, array);
    clearBand(xp, result, diagonal, part === "lower");
  });
}

/** Stores zeros on one side of a diagonal of new memory. */
export function clearBand(xp: ArraySource, array: ArrayRef, diagonal: number, lower: boolean): void {
  if (array.size === 0) return;
  const [rows = 1, columns = 1] = array.shape.slice(-2);
  const { itemSize } = array;
  runOver(xp.queue, array.operand().storage, array.size, {
    key: `band ${itemSize} ${lower}`,
    name: "band",
    source: () => bandSource(itemSize, lower),
    short: false,
    args: [BigInt(rows), BigInt(columns), BigInt(diagonal)],
  });
}

/** Throws unless a value is the number of a diagonal. */
export function checkDiagonal(diagonal: unknown): void {
  checkInteger(diagonal, "options.diagonal", Number.MIN_SAFE_INTEGER);
}
