/** Selecting elements by predicates: all dtypes and layouts, arguments of all kinds, and errors. */
import { structType } from "@cl/core";
import { expect, test } from "vitest";
import { BuildError } from "@cl/core";
import { errorLike, outOfRange, wrongState, wrongType, wrongValue } from "@cl/testing/error-like";

import { sample } from "@cl/testing/level";
import { hasDoubles, xp } from "./support/device.js";

const types = ["float16", "bool", hasDoubles ? "float64" : "uint32", "complex64"] as const;
test.each(sample(types, 1))("copyIf of %s keeps the order", async (type) => {
  const a = xp.arange(300, { dtype: "int32" }).remainder(4).astype(type);
  const [zero, other] = type === "complex64" ? ["a[i].x == 0", "a[i].x != 0"] : ["a[i] == 0", "a[i] != 0"];
  const selected = await xp.copyIf(a, other);
  expect([selected.dtype.name, selected.shape]).toEqual([type, [225]]);
  expect(await selected.data()).toEqual(await (await xp.removeIf(a, zero)).data());
  const [some, others] = xp.partitionIfSync(a, "i % 3 == 0");
  expect([some.size, others.size]).toEqual([100, 200]);
  expect(await some.data()).toEqual(await a.slice("::3").data());
});

test("views of any layout are read in C order; other arrays are broadcast to them", { tags: "ci" }, async () => {
  const a = xp.arange(24, { dtype: "int32" }).reshape([4, 6]);
  const views = [a.slice("::-1", "1::2"), a.slice(2), a.reshape([2, 2, 6]).transpose([2, 0, 1])];
  for (const view of views) {
    const values = Array.from(await view.data());
    expect(await (await xp.copyIf(view, "a[i] % 3 == 1")).toNested()).toEqual(values.filter((one) => one % 3 === 1));
    const [selected, others] = await xp.partitionIf(view, "i & 1");
    expect(await selected.toNested()).toEqual(values.filter((_, i) => i % 2 === 1));
    expect(await others.toNested()).toEqual(values.filter((_, i) => i % 2 === 0));
  }
  const limits = xp.array([[2], [8], [100], [20]], { dtype: "int32" });
  const selected = await xp.copyIf(a, "a[i] > limits[i]", { parameters: "const int *limits", args: [limits] });
  expect(await selected.toNested()).toEqual([3, 4, 5, 9, 10, 11, 21, 22, 23]);
  expect(await (await xp.copyIf(a.slice(1, 2), "a[i] == 8")).toNested()).toEqual([8]);
  expect(await (await xp.copyIf(a.broadcastTo([2, 4, 6]), "a[i] > 22")).toNested()).toEqual([23, 23]);
});

test("supports neighboring elements, float16 and structs", { tags: "full" }, async () => {
  const a = xp.array([1, 4, 2, 8, 8, 9], { dtype: "int32" });
  const rising = await xp.copyIf(a.slice("::-1"), "i > 0 && a[i] < a[i - 1]");
  expect(await rising.toNested()).toEqual([8, 2, 1]);
  const half = xp.array([0.5, 1, 2, 3, 4, 5], { dtype: "float16" });
  expect(
    await (
      await xp.copyIf(a, "x[i] > limit", { parameters: "const half *x, half limit", args: [half, 2.5] })
    ).toNested(),
  ).toEqual([8, 8, 9]);
  const span = structType("span", { low: "int32", high: "int32" });
  const inside = await xp.copyIf(a, "within(a[i], s)", {
    parameters: "span s",
    args: [{ low: 2, high: 8 }] as never,
    types: [span],
    preamble: "int within(const int x, const span s) { return x >= s.low && x <= s.high; }",
  });
  expect(await inside.toNested()).toEqual([4, 2, 8, 8]);
});

test("returns without waiting if `size` is given", async () => {
  const a = xp.arange(5000, { dtype: "int32" });
  expect(await xp.copyIf(a, "a[i] % 1000 == 0", { size: 3 }).toNested()).toEqual([0, 1000, 2000]);
  expect(await xp.removeIf(a, "a[i] < 4998", { size: 4, fill: -1 }).toNested()).toEqual([4998, 4999, -1, -1]);
  expect(xp.copyIf(a, "1", { size: 0 }).shape).toEqual([0]);
});

