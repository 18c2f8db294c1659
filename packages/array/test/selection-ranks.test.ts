/** Unique values, sets, quantiles and topk compared with NumPy, for a fixed and a fresh seed. */
import type { AnyArray, DeviceArray, DTypeName } from "@cl/array";
import { beforeEach, describe, expect, test } from "vitest";

import { needs } from "@cl/base/testing";
import { hasDoubles, xp } from "./support/device.js";
import { untriedSeed } from "./support/untried-seed.js";
import { sample, testsEveryCase } from "@cl/testing/level";
import { errorLike } from "@cl/testing/error-like";
import { hasNumPy } from "./support/numpy.js";
import { Draw, type EvalCase, evalDifferences } from "./support/numpy-eval.js";

const everyCase = testsEveryCase(import.meta.url);

const types: readonly DTypeName[] = [
  "bool",
  "int8",
  "uint16",
  "int32",
  "int64",
  "float16",
  "float32",
  "complex64",
  ...(hasDoubles ? (["float64"] as const) : []),
];
const seeds = sample([20_261_123, untriedSeed()], 1);

interface Comparison {
  readonly ours: AnyArray | Promise<AnyArray>;
  readonly theirs: string;
}

async function differences(comparisons: readonly Comparison[], close = 0): Promise<readonly string[]> {
  const cases: EvalCase[] = [];
  for (const { ours, theirs } of comparisons) {
    const array = await ours;
    cases.push({ ours: () => array, theirs });
  }
  const faults = await evalDifferences(cases, close);
  return faults.map((fault) => fault.slice(0, 700));
}

interface Pair {
  readonly ours: DeviceArray;
  readonly theirs: string;
}

/** Repeated numbers, some of them NaN, in some layout. */
function drawn(draw: Draw, shape: readonly number[], dtype: DTypeName, none = false): Pair {
  const size = shape.reduce((a, b) => a * b, 1);
  const [step, start, most] = [draw.integer(1, 9973), draw.integer(0, 99), draw.of([3, 20, 90])];
  const numbers = Float32Array.from({ length: size }, (_, i) => ((i * step + start) % most) - 1);
  const floats = dtype.startsWith("float") || dtype.startsWith("complex");
  const positive = dtype.startsWith("u") || dtype === "bool";
  using plain = xp.fromHost(positive ? numbers.map((one) => one + 1) : numbers, { shape });
  let ours: DeviceArray = none && floats ? xp.where(plain.equal(0), NaN, plain).astype(dtype) : plain.astype(dtype);
  let theirs = `((np.arange(${size}) * ${step} + ${start}) % ${most} - ${positive ? 0 : 1}).astype("float32")`;
  if (none && floats) theirs = `(lambda x: np.where(x == 0, np.float32(np.nan), x))(${theirs})`;
  theirs = `${theirs}.astype("${dtype}").reshape([${shape.join()}])`;
  const layout = draw.integer(0, 2);
  if (layout === 1) [ours, theirs] = [ours.slice("::-1"), `${theirs}[::-1]`];
  if (layout === 2 && shape.length > 1) [ours, theirs] = [ours.T, `${theirs}.T`];
  return { ours, theirs };
}

