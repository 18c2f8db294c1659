/** Special functions as operators: dtypes, layouts, results, errors. */
import { type DeviceArray, fuse } from "@cl/array";
import { describe, expect, test } from "vitest";

import { needs } from "@cl/base/testing";
import { hasDoubles, needsDoubles, queue, xp } from "./support/device.js";
import { outOfRange, wrongType } from "@cl/testing/error-like";
import { casesOf, counted, evalDifferences } from "./support/numpy-eval.js";
import { hasSciPy } from "./support/special-cases.js";
import { largestDifference, relativeDifference } from "./support/numbers.js";

const { special } = xp;
const x = xp.array([0, 0.5, 1, 2], { dtype: "float32" });
const erf = [0, 0.5204998778130465, 0.8427007929497149, 0.9953222650189527];

describe("types", () => {
  test("keeps float32 and float16; float16 is computed as float32", async () => {
    const result = special.erf(x);
    expect(result.dtype.name).toBe("float32");
    expect(relativeDifference(await result.data(), erf)).toBeLessThan(2e-7);
    const half = special.erf(x.astype("float16"));
    expect(half.dtype.name).toBe("float16");
    expect(largestDifference(await half.astype("float32").data(), erf)).toBeLessThan(5e-4);
  });

  test("converts integers and booleans to float64", { tags: "ci" }, async (run) => {
    needsDoubles(run);
    const result = special.erf(xp.array([0, 1], { dtype: "int8" }));
    expect(result.dtype.name).toBe("float64");
    expect(relativeDifference(await result.data(), [0, erf[2] as number])).toBeLessThan(1e-15);
    const nothing = xp.empty([0], { dtype: "float32" });
    expect(special.erf(nothing.astype("bool")).dtype.name).toBe("float64");
    expect(special.jn(nothing.astype("int64", { casting: "unsafe" }), nothing).dtype.name).toBe("float64");
  });

  test("orders given as numbers do not change the dtype", () => {
    const nothing = x.slice(":0");
    expect(special.jn(2, nothing).dtype.name).toBe("float32");
    expect(special.hankel1(0, nothing).dtype.name).toBe("complex64");
    expect(special.wofz(nothing).dtype.name).toBe("complex64");
    expect(special.jn(2, nothing.astype("complex64")).dtype.name).toBe("complex64");
  });
});

describe("operands", () => {
  test("functions need no namespace before them", async () => {
    const { erf: detached } = special;
    expect(relativeDifference(await detached(x).data(), erf)).toBeLessThan(2e-7);
  });

  test("may be views of any layout", { tags: "ci" }, async () => {
    const grid = xp.arange(12, { dtype: "float32" }).reshape([3, 4]);
    const transposed = await special.erf(grid.T.slice("::-1")).toNested();
    const straight = (await special.erf(grid).toNested()) as number[][];
    expect(transposed).toEqual([3, 2, 1, 0].map((k) => straight.map((row) => row[k])));
    expect(special.erf(xp.empty([0, 3], { dtype: "float32" })).shape).toEqual([0, 3]);
    expect(await special.erf(xp.full([], 1, { dtype: "float32" })).item()).toBeCloseTo(erf[2] as number, 6);
  });

  test("may be results, and results may go into views", { tags: "ci" }, async () => {
    const a = x.copy();
    expect(special.erf(a, { out: a })).toBe(a);
    expect(await a.data()).toEqual(await special.erf(x).data());
    const wide = xp.zeros([2, 4], { dtype: "float32" });
    special.airy(x, { out: [wide.slice(1), undefined, undefined, undefined] });
    expect(await wide.slice(1).data()).toEqual(await special.airy(x)[0].data());
  });

  test("may be fused with other operators", { tags: "full" }, async () => {
    const bell = fuse((u: DeviceArray<"float32">) => special.erf(u.mul(2)).add(special.erf(u.add(1))));
    const parts = special.erf(x.mul(2)).add(special.erf(x.add(1)));
    expect(await bell(x).data()).toEqual(await parts.data());
  });
});

