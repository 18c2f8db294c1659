/**
 * The operators: what each does, and by which rule its types come about. Methods of arrays and functions of `xp` are made of
 * these tables, so the comments here are what an editor shows. What they are in OpenCL C is in kernels/operator-code.ts.
 */
import type { Rule } from "../types/results.js";
import { special, type SpecialName } from "./special-operators.js";

/** Operators of one operand. */
export const unary = {
  /** The same values. */
  positive: "number",
  /** `-x`. Unsigned integers wrap around. */
  negative: "number",
  /** The distance from 0; of complex numbers it is real. */
  absolute: "magnitude",
  /** The distance from 0, as a floating-point number. */
  fabs: "real",
  /** -1, 0 or 1; of a complex number, that of length 1 in its direction. */
  sign: "number",
  /** `x * x`. */
  square: "power",
  /** `1 / x`; of integers it is cut to an integer, and that of 0 is 0. */
  reciprocal: "power",
  /** The complex conjugate; real numbers stay what they are. */
  conj: "power",
  /** The angle of a complex number in radians. */
  angle: "angle",
  /** `~x` of integers and booleans. */
  invert: "bits",
  /** How many bits of the absolute value are 1. */
  bitwiseCount: "count",
  /** Where it is 0. */
  logicalNot: "logical",
  /** Where it is not a number. */
  isnan: "test",
  /** Where it is infinite. */
  isinf: "test",
  /** Where it is neither infinite nor NaN. */
  isfinite: "test",
  /** Where the sign is negative, which that of -0 is, too. */
  signbit: "realTest",
  /** Rounded down. Integers stay what they are. */
  floor: "rounding",
  /** Rounded up. Integers stay what they are. */
  ceil: "rounding",
  /** Rounded towards 0. Integers stay what they are. */
  trunc: "rounding",
  /** Rounded towards 0, as {@link trunc} does. */
  fix: "rounding",
  /** What {@link floor} leaves: at least 0 and less than 1. */
  fract: "real",
  /** Rounded to the nearest integer, to the even one of two; the result is a floating-point number. */
  rint: "floating",
  /** The distance to the next number away from 0. */
  spacing: "real",
  /** The square root. */
  sqrt: "floating",
  /** The cube root. */
  cbrt: "real",
  /** The exponential function. */
  exp: "floating",
  /** `2 ** x`. */
  exp2: "floating",
  /** `10 ** x`. */
  exp10: "real",
  /** `exp(x) - 1`, also accurate near 0. */
  expm1: "floating",
  /** The natural logarithm. */
  log: "floating",
  /** The logarithm to base 2. */
  log2: "floating",
  /** The logarithm to base 10. */
  log10: "floating",
  /** `log(1 + x)`, also accurate near 0. */
  log1p: "floating",
  /** The exponent of the number as a power of 2. */
  ilogb: "exponent",
  /** The same as {@link ilogb}, as a floating-point number. */
  logb: "real",
  /** The sine of an angle in radians. */
  sin: "floating",
  /** The cosine of an angle in radians. */
  cos: "floating",
  /** The tangent of an angle in radians. */
  tan: "floating",
  /** The angle with this sine. */
  arcsin: "floating",
  /** The angle with this cosine, from 0 to π. */
  arccos: "floating",
  /** The angle with this tangent. */
  arctan: "floating",
  /** The hyperbolic sine. */
  sinh: "floating",
  /** The hyperbolic cosine. */
  cosh: "floating",
  /** The hyperbolic tangent. */
  tanh: "floating",
  /** The inverse of the hyperbolic sine. */
  arcsinh: "floating",
  /** The inverse of the hyperbolic cosine. */
  arccosh: "floating",
  /** The inverse of the hyperbolic tangent. */
  arctanh: "floating",
  /** `sin(π x)`. */
  sinpi: "real",
  /** `cos(π x)`. */
  cospi: "real",
  /** `tan(π x)`. */
  tanpi: "real",
  /** `arcsin(x) / π`. */
  asinpi: "real",
  /** `arccos(x) / π`. */
  acospi: "real",
  /** `arctan(x) / π`. */
  atanpi: "real",
  /** `sin(π x) / (π x)`; 1 at 0. */
  sinc: "division",
  /** Radians in degrees. */
  degrees: "real",
  /** Degrees in radians. */
  radians: "real",
} as const;

