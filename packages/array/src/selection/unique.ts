/** Sorted unique values. */
import { checkBoolean, checkOptions, checkSignal, outOfRange } from "@cl/base";
import { runWhenBuilt } from "../lazy/run-when-built.js";
import { checkArray } from "../storage/check-array.js";
import { checkAxis } from "../shapes/check-axes.js";
import type { WaitOptions } from "../indexing/index-types.js";
import { rankedLines, sortedLines } from "../sorting/sort-lines.js";
import { typeNamed } from "../types/dtype-name.js";
import type { Parameter } from "../user-kernels/kernel-parameter.js";
import { itemParameter } from "./copy-if.js";
import { Disposals } from "../storage/disposals.js";
import { stored, targetOf, valuesEmission } from "./kept-values.js";
import { argumentOf, equality, startsRun, valueType } from "./adjacent-elements.js";
import { PredicateRead } from "./predicate-read.js";
import type { PredicateEmission, PredicateTexts } from "./predicate-source.js";
import type { AnyArray, ArrayRef, ArraySource } from "../storage/array-ref.js";
import { operators } from "../elementwise/operators.js";
import { take } from "../indexing/take.js";
import { fill } from "../elementwise/assign.js";
import { range } from "../creation/range.js";

/** What `unique` returns in addition to the values. */
export interface UniqueOptions extends WaitOptions {
  /** If true, also returns the index of the first element of each value. */
  readonly returnIndex?: boolean;
  /** If true, also returns the index of each element's value. */
  readonly returnInverse?: boolean;
  /** If true, also returns the number of elements of each value. */
  readonly returnCounts?: boolean;
  /**
   * Whether all NaN count as one value.
   * @defaultValue true
   */
  readonly equalNan?: boolean;
  /**
   * An axis along which whole subarrays are compared.
   * @defaultValue the array is flattened
   */
  readonly axis?: number;
}

/** What is wanted, checked. */
interface Wanted {
  readonly index: boolean;
  readonly inverse: boolean;
  readonly counts: boolean;
  readonly alike: boolean;
}

/** All that may be wanted. */
interface Parts {
  readonly values: ArrayRef;
  readonly index: ArrayRef | undefined;
  readonly inverse: ArrayRef | undefined;
  readonly counts: ArrayRef | undefined;
}

/** All different values, in order. */
export async function unique(
  xp: ArraySource,
  array: AnyArray,
  options: UniqueOptions | undefined,
): Promise<ArrayRef | Partial<Parts>> {
  const { returnIndex, returnInverse, returnCounts, equalNan, axis, signal } = checkOptions(options, [
    "returnIndex",
    "returnInverse",
    "returnCounts",
    "equalNan",
    "axis",
    "signal",
  ]);
  checkArray(array, xp, "array");
  const wanted: Wanted = {
    index: checkBoolean(returnIndex, "options.returnIndex", false),
    inverse: checkBoolean(returnInverse, "options.returnInverse", false),
    counts: checkBoolean(returnCounts, "options.returnCounts", false),
    alike: checkBoolean(equalNan, "options.equalNan", true),
  };
  checkSignal(signal);
  const along = axis === undefined ? undefined : checkAxis(axis, array.ndim, "options.axis");
  if (array.size > maxElements) {
    throw outOfRange(`unique supports at most ${maxElements} elements, received shape [${array.shape.join()}]`);
  }
  signal?.throwIfAborted();
  const own = array;
  const parts = await (along === undefined || array.ndim === 1
    ? uniqueElements(own, wanted, signal)
    : uniqueSlices(own, along, wanted, signal));
  if (!wanted.index && !wanted.inverse && !wanted.counts) return parts.values;
  return Object.fromEntries(Object.entries(parts).filter(([, one]) => one !== undefined));
}

/** Places are counted in 32 bits. */
const maxElements = 2 ** 31 - 2 ** 20;

async function uniqueElements(array: ArrayRef, wanted: Wanted, signal: AbortSignal | undefined): Promise<Parts> {
  const { xp, dtype, shape, size } = array;
  using all = new Disposals();
  const flat = all.use(array.ravel());
  const line = all.use(flat.isContiguous ? flat.slice() : flat.copy());
  const ranked = wanted.index || wanted.inverse ? all.use(rankedLines(line)) : undefined;
  const sorted = ranked?.values ?? all.use(sortedLines(line));
  const item = itemParameter(sorted, "items_");
  const texts = { parameters: [item], ...startsRun(item, equality(dtype.name, wanted.alike)), preamble: "", types: [] };
  const read = all.use(new PredicateRead(xp, texts, { arrays: [argumentOf(sorted, item)], values: new Map() }));
  const count = await read.total().value(signal);
  // Awaited, since what it reads is released at the end.
  return await runWhenBuilt(() =>
    written(read, item, xp.empty([count], { dtype }), ranked?.indices, wanted, shape, size),
  );
}

