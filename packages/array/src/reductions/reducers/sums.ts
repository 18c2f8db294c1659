/** Reductions that add and multiply. */
import { computeType } from "../../kernels/compute-type.js";
import { type DTypeName, typeNamed } from "../../types/dtype-name.js";
import { kindOf, realOf } from "../../types/promote.js";
import type { Reduction } from "../../expression/reduction.js";
import { basics, computeBytes, known } from "./known.js";

/** The sum of elements of a type, which is the result's, too. */
export function sum(dtype: DTypeName): Reduction {
  return known("sum", dtype, () => ({ ...added(dtype), finish: stored(dtype) }));
}

/** The sum divided by how many elements there are. */
export function mean(dtype: DTypeName): Reduction {
  const part = computeType(realOf(dtype));
  return known("mean", dtype, () => ({ ...added(dtype), finish: (value, count) => `${value} / (${part})${count}` }));
}

/** The sum of products, which are what is reduced. */
export function dotted(dtype: DTypeName): Reduction {
  return known("dot", dtype, () => ({ ...added(dtype), finish: stored(dtype) }));
}

/** The product. */
export function prod(dtype: DTypeName): Reduction {
  return known("prod", dtype, () => {
    const [type, bytes] = exactType(dtype);
    const base = { ...basics(dtype, type, bytes), lift: lifted(dtype, type), finish: stored(dtype) };
    if (dtype === "bool") return { ...base, identity: "1", combine: (a, b) => `${a} & ${b}` };
    if (kindOf(dtype) < 4) return { ...base, identity: "1", combine: (a, b) => `${a} * ${b}` };
    return {
      ...base,
      identity: `(${type})(1, 0)`,
      combine: (a, b) => `(${type})(${a}.x * ${b}.x - ${a}.y * ${b}.y, ${a}.x * ${b}.y + ${a}.y * ${b}.x)`,
    };
  });
}

/** The mean of the elements that a condition selects. */
export function meanWhere(dtype: DTypeName): Reduction {
  return countedMean(dtype, false);
}

/** The mean of the elements that are not NaN. */
export function nanmean(dtype: DTypeName): Reduction {
  return countedMean(dtype, true);
}

function countedMean(dtype: DTypeName, nan: boolean): Reduction {
  const part = computeType(realOf(dtype));
  return known(nan ? "nanmean" : "mean where", dtype, () => ({
    ...summedAndCounted(dtype),
    lift: (value) => (nan ? countedUnlessNan(dtype, value, value) : `counted(${value}, 1)`),
    finish: (value) => `${value}.sum / (${part})${value}.count`,
  }));
}

/** Like {@link squares}, without NaN: the first value of the host is subtracted from the number of squares. */
export function countedSquares(dtype: DTypeName, root: boolean): Reduction {
  const real = realOf(dtype);
  const part = computeType(real);
  return known(root ? "nanstd" : "nanvar", dtype, () => ({
    ...summedAndCounted(real),
    lift: (value) => countedUnlessNan(dtype, value, square(dtype)(value)),
    finish: (value) => {
      const variance = `${value}.sum / ((${part})${value}.count - s0)`;
      return `(${part})${value}.count > s0 ? ${root ? `sqrt(${variance})` : variance} : (${part})NAN`;
    },
  }));
}

function summedAndCounted(dtype: DTypeName): Omit<Reduction, "name" | "key" | "lift" | "finish"> {
  const type = computeType(dtype);
  return {
    ...basics(dtype, "Counted", 2 * Math.max(8, computeBytes(dtype))),
    functions: `typedef struct { ${type} sum; long count; } Counted;
Counted counted(const ${type} sum, const long count) { Counted result; result.sum = sum; result.count = count; return result; }`,
    vectors: false,
    identity: "counted(0, 0)",
    combine: (a, b) => `counted(${a}.sum + ${b}.sum, ${a}.count + ${b}.count)`,
  };
}

/** Counts `summand` unless `value` is NaN. */
function countedUnlessNan(dtype: DTypeName, value: string, summand: string): string {
  const nan = kindOf(dtype) === 4 ? `(isnan(${value}.x) || isnan(${value}.y))` : `isnan(${value})`;
  return `${nan} ? counted(0, 0) : counted(${summand}, 1)`;
}

