/** A cache of reductions, and the code that most of them share. */
import { computeType } from "../../kernels/compute-type.js";
import { type DTypeName, typeNamed } from "../../types/dtype-name.js";
import { kindOf } from "../../types/promote.js";
import type { Reduction } from "../../expression/reduction.js";

/** Returns the reduction of elements of a dtype. */
export type ReductionOf = (dtype: DTypeName) => Reduction;

const cache = new Map<string, Reduction>();

/** The same object for the same name and type. */
export function known(name: string, dtype: DTypeName, make: () => Omit<Reduction, "name" | "key">): Reduction {
  const key = `${name}:${dtype}`;
  let reduction = cache.get(key);
  if (reduction === undefined) cache.set(key, (reduction = { ...make(), name, key }));
  return reduction;
}

/** What is said once for most reductions of elements of a type. */
export function basics(
  dtype: DTypeName,
  accumulator: string,
  accumulatorBytes: number,
): Omit<Reduction, "name" | "key" | "identity" | "combine"> {
  return {
    functions: "",
    accumulator,
    accumulatorBytes,
    doubles: typeNamed(dtype).base.name === "float64",
    lift: (value) => value,
    finish: (value) => value,
    result: dtype,
    vectors: kindOf(dtype) === 3,
    indexed: false,
  };
}

/** How many bytes a variable with such an element has. */
export function computeBytes(dtype: DTypeName): number {
  return computeType(dtype) === "float" ? 4 : typeNamed(dtype).itemSize;
}
