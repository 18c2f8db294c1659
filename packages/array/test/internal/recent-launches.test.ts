/** The cache of the last eight launches, keyed by the layouts of the operands. */
import type { Layout } from "@cl/base";
import type { Device } from "@cl/core";
import { expect, test } from "vitest";

import type { Operand } from "../../src/storage/operand.js";
import { GeneratedProgram } from "../../src/kernels/generated-program.js";
import { type PlannedLaunch, RecentLaunches } from "../../src/kernels/recent-launches.js";
import { context, xp } from "../support/device.js";

const program = new GeneratedProgram(context, { source: () => "", label: "no program" });
const { storage } = xp.empty([1]).operand();
const device = context.devices[0] as Device;

const operandsWith = (...layouts: readonly Layout[]): Operand[] =>
  layouts.map((layout) => ({ storage, dtype: "float32", layout }));
const square = (offset = 0): Layout => ({ shape: [4, 4], strides: [16, 4], offset });
const newLaunch = (): PlannedLaunch => ({ kernel: program.kernel("nothing"), sizes: { global: 1 }, last: 16 });

test("finds a launch only for the same device, operand count, shapes, strides and offsets", () => {
  const recent = new RecentLaunches();
  const launch = newLaunch();
  expect(recent.keep(device, operandsWith(square(), square(64)), launch)).toBe(launch);
  expect(recent.find(device, operandsWith(square(), square(64)))).toBe(launch);
  const others: readonly Operand[][] = [
    operandsWith(square(), square(68)),
    operandsWith(square(64), square()),
    operandsWith(square()),
    operandsWith(square(), square(64), square(64)),
    operandsWith(square(), { ...square(64), strides: [4, 16] }),
    operandsWith({ ...square(), shape: [4, 3] }, { ...square(64), shape: [4, 3] }),
    operandsWith({ shape: [16], strides: [4], offset: 0 }, { shape: [16], strides: [4], offset: 64 }),
  ];
  for (const operands of others) expect(recent.find(device, operands)).toBeUndefined();
  const another = Object.create(device) as Device;
  expect(recent.find(another, operandsWith(square(), square(64)))).toBeUndefined();
});

test("evicts the oldest launch", () => {
  const recent = new RecentLaunches();
  for (let k = 0; k < 9; k++) recent.keep(device, operandsWith(square(k * 4)), newLaunch());
  expect(recent.find(device, operandsWith(square()))).toBeUndefined();
  for (let k = 1; k < 9; k++) expect(recent.find(device, operandsWith(square(k * 4)))).toBeDefined();
});
