/** Unique values, sets, quantiles and topk compared with NumPy. */
import type { DeviceArray, DTypeName } from "@cl/array";
import { beforeEach, describe, expect, test } from "vitest";

import { hasDoubles, xp } from "./support/device.js";
import { outOfRange, wrongType } from "@cl/testing/error-like";
import { isFull, testSeed, testsEveryCase } from "@cl/testing/level";
import { casesOf, Draw, type EvalCase, evalDifferences, needsNumPy } from "./support/numpy-eval.js";

const floats: readonly DTypeName[] = ["float16", "float32", ...(hasDoubles ? (["float64"] as const) : [])];
const types: readonly DTypeName[] = ["bool", "int8", "uint16", "int32", "int64", "complex64", ...floats];

interface Pair {
  readonly ours: DeviceArray;
  readonly theirs: string;
}

/** Repeated numbers, some of them NaN, in some layout. */
function drawn(draw: Draw, shape: readonly number[], dtype: DTypeName, none = false): Pair {
  const size = shape.reduce((a, b) => a * b, 1);
  const [step, start, most] = [draw.integer(1, 9973), draw.integer(0, 99), draw.of([3, 20, 90])];
  const less = dtype.startsWith("u") || dtype === "bool" ? 0 : 1;
  const isMissing = none && (dtype.startsWith("float") || dtype.startsWith("complex"));
  const numbers = Float32Array.from({ length: size }, (_, i) => {
    const value = ((i * step + start) % most) - less;
    return isMissing && value === 0 ? NaN : value;
  });
  const ours: DeviceArray = xp.fromHost(numbers, { shape }).astype(dtype);
  const values = `((np.arange(${size}) * ${step} + ${start}) % ${most} - ${less}).astype("float32")`;
  const some = isMissing ? `(lambda x: np.where(x == 0, np.float32(np.nan), x))(${values})` : values;
  const theirs = `${some}.astype("${dtype}").reshape([${shape.join()}])`;
  const layout = draw.integer(0, 2);
  if (layout === 1) return { ours: ours.slice("::-1"), theirs: `${theirs}[::-1]` };
  return layout === 2 ? { ours: ours.T, theirs: `${theirs}.T` } : { ours, theirs };
}

