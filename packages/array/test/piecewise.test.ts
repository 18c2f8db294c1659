/** Functions of the user applied to parts of arrays, compared with NumPy. */
import type { DeviceArray } from "@cl/array";
import { expect, test } from "vitest";
import { pooled } from "./support/pooled.js";

import { sample } from "@cl/testing/level";
import { needsDoubles, queue, xp } from "./support/device.js";
import { outOfRange, wrongType } from "@cl/testing/error-like";
import { casesOf, counted, countedText, evalDifferences, needsNumPy } from "./support/numpy-eval.js";

type Floats = DeviceArray<"float32">;

test("piecewise and applyAlongAxis match NumPy", async (run) => {
  needsNumPy(run);
  needsDoubles(run);
  const [x, whole] = [counted([2, 3, 4], "float32"), counted([6], "int8")];
  const along = (axis: number, fn: (line: Floats) => DeviceArray) => () => xp.applyAlongAxis(fn, axis, x);
  const cases = casesOf({ x: countedText(x.shape, "float32"), whole: countedText([6], "int8") }, [
    [
      "np.piecewise(x, [x < 5, x > 3], [lambda v: v * 2, -1])",
      () => xp.piecewise(x, [x.less(5), x.greater(3)], [(all) => all.mul(2), -1]),
    ],
    ["np.piecewise(x, [x < 5], [0, np.sqrt])", () => xp.piecewise(x, [x.less(5)], [0, (all) => all.sqrt()])],
    ["np.piecewise(x, [x < 5], [7])", () => xp.piecewise(x, [x.less(5)], [7])],
    [
      "np.piecewise(whole, [whole < 3], [1.9, lambda v: v * 1.5])",
      () => xp.piecewise(whole, [whole.less(3)], [1.9, (all) => all.mul(1.5)]),
    ],
    ...[1, 0, -1].flatMap(
      (axis) =>
        [
          [`np.apply_along_axis(np.sum, ${axis}, x)`, along(axis, (line) => line.sum())],
          [`np.apply_along_axis(np.flip, ${axis}, x)`, along(axis, (line) => line.slice("::-1"))],
          [`np.apply_along_axis(lambda v: v < 9, ${axis}, x)`, along(axis, (line) => line.less(9))],
          [
            `np.apply_along_axis(lambda v: np.outer(v, v[:2]), ${axis}, x)`,
            along(axis, (line) => xp.outer(line, line.slice(":2"))),
          ],
        ] as const,
    ),
    ["np.apply_along_axis(np.cumsum, 0, whole)", () => xp.applyAlongAxis((line) => line.cumsum(), 0, whole)],
  ]);
  expect(await evalDifferences(sample(cases, 3), 1e-6)).toEqual([]);
});

test("arrays that the functions create are released", async () => {
  const { pool, xp: own } = pooled(queue);
  const a = own.arange(6, { dtype: "float32" }).reshape([2, 3]);
  await own.check();
  const before = pool.activeBytes;
  const sums = own.applyAlongAxis((line) => line.mul(2).sum(), 1, a);
  expect(await sums.toNested()).toEqual([6, 24]);
  sums.release();
  const isSmall = a.less(3);
  const pieces = own.piecewise(a, [isSmall], [(all) => all.add(1).mul(2)]);
  expect(await pieces.toNested()).toEqual([
    [2, 4, 6],
    [0, 0, 0],
  ]);
  isSmall.release();
  pieces.release();
  expect(() => own.applyAlongAxis((line) => line.slice(":1").slice(0, 0), 1, a)).toThrow(RangeError);
  expect(pool.activeBytes).toBe(before);
});

test("wrong arguments are rejected by name", () => {
  const a = counted([2, 3], "float32");
  const small = a.less(2);
  expect(() => xp.piecewise(a, [a as never], [1])).toThrow(wrongType("conditions[0]"));
  expect(() => xp.piecewise(a, [counted([4, 2, 3], "bool")], [1])).toThrow(outOfRange("conditions[0]"));
  expect(() => xp.piecewise(a, [small], [])).toThrow(outOfRange("pieces"));
  expect(() => xp.piecewise(a, [], [1])).toThrow(outOfRange("pieces"));
  expect(() => xp.piecewise(a, [small], [() => "1" as never])).toThrow(wrongType("pieces[0]"));
  expect(() => xp.applyAlongAxis(1 as never, 0, a)).toThrow(wrongType("fn"));
  expect(() => xp.applyAlongAxis((line) => line, 2, a)).toThrow(outOfRange("axis"));
  expect(() => xp.applyAlongAxis(() => 1 as never, 0, a)).toThrow(wrongType("the result of fn"));
  expect(() => xp.applyAlongAxis((line) => line, 0, a.slice(":", ":0"))).toThrow(outOfRange("[2,0]"));
  let calls = 1;
  expect(() => xp.applyAlongAxis((line) => line.slice([0, calls++]), 1, a)).toThrow(outOfRange("the result of fn"));
});
