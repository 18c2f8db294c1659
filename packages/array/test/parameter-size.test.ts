/** Expressions of more arrays than the arguments of one kernel can hold. */
import { CommandQueue, Context, Kernel } from "@cl/core";
import { arrays, type DeviceArray } from "@cl/array";
import { afterAll, expect, test, vi } from "vitest";

import { sample } from "@cl/testing/level";
import { queue } from "./support/device.js";

/** The minimum of embedded devices. A factory asks each device once, so it is replaced for the whole file. */
vi.spyOn(queue.device, "maxParameterSize", "get").mockReturnValue(256);
const launches = vi.spyOn(Kernel.prototype, "launch");

afterAll(() => {
  vi.restoreAllMocks();
});

const xp = arrays(new CommandQueue(new Context([queue.device])));
const operands = Array.from({ length: 12 }, (_, k) => xp.full([5], k, { dtype: "float32" }));
const half = (start: number): DeviceArray<"float32"> =>
  operands.slice(start, start + 6).reduce((sum, one) => sum.add(one));

const formulas: readonly (readonly [string, number, () => DeviceArray<"float32">])[] = [
  ["operators", 66, () => half(0).add(half(6))],
  ["reductions", 5 * 15 * 16, () => half(0).mul(half(6).sub(35)).sum()],
  ["scans", 66, () => half(0).add(half(6)).sub(66).cumsum().add(66)],
];

test.each(sample(formulas, 1))("%s use several kernels", async (_, value, formula) => {
  await xp.prepare(formula);
  launches.mockClear();
  expect(new Set(await formula().data())).toEqual(new Set([value]));
  const counts = launches.mock.calls.map(([, , ...args]) => args.length);
  // 12 operands, the result and the size would be 14.
  expect(Math.max(...counts)).toBeLessThan(13);
});
