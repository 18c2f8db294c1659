/**
 * Recursive blocked decompositions: the columns are halved until few are left, so that most of the work is in large
 * products. Everything is enqueued; the pivots, and whether a matrix is singular, stay on the device.
 */
import { hasParallelWorkItems } from "@cl/characterize";
import type { Storage } from "../../storage/storage.js";
import { faultNotes } from "../../faults/device-faults.js";
import { multiply } from "../products/multiply.js";
import { choleskyPanel } from "./cholesky-source.js";
import { luPanel, rowExchanges } from "./lu-source.js";
import type { MatrixBlock } from "./matrix-block.js";
import { groupSize, runSolver } from "./run-solver.js";
import { type Routine, routineNumber } from "../../faults/solver-faults.js";
import { productKernel, productPart, substitution } from "./triangle-source.js";

/** Columns that one group decomposes, and rows that are solved one after the other. */
const leaf = 32;

/** Where columns are cut in two. */
function half(columns: number): number {
  return Math.ceil(columns / 2 / leaf) * leaf;
}

/** The pivots: for each matrix and each diagonal position, the row that is exchanged with it. */
export interface Pivots {
  readonly storage: Storage;
  /** The number of pivots of a matrix. */
  readonly count: number;
  /** Whether all matrices share the pivots of one. */
  readonly shared?: boolean;
}

/** Makes L below the diagonal, whose ones are not stored, and U above it, of the rows exchanged. */
export function decomposeLu(a: MatrixBlock, pivots: Pivots, start = 0): void {
  const { rows, columns } = a;
  if (rows === 0 || columns === 0 || a.count === 0) return;
  if (columns <= leaf) {
    const { queue } = a.xp;
    const local = groupSize(queue);
    const rest = [a.place, rows, columns, start, pivots.count];
    runSolver(queue, luPanel, a.dtype, { global: local * a.count, local }, [a.storage, pivots.storage], [], rest);
    return;
  }
  const left = half(columns);
  const done = Math.min(left, rows);
  decomposeLu(a.part(0, 0, rows, left), pivots, start);
  const right = a.part(0, left, rows, columns - left);
  exchangeRows(right, pivots, start, start, done);
  const above = right.part(0, 0, done, right.columns);
  solveLower(a.part(0, 0, done, done), above, { unit: true });
  if (rows <= left) return;
  const below = right.part(left, 0, rows - left, right.columns);
  addProduct(below, a.part(left, 0, rows - left, left), above, { sign: -1 });
  decomposeLu(below, pivots, start + left);
  const lower = a.part(left, 0, rows - left, left);
  exchangeRows(lower, pivots, start + left, start + left, Math.min(below.rows, below.columns));
}

/** Exchanges rows as `count` pivots from `first` on say; `origin` is which row of all the block's first is. */
export function exchangeRows(a: MatrixBlock, pivots: Pivots, origin: number, first: number, count: number): void {
  if (a.count === 0 || a.columns === 0 || count === 0) return;
  const { queue } = a.xp;
  const { global, span } = columnSizes(a);
  const perMatrix = pivots.shared === true ? 0 : pivots.count;
  const rest = [a.place, a.columns, span, first, count, origin, perMatrix];
  runSolver(queue, rowExchanges, a.dtype, { global }, [a.storage], [pivots.storage], rest);
}

/** How a triangle is solved with. */
export interface TriangleOptions {
  /** True if its diagonal is ones, which are not read. */
  readonly unit?: boolean;
  readonly conjugated?: boolean;
  /** Who hears of a zero on the diagonal. */
  readonly routine?: Routine | undefined;
  /** Whether there was a stack of matrices. */
  readonly stacked?: boolean;
  /** Which place the first of the diagonal is, and the distance to the next. */
  readonly first?: number;
  readonly step?: 1 | -1;
}

/** Solves with a lower triangle in place: replaces `x` by the solution. Rows of `x` are contiguous. */
export function solveLower(triangle: MatrixBlock, x: MatrixBlock, options: TriangleOptions = {}): void {
  const { rows } = triangle;
  const { unit = false, conjugated = false, routine, stacked = false, first = 0, step = 1 } = options;
  if (rows === 0 || x.columns === 0 || x.count === 0) return;
  if (rows <= leaf) {
    const { queue } = x.xp;
    const { global, span } = columnSizes(x);
    const number = routine === undefined ? -1 : routineNumber(routine);
    const flags = [unit, conjugated].map(Number);
    const rest = [x.place, triangle.place, rows, x.columns, span, ...flags, number, Number(stacked), first, step];
    const reads = [triangle.storage, faultNotes(x.xp)];
    runSolver(queue, substitution, x.dtype, { global }, [x.storage], reads, rest);
    return;
  }
  const top = half(rows);
  const rest = rows - top;
  const above = x.part(0, 0, top, x.columns);
  const below = x.part(top, 0, rest, x.columns);
  solveLower(triangle.part(0, 0, top, top), above, options);
  addProduct(below, triangle.part(top, 0, rest, top), above, { sign: -1, conjugated });
  solveLower(triangle.part(top, top, rest, rest), below, { ...options, first: first + step * top });
}

