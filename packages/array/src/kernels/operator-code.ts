/**
 * The operators in OpenCL C, each as an expression of its operands. They return NumPy's results where C's are
 * undefined: integer division by 0 is 0 and does not trap, and integers wrap around. Whatever needs more than an
 * expression is a function in kernels/library; a program includes those that its source names.
 */
import type { Operation } from "../expression/expression.js";
import type { OperatorName } from "../expression/operators.js";
import { special, type SpecialName } from "../expression/special-operators.js";
import type { DTypeName } from "../types/dtype-name.js";
import { kindOf, realOf } from "../types/promote.js";
import { computeType } from "./compute-type.js";

type Codes<N> = Readonly<Partial<Record<OperatorName, N>>>;

/** An operation, as text; `values` are the names of its operands' variables. */
export function operatorCode({ operator, operands, dtype }: Operation, values: readonly string[]): string {
  const first = operands[0].dtype;
  const second = operands[1]?.dtype ?? first;
  const [a, b = a, c = b] = values as readonly [string, string?, string?];
  const kind = kindOf(first);
  const names: Names = { dtype: first, type: computeType(first), kind, a, b, c };
  const anyCode = ofAll[operator];
  if (anyCode !== undefined) return anyCode(names, dtype);
  if (isSpecial(operator)) return specialCode(operator, first, values);
  const comparison = comparisons[operator];
  if (comparison !== undefined) {
    if (first !== second) return mixedComparison(comparison, a, b, kind === 2);
    return kind === 4 ? complexComparison(comparison, names) : `(uchar)(${a} ${comparison} ${b})`;
  }
  if (kind === 4) return complexCode(operator, names);
  const code = kind === 3 ? (ofFloats[operator] ?? floatCall(operator, names)) : ofIntegers[operator];
  if (code === undefined) throw new Error(`no code for ${operator} of ${first}`);
  return typeof code === "string" ? code : code(names);
}

function isSpecial(operator: OperatorName): operator is SpecialName {
  return Object.hasOwn(special, operator);
}

/** Special functions are functions of the library. */
function specialCode(operator: SpecialName, dtype: DTypeName, values: readonly string[]): string {
  const name = operator.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return `${kindOf(dtype) === 4 ? "complex_" : ""}${name}_${computeType(realOf(dtype))}(${values.join(", ")})`;
}

interface Names {
  readonly dtype: DTypeName;
  readonly type: string;
  readonly kind: number;
  readonly a: string;
  readonly b: string;
  readonly c: string;
}

const comparisons: Codes<string> = {
  equal: "==",
  notEqual: "!=",
  less: "<",
  lessEqual: "<=",
  greater: ">",
  greaterEqual: ">=",
};

const bits = (sign: string) => {
  return ({ a, b }: Names): string => `${a} ${sign} ${b}`;
};
const call = (name: string) => {
  return ({ type, a, b }: Names): string => `${name}_${type}(${a}, ${b})`;
};
const callOne = (name: string) => {
  return ({ type, a }: Names): string => `${name}_${type}(${a})`;
};

/** The same for all types that have the operator. */
const ofAll: Codes<(names: Names, result: DTypeName) => string> = {
  positive: ({ a }) => a,
  where: ({ a, b, c }) => `${a} ? ${b} : ${c}`,
  complex: ({ a, b }, result) => `(${computeType(result)})(${a}, ${b})`,
  real: ({ kind, a }) => (kind === 4 ? `${a}.x` : a),
  imag: ({ kind, a }) => (kind === 4 ? `${a}.y` : "0"),
  logicalAnd: bits("&"),
  logicalOr: bits("|"),
  logicalXor: bits("^"),
  logicalNot: ({ a }) => `${a} ^ 1`,
};

const ofIntegers: Codes<(names: Names) => string> = {
  add: (names) => arithmetic("+", names),
  subtract: (names) => arithmetic("-", names),
  multiply: (names) => arithmetic("*", names),
  square: (names) => arithmetic("*", { ...names, b: names.a }),
  reciprocal: ({ type, a }) => `(${type})(${a} == 0 ? 0 : 1 / ${a})`,
  conj: ({ a }) => a,
  floorDivide: call("floor_divide"),
  remainder: call("remainder"),
  fmod: call("fmod"),
  power: call("power"),
  gcd: call("gcd"),
  lcm: call("lcm"),
  leftShift: call("left_shift"),
  rightShift: call("right_shift"),
  roundTo: call("round_to"),
  bitwiseAnd: bits("&"),
  bitwiseOr: bits("|"),
  bitwiseXor: bits("^"),
  invert: ({ kind, type, a }) => (kind === 0 ? `${a} ^ 1` : `(${type})~${a}`),
  bitwiseCount: ({ type, a }) =>
    type.startsWith("u") ? `(uchar)popcount(${a})` : `(uchar)popcount(magnitude_${type}(${a}))`,
  maximum: ({ a, b }) => `${a} > ${b} ? ${a} : ${b}`,
  minimum: ({ a, b }) => `${a} < ${b} ? ${a} : ${b}`,
  fmax: ({ a, b }) => `${a} > ${b} ? ${a} : ${b}`,
  fmin: ({ a, b }) => `${a} < ${b} ? ${a} : ${b}`,
  negative: (names) => arithmetic("-", { ...names, a: "0", b: names.a }),
  absolute: (names) =>
    names.kind === 2 ? `${names.a} < 0 ? ${arithmetic("-", { ...names, a: "0", b: names.a })} : ${names.a}` : names.a,
  sign: ({ kind, type, a }) => (kind === 2 ? `(${type})((${a} > 0) - (${a} < 0))` : `(${type})(${a} > 0)`),
  isnan: () => "0",
  isinf: () => "0",
  isfinite: () => "1",
  signbit: ({ kind, a }) => (kind === 2 ? `(uchar)(${a} < 0)` : "0"),
  floor: ({ a }) => a,
  ceil: ({ a }) => a,
  trunc: ({ a }) => a,
  fix: ({ a }) => a,
};

