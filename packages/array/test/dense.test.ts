/**
 * Operators cache their launches for contiguous operands: the second call takes a faster path and must give the same
 * result.
 */
import { arrays } from "@cl/array";
import { CommandQueue, DisposedError } from "@cl/core";
import { expect, test } from "vitest";
import { outOfRange } from "@cl/testing/error-like";

import { context, queue } from "./support/device.js";
import { sample } from "@cl/testing/level";

const operators = sample(
  ["add", "sub", "mul", "div", "maximum", "less", "equal", "floorDivide", "remainder"] as const,
  3,
);
const pairs = [
  ["int8", "int8"],
  ["uint16", "int32"],
  ["float16", "float16"],
  ["int16", "float32"],
] as const;

test.each(operators)("%s gives the same result from the launch cache", { tags: "ci" }, async (name) => {
  const xp = arrays(queue);
  for (const [one, other] of sample(pairs, 2)) {
    if (name === "div" && !other.startsWith("float")) continue;
    const a = xp.array([7, 1, 100, 3, 0], { dtype: one });
    const b = xp.array([2, 3, 100, 0, 5], { dtype: other });
    const first = a[name](b);
    const second = a[name](b);
    expect(second.dtype).toBe(first.dtype);
    expect(await second.data()).toEqual(await first.data());
    const out = xp.emptyLike(first);
    expect(a[name](b, { out })).toBe(out);
    expect(await out.data()).toEqual(await first.data());
  }
});

test("rounds host numbers in cached launches on floats as in the first", async () => {
  const xp = arrays(queue);
  const a = xp.array([1, 2, 3], { dtype: "float32" });
  for (const value of [0.1, 1e300, -1e300, Number.NaN, 2]) {
    const expected = [1, 2, 3].map((x) => Math.fround(x + Math.fround(value)));
    expect([...(await a.add(value).data())]).toEqual(expected);
    expect([...(await a.add(value).data())]).toEqual(expected);
  }
});

test("checks the range of host integers in cached launches, too", () => {
  const xp = arrays(queue);
  const a = xp.array([1, 2, 3], { dtype: "int8" });
  a.add(1);
  expect(() => a.add(1000)).toThrow(outOfRange("other"));
});

test("supports an operand used twice, an operand as `out` and a view of it as `out`", async () => {
  const xp = arrays(queue);
  const a = xp.array([1, 2, 3, 4], { dtype: "float32" });
  for (const expected of [2, 4, 8]) {
    a.add(a, { out: a });
    expect((await a.data())[0]).toBe(expected);
  }
  const square = xp.array([1, 2, 3, 4], { dtype: "float32" }).reshape([2, 2]);
  const other = xp.ones([2, 2], { dtype: "float32" });
  for (let i = 0; i < 3; i++) square.add(other, { out: square });
  expect([...(await square.data())]).toEqual([4, 5, 6, 7]);
  for (let i = 0; i < 2; i++) square.add(other, { out: square.T });
  // Transposed twice, with one added each time.
  expect([...(await square.data())]).toEqual([6, 7, 8, 9]);
});

test("bypasses the cache for other shapes and queues, and rejects released operands", async () => {
  const xp = arrays(queue);
  const a = xp.ones([4], { dtype: "float32" });
  const b = xp.ones([4], { dtype: "float32" });
  a.add(b);
  expect((await a.add(xp.ones([3, 4], { dtype: "float32" })).data()).length).toBe(12);
  expect(() => a.add(xp.ones([3], { dtype: "float32" }))).toThrow(outOfRange());
  const second = new CommandQueue(context);
  const xq = arrays(second);
  expect([...(await a.add(xq.ones([4], { dtype: "float32" })).data())]).toEqual([2, 2, 2, 2]);
  expect([...(await xq.ones([4], { dtype: "float32" }).add(a).data())]).toEqual([2, 2, 2, 2]);
  b.release();
  expect(() => a.add(b)).toThrow(DisposedError);
  expect(() => b.add(a)).toThrow(DisposedError);
  expect(() => a.add(a, { out: b })).toThrow(DisposedError);
});
