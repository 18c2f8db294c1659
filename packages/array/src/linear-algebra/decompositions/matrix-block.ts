/** Blocks of a stack of matrices, for recursive solvers; a block allocates nothing and holds no reference. */
import type { Operand } from "../../storage/operand.js";
import type { Storage } from "../../storage/storage.js";
import { typeNamed } from "../../types/dtype-name.js";
import type { SolverType } from "./number-source.js";
import type { AnyArray, ArraySource } from "../../storage/array-ref.js";

/** The layout of matrices; all strides are in elements. */
interface Place {
  readonly offset: number;
  readonly row: number;
  readonly column: number;
  readonly matrix: number;
}

/** The same block of each matrix of a stack. Its array must outlive the commands enqueued with it. */
export class MatrixBlock {
  readonly xp: ArraySource;
  readonly dtype: SolverType;
  readonly storage: Storage;
  /** The number of matrices. */
  readonly count: number;
  readonly rows: number;
  readonly columns: number;
  readonly #place: Place;

  private constructor(
    of: Pick<MatrixBlock, "xp" | "dtype" | "storage" | "count">,
    rows: number,
    columns: number,
    place: Place,
  ) {
    this.xp = of.xp;
    this.dtype = of.dtype;
    this.storage = of.storage;
    this.count = of.count;
    this.rows = rows;
    this.columns = columns;
    this.#place = place;
  }

  /** Returns the whole of an array whose shape is `[matrices, rows, columns]`. */
  static of(array: AnyArray): MatrixBlock {
    const { storage, layout } = array.operand();
    const [count = 1, rows = 1, columns = 1] = array.shape;
    const { itemSize, name } = array.dtype;
    const [matrix = 0, row = 0, column = 0] = layout.strides.map((stride) => stride / itemSize);
    const place = { offset: layout.offset / itemSize, matrix, row, column };
    return new MatrixBlock({ xp: array.xp, dtype: name as SolverType, storage, count }, rows, columns, place);
  }

  /** Returns the sub-block from a row and a column. */
  part(row: number, column: number, rows: number, columns: number): MatrixBlock {
    const { offset, row: down, column: right } = this.#place;
    return new MatrixBlock(this, rows, columns, { ...this.#place, offset: offset + row * down + column * right });
  }

  /** Returns the only matrix broadcast to `count`; it must not be written. */
  repeated(count: number): MatrixBlock {
    if (this.count === count) return this;
    return new MatrixBlock({ xp: this.xp, dtype: this.dtype, storage: this.storage, count }, this.rows, this.columns, {
      ...this.#place,
      matrix: 0,
    });
  }

  /** The transposed block. */
  get transposed(): MatrixBlock {
    const { row, column } = this.#place;
    return new MatrixBlock(this, this.columns, this.rows, { ...this.#place, row: column, column: row });
  }

  /** The block with rows and columns reversed, which makes an upper triangle a lower one. */
  get turned(): MatrixBlock {
    return this.#reversed(true, true);
  }

  /** The block with rows reversed. */
  get upsideDown(): MatrixBlock {
    return this.#reversed(true, false);
  }

  /** The operand for products of arrays. */
  get operand(): Operand {
    const { offset, row, column, matrix } = this.#place;
    const { itemSize } = typeNamed(this.dtype);
    const shape = [this.count, this.rows, this.columns];
    const strides = [matrix, row, column].map((distance) => distance * itemSize);
    return { storage: this.storage, dtype: this.dtype, layout: { shape, strides, offset: offset * itemSize } };
  }

  /** The `Place` argument of kernels. */
  get place(): BigInt64Array {
    const { offset, row, column, matrix } = this.#place;
    return BigInt64Array.of(BigInt(offset), BigInt(row), BigInt(column), BigInt(matrix));
  }

  #reversed(rows: boolean, columns: boolean): MatrixBlock {
    const { offset, row, column, matrix } = this.#place;
    const start =
      (rows ? Math.max(0, this.rows - 1) * row : 0) + (columns ? Math.max(0, this.columns - 1) * column : 0);
    const place = { offset: offset + start, row: rows ? -row : row, column: columns ? -column : column, matrix };
    return new MatrixBlock(this, this.rows, this.columns, place);
  }
}
