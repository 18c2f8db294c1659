/** Custom reductions: expressions, accepted arrays, and indices. */
import { BuildError, CommandQueue, Context, structType } from "@cl/core";
import { arrays, type DeviceArray, ReductionKernel } from "@cl/array";
import { describe, expect, test } from "vitest";

import { errorLike, outOfRange, wrongType, wrongValue } from "@cl/testing/error-like";
import { context, needsDoubles, xp } from "./support/device.js";

const count = (...shape: number[]): DeviceArray<"int32"> => {
  const size = shape.reduce((a, b) => a * b, 1);
  return xp.arange(size, { dtype: "int32" }).reshape(shape);
};
const total = new ReductionKernel("const int *x", { dtype: "int64", reduce: "a + b", identity: "0" });

describe("a reduction", () => {
  test("reduces any number of elements to one value", async () => {
    for (const n of [0, 1, 2, 63, 64, 65, 1000, 100_003]) {
      expect(await total.run(count(n)).item(), String(n)).toBe(BigInt((n * (n - 1)) / 2));
    }
  });

  test("maps elements of several arrays and values before combining them", async () => {
    const kernel = new ReductionKernel("float scale, const float *x, const int *key", {
      dtype: "float32",
      map: "scale * x[key[i]] + OFFSET",
      reduce: "fmax(a, b)",
      identity: "-INFINITY",
      options: ["-DOFFSET=1"],
      name: "largest",
    });
    expect(kernel.name).toBe("largest");
    const x = xp.array([5, 9, 7], { dtype: "float32" });
    expect(await kernel.run(10, x, xp.array([0, 2, 0, 2], { dtype: "int32" })).item()).toBe(71);
    expect(await kernel.run(10, x.slice("::-1"), xp.array([0, 2, 0, 2], { dtype: "int32" })).item()).toBe(71);
  });

  test("may return a struct, and define helper functions", { tags: "ci" }, async () => {
    const extremes = structType("extremes", { low: "int32", high: "int32", count: "int64" });
    const kernel = new ReductionKernel("int *x", {
      dtype: extremes,
      map: "of_value(x[i])",
      reduce: "joined(a, b)",
      identity: "of_nothing()",
      preamble: `
        extremes of_nothing(void) { extremes e; e.low = INT_MAX; e.high = INT_MIN; e.count = 0; return e; }
        extremes of_value(int x) { extremes e; e.low = e.high = x; e.count = 1; return e; }
        extremes joined(extremes a, extremes b) {
          a.low = min(a.low, b.low); a.high = max(a.high, b.high); a.count += b.count; return a;
        }`,
    });
    for (const n of [1, 100, 50_000]) {
      const value: unknown = await kernel.run(count(n).sub(7)).item();
      expect(value).toEqual({ low: -7, high: n - 8, count: BigInt(n) });
    }
    const out = xp.records(extremes, 3);
    kernel.runWith({ out: out.slice(1) }, count(10).slice("::-3"));
    expect(await out.slice(1).item()).toEqual({ low: 0, high: 9, count: 4n });
  });

  test("may use only the index", async () => {
    const kernel = new ReductionKernel("", { dtype: "int32", map: "(int)i", reduce: "a + b", identity: "0" });
    expect(await kernel.runWith({ xp, range: 2000 }).item()).toBe((2000 * 1999) / 2);
    expect(await kernel.runWith({ xp, range: [10, 0, -3] }).item()).toBe(10 + 7 + 4 + 1);
    expect(() => kernel.run()).toThrow(wrongValue("options.xp"));
    expect(() => kernel.runWith({ xp })).toThrow(wrongValue("options.range"));
  });

  test("over a slice reduces that slice, also backward", async () => {
    for (const [slice, expected] of [
      ["2:7", 20n],
      ["::3", 18n],
      ["8:2:-2", 18n],
      ["5:5", 0n],
      [[-3, null], 24n],
    ] as const) {
      expect(await total.runWith({ slice }, count(10)).item(), String(slice)).toBe(expected);
    }
    expect(await total.runWith({ range: [1, 6, 2] }, count(3, 3).T).item()).toBe(3n + 1n + 7n);
    expect(() => total.runWith({ range: 10 }, count(3, 3))).toThrow(outOfRange());
  });

  test("writes into an existing element", async () => {
    const out = xp.zeros([3], { dtype: "int64" });
    const result = total.runWith({ out: out.slice(1) }, count(5));
    expect(await out.toNested()).toEqual([0n, 10n, 0n]);
    expect(await result.item()).toBe(10n);
    expect(() => total.runWith({ out }, count(5))).toThrow(wrongValue("options.out"));
    expect(() => total.runWith({ out: count(1) }, count(5))).toThrow(wrongType("options.out"));
  });

  test("accepts arrays of all layouts and broadcasts them", { tags: "ci" }, async () => {
    const dot = new ReductionKernel("const int *x, const int *y", {
      dtype: "int32",
      map: "x[i] * y[i]",
      reduce: "a + b",
      identity: "0",
    });
    const [a, b] = [7, 12];
    const layouts = {
      whole: count(a, b),
      transposed: count(b, a).T,
      reversed: count(a, b).slice("::-1", "::-1"),
      stepped: count(a, 2 * b).slice(":", "1::2"),
      row: count(b),
      F: count(a, b).copy({ order: "F" }),
    };
    for (const x of Object.values(layouts)) {
      for (const y of [layouts.transposed, layouts.row]) {
        expect(await dot.run(x, y).item()).toBe(Number(await x.mul(y).sum().item()));
      }
    }
  });

  test("accepts names that its kernels use", { tags: "ci" }, async () => {
    const kernel = new ReductionKernel("int part, const int *result, const int *places, int k", {
      dtype: "int32",
      map: "part + result[i] + places[i] + k",
      reduce: "a + b",
      identity: "0",
    });
    expect(await kernel.run(1, count(3), count(3), 2).item()).toBe(15);
  });

  test("waits for earlier commands, and later ones wait for it", { tags: "ci" }, async () => {
    const loose = arrays(new CommandQueue(context, { outOfOrder: true }));
    const x = loose.ones([100_000], { dtype: "int32" });
    const sums = Array.from({ length: 5 }, (_, k) => {
      const sum = total.run(x);
      x.assign(k + 2);
      return sum;
    });
    const expected = [1, 2, 3, 4, 5].map((one) => BigInt(one * 100_000));
    expect(await Promise.all(sums.map((sum) => sum.item()))).toEqual(expected);
  });

  test("works in each context", { tags: "ci" }, async () => {
    const other = arrays(new CommandQueue(Context.create()));
    expect(await total.run(other.ones([10], { dtype: "int32" })).item()).toBe(10n);
    expect(await total.run(count(3)).item()).toBe(3n);
    expect(() => total.runWith({ xp: other }, count(3))).toThrow(wrongValue());
  });

  test("adds complex numbers", { tags: "ci" }, async (run) => {
    needsDoubles(run);
    const kernel = new ReductionKernel("const cdouble_t *x", {
      dtype: "complex128",
      map: "cdouble_mul(x[i], x[i])",
      reduce: "cdouble_add(a, b)",
      identity: "cdouble_new(0, 0)",
    });
    const x = xp.array([1, 2, 0, 1]).viewAs("complex128");
    expect(await kernel.run(x).item()).toEqual({ re: -4, im: 4 });
  });
});

