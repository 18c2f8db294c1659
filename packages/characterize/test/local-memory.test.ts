import {
  localMemoryAccessGranularity,
  localMemoryBankCount,
  reasonableWorkGroupSizeMultiple,
  reasonableWorkGroupSizeMultipleSync,
  simdGroupSize,
  simultaneousWorkItemsOnLocalAccess,
  usableLocalMemorySize,
  whyNotLocalAccessConflictFree,
} from "@cl/characterize";
import { DeviceBuffer, DeviceType, LocalMemory, Program } from "@cl/core";
import { expect, test } from "vitest";

import { context, device, queue } from "./support/device.js";

const isCpu = (device.type & DeviceType.CPU) !== 0;

test("a kernel can use all of usableLocalMemorySize", async () => {
  const words = Math.floor(usableLocalMemorySize(device, 6) / 4);
  const source = `
    __kernel void ends(__global int *to, __local int *all, uint words)
    {
      all[0] = 7;
      all[words - 1] = 35;
      barrier(CLK_LOCAL_MEM_FENCE);
      to[0] = all[0] + all[words - 1];
    }`;
  const kernel = (await new Program(context, source).build()).kernel("ends");
  const to = DeviceBuffer.from(context, new Int32Array(1));
  kernel.launch(queue, { global: 1, local: 1 }, to, new LocalMemory(4 * words), words);
  expect(await queue.read(to, Int32Array)).toEqual(Int32Array.of(42));
});

test("local memory has 4-byte words", () => {
  expect(localMemoryAccessGranularity(device)).toBe(4);
});

test("reasonableWorkGroupSizeMultiple is a multiple of the SIMD group size and equals its Sync variant", async () => {
  const multiple = await reasonableWorkGroupSizeMultiple(device);
  expect(reasonableWorkGroupSizeMultipleSync(device, { context })).toBe(multiple);
  const simd = simdGroupSize(device, 4);
  if (isCpu) expect(simd).toBe(1);
  if (simd !== undefined) expect(multiple % simd).toBe(0);
});

test("measured values take precedence", () => {
  const measured = { localMemoryBankCount: 8, simultaneousWorkItemsOnLocalAccess: 8, simdGroupSize: 4, note: "mine" };
  expect(localMemoryBankCount(device, measured)).toBe(8);
  expect(simultaneousWorkItemsOnLocalAccess(device, measured)).toBe(8);
  expect(simdGroupSize(device, 4, measured)).toBe(4);
  expect(whyNotLocalAccessConflictFree(device, 4, [8, 8], undefined, measured)).toEqual({
    multiplicity: 8,
    explanation: expect.stringContaining("stored as 8 × 9"),
  });
  expect(whyNotLocalAccessConflictFree(device, 4, [8, 8], [8, 9], measured)?.multiplicity).toBe(1);
});

test("local memory on CPUs has no conflicts", () => {
  if (isCpu) {
    expect(simultaneousWorkItemsOnLocalAccess(device)).toBe(1);
    expect(whyNotLocalAccessConflictFree(device, 4, [32, 32])).toEqual({ multiplicity: 1, explanation: undefined });
  } else {
    expect(simultaneousWorkItemsOnLocalAccess(device)).not.toBe(1);
  }
});
