/** OpenCL C fragments that all kernels of reductions share. */
import { computeType, converted, loaded, stored, storedType } from "../kernels/compute-type.js";
import type { DTypeName } from "../types/dtype-name.js";
import type { ReductionPlan } from "./reduction-plan.js";

/** The parameters of `reduce`. */
export function parametersOf({ inputs, combining, target, parameters }: ReductionPlan): string {
  return [
    ...inputs.map((type, k) => `__global const ${storedType(type)} *const in${k}`),
    ...(combining === "nothing" ? [] : ["__global Accumulator *const partial"]),
    ...(combining === "last" ? ["volatile __global int *const done"] : []),
    ...(combining === "kernel" ? [] : [resultParameter(target)]),
    ...parameters,
    "const Places places",
  ].join(", ");
}

/** The parameter for the results. */
export function resultParameter(target: DTypeName | undefined): string {
  return `__global ${target === undefined ? "Accumulator" : storedType(target)} *const out`;
}

/** An element as an accumulator. Inputs are loaded from the places that `at` names, unless `load` has them. */
export function mapped(
  { inputs, names }: ReductionPlan,
  at: (input: number) => string,
  index: string,
  load?: (input: number) => string | undefined,
): string {
  const elements = inputs.map((type, k) => load?.(k) ?? loaded(type, `in${k}`, at(k)));
  return `reduction_map(${[...elements, ...names, index].join(", ")})`;
}

/** Returns the offset of the `i`-th adjacent element of an input along the inner loop. */
export function along({ steps, orientation }: ReductionPlan, input: number, i: string): string {
  if (steps[input] === 0) return "";
  if (steps[input] === 1) return ` + ${i}`;
  return ` + (${i}) * places.${orientation === "rows" ? "stride" : "kept_stride"}[${input}][0]`;
}

/** Stores what there is of result `k`: all of it, or a part. */
export function store(plan: ReductionPlan, accumulator: string, k: string, at: string): string {
  if (plan.combining === "nothing") return storeResult(plan, accumulator, at);
  return `partial[part * places.outputs + ${k}] = ${accumulator};`;
}

/** Stores the result of a complete accumulator, as the type of the target. */
export function storeResult({ reduction, target }: ReductionPlan, accumulator: string, at: string): string {
  if (target === undefined) return `out[${at}] = ${accumulator};`;
  const conversion = target === "float16" ? "(float)finished" : converted(reduction.result, target, "finished");
  return `{
    const ${computeType(reduction.result)} finished = ${reduction.finish(accumulator, "places.count")};
    ${stored(target, "out", at, reduction.result === target ? "finished" : conversion)}
  }`;
}

/** Combines all of them in pairs. */
export function folded(names: readonly string[]): string {
  if (names.length === 1) return names[0] as string;
  const half = Math.ceil(names.length / 2);
  return `reduction_combine(${folded(names.slice(0, half))}, ${folded(names.slice(half))})`;
}
