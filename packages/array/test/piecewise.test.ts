/** Functions of the user applied to parts of arrays, compared with NumPy. */
import { type DeviceArray, arrays } from "@cl/array";
import { ImmediateAllocator, MemoryPool } from "@cl/tools";
import { expect, test } from "vitest";

import { needs } from "@cl/base/testing";
import { errorLike } from "@cl/testing/error-like";
import { hasDoubles, queue, xp } from "./support/device.js";
import { hasNumPy } from "./support/numpy.js";
import { counted, countedText, type EvalCase, evalDifferences } from "./support/numpy-eval.js";

type Floats = DeviceArray<"float32">;

test("piecewise and applyAlongAxis match NumPy", async (run) => {
  needs(run, hasNumPy, "NumPy is not installed (apt install python3-numpy)");
  needs(run, hasDoubles, `'${queue.device.name}' has no float64`);
  const x = counted([2, 3, 4], "float32");
  const text = countedText([2, 3, 4], "float32");
  const whole = counted([6], "int8");
  const wholeText = countedText([6], "int8");
  const along = (fn: (line: Floats) => DeviceArray, axis: number): (() => DeviceArray) => {
    return () => xp.applyAlongAxis(fn, axis, x);
  };
  const cases: EvalCase[] = [
    {
      ours: () => xp.piecewise(x, [x.less(5), x.greater(3)], [(all) => all.mul(2), -1]),
      theirs: `np.piecewise(${text}, [${text} < 5, ${text} > 3], [lambda v: v * 2, -1])`,
    },
    {
      ours: () => xp.piecewise(x, [x.less(5)], [0, (all) => all.sqrt()]),
      theirs: `np.piecewise(${text}, [${text} < 5], [0, np.sqrt])`,
    },
    { ours: () => xp.piecewise(x, [x.less(5)], [7]), theirs: `np.piecewise(${text}, [${text} < 5], [7])` },
    {
      ours: () => xp.piecewise(whole, [whole.less(3)], [1.9, (all) => all.mul(1.5)]),
      theirs: `np.piecewise(${wholeText}, [${wholeText} < 3], [1.9, lambda v: v * 1.5])`,
    },
    ...[0, 1, -1].flatMap((axis): EvalCase[] => [
      { ours: along((line) => line.sum(), axis), theirs: `np.apply_along_axis(np.sum, ${axis}, ${text})` },
      { ours: along((line) => line.slice("::-1"), axis), theirs: `np.apply_along_axis(np.flip, ${axis}, ${text})` },
      { ours: along((line) => line.less(9), axis), theirs: `np.apply_along_axis(lambda v: v < 9, ${axis}, ${text})` },
      {
        ours: along((line) => xp.outer(line, line.slice(":2")), axis),
        theirs: `np.apply_along_axis(lambda v: np.outer(v, v[:2]), ${axis}, ${text})`,
      },
    ]),
    {
      ours: () => xp.applyAlongAxis((line) => line.cumsum(), 0, whole),
      theirs: `np.apply_along_axis(np.cumsum, 0, ${wholeText})`,
    },
  ];
  expect(await evalDifferences(cases, 1e-6)).toEqual([]);
});

test("arrays that the functions create are released", async () => {
  const pool = new MemoryPool(new ImmediateAllocator(queue));
  const own = arrays(queue, { allocator: pool });
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
  const type = (text: string): unknown => errorLike(TypeError, "ERR_INVALID_ARG_TYPE", text);
  const range = (text: string): unknown => errorLike(RangeError, "ERR_OUT_OF_RANGE", text);
  const a = counted([2, 3], "float32");
  const small = a.less(2);
  expect(() => xp.piecewise(a, [a as never], [1])).toThrow(type("conditions[0]"));
  expect(() => xp.piecewise(a, [counted([4, 2, 3], "bool")], [1])).toThrow(range("conditions[0]"));
  expect(() => xp.piecewise(a, [small], [])).toThrow(range("pieces"));
  expect(() => xp.piecewise(a, [], [1])).toThrow(range("pieces"));
  expect(() => xp.piecewise(a, [small], [() => "1" as never])).toThrow(type("pieces[0]"));
  expect(() => xp.applyAlongAxis(1 as never, 0, a)).toThrow(type("fn"));
  expect(() => xp.applyAlongAxis((line) => line, 2, a)).toThrow(range("axis"));
  expect(() => xp.applyAlongAxis(() => 1 as never, 0, a)).toThrow(type("the result of fn"));
  expect(() => xp.applyAlongAxis((line) => line, 0, a.slice(":", ":0"))).toThrow(range("[2,0]"));
  let calls = 1;
  expect(() => xp.applyAlongAxis((line) => line.slice([0, calls++]), 1, a)).toThrow(range("the result of fn"));
});