describe("compared with NumPy", () => {
  beforeEach(needsNumPy);
  let draw: Draw;
  beforeEach(() => {
    draw = new Draw(testSeed(20_261_123));
  });

  const all = { returnIndex: true, returnInverse: true, returnCounts: true } as const;

  test("unique returns values, first indices, inverse indices and counts", { tags: "ci" }, async () => {
    const cases: EvalCase[] = [];
    for (const dtype of testsEveryCase ? types : [draw.of(types)]) {
      const long = draw.of([257, 255, 1023, 4091, 4096, 4101, 20_000]);
      for (const size of isFull ? [0, 1, 2, long] : [long]) {
        const a = drawn(draw, size > 300 ? [size] : draw.of([[size], [1, size]]), dtype, draw.integer(0, 1) === 1);
        const result = await xp.unique(a.ours, all);
        // Since NumPy 2 inverse indices have the shape of the array.
        cases.push(
          ...casesOf({ a: a.theirs }, [
            ["np.unique(a)", () => xp.unique(a.ours)],
            ["(np.unique)(a, True, True, True)[0]", () => result.values],
            ["(np.unique)(a, True, True, True)[1]", () => result.index],
            ["np.ravel(np.unique(a, True, True, True)[2])", () => result.inverse.ravel()],
            ["(np.unique)(a, True, True, True)[3]", () => result.counts],
          ]),
        );
      }
    }
    expect(await evalDifferences(cases)).toEqual([]);
  });

  test("unique along an axis compares slices", { tags: "full" }, async () => {
    const cases: EvalCase[] = [];
    const shapes = [[7, 3], [300, 2], [4, 5, 2], [1, 4]]; // prettier-ignore
    for (const shape of shapes) {
      const a = drawn(draw, shape, draw.of(["int8", "float32"] as const));
      const axis = draw.integer(-shape.length, shape.length - 1);
      const { values, index, inverse, counts } = await xp.unique(a.ours, { axis, ...all });
      cases.push(
        ...[values, index, inverse, counts].flatMap((ours, k) =>
          casesOf({ a: a.theirs }, [
            k === 0
              ? [`np.unique(a, axis=${axis})`, () => ours]
              : [`np.ravel(np.unique(a, True, True, True, axis=${axis})[${k}])`, () => ours.ravel()],
          ]),
        ),
      );
    }
    expect(await evalDifferences(cases)).toEqual([]);
  });

  test("set operations match", { tags: "ci" }, async () => {
    const dtype = draw.of(["int8", "int32", "float32"] as const);
    const sizes = isFull ? [[0, 5], [7, 1], [300, 257]] as const : [[300, 257]] as const; // prettier-ignore
    const cases = sizes.flatMap(([n, m]) => {
      const [a, b] = [drawn(draw, [n], dtype), drawn(draw, [m], dtype)];
      return casesOf({ a: a.theirs, b: b.theirs }, [
        ["np.union1d(a, b)", () => xp.union1d(a.ours, b.ours)],
        ["np.intersect1d(a, b)", () => xp.intersect1d(a.ours, b.ours)],
        ["np.setxor1d(a, b)", () => xp.setxor1d(a.ours, b.ours)],
        ["np.setdiff1d(a, b)", () => xp.setdiff1d(a.ours, b.ours)],
        ["np.isin(a, b)", () => xp.isin(a.ours, b.ours)],
        ["np.isin(a, b, invert=True)", () => xp.isin(a.ours, b.ours, { invert: true })],
      ]);
    });
    expect(await evalDifferences(cases)).toEqual([]);
  });

  test("quantiles and medians match", { tags: "ci" }, async () => {
    const cases: EvalCase[] = [];
    const numbers = types.filter(
      (one) => one !== "bool" && !one.startsWith("complex") && (hasDoubles || one.startsWith("float")),
    );
    for (const dtype of testsEveryCase ? numbers : [draw.of(numbers)]) {
      for (const shape of isFull ? [[1], [257], [4101], [3, 20], [2, 3, 5]] : [[3, 20]]) {
        const a = drawn(draw, shape, dtype, draw.integer(0, 1) === 1);
        const axis = draw.of([undefined, draw.integer(-shape.length, shape.length - 1)]);
        const keepDims = draw.integer(0, 1) === 1;
        const along = `axis=${axis ?? "None"}, keepdims=${Number(keepDims)}`;
        const result = dtype.startsWith("float") ? dtype : "float64";
        const method = draw.of(["linear", "lower", "higher", "midpoint", "nearest"] as const);
        const type = ["lower", "higher", "nearest"].includes(method) ? dtype : result;
        const q = [0, draw.integer(0, 100) / 100, 0.5, 1];
        const part = (q[1] as number) * 100;
        const options = { axis, keepDims };
        const quantiles = { ...options, method };
        const list = casesOf({ a: `${a.theirs}.astype("${dtype === "float16" ? "float32" : dtype}")` }, [
          [`np.median(a, ${along})`, () => a.ours.median(options)],
          [`np.quantile(a, [${q.join()}], ${along}, method="${method}")`, () => a.ours.quantile(q, quantiles)],
          [`np.nanpercentile(a, ${part}, ${along}, method="${method}")`, () => a.ours.nanpercentile(part, quantiles)],
          [`np.nanmedian(a, ${along})`, () => a.ours.nanmedian(options)],
        ]);
        cases.push(
          ...list.map(({ ours, theirs }, k) => ({
            ours,
            theirs: `np.asarray(${theirs}).astype("${k === 1 || k === 2 ? type : result}")`,
          })),
        );
      }
    }
    expect(await evalDifferences(cases, 1e-3)).toEqual([]);
  });

  test("topk and partitions return the start of the sort", { tags: "ci" }, async () => {
    const cases = (isFull ? [[300], [1], [4101], [6, 50], [3, 4, 5]] : [[6, 50]]).flatMap((shape) => {
      const { ours: a, theirs } = drawn(draw, shape, draw.of(["int8", "float32"] as const));
      const axis = draw.integer(0, shape.length - 1);
      const extent = a.shape[axis] as number;
      const k = draw.integer(0, extent);
      const at = `axis=${axis}`;
      return casesOf({ a: theirs }, [
        [`(-np.sort(-a, ${at})).take(range(${k}), ${at})`, () => a.topk(k, { axis })[0]],
        [`np.argsort(-a, ${at}, kind="stable").take(range(${k}), ${at})`, () => a.topk(k, { axis })[1]],
        [`np.sort(a, ${at}).take(range(${k}), ${at})`, () => a.topk(k, { axis, largest: false })[0]],
        [`a.max(${at})`, () => a.partition(extent - 1, { axis }).take(extent - 1, { axis })],
        [`a.min(${at})`, () => a.takeAlongAxis(a.argpartition(0, { axis }), { axis }).take(0, { axis })],
      ]);
    });
    expect(await evalDifferences(cases)).toEqual([]);
  });
});

