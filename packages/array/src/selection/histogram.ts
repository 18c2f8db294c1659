/** Histograms: counts of elements between edges. */
import {
  checkBoolean,
  checkInteger,
  checkOptions,
  checkSignal,
  outOfRange,
  rangeError,
  wrongType,
  wrongValue,
} from "@cl/base";
import type { Nested, TypedArray } from "@cl/core";
import { checkArray, isArray } from "../storage/check-array.js";
import { filled } from "../storage/filled.js";
import { faultNotes } from "../faults/device-faults.js";
import { kernelOf } from "../kernels/kernel-cache.js";
import { launchOrdered, wholeGroups } from "../kernels/launch.js";
import { checkComputable } from "../types/capabilities.js";
import type { DTypeName } from "../types/dtype-name.js";
import { kindOf, promote, quotientDType } from "../types/promote.js";
import type { WaitOptions } from "../indexing/index-types.js";
import { binRules, binsByRule } from "./bin-rules.js";
import { checkWeights } from "./bincount.js";
import { edgesSource } from "./bins-source.js";
import { contiguousAs } from "../elementwise/contiguous-as.js";
import { countBins } from "./count-bins.js";
import { orderedType } from "./order-code.js";
import { checkMonotonic } from "./search.js";
import type { AnyArray, ArrayRef, ArraySource } from "../storage/array-ref.js";
import * as reductions from "../reductions/reduce.js";
import { operators } from "../elementwise/operators.js";

/** Number of bins of equal width, or the bin edges, one more than there are bins. */
export type Bins = number | AnyArray | readonly number[] | TypedArray;

/** Range of bins of equal width. */
export interface BinRangeOptions {
  /**
   * First and last edge. Elements outside are ignored.
   * @defaultValue the smallest and the largest element
   */
  readonly range?: readonly [low: number, high: number] | undefined;
}

/** Options of `histogram`. */
export interface HistogramOptions extends BinRangeOptions {
  /**
   * Weight of each element: an array of the elements' shape.
   * @defaultValue 1 for each element
   */
  readonly weights?: AnyArray | undefined;
  /** If true, returns the probability density: the counts divided by their sum and the bin widths. */
  readonly density?: boolean | undefined;
}

/** Bins of an array, checked. */
export interface CheckedBins {
  readonly count: number;
  readonly given: AnyArray | readonly number[] | TypedArray | undefined;
  readonly range: readonly [number, number] | undefined;
  /** The type of the edges, where they are made here. */
  readonly type: DTypeName;
}

/** Counts and edges. */
export function histogram(
  xp: ArraySource,
  array: AnyArray,
  bins: Bins = 10,
  options?: HistogramOptions,
): [ArrayRef, ArrayRef] {
  const { weights, density, range } = checkOptions(options, ["weights", "density", "range"]);
  checkArray(array, xp, "array");
  if (weights !== undefined) checkWeights(weights, xp, array.shape);
  const dense = checkBoolean(density, "options.density", false);
  const checked = checkBins(xp, array, bins, range, "bins");
  const edges = edgesOf(xp, array, checked);
  try {
    using counts = counted(xp, array, edges, checked.given === undefined, weights);
    return [dense ? densityOf(counts, edges) : counts.slice(), edges];
  } catch (error) {
    edges.release();
    throw error;
  }
}

/** Checks, and resolves to counts and edges once the elements have said how many bins there are. */
export function histogramByRule(
  xp: ArraySource,
  array: AnyArray,
  rule: unknown,
  options?: HistogramOptions & WaitOptions,
): Promise<[ArrayRef, ArrayRef]> {
  const { weights, density, range } = checkOptions(options, ["weights", "density", "range", "signal"]);
  if (weights !== undefined) {
    throw wrongValue("options.weights cannot be combined with a bin rule; pass a number of bins");
  }
  checkBoolean(density, "options.density", false);
  return ruled(xp, array, rule, options, (elements, bins) => histogram(xp, elements, bins, { density, range }));
}

