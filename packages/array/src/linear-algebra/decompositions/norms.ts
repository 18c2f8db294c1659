/** Norms, condition numbers, ranks and pseudo-inverses, from singular values and sums. */
import { checkBoolean, checkInteger, outOfRange, rangeError } from "@cl/base";
import { checkAxes } from "../../shapes/check-axes.js";
import { realOf } from "../../types/promote.js";
import { adjoint } from "./cholesky.js";
import { Scope } from "./scope.js";
import { singular, singularValues } from "./singular-values.js";
import { inverse } from "./solve.js";
import { leading, solverType } from "./stacks.js";
import type { ArrayRef } from "../../storage/array-ref.js";
import { matmul } from "../matmul.js";
import { where, operators } from "../../elementwise/operators.js";
import * as reductions from "../../reductions/reduce.js";
import { eye } from "../../creation/bands.js";

/** Order of a norm: a number, the Frobenius norm, or the nuclear norm. */
export type MatrixOrder = number | "fro" | "nuc";

/** Options of `linalg.norm`. */
export interface MatrixNormOptions {
  /**
   * Order of the norm. For vectors any number, by default 2. For matrices `"fro"`, the default, is the Frobenius norm;
   * 1 and `Infinity` are the largest sum of absolute values of a column or row, -1 and `-Infinity` the smallest; 2 and
   * -2 are the largest and smallest singular value; `"nuc"` is the sum of the singular values.
   */
  readonly ord?: MatrixOrder | undefined;
  /** One axis for vectors, two for matrices. Without this and `ord`, the flattened array is one vector. */
  readonly axis?: number | readonly number[] | undefined;
  /**
   * If true, reduced axes are kept with length 1.
   * @defaultValue false
   */
  readonly keepDims?: boolean | undefined;
}

/** The norm of vectors or matrices. */
export function norm(x: ArrayRef, { ord, axis, keepDims }: MatrixNormOptions): ArrayRef {
  const keep = checkBoolean(keepDims, "options.keepDims", false);
  checkOrder(ord);
  if (axis === undefined && ord === undefined) return reductions.norm(x, { keepDims: keep });
  if (axis === undefined && x.ndim !== 1 && x.ndim !== 2) {
    throw outOfRange(
      `options.axis is required for the norm of order ${String(ord)} of an array of shape [${x.shape.join()}]`,
    );
  }
  const axes = checkAxes(axis ?? [...x.shape.keys()], x.ndim, "options.axis");
  if (axes.length === 1) {
    if (typeof ord === "string") {
      throw outOfRange(`options.axis must have two axes for the matrix norm "${ord}", received one`);
    }
    return reductions.norm(x, { ord, axis: axes[0] as number, keepDims: keep });
  }
  if (axes.length !== 2) throw outOfRange(`options.axis must have one or two axes, received ${axes.length}`);
  return matrixNorm(x, ord ?? "fro", axes as readonly [number, number], keep);
}

function checkOrder(ord: unknown): void {
  if (ord === undefined || ord === "fro" || ord === "nuc" || (typeof ord === "number" && !Number.isNaN(ord))) return;
  throw rangeError("options.ord", 'a number, "fro" or "nuc"', ord);
}

function matrixNorm(
  x: ArrayRef,
  ord: MatrixOrder,
  [row, column]: readonly [number, number],
  keepDims: boolean,
): ArrayRef {
  if (ord === "fro") return reductions.norm(x, { axis: [row, column], keepDims });
  using scope = new Scope();
  const kept = x.shape.map((extent, axis) => (axis === row || axis === column ? 1 : extent));
  const shape = keepDims ? kept : x.shape.filter((_, axis) => axis !== row && axis !== column);
  if (ord === "nuc" || Math.abs(ord) === 2) {
    const values = scope.keep(singularValues(scope.keep(x.moveaxis([row, column], [-2, -1]))));
    const over = { axis: -1 };
    const result = scope.keep(
      ord === "nuc"
        ? reductions.sum(values, over)
        : ord === 2
          ? reductions.max(values, over)
          : reductions.min(values, over),
    );
    return result.reshape(shape);
  }
  if (Math.abs(ord) !== 1 && Math.abs(ord) !== Infinity) {
    throw outOfRange(`options.ord must be ±1, ±2, ±Infinity, "fro" or "nuc" for matrices, received ${ord}`);
  }
  const [along, across] = Math.abs(ord) === 1 ? [row, column] : [column, row];
  const sums = scope.keep(reductions.norm(x, { ord: 1, axis: along, keepDims: true }));
  const result = scope.keep(ord > 0 ? reductions.max(sums, { axis: across }) : reductions.min(sums, { axis: across }));
  return result.reshape(shape);
}