/** The same with an upper triangle. */
export function solveUpper(triangle: MatrixBlock, x: MatrixBlock, options: TriangleOptions = {}): void {
  solveLower(triangle.turned, x.upsideDown, { ...options, first: Math.max(0, triangle.rows - 1), step: -1 });
}

/** How a product is put down. */
export interface ProductOptions {
  /**
   * Sign of the product.
   * @defaultValue 1
   */
  readonly sign?: 1 | -1;
  /** Whether the first factor is conjugated. */
  readonly conjugated?: boolean;
  /** False if there was nothing before. */
  readonly keep?: boolean;
}

/** Number of multiplications from which a GPU is faster with the tiled product of arrays. */
const largeProduct = 128 ** 3;

/** Adds a product to a matrix. Rows of the matrix and of the second factor are contiguous. */
export function addProduct(c: MatrixBlock, a: MatrixBlock, b: MatrixBlock, options: ProductOptions = {}): void {
  const { sign = 1, conjugated = false, keep = true } = options;
  if (c.count === 0 || c.rows === 0 || c.columns === 0) return;
  const { queue } = c.xp;
  const isParallel = hasParallelWorkItems(queue.device);
  if (isParallel && c.rows * c.columns * a.columns >= largeProduct) {
    const operands = { a: a.operand, b: b.operand, c: c.operand };
    multiply(c.xp, { ...operands, alpha: sign, beta: Number(keep), conjugateA: conjugated });
    return;
  }
  const { rows, columns, tile } = productPart;
  const sizes = isParallel
    ? { global: [16 * Math.ceil(c.columns / tile), 16 * Math.ceil(c.rows / tile), c.count], local: [16, 16, 1] }
    : { global: [Math.ceil(c.rows / rows), Math.ceil(c.columns / columns), c.count] };
  const rest = [c.place, a.place, b.place, c.rows, a.columns, c.columns, Number(conjugated), Number(keep), sign];
  runSolver(queue, productKernel(c.dtype), c.dtype, sizes, [c.storage], [a.storage, b.storage], rest);
}

/**
 * Makes the upper triangle of Hermitian matrices the one whose adjoint times itself they are. What is below the diagonal is
 * neither read nor written.
 */
export function decomposeCholesky(a: MatrixBlock, routine: Routine, stacked: boolean, first = 0): void {
  const { rows } = a;
  if (rows === 0 || a.count === 0) return;
  if (rows <= leaf) {
    const { queue } = a.xp;
    const local = groupSize(queue);
    const rest = [a.place, rows, routineNumber(routine), Number(stacked), first];
    runSolver(queue, choleskyPanel, a.dtype, { global: local * a.count, local }, [a.storage], [faultNotes(a.xp)], rest);
    return;
  }
  const top = half(rows);
  const rest = rows - top;
  const diagonal = a.part(0, 0, top, top);
  const right = a.part(0, top, top, rest);
  decomposeCholesky(diagonal, routine, stacked, first);
  solveLower(diagonal.transposed, right, { conjugated: true });
  const below = a.part(top, top, rest, rest);
  subtractSquare(below, right);
  decomposeCholesky(below, routine, stacked, first + top);
}

/** Takes the adjoint of a matrix times itself away, above the diagonal and in the blocks on it. */
function subtractSquare(c: MatrixBlock, a: MatrixBlock): void {
  const { rows } = c;
  if (rows <= 4 * leaf) {
    addProduct(c, a.transposed, a, { sign: -1, conjugated: true });
    return;
  }
  const top = half(rows);
  const rest = rows - top;
  const left = a.part(0, 0, a.rows, top);
  const right = a.part(0, top, a.rows, rest);
  subtractSquare(c.part(0, 0, top, top), left);
  addProduct(c.part(0, top, top, rest), left.transposed, right, { sign: -1, conjugated: true });
  subtractSquare(c.part(top, top, rest, rest), right);
}

/** Columns are shared out: one to each work-item, and some to each of a processor's. */
function columnSizes({ xp, columns, count }: MatrixBlock): {
  readonly global: readonly [number, number];
  readonly span: number;
} {
  const span = hasParallelWorkItems(xp.queue.device) ? 1 : Math.max(16, Math.ceil(columns / 16 / 16) * 16);
  return { global: [Math.ceil(columns / span), count], span };
}
