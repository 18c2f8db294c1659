/** Stores of values at indices of the flattened array; values are repeated if there are too few. */
import { type IndexArray, selectAlong } from "./along-axis.js";
import { scatter } from "./scatter.js";
import type { AnyArray } from "../storage/array-ref.js";

/** Whole rounds of the values are one launch, since they are rows of the indices; what is left of a round is another. */
export function put(array: AnyArray, { array: indices, mode }: IndexArray, values: AnyArray): void {
  const count = indices.size;
  if (count === 0 || values.size === 0) return;
  using list = indices.ravel();
  using all = values.ravel();
  const rounds = Math.floor(count / all.size);
  const store = (some: AnyArray, given: AnyArray): void => {
    scatter(
      array,
      selectAlong(array, { array: some, mode, [Symbol.dispose]: () => undefined }, undefined),
      given,
      "scatter",
    );
  };
  if (rounds > 0) {
    using some = list.slice([0, rounds * all.size]);
    using rows = some.reshape([rounds, all.size]);
    store(rows, all);
  }
  if (count > rounds * all.size) {
    using some = list.slice([rounds * all.size, count]);
    using rest = all.slice([0, some.size]);
    store(some, rest);
  }
}
