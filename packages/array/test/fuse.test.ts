/** Fused functions of arrays give the same results as unfused ones. */
import { type DeviceArray, fuse } from "@cl/array";
import { expect, test } from "vitest";
import { pooled } from "./support/pooled.js";

import { needsDoubles, queue, xp } from "./support/device.js";
import { outOfRange, wrongState, wrongType, wrongValue } from "@cl/testing/error-like";

type Float = DeviceArray<"float32">;

const a = xp.array([1, 2, 3, 4], { dtype: "float32" });
const b = xp.array([10, 20, 30, 40], { dtype: "float32" });

test("launches one kernel and allocates only the result", { tags: "ci" }, async () => {
  const { pool, xp: own } = pooled(queue);
  const x = own.ones([1000], { dtype: "float32" });
  const fused = fuse((one: Float) => one.add(1).mul(2).sqrt().sub(one).absolute());
  fused(x).release();
  pool.resetPeaks();
  const before = pool.activeBytes;
  using result = fused(x);
  expect(pool.peakActiveBytes - before).toBe(4000);
  expect((await result.data())[0]).toBe(1);
});

test("compiles 2,000 operations to one kernel", { tags: "full" }, async () => {
  const fused = fuse((x: Float) => {
    let sum: Float = x;
    for (let i = 0; i < 1000; i++) sum = sum.add(1).mul(x);
    return sum;
  });
  const ones = xp.ones([3], { dtype: "float32" });
  expect([...(await fused(ones).data())]).toEqual([1001, 1001, 1001]);
});

test("passes numbers as arguments and retraces if a branch depends on them", { tags: "ci" }, async () => {
  let runs = 0;
  const step = fuse((u: Float, v: Float, dt: number) => {
    runs++;
    return dt > 1 ? u.sub(v) : u.add(v.mul(dt));
  });
  expect([...(await step(a, b, 0.5).data())]).toEqual([6, 12, 18, 24]);
  expect([...(await step(a, b, 0.5).data())]).toEqual([6, 12, 18, 24]);
  expect(runs).toBe(1);
  expect([...(await step(a, b, 0.1).data())]).toEqual([2, 4, 6, 8].map((x) => Math.fround(x)));
  expect([...(await step(a, b, 2).data())]).toEqual([-9, -18, -27, -36]);
  expect([...(await step(a, b, 0.5).data())]).toEqual([6, 12, 18, 24]);
});

test("untyped parameters accept arrays and numbers", async () => {
  const step = fuse((u, v, dt) => u.add(v.mul(dt)).clip(0, 25));
  expect([...(await step(a, b, 1).data())]).toEqual([11, 22, 25, 25]);
  const out = xp.empty([4], { dtype: "float32" });
  expect(step(a, b, 1, { out })).toBe(out);
  expect([...(await out.data())]).toEqual([11, 22, 25, 25]);
});

test("writes into an argument repeatedly, and into a view of one", { tags: "ci" }, async () => {
  const u = xp.array([1, 2, 3, 4], { dtype: "float32" });
  const twice = fuse((x: Float) => x.add(x));
  for (let i = 0; i < 3; i++) twice(u, { out: u });
  expect([...(await u.data())]).toEqual([8, 16, 24, 32]);
  const square = u.reshape([2, 2]);
  twice(square, { out: square.T });
  expect([...(await square.data())]).toEqual([16, 48, 32, 64]);
});

test("returns several results, in the function's structure, from one kernel", async () => {
  const pair = fuse((x: Float, y: Float) => [x.add(y), x.sub(y)] as const);
  const [sum, difference] = pair(a, b);
  expect([...(await sum.data())]).toEqual([11, 22, 33, 44]);
  expect([...(await difference.data())]).toEqual([-9, -18, -27, -36]);
  const named = fuse((x: Float, y: Float) => ({ product: x.mul(y), larger: x.greater(2) }));
  const { product, larger } = named(a, b);
  expect([...(await product.data())]).toEqual([10, 40, 90, 160]);
  expect(await larger.toNested()).toEqual([false, false, true, true]);
  const out = xp.empty([4], { dtype: "float32" });
  const again = named(a, b, { out: { product: out } });
  expect(again.product).toBe(out);
  expect([...(await out.data())]).toEqual([10, 40, 90, 160]);
});