/** How much errors of a right-hand side can grow: by singular values, or by norms of a matrix and its inverse. */
export function condition(a: ArrayRef, ord: MatrixOrder | undefined): ArrayRef {
  checkOrder(ord);
  using scope = new Scope();
  if (ord === undefined || ord === 2 || ord === -2) {
    const values = scope.keep(singularValues(a));
    const [first, last] = [scope.keep(values.slice("...", 0)), scope.keep(values.slice("...", -1))];
    const ratio = scope.keep(ord === -2 ? operators.divide(last, first) : operators.divide(first, last));
    // Of nothing but zeros, which is as singular as can be. NaN has no singular values.
    return where(scope.keep(operators.equal(ratio, ratio)), ratio, Infinity) as ArrayRef;
  }
  if (a.shape.at(-1) !== a.shape.at(-2)) {
    throw outOfRange(`cond of order ${String(ord)} needs square matrices, received shape [${a.shape.join()}]`);
  }
  const axis = [-2, -1];
  const own = scope.keep(norm(a, { ord, axis }));
  const other = scope.keep(norm(scope.keep(inverse(a, false)), { ord, axis }));
  const product = scope.keep(operators.multiply(own, other));
  // A matrix without an inverse has no finite condition.
  const isNumber = scope.keep(operators.equal(product, product));
  const hasNan = scope.keep(operators.notEqual(own, own));
  return where(scope.keep(operators.logicalOr(isNumber, hasNan)), product, Infinity) as ArrayRef;
}

const epsilons = { float32: 2 ** -23, float64: 2 ** -52 } as const;

/**
 * Returns the tolerance below which a singular value counts as 0, relative to the largest, as in NumPy's `matrix_rank`.
 */
function least(a: ArrayRef, what: string, rtol: number | undefined): number {
  if (rtol !== undefined) {
    if (typeof rtol === "number" && rtol >= 0) return rtol;
    throw rangeError("options.rtol", "a number of at least 0", rtol);
  }
  const type = realOf(solverType(what, a)) as keyof typeof epsilons;
  return Math.max(...a.shape.slice(-2)) * epsilons[type];
}

/** Returns the number of singular values that are above the tolerance. */
export function rank(a: ArrayRef, rtol: number | undefined): ArrayRef<"int64"> {
  const cut = least(a, "matrixRank", rtol);
  using scope = new Scope();
  const values = scope.keep(singularValues(a));
  if (values.shape.at(-1) === 0) return a.xp.zeros(leading(a), { dtype: "int64" });
  const most = scope.keep(operators.multiply(scope.keep(reductions.max(values, { axis: -1, keepDims: true })), cut));
  return reductions.sum(scope.keep(operators.greater(values, most)), { axis: -1 });
}

/** The inverse of what a matrix does where it does anything. */
export function pseudoInverse(a: ArrayRef, rtol: number | undefined): ArrayRef {
  const cut = least(a, "pinv", rtol);
  using scope = new Scope();
  const { u, s, vh } = singular(a, false);
  for (const one of [u, s, vh]) scope.keep(one);
  if (s.shape.at(-1) === 0) return a.xp.zeros([...leading(a), ...a.shape.slice(-2).toReversed()], { dtype: u.dtype });
  const most = scope.keep(operators.multiply(scope.keep(reductions.max(s, { axis: -1, keepDims: true })), cut));
  const inverses = scope.keep(operators.reciprocal(s));
  const kept = scope.keep(where(scope.keep(operators.greater(s, most)), inverses, 0));
  const scaled = scope.keep(operators.multiply(scope.keep(adjoint(u)), scope.keep(kept.expandDims(-1))));
  return matmul(scope.keep(adjoint(vh)), scaled);
}

/** Returns a power of a matrix; that of its inverse for negative exponents. */
export function power(a: ArrayRef, exponent: number): ArrayRef {
  checkInteger(exponent, "exponent", -(2 ** 31), 2 ** 31 - 1);
  const { xp } = a;
  using scope = new Scope();
  const size = a.shape.at(-1) as number;
  if (exponent === 0) {
    const one = scope.keep(eye(xp, size, { dtype: a.dtype.name }));
    return scope.keep(one.broadcastTo(a.shape)).copy();
  }
  let square: ArrayRef = exponent < 0 ? scope.keep(inverse(a)) : a;
  let result: ArrayRef | undefined;
  for (let rest = Math.abs(exponent); rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = result === undefined ? square : scope.keep(matmul(result, square));
    if (rest > 1) square = scope.keep(matmul(square, square));
  }
  const last = result as ArrayRef;
  return last === a ? a.copy() : scope.give(last);
}
