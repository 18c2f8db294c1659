/** Parameters of distributions that are made of other random numbers. */
import type { Weights } from "../random/choose-weighted.js";
import type { AnyArray } from "../storage/array-ref.js";

/** Parameters of the lognormal distribution. */
export interface LognormalOptions {
  /**
   * The mean of the logarithm.
   * @defaultValue 0
   */
  readonly mean?: number;
  /**
   * The standard deviation of the logarithm.
   * @defaultValue 1
   */
  readonly sigma?: number;
}

/** Parameters of the beta distribution. */
export interface BetaOptions {
  /** The first shape parameter α, greater than 0. */
  readonly a: number | AnyArray;
  /** The second shape parameter β, greater than 0. */
  readonly b: number | AnyArray;
}

/** Parameters of the Dirichlet distribution. */
export interface DirichletOptions {
  /** The concentration of each component, greater than 0. */
  readonly alpha: readonly number[] | AnyArray;
}

/** Parameters of the multinomial distribution. */
export interface MultinomialOptions {
  /** The number of trials. */
  readonly n: number | AnyArray;
  /** The probability of each outcome. */
  readonly pvals: Weights;
}

/** Parameters of the multivariate normal distribution. */
export interface MultivariateNormalOptions {
  /** The mean of each component. */
  readonly mean: readonly number[] | AnyArray;
  /** The covariance of all pairs of components, of which the elements on and below the diagonal are read. */
  readonly cov: readonly (readonly number[])[] | AnyArray;
}