const right = { dtype: "int32", reduce: "a + b", identity: "0" } as const;

test.each<[options: object | undefined, error: Error]>([
  [{ ...right, dtype: "what" }, wrongType("options.dtype")],
  [{ ...right, dtype: "float16" }, wrongType("options.dtype")],
  [{ ...right, reduce: undefined }, wrongType("options.reduce")],
  [{ ...right, identity: 0 }, wrongType("options.identity")],
  [{ ...right, map: 1 }, wrongType("options.map")],
  [{ ...right, name: "2" }, wrongType("options.name")],
  [{ ...right, types: ["x"] }, wrongType("options.types[0]")],
  [undefined, wrongType("options.dtype")],
])("rejects the options %j", (options, error) => {
  expect(() => new ReductionKernel("int *x", options as typeof right)).toThrow(error);
});

test("rejects wrong arguments", () => {
  expect(() => new ReductionKernel("int a", right)).toThrow(wrongValue("options.map"));
  // @ts-expect-error a number is not an array
  expect(() => total.run(3)).toThrow(wrongType());
  // @ts-expect-error one argument too many
  expect(() => total.run(count(3), count(3))).toThrow(wrongValue());
  const broken = new ReductionKernel("int *x", { ...right, map: "nothing" });
  expect(() => broken.run(count(3))).toThrow(errorLike(BuildError, "CL_BUILD_PROGRAM_FAILURE"));
});
