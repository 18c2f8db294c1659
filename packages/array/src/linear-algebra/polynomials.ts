/** Polynomials, whose coefficients are in an array, that of the highest power first. */
import { checkInteger, outOfRange } from "@cl/base";
import type { Complex } from "@cl/core";
import { eye } from "../creation/bands.js";
import { operators } from "../elementwise/operators.js";
import * as reductions from "../reductions/reduce.js";
import { cumprod } from "../scan/cumulate.js";
import type { ArrayRef } from "../storage/array-ref.js";
import type { DTypeName } from "../types/dtype-name.js";
import { complexType, type ComplexTypeOf, eigenvalues } from "./decompositions/general-eigenvalues.js";
import { leastSquares } from "./decompositions/qr.js";
import { Scope } from "./decompositions/scope.js";
import { type CommonSolverType, commonSolverType, solverType } from "./decompositions/stacks.js";

/** Returns the coefficients of the polynomial that fits points best. A `y` of two axes has a data set in each column. */
export function polyfit<D extends DTypeName, E extends DTypeName>(
  x: ArrayRef<D>,
  y: ArrayRef<E>,
  degree: number,
  w: ArrayRef<D | E> | undefined,
): ArrayRef<CommonSolverType<D, E>> {
  checkInteger(degree, "degree");
  checkPoints(x, y, w);
  const dtype = commonSolverType<D, E>("polyfit", x, y, ...(w === undefined ? [] : [w]));
  using scope = new Scope();
  const weights = w === undefined ? undefined : scope.keep(w.expandDims(1));
  const weighted = (one: ArrayRef): ArrayRef =>
    weights === undefined ? one : scope.keep(operators.multiply(one, weights));
  const column = scope.keep(scope.keep(x.astype(dtype)).expandDims(1));
  const repeated = scope.keep(column.broadcastTo([x.size, degree + 1]));
  const powers = scope.keep(scope.keep(cumprod(repeated, { axis: 1, exclusive: true })).flip(1));
  const matrix = weighted(powers);
  // Columns of similar length make the factors more accurate.
  const lengths = scope.keep(reductions.norm(matrix, { axis: 0 }));
  const side = weighted(y.ndim === 1 ? scope.keep(y.expandDims(1)) : y);
  const [scaled, residuals] = leastSquares(scope.keep(operators.divide(matrix, lengths)), side);
  for (const one of [scaled, residuals]) scope.keep(one);
  const divided: ArrayRef = scope.keep(operators.divide(scaled, scope.keep(lengths.expandDims(1))));
  return divided.reshape([degree + 1, ...y.shape.slice(1)]) as ArrayRef<CommonSolverType<D, E>>;
}

function checkPoints(x: ArrayRef, y: ArrayRef, w: ArrayRef | undefined): void {
  if (x.ndim !== 1 || x.size === 0) {
    throw outOfRange(`x must have one axis and at least one element, received shape [${x.shape.join()}]`);
  }
  if (y.ndim < 1 || y.ndim > 2 || y.shape[0] !== x.size) {
    throw outOfRange(`y must have one or two axes and the length of x, ${x.size}, received shape [${y.shape.join()}]`);
  }
  if (w !== undefined && (w.ndim !== 1 || w.size !== x.size)) {
    throw outOfRange(`options.w must have one axis of the length of x, ${x.size}, received shape [${w.shape.join()}]`);
  }
}

/** Returns the values of a polynomial at the elements of `x`, by Horner's scheme. */
export function polyval(p: ArrayRef, x: ArrayRef): ArrayRef {
  checkCoefficients(p);
  let result: ArrayRef = operators.multiply(x, 0);
  for (let i = 0; i < p.size; i++) {
    using last = result;
    using product = operators.multiply(last, x);
    using coefficient = p.slice(i);
    result = operators.add(product, coefficient);
  }
  return result;
}

/**
 * Resolves to the roots of a polynomial, which are the eigenvalues of its companion matrix. Their number depends on how
 * many of the first coefficients are 0.
 */
export async function roots<D extends DTypeName>(p: ArrayRef<D>): Promise<ArrayRef<ComplexTypeOf<D>>> {
  checkCoefficients(p);
  const dtype = solverType("roots", p);
  const { xp } = p;
  using own = p.copy();
  const nonzero = await nonzeroPlaces(own);
  const [first = 0, last = 0] = [nonzero[0], nonzero.at(-1)];
  const count = last - first;
  using scope = new Scope();
  const companion = scope.keep(eye(xp, count, { diagonal: -1, dtype }));
  if (count > 0) {
    const quotients = scope.keep(
      operators.divide(scope.keep(own.slice([first + 1, last + 1])), scope.keep(own.slice(first))),
    );
    scope.keep(companion.slice(0)).assign(scope.keep(operators.negative(quotients)));
  }
  const others = scope.keep(eigenvalues(companion));
  // Each zero after the last coefficient that is not 0 is a root of 0.
  const zeros = nonzero.length === 0 ? 0 : p.size - 1 - last;
  const result = scope.keep(xp.zeros([count + zeros], { dtype: complexType("roots", p) }));
  scope.keep(result.slice([0, count])).assign(others);
  return scope.give(result);
}

async function nonzeroPlaces(p: ArrayRef): Promise<readonly number[]> {
  const { buffer, byteOffset, byteLength } = await p.data();
  const view = new DataView(buffer, byteOffset, byteLength);
  const values = Array.from({ length: p.size }, (_, i) => p.dtype.get(view, i * p.itemSize));
  return [...values.keys()].filter((i) => {
    const value = values[i] as number | bigint | boolean | Complex;
    return typeof value === "object" ? value.re !== 0 || value.im !== 0 : Number(value) !== 0;
  });
}

function checkCoefficients(p: ArrayRef): void {
  if (p.ndim !== 1) throw outOfRange(`p must have one axis, received shape [${p.shape.join()}]`);
}