/** Slices along an axis are put in order by one column after the other, from the last to the first. */
async function uniqueSlices(
  array: ArrayRef,
  axis: number,
  wanted: Wanted,
  signal: AbortSignal | undefined,
): Promise<Parts> {
  const { xp, dtype } = array;
  using all = new Disposals();
  // It is read again when it is known which slices are kept.
  all.defer(array.operand().storage.ordering.promise());
  const moved = all.use(array.moveaxis(axis, 0));
  const rows = moved.shape[0] as number;
  const width = rows === 0 ? 0 : moved.size / rows;
  const table = all.use(moved.reshape([rows, width]));
  let order = all.use(range(xp, 0, rows, 1, typeNamed("int32")));
  for (let column = rows === 0 ? -1 : width - 1; column >= 0; column--) {
    using key = table.slice(":", column);
    using arranged = take(key, order);
    using ranked = rankedLines(arranged);
    order = all.use(take(order, ranked.indices));
  }
  const sorted = all.use(take(table, order, { axis: 0 }));
  const item = itemParameter(sorted, "items_");
  const number = itemParameter(order, "order_");
  const extent: Parameter = { ...number, name: "width_", isArray: false };
  const texts: PredicateTexts = {
    parameters: [number, item, extent],
    before: `int differs = i == 0;
  for (int k = 0; k < width_ && !differs; k++) {
    const ${valueType(item)} a = items_[(i - 1) * width_ + k], b = items_[i * width_ + k];
    differs = !(${equality(dtype.name, wanted.alike)});
  }`,
    predicate: "differs",
    preamble: "",
    types: [],
  };
  const arrays = [argumentOf(order, number), argumentOf(sorted, item)];
  const read = all.use(new PredicateRead(xp, texts, { arrays, values: new Map([[extent, width as never]]) }));
  const count = await read.total().value(signal);
  return await runWhenBuilt(() => {
    using places = xp.empty([count], { dtype: "int32" });
    const parts = written(read, number, places, order, wanted, [rows], rows);
    try {
      using kept = take(moved, places, { axis: 0 });
      using turned = kept.moveaxis(0, axis);
      return { ...parts, values: turned.copy() };
    } catch (error) {
      for (const one of [parts.index, parts.inverse, parts.counts]) one?.release();
      throw error;
    }
  });
}

/** Enqueues what is wanted, of the runs that were counted. `order` says from where each element of them comes. */
function written(
  read: PredicateRead,
  item: Parameter,
  values: ArrayRef,
  order: ArrayRef<"int32"> | undefined,
  wanted: Wanted,
  shape: readonly number[],
  size: number,
): Parts {
  const { xp } = read;
  const count = values.size;
  const made: ArrayRef[] = [values];
  const long = (extents: readonly number[]): ArrayRef => {
    const array: AnyArray = xp.empty(extents, { dtype: "int64" });
    made.push(array);
    return array;
  };
  try {
    using firsts = wanted.counts ? xp.empty([count + 1], { dtype: "int64" }) : undefined;
    const index = wanted.index ? long([count]) : undefined;
    const inverse = wanted.inverse ? long(shape) : undefined;
    const plain = index === undefined && inverse === undefined && firsts === undefined;
    const targets = [values, ...(plain ? [] : [index, inverse, firsts])];
    const there = targets.map((one) => (one === undefined || one.size === 0 ? undefined : one.operand().storage));
    const from = order === undefined || order.size === 0 ? undefined : order.operand().storage;
    read.write(
      plain ? valuesEmission(item) : partsEmission(item),
      count,
      [...(plain ? [] : [from?.memory ?? null]), ...there.map((one) => one?.memory ?? null)],
      from === undefined ? [] : [from],
      there.filter((one) => one !== undefined),
    );
    return { values, index, inverse, counts: firsts === undefined ? undefined : countsOf(firsts, size) };
  } catch (error) {
    for (const one of made) one.release();
    throw error;
  }
}

/** From the first of each run to the next. */
function countsOf(firsts: ArrayRef<"int64">, size: number): ArrayRef {
  using last = firsts.slice("-1:");
  fill(last, BigInt(size));
  using high = firsts.slice("1:");
  using low = firsts.slice(":-1");
  return operators.subtract(high, low) as AnyArray;
}

/** The parts that are kept; null for the others. */
function partsEmission(item: Parameter): PredicateEmission {
  return {
    parameters: [
      "__global const int *const origin_",
      targetOf(item),
      "__global long *const index_",
      "__global long *const inverse_",
      "__global long *const firsts_",
    ],
    item,
    kept: `${stored(item, "at")}
      if (index_) index_[at] = origin_[n];
      if (inverse_) inverse_[origin_[n]] = at;
      if (firsts_) firsts_[at] = n;`,
    other: "if (inverse_) inverse_[origin_[n]] = at - 1;",
  };
}
