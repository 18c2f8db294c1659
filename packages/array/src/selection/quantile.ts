/** Quantiles and medians. */
import { checkBoolean, checkList, checkOptions, describe, outOfRange, sizeOf, wrongType } from "@cl/base";
import { assign } from "../elementwise/assign.js";
import { checkOut, isArray } from "../storage/check-array.js";
import { kernelOf } from "../kernels/kernel-cache.js";
import { launchOrdered, wholeGroups } from "../kernels/launch.js";
import { reducedAxes } from "../reductions/reduce-array.js";
import { sortedLines } from "../sorting/sort-lines.js";
import { Storage } from "../storage/storage.js";
import { checkComputable } from "../types/capabilities.js";
import { kindOf, quotientDType } from "../types/promote.js";
import { complexMedian } from "./complex-median.js";
import { contiguousAs } from "../elementwise/contiguous-as.js";
import { Disposals } from "../storage/disposals.js";
import { orderedType } from "./order-code.js";
import { RankSelection, selectsRanks } from "./rank-selection.js";
import { medianNumber, quantileMethods, type QuantilePlan, quantileSource } from "./quantile-source.js";
import type { AnyArray, ArrayRef, ArraySource } from "../storage/array-ref.js";

/** Method for quantiles between two elements. */
export type QuantileMethod = (typeof quantileMethods)[number];

/** Options of medians. */
export interface MedianOptions {
  /**
   * The axis or axes to reduce.
   * @defaultValue all axes
   */
  readonly axis?: number | readonly number[] | undefined;
  /**
   * If true, reduced axes are kept with length 1.
   * @defaultValue false
   */
  readonly keepDims?: boolean | undefined;
  /**
   * An existing array to store the result in. Its shape must be the result's and its dtype must be able to hold the
   * values.
   * @defaultValue a new array
   */
  readonly out?: AnyArray | undefined;
}

/** Options of quantiles. */
export interface QuantileOptions extends MedianOptions {
  /**
   * Method if the quantile is between two elements: interpolate linearly (`"linear"`), select one of them (`"lower"`,
   * `"higher"`, `"nearest"`) or take their mean (`"midpoint"`).
   * @defaultValue "linear"
   */
  readonly method?: QuantileMethod | undefined;
}

/** What is wanted. */
interface QuantileTask {
  readonly name: string;
  /** Between 0 and 1. */
  readonly fractions: readonly number[];
  /** The shape of those. */
  readonly shape: readonly number[];
  readonly method: number;
  /** True if what is not a number does not count. */
  readonly omit: boolean;
}

/** Quantiles at fractions of a largest one: 1, or 100. */
export function quantile(
  array: ArrayRef,
  given: unknown,
  most: number,
  name: string,
  omit: boolean,
  options: QuantileOptions | undefined,
): ArrayRef {
  const checked = checkOptions(options, ["method", "axis", "keepDims", "out"]);
  const list = typeof given === "number" ? [given] : given;
  const fractions = checkList(list, "q", "a number or a list of numbers").map((one, i) => {
    if (typeof one === "number" && one >= 0 && one <= most) return one / most;
    throw outOfRange(`q${list === given ? `[${i}]` : ""} must be a number from 0 to ${most}, received ${String(one)}`);
  });
  const { method = "linear" } = checked;
  const number = quantileMethods.indexOf(method);
  if (number < 0) {
    throw outOfRange(`options.method must be one of ${quantileMethods.join(", ")}, received ${describe(method)}`);
  }
  return byRank(
    array,
    { name, fractions, shape: list === given ? [fractions.length] : [], method: number, omit },
    checked,
  );
}

/** The middle element, or the mean of both. */
export function median(array: ArrayRef, name: string, omit: boolean, options?: MedianOptions): ArrayRef {
  const checked = checkOptions(options, ["axis", "keepDims", "out"]);
  return byRank(array, { name, fractions: [0.5], shape: [], method: medianNumber, omit }, checked);
}