describe("compared with NumPy", () => {
  beforeEach((run) => {
    needs(run, hasNumPy, "NumPy is not installed (apt install python3-numpy)");
  });

  test.each(seeds)(
    "unique returns values, first indices, inverse indices and counts, seed %i",
    { timeout: 240_000 },
    async (seed) => {
      const draw = new Draw(seed);
      const comparisons: Comparison[] = [];
      for (const dtype of everyCase ? types : [draw.of(types)]) {
        for (const size of [0, 1, 2, draw.of([255, 257, 1023, 4091, 4096, 4101, 20_000])]) {
          const a = drawn(draw, size > 300 ? [size] : draw.of([[size], [1, size]]), dtype, draw.integer(0, 1) === 1);
          const result = await xp.unique(a.ours, { returnIndex: true, returnInverse: true, returnCounts: true });
          const { values, index, inverse, counts } = result;
          const theirs = (k: number): string => `np.unique(${a.theirs}, True, True, True)[${k}]`;
          comparisons.push(
            { ours: xp.unique(a.ours), theirs: theirs(0) },
            { ours: values, theirs: theirs(0) },
            { ours: index, theirs: theirs(1) },
            // Since NumPy 2 they have the shape of the array.
            { ours: inverse.ravel(), theirs: `np.ravel(${theirs(2)})` },
            { ours: counts, theirs: theirs(3) },
          );
        }
      }
      expect(await differences(comparisons)).toEqual([]);
    },
  );

  test.each(seeds)("unique along an axis compares slices, seed %i", { timeout: 240_000 }, async (seed) => {
    const draw = new Draw(seed);
    const comparisons: Comparison[] = [];
    for (const shape of [
      [7, 3],
      [300, 2],
      [4, 5, 2],
      [1, 4],
    ]) {
      const a = drawn(draw, shape, draw.of(["int8", "float32"] as const));
      const axis = draw.integer(-shape.length, shape.length - 1);
      const { values, index, inverse, counts } = await xp.unique(a.ours, {
        axis,
        returnIndex: true,
        returnInverse: true,
        returnCounts: true,
      });
      const theirs = `np.unique(${a.theirs}, True, True, True, axis=${axis})`;
      for (const [k, ours] of [values, index, inverse.ravel(), counts].entries()) {
        comparisons.push({ ours, theirs: k === 2 ? `${theirs}[2].ravel()` : `${theirs}[${k}]` });
      }
    }
    expect(await differences(comparisons)).toEqual([]);
  });

  test.each(seeds)("set operations match, seed %i", { timeout: 240_000 }, async (seed) => {
    const draw = new Draw(seed);
    const comparisons: Comparison[] = [];
    const dtype = draw.of(["int8", "int32", "float32"] as const);
    for (const [n, m] of [
      [0, 5],
      [7, 1],
      [300, 257],
    ] as const) {
      const [a, b] = [drawn(draw, [n], dtype), drawn(draw, [m], dtype)];
      const both = `(${a.theirs}, ${b.theirs})`;
      comparisons.push(
        { ours: xp.union1d(a.ours, b.ours), theirs: `np.union1d${both}` },
        { ours: xp.intersect1d(a.ours, b.ours), theirs: `np.intersect1d${both}` },
        { ours: xp.setxor1d(a.ours, b.ours), theirs: `np.setxor1d${both}` },
        { ours: xp.setdiff1d(a.ours, b.ours), theirs: `np.setdiff1d${both}` },
        { ours: xp.isin(a.ours, b.ours), theirs: `np.isin${both}` },
        { ours: xp.isin(a.ours, b.ours, { invert: true }), theirs: `np.isin(${a.theirs}, ${b.theirs}, invert=True)` },
      );
    }
    expect(await differences(comparisons)).toEqual([]);
  });

  test.each(seeds)("quantiles and medians match, seed %i", { timeout: 240_000 }, async (seed) => {
    const draw = new Draw(seed);
    const comparisons: Comparison[] = [];
    const numbers = types.filter((one) => one !== "bool" && !one.startsWith("complex"));
    for (const dtype of everyCase ? numbers : [draw.of(numbers)]) {
      if (!hasDoubles && !dtype.startsWith("float")) continue;
      for (const shape of [[1], [257], [4101], [3, 20], [2, 3, 5]]) {
        const none = draw.integer(0, 1) === 1;
        const a = drawn(draw, shape, dtype, none);
        const axis = draw.of([undefined, draw.integer(-shape.length, shape.length - 1)]);
        const keepDims = draw.integer(0, 1) === 1;
        const along = `axis=${axis ?? "None"}, keepdims=${keepDims ? "True" : "False"}`;
        const result = dtype.startsWith("float") ? dtype : "float64";
        const method = draw.of(["linear", "lower", "higher", "midpoint", "nearest"] as const);
        const type = ["lower", "higher", "nearest"].includes(method) ? dtype : result;
        const q = [0, draw.integer(0, 100) / 100, 0.5, 1];
        const text = `${a.theirs}.astype("${dtype === "float16" ? "float32" : dtype}")`;
        const options = { ...(axis === undefined ? {} : { axis }), keepDims };
        comparisons.push(
          { ours: a.ours.median(options), theirs: `np.asarray(np.median(${text}, ${along})).astype("${result}")` },
          {
            ours: a.ours.quantile(q, { ...options, method }),
            theirs: `np.quantile(${text}, [${q.join()}], ${along}, method="${method}").astype("${type}")`,
          },
          {
            ours: a.ours.nanpercentile((q[1] as number) * 100, { ...options, method }),
            theirs: `np.asarray(np.nanpercentile(${text}, ${(q[1] as number) * 100}, ${along}, method="${method}")).astype("${type}")`,
          },
          {
            ours: a.ours.nanmedian(options),
            theirs: `np.asarray(np.nanmedian(${text}, ${along})).astype("${result}")`,
          },
        );
      }
    }
    expect(await differences(comparisons, 1e-3)).toEqual([]);
  });

  test.each(seeds)("topk and partitions return the start of the sort, seed %i", { timeout: 240_000 }, async (seed) => {
    const draw = new Draw(seed);
    const comparisons: Comparison[] = [];
    for (const shape of [[1], [300], [4101], [6, 50], [3, 4, 5]]) {
      const a = drawn(draw, shape, draw.of(["int8", "float32"] as const));
      const axis = draw.integer(0, shape.length - 1);
      const extent = a.ours.shape[axis] as number;
      const k = draw.integer(0, extent);
      const [values, indices] = a.ours.topk(k, { axis });
      const [least] = a.ours.topk(k, { axis, largest: false });
      comparisons.push(
        { ours: values, theirs: `-np.sort(-${a.theirs}, axis=${axis}).take(range(${k}), axis=${axis})` },
        {
          ours: indices,
          theirs: `np.argsort(-${a.theirs}, axis=${axis}, kind="stable").take(range(${k}), axis=${axis})`,
        },
        { ours: least, theirs: `np.sort(${a.theirs}, axis=${axis}).take(range(${k}), axis=${axis})` },
        {
          ours: a.ours.partition(extent - 1, { axis }).take(extent - 1, { axis }),
          theirs: `${a.theirs}.max(axis=${axis})`,
        },
        {
          ours: a.ours.takeAlongAxis(a.ours.argpartition(0, { axis }), { axis }).take(0, { axis }),
          theirs: `${a.theirs}.min(axis=${axis})`,
        },
      );
    }
    expect(await differences(comparisons)).toEqual([]);
  });
});

