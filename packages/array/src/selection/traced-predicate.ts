/** Predicates that are functions of arrays: their operators are traced and compiled into the predicate. */
import { wrongType, wrongValue } from "@cl/base";
import { checkArray } from "../storage/check-array.js";
import { traceFunction } from "../fuse/fuse.js";
import { computeType, storedType } from "../kernels/compute-type.js";
import { expressionHead, expressionStatements } from "../kernels/expression-code.js";
import { typeNamed } from "../types/dtype-name.js";
import type { CheckedArguments } from "../user-kernels/kernel-arguments.js";
import type { Parameter } from "../user-kernels/kernel-parameter.js";
import { argumentOf } from "./adjacent-elements.js";
import type { PredicateTexts } from "./predicate-source.js";
import type { AnyArray, ArraySource } from "../storage/array-ref.js";

/** A predicate with its arguments, the array's own in front. */
export interface ReadPredicate {
  readonly texts: PredicateTexts;
  readonly checked: CheckedArguments;
  /** The array's parameter. */
  readonly item: Parameter;
}

/** Runs the function with a stand-in for the array, and reads what it did. */
export function tracePredicate(
  xp: ArraySource,
  array: AnyArray,
  predicate: (...args: never[]) => unknown,
  negate: boolean,
): ReadPredicate {
  const { trace, result } = traceFunction(predicate, xp, [array]);
  if (!("dtype" in result)) throw wrongValue("predicate must return a boolean for each element, received a reduction");
  if (result.dtype !== "bool") throw wrongType(`predicate must return booleans, received ${result.dtype}`);
  const item = arrayParameter(array, "a");
  const sources = trace.sources.map((source, k) => ({ source, name: typeof source === "number" ? "a" : `x${k}_` }));
  const others = sources.flatMap(({ source, name }) => {
    if (typeof source === "number") return [];
    const other = checkArray(source, xp, "an array of the predicate");
    return [argumentOf(other, arrayParameter(other, name))];
  });
  const scalars = trace.scalars.map(({ dtype, value }, k): [Parameter, number | bigint] => [
    { name: `s${k}`, dtype: typeNamed(dtype), cType: computeType(dtype), isArray: false, writes: false },
    value,
  ]);
  const { lines, results } = expressionStatements([result], (index) => {
    const { name, source } = sources[index] as (typeof sources)[number];
    const { dtype } = typeof source === "number" ? array : source;
    return dtype.name === "bool" ? `(uchar)(${name}[i] != 0)` : `${name}[i]`;
  });
  return {
    item,
    texts: {
      parameters: [item, ...others.map(({ parameter }) => parameter), ...scalars.map(([parameter]) => parameter)],
      before: lines.join("\n  "),
      predicate: `${negate ? "!" : ""}${results[0] as string}`,
      preamble: expressionHead([result]),
      types: [],
    },
    checked: {
      arrays: [argumentOf(array, item), ...others],
      // Numbers are of their parameter's type already.
      values: new Map(scalars) as ReadonlyMap<Parameter, unknown> as CheckedArguments["values"],
    },
  };
}

function arrayParameter({ dtype }: AnyArray, name: string): Parameter {
  return { name, dtype, cType: storedType(dtype.name), isArray: true, writes: false };
}
