/**
 * Special functions as operators, with their type rules. The functions of `xp.special` are generated from these tables,
 * so editors show the comments here. Their OpenCL C is in kernels/library/special.
 */
import type { Rule } from "../types/results.js";

/** Functions of one argument. */
export const specialOfOne = {
  /** Returns the error function: 2 / √π times the integral of exp(-t²) from 0 to x. */
  erf: "special",
  /** Returns `1 - erf(x)`, accurate also where that is small. */
  erfc: "special",
  /** Returns the scaled complementary error function, `exp(x * x) * erfc(x)`. */
  erfcx: "special",
  /** Returns the inverse of the error function. */
  erfinv: "special",
  /** Returns the inverse of the complementary error function. */
  erfcinv: "special",
  /** Returns Dawson's integral: exp(-x²) times the integral of exp(t²) from 0 to x. */
  dawsn: "special",
  /** Returns the Faddeeva function, `exp(-z * z) * erfc(-i z)`; the result is complex. */
  wofz: "complexSpecial",
  /** Returns the cumulative distribution function of the standard normal distribution. */
  ndtr: "special",
  /** Returns the inverse of {@link ndtr}: the quantile function of the standard normal distribution. */
  ndtri: "special",
  /** Returns the logarithm of {@link ndtr}, accurate also where that is small. */
  logNdtr: "special",
  /** Returns the gamma function; `(x - 1)!` for positive integers. */
  gamma: "special",
  /** Returns the logarithm of the absolute value of the gamma function. */
  gammaln: "special",
  /** Returns the sign of the gamma function. */
  gammasgn: "special",
  /** Returns `1 / gamma(x)`, which is 0 at the poles. */
  rgamma: "special",
  /** Returns the digamma function ψ, the derivative of {@link gammaln}. */
  digamma: "special",
  /** Returns the factorial, `gamma(x + 1)`; 0 for negative numbers. */
  factorial: "special",
  /** Returns the Bessel function J of order 0. */
  j0: "special",
  /** Returns the Bessel function J of order 1. */
  j1: "special",
  /** Returns the Bessel function Y of order 0. */
  y0: "special",
  /** Returns the Bessel function Y of order 1. */
  y1: "special",
  /** Returns the modified Bessel function I of order 0. */
  i0: "special",
  /** Returns `exp(-|x|) * i0(x)`. */
  i0e: "special",
  /** Returns the modified Bessel function I of order 1. */
  i1: "special",
  /** Returns `exp(-|x|) * i1(x)`. */
  i1e: "special",
  /** Returns the modified Bessel function K of order 0. */
  k0: "special",
  /** Returns `exp(x) * k0(x)`. */
  k0e: "special",
  /** Returns the modified Bessel function K of order 1. */
  k1: "special",
  /** Returns `exp(x) * k1(x)`. */
  k1e: "special",
  /** Returns the exponential integral E₁: the integral of exp(-t) / t from x to infinity. */
  exp1: "special",
  /** Returns the exponential integral Ei: the principal value of the integral of exp(t) / t up to x. */
  expi: "special",
  /** Returns the complete elliptic integral of the first kind, of the parameter m. */
  ellipk: "special",
  /** Returns `ellipk(1 - p)`, accurate also for small p. */
  ellipkm1: "special",
  /** Returns the complete elliptic integral of the second kind, of the parameter m. */
  ellipe: "special",
  /** Returns the principal branch of Lambert's W: the real w ≥ -1 with `w * exp(w) = x`; NaN below -1 / e. */
  lambertw: "special",
  /** Returns the logistic function, `1 / (1 + exp(-x))`. */
  expit: "special",
  /** Returns the logarithm of {@link expit}, accurate also where that is small. */
  logExpit: "special",
  /** Returns the logit, `log(p / (1 - p))`. */
  logit: "special",
  /** Returns the entropy, `-x * log(x)`; 0 at 0, and negative infinity below. */
  entr: "special",
  /** Returns `(exp(x) - 1) / x`; 1 at 0. */
  exprel: "special",
} as const;

/** Functions of two arguments. */
export const specialOfTwo = {
  /** Returns the Bessel function J of integer order n, for real and complex z. */
  jn: "division",
  /** Returns the Bessel function Y of integer order n. */
  yn: "special",
  /** Returns the modified Bessel function K of integer order n. */
  kn: "special",
  /**
   * Returns the Hankel function of the first kind, J + i Y, of integer order n, for complex z; the result is complex.
   */
  hankel1: "complexSpecial",
  /**
   * Returns the Hankel function of the second kind, J - i Y, of integer order n, for complex z; the result is complex.
   */
  hankel2: "complexSpecial",
  /** Returns the polygamma function: the n-th derivative of {@link digamma}. */
  polygamma: "special",
  /** Returns the beta function, `gamma(a) * gamma(b) / gamma(a + b)`. */
  beta: "special",
  /** Returns the logarithm of the absolute value of {@link beta}. */
  betaln: "special",
  /** Returns the regularized lower incomplete gamma function of a at x. */
  gammainc: "special",
  /**
   * Returns the regularized upper incomplete gamma function, `1 - gammainc(a, x)`, accurate also where that is small.
   */
  gammaincc: "special",
  /** Returns the binomial coefficient, "n choose k"; for non-integers by the beta function. */
  binom: "special",
  /** Returns the exponential integral Eₙ of integer order n. */
  expn: "special",
  /** Returns `x * log(y)`; 0 where x is 0. */
  xlogy: "special",
  /** Returns `x * log(1 + y)`; 0 where x is 0. */
  xlog1py: "special",
  /** Returns the relative entropy, `x * log(x / y)`. */
  relEntr: "special",
  /** Returns the Kullback-Leibler divergence, `x * log(x / y) - x + y`. */
  klDiv: "special",
} as const;

/** Functions of three arguments. */
export const specialOfThree = {
  /** Returns the regularized incomplete beta function of a and b at x. */
  betainc: "special",
} as const;

/** Operators from which functions with several results, or with optional operands, are composed. */
export const specialParts = {
  airyAi: "special",
  airyAip: "special",
  airyBi: "special",
  airyBip: "special",
  sineIntegral: "special",
  cosineIntegral: "special",
  zeta: "special",
} as const;

/** Name of a special function. */
export type SpecialName =
  | keyof typeof specialOfOne
  | keyof typeof specialOfTwo
  | keyof typeof specialOfThree
  | keyof typeof specialParts;

/** All special functions with their type rules. */
export const special: Readonly<Record<SpecialName, Rule>> = {
  ...specialOfOne,
  ...specialOfTwo,
  ...specialOfThree,
  ...specialParts,
};
