/** NumPy's rules that derive the number of bins from statistics of the elements, which the host has to read. */
import { outOfRange } from "@cl/base";
import type { WaitOptions } from "../indexing/index-types.js";
import type { DTypeName } from "../types/dtype-name.js";
import { kindOf, quotientDType } from "../types/promote.js";
import type { AnyArray, ArrayRef } from "../storage/array-ref.js";
import * as reductions from "../reductions/reduce.js";
import { operators } from "../elementwise/operators.js";
import { readMasked } from "../indexing/masks.js";
import { quantile } from "./quantile.js";

/** The rules. */
export const binRules = ["auto", "doane", "fd", "rice", "scott", "sqrt", "stone", "sturges"] as const;

/** Name of a rule that computes the number of bins. */
export type BinRule = (typeof binRules)[number];

/** Counts the elements in a number of equal bins. */
export type CountEven = (numbers: AnyArray, bins: number, range: readonly [number, number]) => ArrayRef;

/** Elements, and what is known of them. */
interface Sample {
  readonly numbers: ArrayRef;
  readonly size: number;
  /** From the least element to the largest. */
  readonly extent: number;
  readonly range: readonly [number, number];
  readonly wait: WaitOptions;
  readonly countEven: CountEven;
}

/** Resolves to the number of bins by a rule. The elements must not be changed in the meantime. */
export async function binsByRule(
  array: ArrayRef,
  rule: BinRule,
  range: readonly [number, number] | undefined,
  wait: WaitOptions,
  countEven: CountEven,
): Promise<number> {
  const own = array.dtype.name;
  // Statistics of halves would overflow.
  const dtype: DTypeName = own === "float16" ? "float32" : quotientDType(own);
  using typed = array.astype(dtype);
  using all = typed.ravel();
  using numbers = range === undefined ? all.slice() : await inside(all, range, wait);
  const { size } = numbers;
  if (size === 0) return 1;
  using least = reductions.min(numbers);
  using largest = reductions.max(numbers);
  const [low, high] = (await Promise.all([least.item(wait), largest.item(wait)])) as [number, number];
  // In the precision of the elements, as NumPy has it: elsewhere a width may come out a little too small for the last bin.
  const difference = (one: number, other: number): number =>
    dtype === "float32" ? Math.fround(one - other) : one - other;
  const extent = difference(high, low);
  if (!Number.isFinite(extent)) {
    throw outOfRange(
      `the elements of a histogram must have a finite range, received ${low} to ${high}; set options.range`,
    );
  }
  const edges = range ?? (low === high ? ([low - 0.5, high + 0.5] as const) : ([low, high] as const));
  let width = await widths[rule]({ numbers, size, extent, range: edges, wait, countEven });
  if (width === 0) return 1;
  // Integer data needs a bin width of at least 1.
  if (kindOf(own) < 3) width = Math.max(width, 1);
  const count = Math.ceil(difference(edges[1], edges[0]) / width);
  if (count <= 2 ** 31 - 2) return count;
  throw outOfRange(`the rule "${rule}" results in too many bins (${count}); pass a number of bins`);
}

async function inside(all: ArrayRef, [low, high]: readonly [number, number], wait: WaitOptions): Promise<ArrayRef> {
  using above = operators.greaterEqual(all, low);
  using below = operators.lessEqual(all, high);
  using both = operators.logicalAnd(above, below);
  return await readMasked(all, [both], wait.signal);
}

type Width = (sample: Sample) => number | Promise<number>;

const sturges: Width = ({ size, extent }) => extent / (Math.log2(size) + 1);

const fd: Width = async ({ numbers, size, wait }) => {
  using both = quantile(numbers, [0.75, 0.25], 1, "quantile", false, undefined);
  const [high, low] = Array.from((await both.data(wait)) as Float64Array) as [number, number];
  return 2 * (high - low) * size ** (-1 / 3);
};

/** The width of a bin by each rule; 0 for one bin. */
const widths: Readonly<Record<BinRule, Width>> = {
  sqrt: ({ size, extent }) => extent / Math.sqrt(size),
  rice: ({ size, extent }) => extent / (2 * size ** (1 / 3)),
  sturges,
  fd,
  auto: async (sample) => {
    const [one, other] = [await fd(sample), await sturges(sample)];
    return one === 0 ? other : Math.min(one, other);
  },
  scott: async ({ numbers, size, wait }) => {
    using deviation = reductions.std(numbers);
    return Math.cbrt((24 * Math.sqrt(Math.PI)) / size) * (await deviation.item(wait));
  },
  doane: async ({ numbers, size, extent, wait }) => {
    if (size <= 2) return 0;
    using deviation = reductions.std(numbers);
    const sigma = await deviation.item(wait);
    if (!(sigma > 0)) return 0;
    using mean = reductions.mean(numbers);
    using apart = operators.subtract(numbers, mean);
    using parts = operators.divide(apart, sigma);
    using squares = operators.multiply(parts, parts);
    using cubes = operators.multiply(squares, parts);
    using skew = reductions.mean(cubes);
    const bound = Math.sqrt((6 * (size - 2)) / ((size + 1) * (size + 3)));
    return extent / (1 + Math.log2(size) + Math.log2(1 + Math.abs((await skew.item(wait)) as number) / bound));
  },
  stone,
};

/** The number of bins, of all up to a few, whose histogram would err least. */
async function stone({ numbers, size, extent, range, wait, countEven }: Sample): Promise<number> {
  if (size <= 1 || extent === 0) return 0;
  let [best, least] = [1, Infinity];
  for (let bins = 1; bins <= Math.max(100, Math.floor(Math.sqrt(size))); bins++) {
    using counts = countEven(numbers, bins, range);
    const parts = Array.from((await counts.data(wait)) as BigInt64Array, (count) => Number(count) / size);
    const squares = parts.reduce((sum, part) => sum + part * part, 0);
    const error = (2 - (size + 1) * squares) / (extent / bins);
    if (error < least) [best, least] = [bins, error];
  }
  return extent / best;
}