/** The same for the edges alone. */
export function edgesByRule(
  xp: ArraySource,
  array: AnyArray,
  rule: unknown,
  options?: BinRangeOptions & WaitOptions,
): Promise<ArrayRef> {
  const { range } = checkOptions(options, ["range", "signal"]);
  return ruled(xp, array, rule, options, (elements, bins) => histogramBinEdges(xp, elements, bins, { range }));
}

function ruled<R>(
  xp: ArraySource,
  array: AnyArray,
  given: unknown,
  options: (BinRangeOptions & WaitOptions) | undefined,
  make: (elements: ArrayRef, bins: number) => R,
): Promise<R> {
  checkArray(array, xp, "array");
  const rule = binRules.find((one) => one === given);
  if (rule === undefined) throw rangeError("bins", `a number, edges, or one of ${binRules.join(", ")}`, given);
  const signal = checkSignal(options?.signal);
  const { range } = checkBins(xp, array, 1, options?.range, "bins");
  const wait = signal === undefined ? {} : { signal };
  return (async () => {
    signal?.throwIfAborted();
    using elements = array.slice();
    // It is read again when the number is known.
    const unlock = elements.operand().storage.ordering.promise();
    try {
      const bins = await binsByRule(elements, rule, range, wait, (numbers, count, limits) => {
        const [counts, edges] = histogram(xp, numbers, count, { range: limits });
        edges.release();
        return counts;
      });
      return make(elements, bins);
    } finally {
      unlock();
    }
  })();
}

/** The edges alone. */
export function histogramBinEdges(
  xp: ArraySource,
  array: AnyArray,
  bins: Bins = 10,
  options?: BinRangeOptions,
): ArrayRef {
  const { range } = checkOptions(options, ["range"]);
  return edgesOf(xp, checkArray(array, xp, "array"), checkBins(xp, array, bins, range, "bins"));
}

/** Checks bins for an array, before anything is enqueued. */
export function checkBins(
  xp: ArraySource,
  array: AnyArray,
  bins: unknown,
  range: BinRangeOptions["range"],
  name: string,
): CheckedBins {
  const dtype = array.dtype.name;
  if (kindOf(dtype) === 4) throw wrongType(`a histogram needs real numbers, received ${dtype}`);
  const limits = range === undefined ? undefined : checkRange(range);
  if (typeof bins === "number") {
    const count = checkInteger(bins, name, 1, 2 ** 31 - 2);
    const type = quotientDType(dtype);
    checkComputable(xp.queue.device, type, "histogram");
    return { count, given: undefined, range: limits, type };
  }
  if (isArray(bins)) {
    const { ndim, size, shape, dtype: own } = checkArray(bins, xp, name);
    if (ndim !== 1 || size < 2) {
      throw outOfRange(`${name} must have one axis of at least two edges, received shape [${shape.join()}]`);
    }
    if (kindOf(own.name) === 4) throw wrongType(`${name} must be real numbers, received complex numbers`);
    checkComputable(xp.queue.device, promote(dtype, own.name), "histogram");
    return { count: size - 1, given: bins, range: undefined, type: own.name };
  }
  checkMonotonic(bins, name, "rising");
  const { length } = bins as readonly number[];
  if (!(length >= 2)) throw outOfRange(`${name} must be at least two edges, or a number of bins`);
  const type = ArrayBuffer.isView(bins) ? undefined : hostType(xp, dtype);
  return { count: length - 1, given: bins as readonly number[], range: undefined, type: type ?? dtype };
}

/** Edges that the host computes are float64, as in NumPy, or float32 if the device has no float64. */
function hostType({ queue: { device } }: ArraySource, dtype: DTypeName): DTypeName {
  if (device.doubleFpConfig !== 0) return "float64";
  checkComputable(device, quotientDType(dtype), "histogram");
  return "float32";
}

function checkRange(range: unknown): readonly [number, number] {
  const [low, high] = Array.isArray(range) && range.length === 2 ? (range as readonly unknown[]) : [];
  if (typeof low !== "number" || typeof high !== "number" || !Number.isFinite(low) || !Number.isFinite(high)) {
    throw wrongValue("options.range must be two finite numbers, [first edge, last edge]");
  }
  if (low > high) throw outOfRange(`options.range must be increasing, received [${low}, ${high}]`);
  return low === high ? [low - 0.5, high + 0.5] : [low, high];
}