/** The sum without those elements that are not a number. */
export function nansum(dtype: DTypeName): Reduction {
  return known("nansum", dtype, () => ({
    ...added(dtype),
    vectors: false,
    lift: without(dtype, "0"),
    finish: stored(dtype),
  }));
}

/** The product without those elements that are not a number. */
export function nanprod(dtype: DTypeName): Reduction {
  const one = kindOf(dtype) === 4 ? `(${computeType(dtype)})(1, 0)` : "1";
  return known("nanprod", dtype, () => ({ ...prod(dtype), vectors: false, lift: without(dtype, one) }));
}

/** The sum of the squares of distances from 0, divided by the first value of the host: what variances are of. */
export function squares(dtype: DTypeName, root: boolean): Reduction {
  const real = realOf(dtype);
  return known(root ? "std" : "var", dtype, () => ({
    ...added(real),
    vectors: kindOf(dtype) === 3,
    lift: square(dtype),
    finish: (value) => (root ? `sqrt(${value} / s0)` : `${value} / s0`),
  }));
}

/** The root of the sum of squares. */
export function euclidean(dtype: DTypeName): Reduction {
  return known("norm", dtype, () => ({
    ...added(realOf(dtype)),
    vectors: kindOf(dtype) === 3,
    lift: square(dtype),
    finish: (value) => `sqrt(${value})`,
  }));
}

/** The sum of distances from 0. */
export function sumOfAbsolutes(dtype: DTypeName): Reduction {
  return known("norm 1", dtype, () => ({
    ...added(realOf(dtype)),
    vectors: kindOf(dtype) === 3,
    lift: absolute(dtype),
  }));
}

/** The sum of powers of distances from 0, of which a root is taken; the value of the host of that number is the exponent. */
export function powers(dtype: DTypeName, scalar = 0): Reduction {
  const one = `(${computeType(realOf(dtype))})1`;
  return known(`norm p${scalar}`, dtype, () => ({
    ...added(realOf(dtype)),
    vectors: false,
    lift: (value) => `pow(${absolute(dtype)(value)}, s${scalar})`,
    finish: (value) => `pow(${value}, ${one} / s${scalar})`,
  }));
}

/** The distance from 0, of floating-point and complex numbers. */
export function absolute(dtype: DTypeName): (value: string) => string {
  return kindOf(dtype) === 4 ? (value) => `hypot(${value}.x, ${value}.y)` : (value) => `fabs(${value})`;
}

function square(dtype: DTypeName): (value: string) => string {
  if (kindOf(dtype) === 4) return (value) => `${value}.x * ${value}.x + ${value}.y * ${value}.y`;
  return (value) => `${value} * ${value}`;
}

function without(dtype: DTypeName, instead: string): (value: string) => string {
  const kind = kindOf(dtype);
  const [type] = exactType(dtype);
  if (kind < 3) return lifted(dtype, type);
  if (kind === 3) return (value) => `isnan(${value}) ? (${type})${instead} : ${value}`;
  return (value) => `isnan(${value}.x) || isnan(${value}.y) ? (${type})${instead} : ${value}`;
}

function added(dtype: DTypeName): Omit<Reduction, "name" | "key"> {
  const [type, bytes] = exactType(dtype);
  return {
    ...basics(dtype, type, bytes),
    lift: lifted(dtype, type),
    identity: `(${type})0`,
    combine: (a, b) => (dtype === "bool" ? `${a} | ${b}` : `${a} + ${b}`),
  };
}

/** In which type elements are added and multiplied: integers wrap around, which C says of those without a sign only. */
function exactType(dtype: DTypeName): readonly [name: string, bytes: number] {
  if (kindOf(dtype) > 2) return [computeType(dtype), computeBytes(dtype)];
  return typeNamed(dtype).itemSize === 8 ? ["ulong", 8] : ["uint", 4];
}

function lifted(dtype: DTypeName, type: string): (value: string) => string {
  return kindOf(dtype) > 2 ? (value) => value : (value) => `(${type})${value}`;
}

function stored(dtype: DTypeName): (value: string) => string {
  return kindOf(dtype) > 2 ? (value) => value : (value) => `(${computeType(dtype)})${value}`;
}
