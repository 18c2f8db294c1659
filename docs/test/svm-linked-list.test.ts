/** The numbers of examples/svm-linked-list. */
import { CommandQueue, Context, DeviceSvmCapabilities } from "@cl/core";
import { expect, test } from "vitest";

import { needs } from "@cl/base/testing";
import { reversed } from "../../examples/svm-linked-list/list.js";

const queue = new CommandQueue(Context.create());
const { device } = queue;
const hasSvm = (device.svmCapabilities & DeviceSvmCapabilities.COARSE_GRAIN_BUFFER) !== 0;

test.for([1, 2, 3, 500])("a list of %i nodes is summed and reversed", async (count, run) => {
  needs(run, hasSvm, `'${device.name}' has no shared virtual memory`);
  const values = Array.from({ length: count }, (_, i) => BigInt((i * 7919) % 1009) - 500n);
  const { total, values: found } = await reversed(queue, values);
  expect(total).toBe(values.reduce((sum, value) => sum + value, 0n));
  expect(found).toEqual(values.toReversed());
});
