/** Reductions that select one of the elements, or its index. */
import { computeType } from "../../kernels/compute-type.js";
import { type DTypeName, typeNamed } from "../../types/dtype-name.js";
import { kindOf, realOf } from "../../types/promote.js";
import type { Reduction } from "../../expression/reduction.js";
import { basics, computeBytes, known, type ReductionOf } from "./known.js";
import { absolute } from "./sums.js";

/** Which end. */
type End = "min" | "max";

/** The smallest element; NaN if there is one. Complex numbers are in lexicographic order. */
export const min: ReductionOf = (dtype) => extreme("min", dtype);

/** The largest element; NaN if there is one. Complex numbers are in lexicographic order. */
export const max: ReductionOf = (dtype) => extreme("max", dtype);

/** The smallest element that is not NaN; NaN if all are. */
export const nanmin: ReductionOf = (dtype) => nanExtreme("min", dtype);

/** The largest element that is not NaN; NaN if all are. */
export const nanmax: ReductionOf = (dtype) => nanExtreme("max", dtype);

/** The index of the first of the smallest elements; that of the first NaN, if there is one. */
export const argmin: ReductionOf = (dtype) => extremePlace("min", dtype);

/** The index of the first of the largest elements; that of the first NaN, if there is one. */
export const argmax: ReductionOf = (dtype) => extremePlace("max", dtype);

/** The index of the first of the smallest elements that are not NaN; -1 if all are NaN. */
export const nanargmin: ReductionOf = (dtype) => nanExtremePlace("min", dtype);

/** The index of the first of the largest elements that are not NaN; -1 if all are NaN. */
export const nanargmax: ReductionOf = (dtype) => nanExtremePlace("max", dtype);

function extreme(end: End, dtype: DTypeName): Reduction {
  return known(end, dtype, () => ({
    ...basics(dtype, computeType(dtype), computeBytes(dtype)),
    functions: kindOf(dtype) === 4 ? complexOrder(end, dtype) : "",
    identity: farthest(end, dtype),
    combine: chosen(end, dtype),
  }));
}

function nanExtreme(end: End, dtype: DTypeName): Reduction {
  if (kindOf(dtype) < 3) return extreme(end, dtype);
  if (kindOf(dtype) === 4) return nanExtremeOfComplex(end, dtype);
  return known(`nan${end}`, dtype, () => ({
    ...basics(dtype, computeType(dtype), computeBytes(dtype)),
    identity: `(${computeType(dtype)})NAN`,
    combine: (a, b) => `((${a} ${end === "max" ? ">=" : "<="} ${b}) | isnan(${b}) ? ${a} : ${b})`,
  }));
}

function nanExtremeOfComplex(end: End, dtype: DTypeName): Reduction {
  const type = computeType(dtype);
  return known(`nan${end}`, dtype, () => ({
    ...basics(dtype, type, computeBytes(dtype)),
    functions: `${complexOrder(end, dtype)}
${type} complex_nan${end}(const ${type} a, const ${type} b) {
  if (${nan("a", 4)}) return b;
  return ${nan("b", 4)} ? a : complex_${end}(a, b);
}`,
    identity: `(${type})(NAN, NAN)`,
    combine: (a, b) => `complex_nan${end}(${a}, ${b})`,
  }));
}

/** The largest or smallest distance from 0, of floating-point and complex numbers. */
export function extremeAbsolute(end: End, dtype: DTypeName): Reduction {
  const real = realOf(dtype);
  return known(`norm ${end}`, dtype, () => ({
    ...basics(real, computeType(real), computeBytes(real)),
    vectors: kindOf(dtype) === 3,
    lift: absolute(dtype),
    // Of nothing, the largest distance is 0.
    identity: end === "max" ? `(${computeType(real)})0` : farthest(end, real),
    combine: chosen(end, real),
  }));
}

/** The largest element less the smallest. */
export function range(dtype: DTypeName): Reduction {
  const type = computeType(dtype);
  const [low, high] = [chosen("min", dtype), chosen("max", dtype)];
  return known("ptp", dtype, () => ({
    ...basics(dtype, "Range", 2 * computeBytes(dtype)),
    functions: `${kindOf(dtype) === 4 ? complexOrder("min", dtype) + complexOrder("max", dtype) : ""}
typedef struct { ${type} low; ${type} high; } Range;
Range range_of(const ${type} low, const ${type} high) { Range result; result.low = low; result.high = high; return result; }`,
    vectors: false,
    lift: (value) => `range_of(${value}, ${value})`,
    identity: `range_of(${farthest("min", dtype)}, ${farthest("max", dtype)})`,
    combine: (a, b) => `range_of(${low(`${a}.low`, `${b}.low`)}, ${high(`${a}.high`, `${b}.high`)})`,
    finish: (value) => {
      if (kindOf(dtype) > 2) return `${value}.high - ${value}.low`;
      const unsigned = computeBytes(dtype) === 8 ? "ulong" : "uint";
      return `(${type})((${unsigned})${value}.high - (${unsigned})${value}.low)`;
    },
  }));
}