/** The edges, in new memory. */
export function edgesOf(xp: ArraySource, array: AnyArray, { count, given, range, type }: CheckedBins): ArrayRef {
  if (given !== undefined) {
    if (isArray(given)) return given.copy();
    if (ArrayBuffer.isView(given)) return xp.array(given) as AnyArray;
    return xp.array(given as Nested, { dtype: type });
  }
  if (range !== undefined) return evenEdges(xp, range, count, type);
  return filled(xp.empty([count + 1], { dtype: type }), (edges) => rangeEdges(xp, array, edges));
}

function evenEdges(xp: ArraySource, [low, high]: readonly [number, number], count: number, type: DTypeName): ArrayRef {
  const least = type === "float64" ? high - low : Math.fround(Math.fround(high) - Math.fround(low));
  if (!Number.isFinite(least)) {
    throw outOfRange(`options.range must have a width that ${type} can represent, received [${low}, ${high}]`);
  }
  const step = (high - low) / count;
  const edge = (_: unknown, k: number): number => (k === count ? high : low + k * step);
  if (type === "float64") return xp.fromHost(Float64Array.from({ length: count + 1 }, edge)) as AnyArray;
  const single = xp.fromHost(Float32Array.from({ length: count + 1 }, edge));
  if (type === "float32") return single;
  using longer = single;
  return longer.astype(type);
}

/** From the least element to the largest, without waiting for them. */
function rangeEdges(xp: ArraySource, array: ArrayRef, edges: ArrayRef): void {
  const { queue } = xp;
  const doubles = queue.device.doubleFpConfig !== 0;
  const empty = array.size === 0;
  // Booleans count as 0 and 1.
  using numbers = array.dtype.name === "bool" ? array.astype("uint8") : array.slice();
  using least = empty ? xp.zeros([], { dtype: numbers.dtype.name }) : reductions.min(numbers);
  using largest = empty ? xp.zeros([], { dtype: numbers.dtype.name }) : reductions.max(numbers);
  const [from, of] = [numbers.dtype.name, edges.dtype.name];
  const key = `edges ${from} ${of} ${String(doubles)}`;
  const kernel = kernelOf(queue.context, key, "make_edges", () => edgesSource(from, of, doubles));
  const [low, high, target] = [least.operand().storage, largest.operand().storage, edges.operand().storage];
  const notes = faultNotes(xp);
  launchOrdered(
    queue,
    kernel,
    wholeGroups(queue.device, edges.size),
    [low.memory, high.memory, target.memory, edges.size - 1, empty ? 1 : 0, notes.memory],
    [low, high, notes],
    [target],
  );
}

/** The counts, in the type of the weights. */
function counted(
  xp: ArraySource,
  array: AnyArray,
  edges: ArrayRef,
  even: boolean,
  weights: AnyArray | undefined,
): ArrayRef {
  using numbers = array.dtype.name === "bool" ? array.astype("uint8") : undefined;
  const own = numbers ?? array;
  using elements = contiguousAs(own, own.dtype.name);
  using places = contiguousAs(edges, orderedType(promote(own.dtype.name, edges.dtype.name)));
  const counts = countBins(xp, { elements, bins: edges.size - 1, edges: { array: places, even }, weights });
  if (weights === undefined || weights.dtype === counts.dtype) return counts;
  using sums = counts;
  return sums.astype(weights.dtype.name);
}

/** By the bins' widths, and by the sum. */
function densityOf(counts: ArrayRef, edges: ArrayRef): ArrayRef {
  using widths = widthsOf(edges);
  using amounts = counts.astype(widths.dtype.name);
  using sum = reductions.sum(amounts);
  using perWidth = operators.divide(amounts, widths);
  return operators.divide(perWidth, sum) as AnyArray;
}

/** From each edge to the next: float64 where the device has it. */
export function widthsOf(edges: ArrayRef): ArrayRef {
  const type = edges.xp.queue.device.doubleFpConfig === 0 ? "float32" : "float64";
  using places = contiguousAs(edges, type);
  using high = places.slice("1:");
  using low = places.slice(":-1");
  return operators.subtract(high, low) as AnyArray;
}
