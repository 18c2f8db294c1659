/** `choose`, `select` and `multiPut`: selected values and result dtypes. */
import type { DTypeName } from "@cl/array";
import { expect, test } from "vitest";

import { sample } from "@cl/testing/level";
import { xp } from "./support/device.js";

test("choose accepts a single choice", async () => {
  const only = xp.array([5, 6, 7], { dtype: "int32" });
  const numbers = xp.array([0, 0, 0], { dtype: "int32" });
  expect(await numbers.choose([only]).toNested()).toEqual([5, 6, 7]);
  expect(await xp.array([0, 3, -1], { dtype: "int32" }).choose([only], { mode: "wrap" }).toNested()).toEqual([5, 6, 7]);
  const column = xp.array([[0], [0]], { dtype: "int8" });
  expect([...(await column.choose([only]).data())]).toEqual([5, 6, 7, 5, 6, 7]);
  const out = xp.zeros([3], { dtype: "int32" });
  expect(numbers.choose([only], { out })).toBe(out);
  expect(await out.toNested()).toEqual([5, 6, 7]);
});

test.each(
  sample(
    [
      [["float32", "bool"], 0, "float32"],
      [["int8", "bool"], 0, "int8"],
      [["bool", "int8"], 0, "int8"],
      [["bool"], 0, "int64"],
      [["bool"], true, "bool"],
      [["float32", "int8", "bool"], 0.5, "float32"],
      [["int8", "uint8"], 0, "int16"],
    ] as const,
    3,
  ),
)("select of %s with the default %s returns %s", { tags: "ci" }, async (types, otherwise, expected) => {
  const choices = (types as readonly DTypeName[]).map((dtype) => xp.ones([2], { dtype }));
  const conditions = choices.map((_, i) => xp.array([i === 0, false]));
  const result = xp.select(conditions, choices, { otherwise });
  expect(result.dtype.name).toBe(expected);
  expect(Array.from(await result.astype("int32").data())).toEqual([1, Math.trunc(Number(otherwise))]);
});

test("select takes the choice of the first true condition, also with number choices", { tags: "ci" }, async () => {
  const x = xp.array([1, 5, 9], { dtype: "float32" });
  const chosen = xp.select([x.less(3), x.less(7)], [10, x], { otherwise: 0.5 });
  expect(chosen.dtype.name).toBe("float32");
  expect(await chosen.toNested()).toEqual([10, 5, 0.5]);
  const truths = xp.select([x.less(3), x.less(7)], [false, x.less(0)], { otherwise: true });
  expect(truths.dtype.name).toBe("bool");
  expect(await truths.toNested()).toEqual([false, false, true]);
});

test("multiPut repeats values if there are fewer values than indices", { tags: "ci" }, async () => {
  const three = xp.array([1, 2, 3], { dtype: "float32" });
  const six = xp.array([1, 2, 3, 4, 5, 6], { dtype: "int32" });
  const [a, b] = xp.multiPut([three, six], [5, 4, 3, 2, 1, 0], { shape: [6] });
  expect(await a.toNested()).toEqual([3, 2, 1, 3, 2, 1]);
  expect(await b.toNested()).toEqual([6, 5, 4, 3, 2, 1]);
  const out = [xp.zeros([2, 3], { dtype: "float32" })] as const;
  xp.multiPut([three], xp.array([0, 1, 2, 3, 4], { dtype: "int32" }), { out });
  expect([...(await out[0].data())]).toEqual([1, 2, 3, 1, 2, 0]);
});