/* Not numbers come through maximum and minimum from either side, and never through fmax and fmin. */
const ofFloats: Codes<(names: Names) => string> = {
  add: bits("+"),
  subtract: bits("-"),
  multiply: bits("*"),
  divide: bits("/"),
  square: ({ a }) => `${a} * ${a}`,
  reciprocal: ({ a }) => `1 / ${a}`,
  conj: ({ a }) => a,
  negative: ({ a }) => `-${a}`,
  absolute: ({ a }) => `fabs(${a})`,
  sign: ({ type, a }) => `${a} > 0 ? (${type})1 : ${a} < 0 ? (${type})-1 : ${a} == 0 ? (${type})0 : ${a}`,
  angle: ({ type, a }) => `atan2((${type})0, ${a})`,
  floorDivide: call("floor_divide"),
  remainder: call("remainder"),
  maximum: ({ a, b }) => `${a} >= ${b} || isnan(${a}) ? ${a} : ${b}`,
  minimum: ({ a, b }) => `${a} <= ${b} || isnan(${a}) ? ${a} : ${b}`,
  fmax: ({ a, b }) => `${a} >= ${b} || isnan(${b}) ? ${a} : ${b}`,
  fmin: ({ a, b }) => `${a} <= ${b} || isnan(${b}) ? ${a} : ${b}`,
  isnan: ({ a }) => `(uchar)(isnan(${a}) != 0)`,
  isinf: ({ a }) => `(uchar)(isinf(${a}) != 0)`,
  isfinite: ({ a }) => `(uchar)(isfinite(${a}) != 0)`,
  signbit: ({ a }) => `(uchar)(signbit(${a}) != 0)`,
  sinc: callOne("sinc"),
  spacing: ({ dtype, type, a }) => `spacing_${dtype === "float16" ? "half" : type}(${a})`,
  nextafter: ({ dtype, a, b }) => (dtype === "float16" ? `nextafter_half(${a}, ${b})` : `nextafter(${a}, ${b})`),
  degrees: ({ type, a }) => `${a} * ${constant("57.29577951308232", type)}`,
  radians: ({ type, a }) => `${a} * ${constant("0.017453292519943295", type)}`,
  logaddexp: call("logaddexp"),
  logaddexp2: call("logaddexp2"),
  fma: ({ a, b, c }) => `fma(${a}, ${b}, ${c})`,
  fract: callOne("fract"),
  maxmag: call("maxmag"),
  minmag: call("minmag"),
  rootn: ({ a, b }) => `rootn(${a}, (int)clamp((long)${b}, -2147483647L, 2147483647L))`,
  remquoBits: call("remquo_bits"),
  heaviside: ({ type, a, b }) => `isnan(${a}) ? ${a} : ${a} == 0 ? ${b} : ${a} < 0 ? (${type})0 : (${type})1`,
  ldexp: ({ a, b }) => `ldexp(${a}, (int)clamp((long)${b}, -65536L, 65536L))`,
  modfFraction: callOne("modf_fraction"),
  frexpMantissa: callOne("frexp_mantissa"),
  frexpExponent: callOne("frexp_exponent"),
};

/** Functions of OpenCL C of other names than ours. */
const renamed: Codes<string> = {
  arcsin: "asin",
  arccos: "acos",
  arctan: "atan",
  arcsinh: "asinh",
  arccosh: "acosh",
  arctanh: "atanh",
  arctan2: "atan2",
  fix: "trunc",
  power: "pow",
  floatPower: "pow",
  ieeeRemainder: "remainder",
};
const ofTwo: ReadonlySet<OperatorName> = new Set([
  "fmod",
  "ieeeRemainder",
  "fdim",
  "power",
  "floatPower",
  "copysign",
  "hypot",
  "arctan2",
  "atan2pi",
] as const);

/** All other operators of floating-point numbers are functions of OpenCL C. */
function floatCall(operator: OperatorName, { a, b }: Names): string {
  return `${renamed[operator] ?? operator}(${ofTwo.has(operator) ? `${a}, ${b}` : a})`;
}

