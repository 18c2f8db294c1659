/** Covariance and correlation matrices. */
import { checkBoolean, checkInteger, checkOptions, outOfRange, wrongType } from "@cl/base";
import { concatenate } from "../creation/join.js";
import { realParts, imaginaryParts } from "../elementwise/complex-parts.js";
import { clip, operators } from "../elementwise/operators.js";
import { average } from "../reductions/average.js";
import { sum } from "../reductions/reduce.js";
import { checkArray } from "../storage/check-array.js";
import { withViews } from "../storage/filled.js";
import type { AnyArray, ArrayRef, ArraySource, DTypeOptions } from "../storage/array-ref.js";
import { checkArrayType, type DTypeName } from "../types/dtype-name.js";
import { kindOf, promote, quotientDType, realOf } from "../types/promote.js";
import { matmul } from "./matmul.js";

/** Options of correlation matrices. */
export interface CorrelationOptions<D extends DTypeName> extends DTypeOptions<D> {
  /** Further variables, with as many observations. */
  readonly y?: AnyArray | undefined;
  /**
   * Whether each row is a variable and each column an observation. If false, each column is a variable.
   * @defaultValue true
   */
  readonly rowVar?: boolean | undefined;
}

/** Options of covariance matrices. */
export interface CovarianceOptions<D extends DTypeName> extends CorrelationOptions<D> {
  /**
   * If true, `ddof` is 0 by default.
   * @defaultValue false
   */
  readonly bias?: boolean | undefined;
  /**
   * Delta degrees of freedom: the divisor is `n - ddof`.
   * @defaultValue 1
   */
  readonly ddof?: number | undefined;
  /** Frequency weights: how many times each observation counts; integers. */
  readonly fweights?: AnyArray | undefined;
  /** Importance weights of the observations. */
  readonly aweights?: AnyArray | undefined;
}

/** Returns the covariance matrix of variables; without axes if there is only one variable. */
export function covariance(
  xp: ArraySource,
  array: AnyArray,
  options: CovarianceOptions<DTypeName> | undefined,
): ArrayRef {
  const names = ["y", "rowVar", "dtype", "bias", "ddof", "fweights", "aweights"] as const;
  const { bias, fweights, aweights, ...rest } = checkOptions(options, names);
  const ddof = rest.ddof ?? (checkBoolean(bias, "options.bias", false) ? 0 : 1);
  checkInteger(ddof, "options.ddof", 0);
  const weights = { fweights, aweights };
  using samples = samplesOf(xp, array, rest, weights);
  using weight = weightOf(weights, realOf(samples.dtype.name));
  using mean = average(samples, { axis: 1, keepDims: true, weights: weight });
  using deviations = operators.subtract(samples, mean);
  using weighted = weight === undefined ? deviations.slice() : operators.multiply(deviations, weight);
  using conjugated = operators.conj(weighted);
  using transposed = conjugated.transpose();
  using products: ArrayRef = matmul(deviations, transposed);
  using matrix = divided(products, samples.shape[1] as number, ddof, weight, aweights);
  return matrix.size === 1 ? matrix.reshape([]) : matrix.slice();
}

/** Returns the matrix of correlation coefficients of variables; without axes if there is only one variable. */
export function correlation(
  xp: ArraySource,
  array: AnyArray,
  options: CorrelationOptions<DTypeName> | undefined,
): ArrayRef {
  using matrix = covariance(xp, array, checkOptions(options, ["y", "rowVar", "dtype"]));
  if (matrix.ndim === 0) return operators.divide(matrix, matrix);
  using variances = matrix.diagonal();
  using real = realParts(variances);
  using deviations = operators.sqrt(real);
  using column = deviations.expandDims(1);
  using byRow = operators.divide(matrix, column);
  const coefficients = operators.divide(byRow, deviations);
  const parts = [realParts(coefficients), ...(kindOf(matrix.dtype.name) === 4 ? [imaginaryParts(coefficients)] : [])];
  // Rounding errors may exceed the limits.
  withViews(parts, () => {
    for (const part of parts) clip(part, -1, 1, { out: part });
  });
  return coefficients;
}

