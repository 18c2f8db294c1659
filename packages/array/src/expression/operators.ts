/**
 * The operators and the rules of their result dtypes. Methods of arrays and functions of `xp` are generated from these
 * tables, so editors show the comments here. Their OpenCL C is in kernels/operator-code.ts.
 */
import type { Rule } from "../types/results.js";
import { special, type SpecialName } from "./special-operators.js";

/** Unary operators. */
export const unary = {
  /** Returns `+x`: a copy of the values. */
  positive: "number",
  /** Returns `-x`, element-wise. Unsigned integers wrap around. */
  negative: "number",
  /** Returns the absolute value; that of complex numbers is real. */
  absolute: "magnitude",
  /** Returns the absolute value as a floating-point number. */
  fabs: "real",
  /** Returns the sign, -1, 0 or 1; for complex numbers, `x / |x|`. */
  sign: "number",
  /** Returns `x * x`. */
  square: "power",
  /** Returns `1 / x`. For integers the result is truncated, and is 0 for 0. */
  reciprocal: "power",
  /** Returns the complex conjugate; real numbers are unchanged. */
  conj: "power",
  /** Returns the angle of a complex number in radians. */
  angle: "angle",
  /** Returns `~x` (bitwise NOT) of integers and booleans. */
  invert: "bits",
  /** Returns the number of 1 bits in the absolute value. */
  bitwiseCount: "count",
  /** Returns whether `x` is false, that is 0. */
  logicalNot: "logical",
  /** Returns whether `x` is NaN. */
  isnan: "test",
  /** Returns whether `x` is infinite. */
  isinf: "test",
  /** Returns whether `x` is finite: neither infinite nor NaN. */
  isfinite: "test",
  /** Returns whether the sign bit is set, which it is for -0, too. */
  signbit: "realTest",
  /** Returns the floor: the largest integer ≤ `x`. Integers are unchanged. */
  floor: "rounding",
  /** Returns the ceiling: the smallest integer ≥ `x`. Integers are unchanged. */
  ceil: "rounding",
  /** Returns `x` rounded towards 0. Integers are unchanged. */
  trunc: "rounding",
  /** Returns `x` rounded towards 0; the same as {@link trunc}. */
  fix: "rounding",
  /** Returns `x - floor(x)`, in [0, 1). */
  fract: "real",
  /** Returns the nearest integer, halves to even, as a floating-point number. */
  rint: "floating",
  /** Returns the distance to the adjacent floating-point number away from 0. */
  spacing: "real",
  /** Returns the non-negative square root. */
  sqrt: "floating",
  /** Returns the cube root. */
  cbrt: "real",
  /** Returns the exponential, `e ** x`. */
  exp: "floating",
  /** Returns `2 ** x`. */
  exp2: "floating",
  /** Returns `10 ** x`. */
  exp10: "real",
  /** Returns `exp(x) - 1`, accurate also for small `x`. */
  expm1: "floating",
  /** Returns the natural logarithm. */
  log: "floating",
  /** Returns the base-2 logarithm. */
  log2: "floating",
  /** Returns the base-10 logarithm. */
  log10: "floating",
  /** Returns `log(1 + x)`, accurate also for small `x`. */
  log1p: "floating",
  /** Returns the binary exponent as an integer. */
  ilogb: "exponent",
  /** Returns the binary exponent as a floating-point number; see {@link ilogb}. */
  logb: "real",
  /** Returns the sine of an angle in radians. */
  sin: "floating",
  /** Returns the cosine of an angle in radians. */
  cos: "floating",
  /** Returns the tangent of an angle in radians. */
  tan: "floating",
  /** Returns the inverse sine, in [-π/2, π/2]. */
  arcsin: "floating",
  /** Returns the inverse cosine, in [0, π]. */
  arccos: "floating",
  /** Returns the inverse tangent, in [-π/2, π/2]. */
  arctan: "floating",
  /** Returns the hyperbolic sine. */
  sinh: "floating",
  /** Returns the hyperbolic cosine. */
  cosh: "floating",
  /** Returns the hyperbolic tangent. */
  tanh: "floating",
  /** Returns the inverse hyperbolic sine. */
  arcsinh: "floating",
  /** Returns the inverse hyperbolic cosine. */
  arccosh: "floating",
  /** Returns the inverse hyperbolic tangent. */
  arctanh: "floating",
  /** Returns `sin(π x)`. */
  sinpi: "real",
  /** Returns `cos(π x)`. */
  cospi: "real",
  /** Returns `tan(π x)`. */
  tanpi: "real",
  /** Returns `arcsin(x) / π`. */
  asinpi: "real",
  /** Returns `arccos(x) / π`. */
  acospi: "real",
  /** Returns `arctan(x) / π`. */
  atanpi: "real",
  /** Returns the normalized sinc function, `sin(π x) / (π x)`; 1 at 0. */
  sinc: "division",
  /** Converts radians to degrees. */
  degrees: "real",
  /** Converts degrees to radians. */
  radians: "real",
} as const;

