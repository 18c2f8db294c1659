/** Multidimensional histograms. */
import { checkBoolean, checkOptions, outOfRange, sizeOf, typeError } from "@cl/base";
import { checkArray } from "../storage/check-array.js";
import { bincount, checkWeights } from "./bincount.js";
import { weightType } from "./count-bins.js";
import { Disposals } from "../storage/disposals.js";
import { type BinRangeOptions, type Bins, checkBins, edgesOf, type HistogramOptions, widthsOf } from "./histogram.js";
import { searchsorted } from "./search.js";
import type { AnyArray, ArrayRef, ArraySource } from "../storage/array-ref.js";
import { operators } from "../elementwise/operators.js";
import * as reductions from "../reductions/reduce.js";

/** Options of `histogramdd`. */
export interface HistogramDdOptions extends Omit<HistogramOptions, "range"> {
  /** First and last edge along each axis; undefined for the smallest and largest coordinate. */
  readonly range?: readonly BinRangeOptions["range"][] | undefined;
}

/** Counts, and the edges along each axis. */
export function histogramdd(
  xp: ArraySource,
  sample: readonly AnyArray[],
  bins: number | readonly Bins[] = 10,
  options?: HistogramDdOptions,
): [counts: ArrayRef, edges: ArrayRef[]] {
  const { weights, density, range } = checkOptions(options, ["range", "weights", "density"]);
  if (!Array.isArray(sample) || sample.length === 0) {
    throw typeError("sample", "a list of arrays, one for each axis", sample);
  }
  for (const [k, one] of sample.entries()) {
    const { shape, ndim } = checkArray(one, xp, `sample[${k}]`);
    const length = (sample[0] as AnyArray).shape[0];
    if (ndim === 1 && shape[0] === length) continue;
    throw outOfRange(
      `sample[${k}] must have one axis of ${String(length)} coordinates, received shape [${shape.join()}]`,
    );
  }
  if (weights !== undefined) checkWeights(weights, xp, (sample[0] as AnyArray).shape);
  const dense = checkBoolean(density, "options.density", false);
  checkCount(bins, sample, "bins");
  checkCount(range ?? 0, sample, "options.range");
  const checked = sample.map((one: AnyArray, k) =>
    checkBins(xp, one, typeof bins === "number" ? bins : bins[k], range?.[k], `bins[${k}]`),
  );
  const shape = checked.map(({ count }) => count + 2);
  if (sizeOf(shape) >= 2 ** 31) {
    throw outOfRange(`bins must be fewer in total, received ${checked.map(({ count }) => count).join(" by ")}`);
  }
  const edges: ArrayRef[] = [];
  try {
    using all = new Disposals();
    let flat: ArrayRef | undefined;
    for (const [k, one] of sample.entries()) {
      const own = edgesOf(xp, one as AnyArray, checked[k] as (typeof checked)[number]);
      edges.push(own);
      const place = all.use(binOf(xp, own, one as ArrayRef));
      flat =
        flat === undefined
          ? place
          : (all.use(operators.add(all.use(operators.multiply(flat, shape[k] as number)), place)) as AnyArray);
    }
    const counts = all.use(bincount(xp, flat as ArrayRef, { size: sizeOf(shape), weights }) as ArrayRef);
    const amounts = all.use(counts.astype(weightType(xp)));
    // The first and last bin along each axis count the points outside the range.
    const inner = all.use(all.use(amounts.reshape(shape)).slice(...shape.map(() => "1:-1")));
    return [dense ? densityOf(inner, edges) : inner.copy(), edges];
  } catch (error) {
    for (const one of edges) one.release();
    throw error;
  }
}

/** Counted from 1; 0 before the first edge, and one more than there are bins behind the last. */
function binOf(xp: ArraySource, edges: ArrayRef, coordinates: ArrayRef): ArrayRef {
  using all = new Disposals();
  const place = all.use(searchsorted(xp, edges, coordinates, { side: "right" }));
  // The last bin holds its end.
  const isLast = all.use(operators.equal(coordinates, all.use(edges.slice("-1:"))));
  return operators.subtract(place, isLast) as AnyArray;
}

function densityOf(amounts: ArrayRef, edges: readonly ArrayRef[]): ArrayRef {
  using all = new Disposals();
  let result = all.use(operators.divide(amounts, all.use(reductions.sum(amounts)))) as AnyArray;
  for (const [k, one] of edges.entries()) {
    const widths = all.use(widthsOf(one));
    const turned = all.use(widths.reshape(edges.map((_, axis) => (axis === k ? -1 : 1))));
    result = all.use(operators.divide(result, turned)) as AnyArray;
  }
  return result.slice();
}

function checkCount(value: unknown, sample: readonly unknown[], name: string): void {
  if (typeof value === "number") return;
  if (!Array.isArray(value)) throw typeError(name, "a list with one of each axis", value);
  if (value.length === sample.length) return;
  throw outOfRange(`${name} must have ${sample.length} elements, one for each axis, received ${value.length}`);
}