test("computes a final reduction in the same pass over memory", { tags: "ci" }, async () => {
  const { pool, xp: own } = pooled(queue);
  const x = own.arange(100_000, { dtype: "float32" }).remainder(100).eval();
  await own.check();
  const y = own.full([100_000], 2, { dtype: "float32" });
  const dot = fuse((one: Float, other: Float) => one.mul(other).sum());
  await dot(x, y).item();
  pool.resetPeaks();
  const before = pool.activeBytes;
  using total = dot(x, y);
  expect(await total.item()).toBe(9_900_000);
  // Allocates only the result and its partial results, nothing of the arrays' size.
  expect(pool.peakActiveBytes - before).toBeLessThan(100_000);
  const norms = fuse((one: Float, factor: number) => one.mul(factor).norm({ axis: 1, keepDims: true }));
  const matrix = xp.array([3, 4, 5, 12], { dtype: "float32" }).reshape([2, 2]);
  expect(await norms(matrix, 2).toNested()).toEqual([[10], [26]]);
  const out = xp.empty([2, 1], { dtype: "float32" });
  expect(norms(matrix, 1, { out })).toBe(out);
  expect(await out.toNested()).toEqual([[5], [13]]);
});

test("returns reductions and elements together, of broadcast operands", async () => {
  const column = xp.array([[1], [2]], { dtype: "float32" });
  const row = xp.array([10, 20, 30], { dtype: "float32" });
  const f = fuse((x: Float, y: Float) => {
    const sum = x.add(y);
    return {
      sum,
      largest: sum.max({ axis: 1 }),
      mean: sum.mul(2).mean(),
      any: y.greater(25).any(),
    };
  });
  const { sum, largest, mean, any } = f(column, row);
  expect([...(await sum.data())]).toEqual([11, 21, 31, 12, 22, 32]);
  expect([...(await largest.data())]).toEqual([31, 32]);
  expect(await mean.item()).toBe(43);
  expect(await any.item()).toBe(true);
});

test("broadcasts arguments of all layouts", { tags: "ci" }, async () => {
  const column = xp.array([[1], [2], [3]], { dtype: "float32" });
  const f = fuse((x: Float, y: Float, z: Float) => x.mul(y).add(z));
  const eager = column.mul(a.slice("::-1")).add(b.slice(":1"));
  const fused = f(column, a.slice("::-1"), b.slice(":1"));
  expect(fused.shape).toEqual([3, 4]);
  expect(await fused.data()).toEqual(await eager.data());
});

test("arrays captured by the function are operands, too", { tags: "ci" }, async () => {
  const weights = xp.array([1, 0, 1, 0], { dtype: "float32" });
  const f = fuse((x: Float) => xp.where(weights.greater(0), x, 0).add(weights));
  // `weights.greater(0)` has no traced operand: it is computed immediately and becomes an operand.
  expect([...(await f(a).data())]).toEqual([2, 0, 4, 0]);
  expect([...(await f(b).data())]).toEqual([11, 0, 31, 0]);
});

test("traces each combination of dtypes separately", { tags: "ci" }, async (run) => {
  needsDoubles(run);
  const f = fuse((x: DeviceArray, y: DeviceArray) => x.add(y).mul(2));
  const whole = xp.array([1, 2, 3, 4], { dtype: "int32" });
  expect(f(whole, whole).dtype.name).toBe("int32");
  expect(f(whole, a).dtype.name).toBe("float64");
  expect([...((await f(whole, a).data()) as Float64Array)]).toEqual([4, 8, 12, 16]);
  expect(f(a, a).dtype.name).toBe("float32");
});

test("omits the operands of unused results", { tags: "ci" }, async () => {
  const f = fuse((x: Float, y: Float) => {
    y.add(7);
    return x.add(1);
  });
  expect([...(await f(a, b).data())]).toEqual([2, 3, 4, 5]);
  expect([...(await fuse((x: Float) => x)(a).data())]).toEqual([1, 2, 3, 4]);
});

test.each<[string, (x: DeviceArray) => DeviceArray, Error]>([
  ["a slice", (x) => x.slice(0), wrongState()],
  ["a reshaped array", (x) => x.reshape([x.size]), wrongState()],
  ["a number of an array", (x) => x.add(Number(x)), wrongState()],
  ["an output", (x) => x.add(1, { out: a }), wrongState()],
  ["an operator of a reduction", (x) => x.sum().add(1), wrongState()],
  ["a variance", (x) => x.var(), wrongState()],
  ["a reduction with a mask", (x) => x.sum({ where: xp.ones([4], { dtype: "bool" }) }), wrongState()],
  ["a reduction with an initial value", (x) => x.max({ initial: 1 }), wrongState()],
  ["a concatenation", (x) => xp.concatenate([x, x]), wrongState()],
  ["a number as result", () => 7 as never, wrongType()],
])("rejects %s", (_name, fn, error) => {
  expect(() => fuse(fn)(a)).toThrow(error);
});