test("NaN is one value or several, in no set, and last in topk", async () => {
  const a = xp.array([NaN, 2, NaN, 1], { dtype: "float32" });
  expect(await (await xp.unique(a)).toNested()).toEqual([1, 2, NaN]);
  expect(await (await xp.unique(a, { equalNan: false })).toNested()).toEqual([1, 2, NaN, NaN]);
  expect(await xp.isin(a, [NaN, 1]).toNested()).toEqual([false, false, false, true]);
  expect(await (await xp.intersect1d(a, a.slice("1:"))).toNested()).toEqual([1, 2]);
  expect(await a.topk(3)[0].toNested()).toEqual([2, 1, NaN]);
  expect(await a.quantile(0.5).item()).toBe(NaN);
  expect(await a.nanquantile(0.5).item()).toBe(1.5);
  expect(await xp.full([3], NaN, { dtype: "float32" }).nanmedian().item()).toBe(NaN);
  expect(await xp.array([Infinity, Infinity], { dtype: "float32" }).quantile(0.3).item()).toBe(Infinity);
});

test("uniqueConsecutive returns runs of equal neighbors", async () => {
  const a = xp.array([1, 1, 2, 2, 2, 1, 7, 8], { dtype: "int32" });
  expect(await (await xp.uniqueConsecutive(a)).toNested()).toEqual([1, 2, 1, 7, 8]);
  expect(await xp.uniqueConsecutive(a, { size: 3 }).toNested()).toEqual([1, 2, 1]);
  expect((await xp.uniqueConsecutive(xp.empty([0], { dtype: "float16" }))).size).toBe(0);
});

test("uniqueConsecutive supports other relations, layouts and dtypes", { tags: "ci" }, async () => {
  const a = xp.array([1, 1, 2, 2, 2, 1, 7, 8], { dtype: "int32" });
  const near = { equal: "abs(a - b) <= d", parameters: "int d", args: [1] } as const;
  expect(await (await xp.uniqueConsecutive(a.slice("::-1"), near)).toNested()).toEqual([8, 1]);
  expect(await xp.uniqueConsecutiveSync(a.reshape([2, 4]).T).toNested()).toEqual([1, 2, 1, 2, 7, 2, 8]);
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
  expect(() => a.slice([0, 0]).quantile(0.5)).toThrow(outOfRange());
  expect(() => a.quantile(1.5)).toThrow(outOfRange("q"));
  expect(() => a.percentile([0, -1])).toThrow(outOfRange("q[1]"));
  expect(() => a.quantile(0, { method: "best" as "linear" })).toThrow(outOfRange("options.method"));
  expect(() => a.topk(4)).toThrow(outOfRange("k"));
  expect(() => a.partition(3)).toThrow(outOfRange("kth"));
  expect(() => a.mul({ re: 0, im: 1 }).quantile(0.5)).toThrow(wrongType("quantile"));
});
