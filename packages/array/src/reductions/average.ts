/** Weighted means. */
import { outOfRange } from "@cl/base";
import { checkArray } from "../storage/check-array.js";
import { apply } from "../elementwise/elementwise.js";
import { operation } from "../expression/build.js";
import { cast, input } from "../expression/expression.js";
import type { DTypeName } from "../types/dtype-name.js";
import { promote, quotientDType } from "../types/promote.js";
import { reduceArray } from "./reduce-array.js";
import { mean, sum } from "./reducers/sums.js";
import type { AnyArray, ArrayRef } from "../storage/array-ref.js";
import type { ReduceOptions } from "../expression/passes.js";

/** Options of weighted means. */
export interface AverageOptions<W extends DTypeName> extends Omit<ReduceOptions, "out"> {
  /** Weight of each element: an array of the same shape, or of one axis for the axis that is averaged over. */
  readonly weights?: ArrayRef<W> | undefined;
}

/** The mean, by weights if there are some. */
export function average<R extends DTypeName>(
  array: AnyArray,
  { weights, axis, keepDims }: Omit<ReduceOptions, "out"> & { readonly weights?: AnyArray | undefined },
): ArrayRef<R> {
  const options = { axis, keepDims };
  if (weights === undefined) {
    const dtype = quotientDType(array.dtype.name);
    return reduceArray(
      { reduction: mean(dtype), value: cast(input(0, array.dtype.name), dtype), inputs: [array] },
      options,
    );
  }
  const own = checkArray(weights, array.xp, "options.weights");
  const dtype = quotientDType(promote(array.dtype.name, own.dtype.name));
  using placed = alongAxis(own, array, axis);
  const first = cast(input(0, array.dtype.name), dtype);
  const second = cast(input(1, own.dtype.name), dtype);
  const inputs = [array, placed] as const;
  using total = reduceArray(
    { reduction: sum(dtype), value: operation("multiply", [first, second], []), inputs },
    options,
  );
  using weight = reduceArray({ reduction: sum(dtype), value: second, inputs }, options);
  return apply("divide", [total, weight], undefined);
}

/** The weights with the array's axes. */
function alongAxis(weights: AnyArray, array: AnyArray, axis: ReduceOptions["axis"]): AnyArray {
  if (String(weights.shape) === String(array.shape)) return weights.slice("...");
  if (typeof axis !== "number" || weights.ndim !== 1 || weights.size !== array.shape.at(axis)) {
    throw outOfRange(
      `options.weights must have the shape [${array.shape.join()}] of the array, or one axis of the length of options.axis, received [${weights.shape.join()}]`,
    );
  }
  const place = axis < 0 ? axis + array.ndim : axis;
  return weights.slice(...array.shape.map((_, one) => (one === place ? ":" : null)));
}