function extremePlace(end: End, dtype: DTypeName): Reduction {
  const type = computeType(dtype);
  const kind = kindOf(dtype);
  const sign = end === "max" ? ">" : "<";
  const better =
    kind === 4
      ? `(${nan("a", 4)} || (!${nan("b", 4)} && (a.x ${sign} b.x || (a.x == b.x && a.y ${sign} b.y))))`
      : kind === 3
        ? `(a ${sign} b || isnan(a))`
        : `a ${sign} b`;
  return known(`arg${end}`, dtype, () => ({
    ...basics(dtype, "Extreme", 2 * Math.max(8, computeBytes(dtype))),
    functions: placeFunctions(type, better),
    // Any element is before this one.
    identity: `extreme_at(${farthest(end, dtype)}, LONG_MAX)`,
    lift: (value, index) => `extreme_at(${value}, ${index})`,
    combine: (a, b) => `better_of(${a}, ${b})`,
    finish: (value) => `${value}.place`,
    result: "int64",
    vectors: false,
    indexed: true,
  }));
}

function nanExtremePlace(end: End, dtype: DTypeName): Reduction {
  const kind = kindOf(dtype);
  if (kind < 3) return extremePlace(end, dtype);
  const type = computeType(dtype);
  const sign = end === "max" ? ">" : "<";
  const order = kind === 4 ? `(a.x ${sign} b.x || (a.x == b.x && a.y ${sign} b.y))` : `a ${sign} b`;
  return known(`nanarg${end}`, dtype, () => ({
    ...extremePlace(end, dtype),
    functions: placeFunctions(type, `!${nan("a", kind)} && (${nan("b", kind)} || ${order})`),
    identity: `extreme_at(${kind === 4 ? `(${type})(NAN, NAN)` : `(${type})NAN`}, LONG_MAX)`,
    finish: (value) => `(${nan(`${value}.value`, kind)} ? -1 : ${value}.place)`,
  }));
}

/** `better` says whether the value `a` goes before `b`. Of equal values, the first one does. */
function placeFunctions(type: string, better: string): string {
  return `
typedef struct { ${type} value; long place; } Extreme;
Extreme extreme_at(const ${type} value, const long place) { Extreme result; result.value = value; result.place = place; return result; }
int is_better(const ${type} a, const ${type} b) { return ${better}; }
Extreme better_of(const Extreme a, const Extreme b) {
  const int first = is_better(a.value, b.value);
  const int second = is_better(b.value, a.value);
  return first == second ? (a.place < b.place ? a : b) : first ? a : b;
}`;
}

function nan(value: string, kind: number): string {
  return kind === 4 ? `(isnan(${value}.x) || isnan(${value}.y))` : `isnan(${value})`;
}

function chosen(end: End, dtype: DTypeName): (a: string, b: string) => string {
  const sign = end === "max" ? ">" : "<";
  const kind = kindOf(dtype);
  if (kind === 4) return (a, b) => `complex_${end}(${a}, ${b})`;
  if (kind === 3) return (a, b) => `((${a} ${sign}= ${b}) | isnan(${a}) ? ${a} : ${b})`;
  return (a, b) => `(${a} ${sign} ${b} ? ${a} : ${b})`;
}

function complexOrder(end: End, dtype: DTypeName): string {
  const type = computeType(dtype);
  const sign = end === "max" ? ">" : "<";
  return `
${type} complex_${end}(const ${type} a, const ${type} b) {
  if (${nan("a", 4)}) return a;
  if (${nan("b", 4)}) return b;
  return a.x ${sign} b.x || (a.x == b.x && a.y ${sign} b.y) ? a : b;
}`;
}

const limits: Readonly<Record<End, Readonly<Partial<Record<DTypeName, string>>>>> = {
  max: { int8: "CHAR_MIN", int16: "SHRT_MIN", int32: "INT_MIN", int64: "LONG_MIN" },
  min: {
    bool: "1",
    int8: "CHAR_MAX",
    int16: "SHRT_MAX",
    int32: "INT_MAX",
    int64: "LONG_MAX",
    uint8: "UCHAR_MAX",
    uint16: "USHRT_MAX",
    uint32: "UINT_MAX",
    uint64: "ULONG_MAX",
  },
};

/** The value that all others win against. */
function farthest(end: End, dtype: DTypeName): string {
  const infinity = end === "max" ? "-INFINITY" : "INFINITY";
  if (kindOf(dtype) === 4) return `(${computeType(dtype)})(${infinity}, ${infinity})`;
  if (typeNamed(dtype).kind === "float") return `(${computeType(dtype)})(${infinity})`;
  return `(${computeType(dtype)})${limits[end][dtype] ?? "0"}`;
}
