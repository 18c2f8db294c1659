/**
 * Arrays over foreign memory at any offset: kernels must not assume that vectors are aligned.
 *
 * @module-tag full
 */
import { hasParallelWorkItems } from "@cl/characterize";
import { CommandQueue, DeviceBuffer, SvmAllocation } from "@cl/core";
import { arrays, type DeviceArray } from "@cl/array";
import { expect, test } from "vitest";

import { needs } from "@cl/base/testing";
import { context as svmContext, needsCoarse } from "@cl/testing/svm";
import { context, queue } from "./support/device.js";
import { wrongValue } from "@cl/testing/error-like";

// Larger than the caches, so that results are stored with non-temporal stores.
const count = 2 ** 24;
const isParallel = hasParallelWorkItems(queue.device);

/** Number of assertions in {@link fillAll}. */
const checks = 7;

async function fillAll(a: DeviceArray<"float32">): Promise<void> {
  const { xp } = a;
  using ones = xp.ones([count], { dtype: "float32" });
  ones.add(ones, { out: a });
  expect([await a.slice(0).item(), await a.slice(-1).item()]).toEqual([2, 2]);
  ones.cumsum({ out: a });
  expect(await a.slice(-1).item()).toBe(count);
  using drawn = xp.random(1).random([count], { dtype: "float32" });
  xp.random(1).random([count], { out: a });
  expect(await a.equal(drawn).all().item()).toBe(true);
  xp.random(1).random([5], { out: a.slice(":5") });
  expect(await a.equal(drawn).all().item()).toBe(true);
  using twice = xp.ones([2 * count], { dtype: "float32" });
  a.assign(twice.slice("::2"));
  expect(await a.sum().item()).toBe(count);
  expect(await (await a.greater(0).nonzero())[0]?.slice(-1).item()).toBe(BigInt(count - 1));
  drawn.sort({ out: a });
  expect(
    await a
      .slice([1, null])
      .greaterEqual(a.slice([null, -1]))
      .all()
      .item(),
  ).toBe(true);
}

test("supports unaligned host memory that a buffer uses", async () => {
  expect.assertions(checks);
  const host = new Float32Array(count + 8).subarray(1, count + 1);
  using buffer = new DeviceBuffer(context, { host, hostPointer: "use" });
  await fillAll(arrays(queue).asArray(buffer, { dtype: "float32" }));
});

test("supports an unaligned part of shared virtual memory", async (run) => {
  needsCoarse(run);
  needs(run, !isParallel, "only CPUs accept such memory");
  expect.assertions(checks);
  using memory = new SvmAllocation(svmContext, 4 * count + 64);
  const own = arrays(new CommandQueue(svmContext));
  await fillAll(own.asArray(memory.part(4, 4 * count), { dtype: "float32" }));
});

test("is rejected if the device requires aligned vectors", async (run) => {
  needsCoarse(run);
  needs(run, isParallel, "CPUs accept unaligned memory");
  using memory = new SvmAllocation(svmContext, 64);
  const own = arrays(new CommandQueue(svmContext));
  expect(() => own.asArray(memory.part(4, 16), { dtype: "float32" })).toThrow(wrongValue());
});