/** Returns the variables as rows of a floating-point or complex matrix. Checks the weights of the observations first. */
function samplesOf(
  xp: ArraySource,
  array: AnyArray,
  { y, rowVar, dtype }: CorrelationOptions<DTypeName>,
  weights: Weights,
): ArrayRef {
  const byRow = checkBoolean(rowVar, "options.rowVar", true);
  using own = rowsOf(checkArray(array, xp, "array"), byRow, "array");
  using others = y === undefined ? undefined : rowsOf(checkArray(y, xp, "options.y"), byRow, "options.y");
  const count = own.shape[1] as number;
  if (others !== undefined && others.shape[1] !== count) {
    throw outOfRange(`options.y must have ${count} observations as array has, received ${others.shape[1]}`);
  }
  checkWeights(xp, weights, count);
  const type = resultType(others === undefined ? own.dtype.name : promote(own.dtype.name, others.dtype.name), dtype);
  return others === undefined ? own.astype(type) : concatenate(xp, [own, others], { axis: 0, dtype: type });
}

function resultType(variables: DTypeName, dtype: CorrelationOptions<DTypeName>["dtype"]): DTypeName {
  if (dtype === undefined) return quotientDType(variables);
  const type = checkArrayType(dtype, "options.dtype").name;
  if (kindOf(type) < 3) throw wrongType(`options.dtype must be a floating-point or complex type, received ${type}`);
  if (kindOf(variables) < 4 || kindOf(type) === 4) return type;
  throw wrongType(`options.dtype must be a complex type for complex variables, received ${type}`);
}

function rowsOf(array: AnyArray, byRow: boolean, name: string): AnyArray {
  if (array.ndim < 2) return array.reshape([1, -1]);
  if (array.ndim === 2) return byRow ? array.slice() : array.transpose();
  throw outOfRange(`${name} must have at most 2 axes, received shape [${array.shape.join()}]`);
}

type Weights = Pick<CovarianceOptions<DTypeName>, "fweights" | "aweights">;

function checkWeights(xp: ArraySource, weights: Weights, count: number): void {
  for (const [name, weight] of Object.entries(weights)) {
    if (weight === undefined) continue;
    const { shape, dtype } = checkArray(weight, xp, `options.${name}`);
    if (shape.length !== 1 || shape[0] !== count) {
      throw outOfRange(
        `options.${name} must have the shape [${count}] of the observations, received [${shape.join()}]`,
      );
    }
    const kind = kindOf(dtype.name);
    if (name === "fweights" ? kind === 1 || kind === 2 : kind < 4) continue;
    throw wrongType(`options.${name} must be ${name === "fweights" ? "integers" : "real"}, received ${dtype.name}`);
  }
}

function weightOf({ fweights, aweights }: Weights, type: DTypeName): AnyArray | undefined {
  if (fweights === undefined || aweights === undefined) return (fweights ?? aweights)?.astype(type);
  using product = operators.multiply(fweights, aweights);
  return product.astype(type);
}

/** Divides by the number of observations, or by the sum of their weights, less the degrees of freedom. */
function divided(
  products: ArrayRef,
  count: number,
  ddof: number,
  weight: AnyArray | undefined,
  aweights: AnyArray | undefined,
): AnyArray {
  if (weight === undefined) return operators.divide(products, Math.max(count - ddof, 0));
  using total = sum(weight);
  using lost = freedomOf(weight, aweights, total, ddof);
  using left = operators.subtract(total, lost);
  using divisor = operators.maximum(left, 0);
  return operators.divide(products, divisor);
}

/** Returns the degrees of freedom to subtract from the sum of weights. */
function freedomOf(weight: AnyArray, aweights: AnyArray | undefined, total: AnyArray, ddof: number): AnyArray {
  if (aweights === undefined) return weight.xp.full([], ddof, { dtype: weight.dtype.name });
  using importance = aweights.astype(weight.dtype);
  using products = operators.multiply(weight, importance);
  using squares = sum(products);
  using mean = operators.divide(squares, total);
  return operators.multiply(mean, ddof);
}