test("supports empty results, complete results and empty arrays", { tags: "ci" }, async () => {
  const none = xp.empty([0, 3], { dtype: "float32" });
  expect((await xp.copyIf(none, "a[i] > 0")).shape).toEqual([0]);
  expect((await xp.partitionIf(none, "1")).map(({ shape }) => shape)).toEqual([[0], [0]]);
  const a = xp.ones([5000], { dtype: "int8" });
  expect((await xp.copyIf(a, "0")).size).toBe(0);
  expect(await (await xp.copyIf(a, "1")).astype("int32").sum().item()).toBe(5000n);
  expect(await (await xp.copyIf(xp.array(3), "a[i] == 3")).toNested()).toEqual([3]);
});

test("an array that a pending promise still reads cannot be changed", { tags: "ci" }, async () => {
  const a = xp.arange(4, { dtype: "int32" });
  const promise = xp.copyIf(a, "a[i] > 1");
  expect(() => a.assign(0)).toThrow(wrongState());
  expect(await (await promise).toNested()).toEqual([2, 3]);
  a.assign(0);
  const before = xp.copyIf(a, "1");
  a.release();
  expect((await before).size).toBe(4);
});

test("traces a predicate function with the arrays and numbers that it uses", { tags: "ci" }, async () => {
  const a = xp.arange(3000, { dtype: "int32" }).reshape([30, 100]);
  const row = xp.arange(100, { dtype: "float32" });
  const inside = await xp.copyIf(a.T, (x) => x.greater(2000).logicalAnd(row.reshape([100, 1]).less(2)));
  expect(await inside.toNested()).toEqual([
    ...Array.from({ length: 9 }, (_, i) => 2100 + 100 * i),
    ...Array.from({ length: 10 }, (_, i) => 2001 + 100 * i),
  ]);
  const [even, odd] = await xp.partitionIf(a.slice(0, "1:6"), (x) => x.remainder(2).equal(0));
  expect(await even.toNested()).toEqual([2, 4]);
  expect(await odd.toNested()).toEqual([1, 3, 5]);
  const half = xp.array([1, NaN, 3], { dtype: "float16" });
  expect(await xp.removeIfSync(half, (x) => x.isnan()).toNested()).toEqual([1, 3]);
  const z = xp.array([1, 2], { dtype: "float32" }).mul({ re: 0, im: 1 });
  expect(await xp.copyIf(z, (x) => x.absolute().greater(1.5), { size: 1 }).toNested()).toEqual([{ re: 0, im: 2 }]);
  const call = (predicate: unknown, options?: object): unknown => xp.copyIfSync(a, predicate as string, options);
  expect(() => call((x: typeof a) => x.add(1))).toThrow(wrongType("predicate"));
  expect(() => call((x: typeof a) => x.any())).toThrow(wrongValue("predicate"));
  expect(() => call((x: typeof a) => x.sort())).toThrow(wrongState());
  expect(() => call(() => true)).toThrow(wrongType());
  expect(() => call((x: typeof a) => x.less(1), { parameters: "int x" })).toThrow(wrongValue());
});

test("rejects invalid arguments", () => {
  const a = xp.arange(4, { dtype: "int32" });
  const call = (predicate: unknown, options?: object): unknown => xp.copyIfSync(a, predicate as string, options);
  expect(() => call(7)).toThrow(wrongType("predicate"));
  expect(() => call("a[i] > x", { parameters: "int x" })).toThrow(wrongValue());
  expect(() => call("1", { parameters: "int a", args: [1] })).toThrow(wrongValue("options.parameters"));
  expect(() => call("a[i] > x", { parameters: "int x", args: [1.5] })).toThrow(outOfRange());
  expect(() => call("x[i]", { parameters: "const int *x", args: [xp.zeros([3, 4], { dtype: "int32" })] })).toThrow(
    outOfRange(),
  );
  expect(() => call("x[i]", { parameters: "const int *x", args: [xp.zeros([4])] })).toThrow(wrongType());
  expect(() => call("no(such)")).toThrow(errorLike(BuildError, "CL_BUILD_PROGRAM_FAILURE"));
});