test("NaN is one value or several, in no set, and last in topk", async () => {
  const a = xp.array([NaN, 2, NaN, 1], { dtype: "float32" });
  expect(await (await xp.unique(a)).toNested()).toEqual([1, 2, NaN]);
  expect(await (await xp.unique(a, { equalNan: false })).toNested()).toEqual([1, 2, NaN, NaN]);
  expect(await xp.isin(a, [NaN, 1]).toNested()).toEqual([false, false, false, true]);
  expect(await a.topk(3)[0].toNested()).toEqual([2, 1, NaN]);
  expect(await a.quantile(0.5).item()).toBe(NaN);
  expect(await a.nanquantile(0.5).item()).toBe(1.5);
  expect(await xp.full([3], NaN, { dtype: "float32" }).nanmedian().item()).toBe(NaN);
  expect(await xp.array([Infinity, Infinity], { dtype: "float32" }).quantile(0.3).item()).toBe(Infinity);
});

test("uniqueConsecutive returns runs of equal neighbors", async () => {
  const a = xp.array([1, 1, 2, 2, 2, 1, 7, 8], { dtype: "int32" });
  expect(await (await xp.uniqueConsecutive(a)).toNested()).toEqual([1, 2, 1, 7, 8]);
  const near = { equal: "abs(a - b) <= d", parameters: "int d", args: [1] } as const;
  expect(await (await xp.uniqueConsecutive(a.slice("::-1"), near)).toNested()).toEqual([8, 1]);
  expect(await xp.uniqueConsecutive(a, { size: 3 }).toNested()).toEqual([1, 2, 1]);
  expect(await xp.uniqueConsecutiveSync(a.reshape([2, 4]).T).toNested()).toEqual([1, 2, 1, 2, 7, 2, 8]);
  expect((await xp.uniqueConsecutive(xp.empty([0], { dtype: "float16" }))).size).toBe(0);
  const half = xp.array([0.5, 0.5, 1], { dtype: "float16" });
  expect(await (await xp.uniqueConsecutive(half)).toNested()).toEqual([0.5, 1]);
});

test("quantiles are written into `out`, and those of no elements are rejected", async () => {
  const a = xp.arange(6, { dtype: "float32" }).reshape([2, 3]);
  const out = xp.zeros([2], { dtype: "float32" });
  a.median({ axis: 1, out });
  expect(await out.toNested()).toEqual([1, 4]);
  a.quantile(1, { axis: -1, out: out.slice("::-1") });
  expect(await out.toNested()).toEqual([5, 2]);
  expect(a.slice([0, 0]).median({ axis: 1 }).shape).toEqual([0]);
  expect(() => a.slice([0, 0]).quantile(0.5)).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
  expect(() => a.quantile(1.5)).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE", "q"));
  expect(() => a.percentile([0, -1])).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE", "q[1]"));
  expect(() => a.quantile(0, { method: "best" as "linear" })).toThrow(
    errorLike(RangeError, "ERR_OUT_OF_RANGE", "options.method"),
  );
  expect(() => a.topk(4)).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE", "k"));
  expect(() => a.partition(3)).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE", "kth"));
  expect(() => a.mul({ re: 0, im: 1 }).quantile(0.5)).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "quantile"));
});
