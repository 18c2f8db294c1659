/** Reductions of truth values; all values but 0 are true. */
import type { DTypeName } from "../../types/dtype-name.js";
import { kindOf } from "../../types/promote.js";
import type { Reduction } from "../../expression/reduction.js";
import { basics, known } from "./known.js";

/** Whether one is true. */
export function any(dtype: DTypeName): Reduction {
  return known("any", dtype, () => ({
    ...basics("bool", "uchar", 1),
    lift: truth(dtype),
    identity: "0",
    combine: (a, b) => `${a} | ${b}`,
  }));
}

/** Whether all are true. */
export function all(dtype: DTypeName): Reduction {
  return known("all", dtype, () => ({
    ...basics("bool", "uchar", 1),
    lift: truth(dtype),
    identity: "1",
    combine: (a, b) => `${a} & ${b}`,
  }));
}

/** How many are true. */
export function countNonzero(dtype: DTypeName): Reduction {
  return known("countNonzero", dtype, () => ({
    ...basics("int64", "long", 8),
    lift: (value) => `(long)${truth(dtype)(value)}`,
    identity: "0",
    combine: (a, b) => `${a} + ${b}`,
  }));
}

function truth(dtype: DTypeName): (value: string) => string {
  if (kindOf(dtype) === 4) return (value) => `(uchar)(${value}.x != 0 || ${value}.y != 0)`;
  return (value) => `(uchar)(${value} != 0)`;
}