function byRank(array: ArrayRef, task: QuantileTask, options: MedianOptions): ArrayRef {
  const { xp, shape, ndim } = array;
  const { name, method } = task;
  const dtype = array.dtype.name;
  const isMedian = method === medianNumber;
  if ((kindOf(dtype) === 4 || dtype === "bool") && !isMedian) {
    throw wrongType(`${name} needs real numbers, received ${dtype}`);
  }
  const axes = reducedAxes(options.axis, ndim);
  const keep = checkBoolean(options.keepDims, "options.keepDims", false);
  const kept = shape.map((_, axis) => axis).filter((axis) => !axes.includes(axis));
  const length = sizeOf(axes.map((axis) => shape[axis] as number));
  const lines = sizeOf(kept.map((axis) => shape[axis] as number));
  // Methods that take one of the elements keep its type.
  const picks = method === 1 || method === 2 || method === 4;
  const type = picks ? dtype : quotientDType(dtype);
  const isEmpty = length === 0 && lines > 0;
  if (isEmpty && (kindOf(type) < 3 || !(isMedian || task.omit))) {
    throw outOfRange(`${name} needs at least one element, received shape [${shape.join()}]`);
  }
  checkComputable(xp.queue.device, type, name);
  const resultShape = [...task.shape, ...shape.flatMap((n, axis) => (kept.includes(axis) ? [n] : keep ? [1] : []))];
  const out = options.out === undefined ? undefined : checkOut(options.out, xp, resultShape, type, name);
  using all = new Disposals();
  const isComplex = kindOf(type) === 4;
  const computed = isComplex ? type : orderedType(type);
  const size = task.fractions.length * lines;
  const flat = (): ArrayRef => all.use(all.use(array.transpose([...kept, ...axes])).reshape([lines, length]));
  let found: ArrayRef;
  if (isEmpty) found = all.use(xp.full([size], NaN, { dtype: computed }));
  else if (isComplex && size > 0) found = all.use(complexMedian(flat(), task.omit));
  else {
    found = all.use(xp.empty([size], { dtype: computed }));
    if (size > 0) run(all.use(contiguousAs(flat(), orderedType(dtype))), found, task);
  }
  const shaped = all.use(found.reshape(resultShape));
  if (out !== undefined) {
    assign(out, shaped);
    return out;
  }
  return computed === type ? shaped.slice() : shaped.astype(type);
}

/** From lines that are not in order. */
function run(lines: ArrayRef, found: ArrayRef, task: QuantileTask): void {
  const { xp } = lines;
  const doubles = xp.queue.device.doubleFpConfig !== 0;
  const [count, length] = lines.shape as readonly [number, number];
  using fractions = xp.array([...task.fractions], { dtype: doubles ? "float64" : "float32" });
  const numbers = [BigInt(count), BigInt(length), fractions, BigInt(task.fractions.length), task.method];
  const ranks = 2 * task.fractions.length;
  const launch = (name: string, from: QuantilePlan["from"], items: number, args: readonly unknown[]): void => {
    const plan = { dtype: lines.dtype.name, result: found.dtype.name, doubles, from };
    launchWith(xp, plan, name, items, args);
  };
  const omit = task.omit ? 1 : 0;
  if (!selectsRanks(lines, ranks)) {
    using sorted = sortedLines(lines);
    launch("quantiles", "sorted", found.size, [sorted, ...numbers, omit, found]);
    return;
  }
  using selection = new RankSelection({ lines, descending: false, ranks }, (own) => {
    launch("set_ranks", "picked", found.size, [...numbers, own.nones, own.chunks, own.ranks]);
  });
  using picked = xp.empty([count * ranks], { dtype: lines.dtype });
  selection.takeEach(picked);
  launch("quantiles", "picked", found.size, [picked, ...numbers, selection.nones, selection.chunks, omit, found]);
}

/** The last argument is what is written. */
function launchWith(
  { queue }: ArraySource,
  plan: QuantilePlan,
  name: string,
  items: number,
  args: readonly unknown[],
): void {
  const kernel = kernelOf(queue.context, JSON.stringify(["quantiles", plan]), name, () => quantileSource(plan));
  const own = args.map((one) => (isArray(one) ? one.operand().storage : one));
  const memory = own.filter((one) => one instanceof Storage);
  launchOrdered(
    queue,
    kernel,
    wholeGroups(queue.device, items),
    own.map((one) => (one instanceof Storage ? one.memory : one)),
    memory.slice(0, -1),
    memory.slice(-1),
  );
}
