/**
 * Special functions as operators, with the rules of their types. Functions of `xp.special` are made of these tables, so the
 * comments here are what an editor shows. What they are in OpenCL C is in kernels/library/special.
 */
import type { Rule } from "../types/results.js";

/** Functions of one number. */
export const specialOfOne = {
  /** The error function: 2 / √π times the integral of exp(-t²) from 0 to x. */
  erf: "special",
  /** `1 - erf(x)`, also accurate where that is small. */
  erfc: "special",
  /** `exp(x * x) * erfc(x)`, which stays in range. */
  erfcx: "special",
  /** The number whose error function is x. */
  erfinv: "special",
  /** The number whose complementary error function is x. */
  erfcinv: "special",
  /** Dawson's integral: exp(-x²) times the integral of exp(t²) from 0 to x. */
  dawsn: "special",
  /** Faddeeva's function `exp(-z * z) * erfc(-i z)`; the result is complex. */
  wofz: "complexSpecial",
  /** The probability that a number of the normal distribution is less than x. */
  ndtr: "special",
  /** The number below which those of the normal distribution are with a probability of p. */
  ndtri: "special",
  /** The logarithm of {@link ndtr}, also accurate where that is small. */
  logNdtr: "special",
  /** The gamma function, which is `(x - 1)!` for whole numbers. */
  gamma: "special",
  /** The logarithm of the absolute value of the gamma function. */
  gammaln: "special",
  /** The sign of the gamma function. */
  gammasgn: "special",
  /** `1 / gamma(x)`, which is 0 at the poles. */
  rgamma: "special",
  /** The derivative of {@link gammaln}: the digamma function ψ. */
  digamma: "special",
  /** `gamma(x + 1)`; 0 of negative numbers. */
  factorial: "special",
  /** The Bessel function J of order 0. */
  j0: "special",
  /** The Bessel function J of order 1. */
  j1: "special",
  /** The Bessel function Y of order 0. */
  y0: "special",
  /** The Bessel function Y of order 1. */
  y1: "special",
  /** The modified Bessel function I of order 0. */
  i0: "special",
  /** `exp(-|x|) * i0(x)`. */
  i0e: "special",
  /** The modified Bessel function I of order 1. */
  i1: "special",
  /** `exp(-|x|) * i1(x)`. */
  i1e: "special",
  /** The modified Bessel function K of order 0. */
  k0: "special",
  /** `exp(x) * k0(x)`. */
  k0e: "special",
  /** The modified Bessel function K of order 1. */
  k1: "special",
  /** `exp(x) * k1(x)`. */
  k1e: "special",
  /** The exponential integral E₁: the integral of exp(-t) / t from x to infinity. */
  exp1: "special",
  /** The exponential integral Ei: the principal value of the integral of exp(t) / t up to x. */
  expi: "special",
  /** The complete elliptic integral of the first kind, of the parameter m. */
  ellipk: "special",
  /** `ellipk(1 - p)`, also accurate for small p. */
  ellipkm1: "special",
  /** The complete elliptic integral of the second kind, of the parameter m. */
  ellipe: "special",
  /** Lambert's W: the real w ≥ -1 with `w * exp(w) = x`; NaN below -1 / e, where there is none. */
  lambertw: "special",
  /** `1 / (1 + exp(-x))`. */
  expit: "special",
  /** The logarithm of {@link expit}, also accurate where that is small. */
  logExpit: "special",
  /** `log(p / (1 - p))`. */
  logit: "special",
  /** `-x * log(x)`; 0 at 0, and negative infinity below. */
  entr: "special",
  /** `(exp(x) - 1) / x`; 1 at 0. */
  exprel: "special",
} as const;

/** Functions of two numbers. */
export const specialOfTwo = {
  /** The Bessel function J of a whole order n, for real and complex z. */
  jn: "division",
  /** The Bessel function Y of a whole order n. */
  yn: "special",
  /** The modified Bessel function K of a whole order n. */
  kn: "special",
  /** The Hankel function of the first kind, J + i Y, of a whole order n, for complex z; the result is complex. */
  hankel1: "complexSpecial",
  /** The Hankel function of the second kind, J - i Y, of a whole order n, for complex z; the result is complex. */
  hankel2: "complexSpecial",
  /** The derivative of {@link digamma} of the order n. */
  polygamma: "special",
  /** `gamma(a) * gamma(b) / gamma(a + b)`. */
  beta: "special",
  /** The logarithm of the absolute value of {@link beta}. */
  betaln: "special",
  /** The incomplete gamma function of a at x, divided by the whole one. */
  gammainc: "special",
  /** `1 - gammainc(a, x)`, also accurate where that is small. */
  gammaincc: "special",
  /** How many ways there are to choose k of n; of other numbers by the beta function. */
  binom: "special",
  /** The exponential integral Eₙ of a whole order n. */
  expn: "special",
  /** `x * log(y)`; 0 where x is 0. */
  xlogy: "special",
  /** `x * log(1 + y)`; 0 where x is 0. */
  xlog1py: "special",
  /** `x * log(x / y)`, the relative entropy. */
  relEntr: "special",
  /** `x * log(x / y) - x + y`, the divergence of Kullback and Leibler. */
  klDiv: "special",
} as const;

/** Functions of three numbers. */
export const specialOfThree = {
  /** The incomplete beta function of a and b at x, divided by the whole one. */
  betainc: "special",
} as const;

/** Operators of which functions with several results, or with operands that may be left out, are made. */
export const specialParts = {
  airyAi: "special",
  airyAip: "special",
  airyBi: "special",
  airyBip: "special",
  sineIntegral: "special",
  cosineIntegral: "special",
  zeta: "special",
} as const;

/** The name of a special function. */
export type SpecialName =
  | keyof typeof specialOfOne
  | keyof typeof specialOfTwo
  | keyof typeof specialOfThree
  | keyof typeof specialParts;

/** All of them, with their rules. */
export const special: Readonly<Record<SpecialName, Rule>> = {
  ...specialOfOne,
  ...specialOfTwo,
  ...specialOfThree,
  ...specialParts,
};