describe("values", () => {
  test("incomplete gamma functions of large orders are accurate", { tags: "full" }, async (run) => {
    const single = xp.array([1e6, 1e10, 1e30], { dtype: "float32" });
    expect(largestDifference(await special.gammainc(single, single).data(), [0.500133, 0.5, 0.5])).toBeLessThan(2e-6);
    needsDoubles(run);
    const order = xp.array([1e7, 1e7, 1e10, 1e10, 1e15, 1e100]);
    const places = xp.array([1e7, 1.0005e7, 1e10, 1e10 + 1e5, 1e15, 1e100]);
    const right = [
      0.5000420522087237, 0.9430587847804951, 0.5000013298076014, 0.8413447460725758, 0.5000000042052208, 0.5,
    ];
    expect(relativeDifference(await special.gammainc(order, places).data(), right)).toBeLessThan(1e-13);
    const rest = right.map((value) => 1 - value);
    expect(relativeDifference(await special.gammaincc(order, places).data(), rest)).toBeLessThan(1e-13);
  });

  test("Bessel functions of fractional order are NaN", { tags: "ci" }, async () => {
    const edges = xp.array([0, -1, Infinity, NaN], { dtype: "float32" });
    expect(await special.jn(1.5, edges).toNested()).toEqual([NaN, NaN, NaN, NaN]);
  });
});

describe("logsumexp", () => {
  test("matches SciPy along all axes, for integers, infinities and large numbers", { tags: "ci" }, async (run) => {
    needs(run, hasSciPy && hasDoubles, `'${queue.device.name}' has no float64, or SciPy is not installed`);
    const a = counted([3, 5, 4], "float64").sub(30).mul(20);
    const text = `((c([3, 5, 4], "float64") - 30) * 20)`;
    const cases = [undefined, 0, -1, [0, 2]].flatMap((axis) => {
      const at = `axis=${axis === undefined ? "None" : Array.isArray(axis) ? "(0, 2)" : String(axis)}`;
      return casesOf({ a: text }, [
        [`scipy.special.logsumexp(a, ${at})`, () => special.logsumexp(a, { axis })],
        [`scipy.special.logsumexp(a, ${at}, keepdims=True)`, () => special.logsumexp(a, { axis, keepDims: true })],
        [`scipy.special.softmax(a.T, ${at})`, () => special.softmax(a.T, { axis })],
        [`scipy.special.log_softmax(a, ${at})`, () => special.logSoftmax(a, { axis })],
      ]);
    });
    const whole = counted([4, 3], "int32");
    cases.push({
      ours: () => special.logsumexp(whole, { axis: 1 }),
      theirs: `scipy.special.logsumexp(c([4, 3], "int32"), axis=1)`,
    });
    expect(await evalDifferences(cases, 1e-14)).toEqual([]);
  });

  test("handles infinities, and writes into `out`", async () => {
    const none = xp.array([-Infinity, -Infinity], { dtype: "float32" });
    expect(await special.logsumexp(none).item()).toBe(-Infinity);
    expect(await special.logsumexp(xp.array([Infinity, 1], { dtype: "float32" })).item()).toBe(Infinity);
    const out = xp.zeros([2], { dtype: "float32" });
    expect(special.logSoftmax(xp.array([0, 0], { dtype: "float32" }), { out })).toBe(out);
    expect(await out.data()).toEqual(Float32Array.of(-Math.LN2, -Math.LN2));
  });
});

describe("rejects", () => {
  test("complex numbers for real functions, and names the dtype", () => {
    expect(() => special.erf(x.astype("complex64") as never)).toThrow(wrongType("erf"));
    expect(() => special.gammainc(x, x.astype("complex64") as never)).toThrow(wrongType("gammainc"));
  });

  test("calls with numbers only, and too short output lists", () => {
    expect(() => special.jn(1 as never, 2 as never)).toThrow(wrongType());
    expect(() => special.airy(x, { out: [x] as never })).toThrow(outOfRange("options.out"));
  });
});
