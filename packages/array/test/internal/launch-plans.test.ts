/** The memo of launch plans, by key and by the dtypes and layouts of operands. */
import type { Layout } from "@cl/base";
import { expect, test } from "vitest";

import { LaunchPlans } from "../../src/kernels/launch-plans.js";
import type { Operand } from "../../src/storage/operand.js";
import type { DTypeName } from "../../src/types/dtype-name.js";
import { xp } from "../support/device.js";

const { storage } = xp.empty([1]).operand();

const operand = (layout: Layout, dtype: DTypeName = "float32"): Operand => ({ storage, dtype, layout });
const square = (offset = 0): Layout => ({ shape: [4, 4], strides: [16, 4], offset });

test("finds a plan only for the same dtypes, operand count, shapes, strides and offsets", () => {
  const plans = new LaunchPlans<object>(8);
  const plan = {};
  const key = ["sum", 0];
  expect(plans.keep(key, [operand(square()), operand(square(64))], plan)).toBe(plan);
  expect(plans.find(key, [operand(square()), operand(square(64))])).toBe(plan);
  const others: readonly Operand[][] = [
    [operand(square()), operand(square(68))],
    [operand(square(64)), operand(square())],
    [operand(square())],
    [operand(square()), operand(square(64)), operand(square(64))],
    [operand(square()), operand({ ...square(64), strides: [4, 16] })],
    [operand({ ...square(), shape: [4, 3] }), operand({ ...square(64), shape: [4, 3] })],
    [operand({ shape: [16], strides: [4], offset: 0 }), operand({ shape: [16], strides: [4], offset: 64 })],
    [operand(square(), "int32"), operand(square(64))],
  ];
  for (const operands of others) expect(plans.find(key, operands)).toBeUndefined();
});

test("finds plans of several keys for the same operands", () => {
  const plans = new LaunchPlans<string>(8);
  const operands = [operand(square())];
  const keys = [["sum"], ["sum", 0], ["sum", "0"], ["max", 0], [undefined]];
  for (const [k, key] of keys.entries()) plans.keep(key, operands, `plan ${k}`);
  for (const [k, key] of keys.entries()) expect(plans.find([...key], operands)).toBe(`plan ${k}`);
  expect(plans.find([], operands)).toBeUndefined();
});

test("distinguishes layouts with the same hash", () => {
  const plans = new LaunchPlans<string>(8);
  const row = (extent: number, stride: number): Operand[] => [
    operand({ shape: [extent], strides: [stride], offset: 0 }),
  ];
  // 31 * extent + stride is the same.
  plans.keep([], row(4, 35), "one");
  plans.keep([], row(5, 4), "other");
  expect(plans.find([], row(4, 35))).toBe("one");
  expect(plans.find([], row(5, 4))).toBe("other");
  expect(plans.find([], row(3, 66))).toBeUndefined();
});

test("holds at most as many plans as its capacity", () => {
  const plans = new LaunchPlans<number>(4);
  for (let k = 0; k < 10; k++) {
    plans.keep([], [operand(square(4 * k))], k);
    expect(plans.find([], [operand(square(4 * k))])).toBe(k);
  }
  const known = Array.from({ length: 10 }, (_, k) => plans.find([], [operand(square(4 * k))]));
  expect(known.filter((plan) => plan !== undefined).length).toBeLessThanOrEqual(4);
});