test("rejects wrong arguments, and invalid `out` arrays before anything is enqueued", () => {
  const f = fuse((x: Float) => x.add(1));
  expect(() => fuse(7 as never)).toThrow(wrongType("fn"));
  expect(() => fuse((x: number) => x as never)(1)).toThrow(wrongType());
  expect(() => f({} as never)).toThrow(wrongType());
  expect(() => f("a" as never)).toThrow(wrongType());
  expect(() => f(a, { out: xp.empty([3], { dtype: "float32" }) })).toThrow(outOfRange("options.out"));
  expect(() => f(a, { out: xp.empty([4], { dtype: "int32" }) })).toThrow(wrongType("options.out"));
  const g = fuse((x: Float) => ({ one: x.add(1) }));
  expect(() => g(a, { out: { two: a } as never })).toThrow(wrongValue("options.out"));
  expect(() => g(a, { out: a as never })).toThrow(wrongType("options.out"));
});

test("rejects a placeholder used after tracing", () => {
  let placeholder: Float | undefined;
  fuse((x: Float) => {
    placeholder = x;
    return x.add(1);
  })(a);
  expect(() => placeholder?.add(1)).toThrow(wrongState());
});

test("accepts complex numbers as arguments and never mistakes them for options", { tags: "ci" }, async () => {
  let runs = 0;
  const rotated = fuse((x: Float, z: { re: number; im: number }) => {
    runs++;
    return x.mul(z).imag;
  });
  for (const im of [2, 2, 3]) {
    expect([...(await rotated(a, { re: 1, im }).data())]).toEqual([im, 2 * im, 3 * im, 4 * im]);
  }
  expect(runs).toBe(2);
  const out = xp.empty([4], { dtype: "float32" });
  expect(rotated(a, { re: 0, im: -1 }, { out })).toBe(out);
  expect([...(await out.data())]).toEqual([-1, -2, -3, -4]);
});

test("drops imaginary parts only on request, fused or not", { tags: "ci" }, async () => {
  const z = a.mul({ re: 1, im: 1 });
  const drop = (x: DeviceArray<"complex64">): Float => x.astype("float32");
  expect(() => drop(z)).toThrow(wrongType("complex64"));
  expect(() => fuse(drop)(z)).toThrow(wrongType("complex64"));
  const asked = fuse((x: DeviceArray<"complex64">) => x.astype("float32", { casting: "unsafe" }));
  expect([...(await asked(z).data())]).toEqual([1, 2, 3, 4]);
});

test("gives each result the shape of its operands", { tags: "ci" }, async () => {
  const row = xp.array([1, 2, 3], { dtype: "float32" });
  const column = xp.array([[10], [20]], { dtype: "float32" });
  const number = xp.array(5, { dtype: "float32" });
  const fused = fuse((x: Float, y: Float, z: Float) => ({
    x: x.mul(2),
    sum: x.add(y),
    z: z.add(1),
    y: y.negative(),
    w: x.sub(1),
  }));
  for (let i = 0; i < 2; i++) {
    const { x, sum, z, y, w } = fused(row, column, number);
    expect([x.shape, sum.shape, z.shape, y.shape, w.shape]).toEqual([[3], [2, 3], [], [2, 1], [3]]);
    expect([...(await x.data())]).toEqual([2, 4, 6]);
    expect([...(await sum.data())]).toEqual([11, 12, 13, 21, 22, 23]);
    expect([...(await z.data())]).toEqual([6]);
    expect([...(await y.data())]).toEqual([-10, -20]);
    expect([...(await w.data())]).toEqual([0, 1, 2]);
  }
});

test("writing into an argument does not change what later results read", { tags: "ci" }, async () => {
  const u = xp.array([1, 2, 3], { dtype: "float32" });
  const column = xp.array([[10], [20]], { dtype: "float32" });
  const byShape = fuse((x: Float, y: Float) => ({ x: x.mul(2), sum: x.add(y) }));
  const { sum } = byShape(u, column, { out: { x: u } });
  expect([...(await u.data())]).toEqual([2, 4, 6]);
  expect([...(await sum.data())]).toEqual([11, 12, 13, 21, 22, 23]);
  const reduced = fuse((x: Float) => ({ next: x.add(1), total: x.sum() }));
  const { total } = reduced(u, { out: { next: u } });
  expect([...(await u.data())]).toEqual([3, 5, 7]);
  expect(await total.item()).toBe(12);
});

test("rejects overlapping output arrays of results with different shapes", () => {
  const row = xp.array([1, 2, 3], { dtype: "float32" });
  const column = xp.array([[10], [20]], { dtype: "float32" });
  const fused = fuse((x: Float, y: Float) => ({ x: x.mul(2), sum: x.add(y) }));
  const sum = xp.empty([2, 3], { dtype: "float32" });
  expect(() => fused(row, column, { out: { sum, x: sum.slice(0) } })).toThrow(wrongValue());
});
