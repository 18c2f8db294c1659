/** Custom reductions: expressions, accepted arrays, and indices. */
import { CommandQueue, Context, structType } from "@cl/core";
import { arrays, type DeviceArray, ReductionKernel } from "@cl/array";
import { assert, asyncProperty, constantFrom, integer, tuple } from "fast-check";
import { describe, expect, test } from "vitest";

import { needs } from "@cl/base/testing";
import { context, hasDoubles, xp } from "./support/device.js";
import { caseCount } from "@cl/testing/level";

const count = (...shape: number[]): DeviceArray<"int32"> =>
  xp
    .arange(
      shape.reduce((a, b) => a * b, 1),
      { dtype: "int32" },
    )
    .reshape(shape);
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

  test("may return a struct, and define helper functions", async () => {
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
  });

  test("may use only the index", async () => {
    const kernel = new ReductionKernel("", { dtype: "int32", map: "(int)i", reduce: "a + b", identity: "0" });
    expect(await kernel.runWith({ xp, range: 2000 }).item()).toBe((2000 * 1999) / 2);
    expect(await kernel.runWith({ xp, range: [10, 0, -3] }).item()).toBe(10 + 7 + 4 + 1);
    expect(() => kernel.run()).toThrow("options.xp is required");
    expect(() => kernel.runWith({ xp })).toThrow("options.range is required");
  });

  test("over a slice reduces that slice, also backward", async () => {
    const sum = (values: number[]): bigint => BigInt(values.reduce((a, b) => a + b, 0));
    const values = Array.from({ length: 10 }, (_, i) => i);
    for (const [slice, expected] of [
      ["2:7", values.slice(2, 7)],
      ["::3", [0, 3, 6, 9]],
      ["8:2:-2", [8, 6, 4]],
      ["5:5", []],
      [
        [-3, null],
        [7, 8, 9],
      ],
    ] as const) {
      expect(await total.runWith({ slice }, count(10)).item(), String(slice)).toBe(sum([...expected]));
    }
    expect(await total.runWith({ range: [1, 6, 2] }, count(3, 3).T).item()).toBe(3n + 1n + 7n);
    expect(() => total.runWith({ range: 10 }, count(3, 3))).toThrow(/9 elements/);
  });

  test("writes into an existing element", async () => {
    const out = xp.zeros([3], { dtype: "int64" });
    const result = total.runWith({ out: out.slice(1) }, count(5));
    expect(await out.toNested()).toEqual([0n, 10n, 0n]);
    expect(await result.item()).toBe(10n);
    expect(() => total.runWith({ out }, count(5))).toThrow("options.out must have one element, received shape [3]");
    expect(() => total.runWith({ out: count(1) }, count(5))).toThrow(
      "options.out must be int64 as the result of reduction, received int32",
    );
  });

  test("accepts arrays of all layouts and broadcasts them", async () => {
    const dot = new ReductionKernel("const int *x, const int *y", {
      dtype: "int32",
      map: "x[i] * y[i]",
      reduce: "a + b",
      identity: "0",
    });
    const side = integer({ min: 1, max: 40 });
    const layout = constantFrom("whole", "transposed", "reversed", "stepped", "row", "F");
    await assert(
      asyncProperty(tuple(side, side), layout, layout, async ([a, b], one, other) => {
        const make = (how: typeof one): DeviceArray<"int32"> =>
          ({
            whole: () => count(a, b),
            transposed: () => count(b, a).T,
            reversed: () => count(a, b).slice("::-1", "::-1"),
            stepped: () => count(a, 2 * b).slice(":", "1::2"),
            row: () => count(b),
            F: () => count(a, b).copy({ order: "F" }),
          })[how]();
        const [x, y] = [make(one), make(other)];
        const expected = await x.mul(y).sum().item();
        expect(await dot.run(x, y).item()).toBe(Number(BigInt.asIntN(32, expected)));
      }),
      { numRuns: caseCount(40) },
    );
  });

  test("accepts names that its kernels use", async () => {
    const kernel = new ReductionKernel("int part, const int *result, const int *places, int k", {
      dtype: "int32",
      map: "part + result[i] + places[i] + k",
      reduce: "a + b",
      identity: "0",
    });
    expect(await kernel.run(1, count(3), count(3), 2).item()).toBe(15);
  });

  test("waits for earlier commands, and later ones wait for it", async () => {
    const loose = arrays(new CommandQueue(context, { outOfOrder: true }));
    const x = loose.ones([100_000], { dtype: "int32" });
    const sums = Array.from({ length: 5 }, (_, k) => {
      const sum = total.run(x);
      x.assign(k + 2);
      return sum;
    });
    expect(await Promise.all(sums.map((sum) => sum.item()))).toEqual([
      100_000n,
      200_000n,
      300_000n,
      400_000n,
      500_000n,
    ]);
  });

  test("works in each context", async () => {
    const other = arrays(new CommandQueue(Context.create()));
    expect(await total.run(other.ones([10], { dtype: "int32" })).item()).toBe(10n);
    expect(await total.run(count(3)).item()).toBe(3n);
    expect(() => total.runWith({ xp: other }, count(3))).toThrow('argument "x" must belong to the same context');
  });

  test("adds complex numbers", async (run) => {
    needs(run, hasDoubles, "the device has no float64");
    const kernel = new ReductionKernel("const cdouble_t *x", {
      dtype: "complex128",
      map: "cdouble_mul(x[i], x[i])",
      reduce: "cdouble_add(a, b)",
      identity: "cdouble_new(0, 0)",
    });
    const x = xp.array(
      [
        { re: 1, im: 2 },
        { re: 0, im: 1 },
      ],
      { dtype: "complex128" },
    );
    expect(await kernel.run(x).item()).toEqual({ re: -4, im: 4 });
  });
});

test("rejects invalid arguments by name", () => {
  const right = { dtype: "int32", reduce: "a + b", identity: "0" } as const;
  for (const [wrong, sentence] of [
    [{ ...right, dtype: "what" }, "options.dtype must be an element type"],
    [{ ...right, dtype: "float16" }, "options.dtype must be a type that kernels compute with"],
    [{ ...right, reduce: undefined }, "options.reduce must be a string"],
    [{ ...right, identity: 0 }, "options.identity must be a string"],
    [{ ...right, map: 1 }, "options.map must be a string"],
    [{ ...right, name: "2" }, "options.name"],
    [{ ...right, types: ["x"] }, "options.types[0]"],
    [undefined, "options"],
  ] as const) {
    expect(() => new ReductionKernel("int *x", wrong as object as typeof right), sentence).toThrow(sentence);
  }
  expect(() => new ReductionKernel("int a", right)).toThrow("options.map is required");
  // @ts-expect-error a number is not an array
  expect(() => total.run(3)).toThrow('argument "x" must be a DeviceArray, received number 3');
  // @ts-expect-error one argument too many
  expect(() => total.run(count(3), count(3))).toThrow(
    'the kernel "reduction" takes 1 argument (const int *x), received 2',
  );
  const broken = new ReductionKernel("int *x", { ...right, map: "nothing" });
  expect(() => broken.run(count(3))).toThrow(/nothing/);
});