/** Functions of an instruction or two, which compilers vectorize. */
const cheap: ReadonlySet<string> = new Set(["sqrt", "floor", "ceil", "trunc", "rint", "copysign"]);

/**
 * Functions whose vector form is wrong: PoCL's fmod loses fractions if another lane is 0, NaN or has a tiny divisor.
 */
const oneByOne: ReadonlySet<string> = new Set(["fmod", "remainder"]);

/** Limits within which functions can be trusted with vectors, where there are any. */
const limitsOfVectors: Readonly<Record<string, Omit<VectorCall, "name">>> = {
  // PoCL's pow of double8 corrupts lanes adjacent to ones that are zero, subnormal, infinite or NaN.
  "pow float64": { widest: 4 },
  // PoCL's functions of floats corrupt lanes adjacent to ones beyond about 2^23.
  "sin float32": { below: 2 ** 20 },
  "cos float32": { below: 2 ** 20 },
  "tan float32": { below: 2 ** 20 },
};

/** A function of OpenCL C that takes vectors. */
export interface VectorCall {
  readonly name: string;
  /** Elements of the widest vector that the function can be trusted with. */
  readonly widest?: number;
  /** Lanes whose operand is not less than this in magnitude must be computed one by one. */
  readonly below?: number;
}

/** Returns the function of OpenCL C that an operation calls, if it takes more than a few instructions: then vectors pay off. */
export function vectorCallOf({ operator, operands, dtype }: Operation): VectorCall | undefined {
  if ((dtype !== "float32" && dtype !== "float64") || operands.some((one) => one.dtype !== dtype)) return undefined;
  if (operator in ofAll || operator in comparisons || operator in ofFloats || isSpecial(operator)) return undefined;
  const name = renamed[operator] ?? operator;
  if (cheap.has(name) || oneByOne.has(name)) return undefined;
  return { name, ...limitsOfVectors[`${name} ${dtype}`] };
}

/** A constant of a floating-point type. Devices without float64 need not know literals without an f. */
function constant(digits: string, type: string): string {
  return type === "float" ? `${digits}f` : digits;
}

/** Integers with a sign wrap around, which C says of those without one only. */
function arithmetic(sign: string, { kind, type, a, b }: Names): string {
  if (kind === 0) return sign === "+" ? `${a} | ${b}` : `${a} & ${b}`;
  // Shorter ones would become int, whose products overflow, too.
  const unsigned = type.endsWith("long") ? "ulong" : "uint";
  return `(${type})((${unsigned})${a} ${sign} (${unsigned})${b})`;
}

/** A comparison of integers with a sign and unsigned ones of 64 bits. */
function mixedComparison(sign: string, a: string, b: string, signedFirst: boolean): string {
  const [signed, unsigned] = signedFirst ? [a, b] : [b, a];
  const order = `(${signed} < 0 || (ulong)${signed} < ${unsigned} ? -1 : (ulong)${signed} > ${unsigned})`;
  return `(uchar)(${signedFirst ? order : `-${order}`} ${sign} 0)`;
}

/** Real parts come first, and imaginary ones where those are equal. */
function complexComparison(sign: string, { dtype, a, b }: Names): string {
  const part = computeType(realOf(dtype));
  if (sign === "==") return `(uchar)(${a}.x == ${b}.x && ${a}.y == ${b}.y)`;
  if (sign === "!=") return `(uchar)(${a}.x != ${b}.x || ${a}.y != ${b}.y)`;
  const [one, other] = sign.startsWith("<") ? [a, b] : [b, a];
  return `complex_less${sign.endsWith("=") ? "_equal" : ""}_${part}(${one}, ${other})`;
}

const ofComplex: Codes<(names: Names) => string> = {
  add: bits("+"),
  subtract: bits("-"),
  negative: ({ a }) => `-${a}`,
  conj: ({ type, a }) => `(${type})(${a}.x, -${a}.y)`,
  absolute: ({ dtype, a }) => `complex_length_${computeType(realOf(dtype))}(${a})`,
  angle: ({ a }) => `atan2(${a}.y, ${a}.x)`,
  rint: ({ a }) => `rint(${a})`,
  isnan: ({ a }) => `(uchar)(isnan(${a}.x) || isnan(${a}.y))`,
  isinf: ({ a }) => `(uchar)(isinf(${a}.x) || isinf(${a}.y))`,
  isfinite: ({ a }) => `(uchar)(isfinite(${a}.x) && isfinite(${a}.y))`,
};
const ofTwoComplex: ReadonlySet<OperatorName> = new Set([
  "multiply",
  "divide",
  "power",
  "floatPower",
  "maximum",
  "minimum",
  "fmax",
  "fmin",
] as const);

/** All other operators of complex numbers are functions of the library. */
function complexCode(operator: OperatorName, names: Names): string {
  const code = ofComplex[operator];
  if (code !== undefined) return code(names);
  const part = computeType(realOf(names.dtype));
  const name = operator === "floatPower" ? "power" : operator;
  return `complex_${name}_${part}(${names.a}${ofTwoComplex.has(operator) ? `, ${names.b}` : ""})`;
}
