/**
 * The operators in OpenCL C, each as an expression of its operands. They give NumPy's results where C has none: division of
 * integers by zero is 0 and stops no processor, and integers wrap around.
 */
import type { OperatorName } from "../expression/operators.js";
import type { DTypeName } from "../types/dtype-name.js";
import { kindOf } from "../types/promote.js";
import { computeType } from "./compute-type.js";

/** The functions that {@link operatorCode} calls, for the types that a kernel divides. */
export function dividingFunctions(dtype: DTypeName): string {
  const type = computeType(dtype);
  const kind = kindOf(dtype);
  if (kind === 3) return floatDivision(type);
  return kind === 2 ? signedDivision(type, `u${type}`) : unsignedDivision(type);
}

/* Rounded down: the remainder has the sign of the divisor. The quotient is made of the exact remainder, as in Python. */
const floatDivision = (type: string): string => `
${type} remainder_${type}(const ${type} a, const ${type} b) {
  const ${type} rest = fmod(a, b);
  if (rest == 0) return copysign((${type})0, b);
  return (rest < 0) != (b < 0) ? rest + b : rest;
}
${type} floor_divide_${type}(const ${type} a, const ${type} b) {
  if (b == 0) return a / b;
  ${type} rest = fmod(a, b);
  ${type} quotient = (a - rest) / b;
  if (rest != 0 && (rest < 0) != (b < 0)) quotient -= 1;
  if (quotient == 0) return copysign((${type})0, a / b);
  const ${type} whole = floor(quotient);
  return quotient - whole > (${type})0.5f ? whole + 1 : whole;
}
`;

/* The lowest integer divided by -1 would overflow, which some processors take for an error. */
const signedDivision = (type: string, unsigned: string): string => `
${type} remainder_${type}(const ${type} a, const ${type} b) {
  if (b == 0 || b == -1) return 0;
  const ${type} rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}
${type} floor_divide_${type}(const ${type} a, const ${type} b) {
  if (b == 0) return 0;
  if (b == -1) return (${type})(0 - (${unsigned})a);
  const ${type} quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}
`;

const unsignedDivision = (type: string): string => `
${type} remainder_${type}(const ${type} a, const ${type} b) { return b == 0 ? 0 : a % b; }
${type} floor_divide_${type}(const ${type} a, const ${type} b) { return b == 0 ? 0 : a / b; }
`;

const comparisons: Readonly<Partial<Record<OperatorName, string>>> = {
  equal: "==",
  notEqual: "!=",
  less: "<",
  lessEqual: "<=",
  greater: ">",
  greaterEqual: ">=",
};

const bits: Readonly<Partial<Record<OperatorName, string>>> = { bitwiseAnd: "&", bitwiseOr: "|", bitwiseXor: "^" };
const wrapping: Readonly<Partial<Record<OperatorName, string>>> = { add: "+", subtract: "-", multiply: "*" };
const functions: Readonly<Partial<Record<OperatorName, string>>> = {
  sqrt: "sqrt",
  exp: "exp",
  log: "log",
  sin: "sin",
  cos: "cos",
  tan: "tan",
  tanh: "tanh",
  floor: "floor",
  ceil: "ceil",
  trunc: "trunc",
};

/** An operation on operands of one type, as text; `a` and `b` are names of variables. */
export function operatorCode(operator: OperatorName, dtype: DTypeName, a: string, b: string): string {
  const type = computeType(dtype);
  const kind = kindOf(dtype);
  const comparison = comparisons[operator];
  if (comparison !== undefined) return `(uchar)(${a} ${comparison} ${b})`;
  const bit = bits[operator];
  if (bit !== undefined) return `${a} ${bit} ${b}`;
  const wraps = wrapping[operator];
  if (wraps !== undefined) return arithmetic(wraps, dtype, a, b);
  const name = functions[operator];
  if (name !== undefined) return kind > 2 ? `${name}(${a})` : a;
  const code = others[operator];
  if (code === undefined) throw new Error(`no code for ${operator}`);
  return code({ dtype, type, kind, a, b });
}

interface Names {
  readonly dtype: DTypeName;
  readonly type: string;
  readonly kind: number;
  readonly a: string;
  readonly b: string;
}

/* What is not a number comes through maximum and minimum, from either side. */
const others: Readonly<Partial<Record<OperatorName, (names: Names) => string>>> = {
  divide: ({ a, b }) => `${a} / ${b}`,
  floorDivide: ({ type, a, b }) => `floor_divide_${type}(${a}, ${b})`,
  remainder: ({ type, a, b }) => `remainder_${type}(${a}, ${b})`,
  maximum: ({ kind, a, b }) =>
    kind > 2 ? `(${a} >= ${b} || isnan(${a}) ? ${a} : ${b})` : `(${a} > ${b} ? ${a} : ${b})`,
  minimum: ({ kind, a, b }) =>
    kind > 2 ? `(${a} <= ${b} || isnan(${a}) ? ${a} : ${b})` : `(${a} < ${b} ? ${a} : ${b})`,
  logicalAnd: ({ a, b }) => `${a} & ${b}`,
  logicalOr: ({ a, b }) => `${a} | ${b}`,
  logicalXor: ({ a, b }) => `${a} ^ ${b}`,
  logicalNot: ({ a }) => `${a} ^ 1`,
  invert: ({ kind, a }) => (kind === 0 ? `${a} ^ 1` : `~${a}`),
  negative: ({ dtype, kind, a }) => (kind > 2 ? `-${a}` : arithmetic("-", dtype, "0", a)),
  absolute: ({ dtype, kind, a }) => {
    if (kind > 2) return `fabs(${a})`;
    return kind === 2 ? `(${a} < 0 ? ${arithmetic("-", dtype, "0", a)} : ${a})` : a;
  },
};

/** Integers with a sign wrap around, which C says of those without one only. */
function arithmetic(sign: string, dtype: DTypeName, a: string, b: string): string {
  const kind = kindOf(dtype);
  if (kind === 0) return sign === "+" ? `${a} | ${b}` : `${a} & ${b}`;
  if (kind > 2) return `${a} ${sign} ${b}`;
  const type = computeType(dtype);
  // Shorter ones would become int, whose products overflow, too.
  const unsigned = type.endsWith("long") ? "ulong" : "uint";
  return `(${type})((${unsigned})${a} ${sign} (${unsigned})${b})`;
}

/** A comparison of integers with a sign and unsigned ones of 64 bits, which no type holds both of. */
export function mixedComparison(operator: OperatorName, a: string, b: string, signedFirst: boolean): string {
  const [signed, unsigned] = signedFirst ? [a, b] : [b, a];
  const order = `(${signed} < 0 || (ulong)${signed} < ${unsigned} ? -1 : (ulong)${signed} > ${unsigned})`;
  const sign = comparisons[operator] as string;
  return `(uchar)(${signedFirst ? order : `-${order}`} ${sign} 0)`;
}