/** Binary operators. */
export const binary = {
  /** Returns `x + y`. */
  add: "same",
  /** Returns `x - y`. */
  subtract: "number",
  /** Returns `x * y`, element-wise. */
  multiply: "same",
  /** Returns `x / y`. The quotient of integers is float64. */
  divide: "division",
  /** Returns `floor(x / y)`. Integer division by 0 gives 0. */
  floorDivide: "integer",
  /** Returns the remainder of {@link floorDivide}; it has the sign of `y`. */
  remainder: "integer",
  /** Returns the remainder of division rounded towards 0; it has the sign of `x`. */
  fmod: "integer",
  /** Returns the IEEE 754 remainder, of division rounded to the nearest integer; its magnitude is at most `|y| / 2`. */
  ieeeRemainder: "real",
  /** Returns `max(x - y, 0)`. */
  fdim: "real",
  /** Returns the operand with the larger magnitude; the larger one if the magnitudes are equal. */
  maxmag: "real",
  /** Returns the operand with the smaller magnitude; the smaller one if the magnitudes are equal. */
  minmag: "real",
  /** Returns the root of integer degree y, `x ** (1 / y)`; `x` may be negative if y is odd. */
  rootn: "scale",
  /** Returns `x ** y`. Integer results wrap around; those of negative exponents are truncated. */
  power: "power",
  /** Returns `x ** y`, computed in at least float64. */
  floatPower: "doubles",
  /** Returns the larger of both; NaN if either is NaN. */
  maximum: "same",
  /** Returns the smaller of both; NaN if either is NaN. */
  minimum: "same",
  /** Returns the larger of both, ignoring NaN. */
  fmax: "same",
  /** Returns the smaller of both, ignoring NaN. */
  fmin: "same",
  /** Returns `x == y`. */
  equal: "comparison",
  /** Returns `x != y`. */
  notEqual: "comparison",
  /** Returns `x < y`. Complex numbers are compared by their real parts, then by their imaginary parts. */
  less: "comparison",
  /** Returns `x <= y`. */
  lessEqual: "comparison",
  /** Returns `x > y`. */
  greater: "comparison",
  /** Returns `x >= y`. */
  greaterEqual: "comparison",
  /** Returns whether both are true, that is not 0. */
  logicalAnd: "logical",
  /** Returns whether either is true. */
  logicalOr: "logical",
  /** Returns whether exactly one is true. */
  logicalXor: "logical",
  /** Returns `x & y` of integers and booleans. */
  bitwiseAnd: "bits",
  /** Returns `x | y` of integers and booleans. */
  bitwiseOr: "bits",
  /** Returns `x ^ y` of integers and booleans. */
  bitwiseXor: "bits",
  /** Returns `x << y`; 0 if all bits are shifted out. */
  leftShift: "shift",
  /** Returns `x >> y`, keeping the sign. */
  rightShift: "shift",
  /** Returns the greatest common divisor of integers. */
  gcd: "integers",
  /** Returns the least common multiple of integers. */
  lcm: "integers",
  /** Returns `x` with the sign of `y`. */
  copysign: "real",
  /** Returns the next floating-point number after `x` towards `y`. */
  nextafter: "real",
  /** Returns `sqrt(x * x + y * y)` without intermediate overflow. */
  hypot: "real",
  /** Returns the angle of the point (x, y) in radians; the first operand is y, the second x. */
  arctan2: "real",
  /** Returns {@link arctan2} divided by π. */
  atan2pi: "real",
  /** Returns `log(exp(x) + exp(y))`. */
  logaddexp: "real",
  /** Returns `log2(2 ** x + 2 ** y)`. */
  logaddexp2: "real",
  /** Returns the Heaviside step function: 0 where `x < 0`, 1 where `x > 0`, and `y` where `x` is 0. */
  heaviside: "real",
  /** Returns `x * 2 ** y` for integers y. */
  ldexp: "scale",
} as const;

/** Other names of unary operators, those of NumPy. */
export const unaryAliases = {
  /** Alias of {@link absolute}. */
  abs: "absolute",
  /** Alias of {@link conj}. */
  conjugate: "conj",
  /** Alias of {@link invert}. */
  bitwiseNot: "invert",
  /** Alias of {@link radians}. */
  deg2rad: "radians",
  /** Alias of {@link degrees}. */
  rad2deg: "degrees",
} as const;

/** Other names of binary operators: NumPy's, and short ones of the operators that are written most. */
export const binaryAliases = {
  /** Alias of {@link subtract}. */
  sub: "subtract",
  /** Alias of {@link multiply}. */
  mul: "multiply",
  /** Alias of {@link divide}. */
  div: "divide",
  /** Alias of {@link divide}. */
  trueDivide: "divide",
  /** Alias of {@link remainder}. */
  mod: "remainder",
  /** Alias of {@link power}. */
  pow: "power",
} as const;

/** Every unary operator by each of its names. */
export const unaryNames: ReadonlyMap<string, UnaryName> = namesOf(unary, unaryAliases);
/** Every binary operator by each of its names. */
export const binaryNames: ReadonlyMap<string, BinaryName> = namesOf(binary, binaryAliases);

/** Operators from which others are composed. */
export const parts = {
  where: "choice",
  complex: "complex",
  real: "magnitude",
  imag: "magnitude",
  fma: "real",
  remquoBits: "exponent",
  modfFraction: "real",
  frexpMantissa: "real",
  frexpExponent: "exponent",
  roundTo: "integers",
} as const;

/** Name of a unary operator. */
export type UnaryName = keyof typeof unary;
/** Name of a binary operator. */
export type BinaryName = keyof typeof binary;
/** Name of an operator. */
export type OperatorName = UnaryName | BinaryName | keyof typeof parts | SpecialName;

/** Every operator with its type rule. */
export const operators: Readonly<Record<OperatorName, Rule>> = {
  ...unary,
  ...binary,
  ...parts,
  ...special,
};

function namesOf<N extends string>(
  own: Readonly<Record<N, Rule>>,
  aliases: Readonly<Record<string, N>>,
): ReadonlyMap<string, N> {
  const names = Object.keys(own) as N[];
  return new Map([...names.map((name): [string, N] => [name, name]), ...Object.entries(aliases)]);
}
