/** Weighted means. */
import { outOfRange } from "@cl/base";
import type { AnyArray } from "../array/any-array.js";
import { checkArray } from "../array/check-array.js";
import type { DeviceArray } from "../array/device-array.js";
import { apply } from "../array/elementwise.js";
import { operation } from "../expression/build.js";
import { cast, input } from "../expression/expression.js";
import type { DTypeName } from "../types/dtype-name.js";
import { promote, quotientDType } from "../types/promote.js";
import { reduceArray, type ReduceOptions } from "./reduce-array.js";
import { mean, sum } from "./reducers/sums.js";

/** The mean, by weights if there are some. */
export function average<R extends DTypeName>(
  array: AnyArray,
  { weights, axis, keepDims }: Omit<ReduceOptions, "out"> & { readonly weights?: AnyArray | undefined },
): DeviceArray<R> {
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