/** Operators of two operands. */
export const binary = {
  /** `x + y`. */
  add: "same",
  /** `x - y`. */
  subtract: "number",
  /** `x * y`, element by element. */
  multiply: "same",
  /** `x / y`; integers give float64. */
  divide: "division",
  /** `x / y` rounded down. Integers divided by 0 give 0. */
  floorDivide: "integer",
  /** What {@link floorDivide} leaves; it has the sign of `y`. */
  remainder: "integer",
  /** What a division rounded towards 0 leaves; it has the sign of `x`. */
  fmod: "integer",
  /** What a division rounded to the nearest integer leaves, as IEEE 754 has it: half of `y` at most. */
  ieeeRemainder: "real",
  /** `x - y` where that is positive, else 0. */
  fdim: "real",
  /** The one that is farther from 0; of equal distances the larger. */
  maxmag: "real",
  /** The one that is nearer to 0; of equal distances the smaller. */
  minmag: "real",
  /** The root of a whole degree y: `x ** (1 / y)`, of negative numbers, too, where y is odd. */
  rootn: "scale",
  /** `x ** y`. Of integers it wraps around; what a negative exponent gives is cut to an integer. */
  power: "power",
  /** `x ** y`, in float64 at least. */
  floatPower: "doubles",
  /** The larger of both; NaN if one is. */
  maximum: "same",
  /** The smaller of both; NaN if one is. */
  minimum: "same",
  /** The larger of both, or the one that is a number. */
  fmax: "same",
  /** The smaller of both, or the one that is a number. */
  fmin: "same",
  /** Where both are equal. */
  equal: "comparison",
  /** Where they are not equal. */
  notEqual: "comparison",
  /** Where `x < y`. Complex numbers are compared by their real parts first, then by the imaginary ones. */
  less: "comparison",
  /** Where `x <= y`. */
  lessEqual: "comparison",
  /** Where `x > y`. */
  greater: "comparison",
  /** Where `x >= y`. */
  greaterEqual: "comparison",
  /** Where both are true, which all but 0 is. */
  logicalAnd: "logical",
  /** Where one is true, or both. */
  logicalOr: "logical",
  /** Where one is true, and the other is not. */
  logicalXor: "logical",
  /** `x & y` of integers and booleans. */
  bitwiseAnd: "bits",
  /** `x | y` of integers and booleans. */
  bitwiseOr: "bits",
  /** `x ^ y` of integers and booleans. */
  bitwiseXor: "bits",
  /** `x << y`; 0 where all bits are shifted out. */
  leftShift: "shift",
  /** `x >> y`, which keeps the sign. */
  rightShift: "shift",
  /** The greatest common divisor of integers. */
  gcd: "integers",
  /** The least common multiple of integers. */
  lcm: "integers",
  /** `x` with the sign of `y`. */
  copysign: "real",
  /** The next number after `x` towards `y`. */
  nextafter: "real",
  /** `sqrt(x * x + y * y)`, without overflow between. */
  hypot: "real",
  /** The angle of the point with the coordinates y (the first operand) and x (the second). */
  arctan2: "real",
  /** The same as {@link arctan2}, divided by π. */
  atan2pi: "real",
  /** `log(exp(x) + exp(y))`. */
  logaddexp: "real",
  /** `log2(2 ** x + 2 ** y)`. */
  logaddexp2: "real",
  /** 0 where `x < 0`, 1 where `x > 0`, and `y` where it is 0. */
  heaviside: "real",
  /** `x * 2 ** y` for integers y. */
  ldexp: "scale",
} as const;

/** Operators that others are made of. */
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

/** The name of an operator of one operand. */
export type UnaryName = keyof typeof unary;
/** The name of an operator of two operands. */
export type BinaryName = keyof typeof binary;
/** The name of an operator. */
export type OperatorName = UnaryName | BinaryName | keyof typeof parts | SpecialName;

/** Every operator with its rule. */
export const operators: Readonly<Record<OperatorName, Rule>> = {
  ...unary,
  ...binary,
  ...parts,
  ...special,
};
