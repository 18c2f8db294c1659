/** Correlated normal numbers from independent ones. */
import { operators, where } from "../elementwise/operators.js";
import { eigen } from "../linear-algebra/decompositions/eigenvalues.js";
import { Scope } from "../linear-algebra/decompositions/scope.js";
import { matmul } from "../linear-algebra/matmul.js";
import * as reductions from "../reductions/reduce.js";
import type { ArrayRef } from "../storage/array-ref.js";

/** Square roots of the machine epsilons: negative eigenvalues up to this, relative to the largest, are rounding errors. */
const tolerances = { float32: 2 ** -11.5, float64: 2 ** -26 } as const;

/**
 * Returns normal numbers with a mean and a covariance, in the last axis, from standard normal numbers of the same dtype.
 * They are NaN if the covariance has a negative eigenvalue.
 */
export function correlated(numbers: ArrayRef, mean: ArrayRef, covariance: ArrayRef): ArrayRef {
  const dtype = numbers.dtype.name as keyof typeof tolerances;
  using scope = new Scope();
  // Eigenvalues may be 0, unlike the pivots of a Cholesky factor: variables may depend on others.
  const [values, vectors] = eigen(scope.keep(covariance.astype(dtype)), false);
  for (const one of [values, vectors]) scope.keep(one);
  const largest = scope.keep(reductions.max(scope.keep(operators.absolute(values))));
  const least = scope.keep(operators.multiply(largest, -tolerances[dtype]));
  const roots = scope.keep(operators.sqrt(scope.keep(operators.maximum(values, 0))));
  const scales = scope.keep(where(scope.keep(operators.greaterEqual(values, least)), roots, NaN));
  const factor = scope.keep(operators.multiply(vectors, scales));
  const products = scope.keep(matmul(numbers, scope.keep(factor.transpose())));
  return operators.add(products, scope.keep(mean.astype(dtype)));
}
