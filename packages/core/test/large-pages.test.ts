import { DeviceBuffer, DeviceType, MemFlags } from "@cl/core";
import { expect, test } from "vitest";

import { collectUntil, needs } from "@cl/base/testing";
import { context, kernelOf, queue } from "./support/kernels.js";
import { wrongType } from "@cl/testing/error-like";

const large = 5 * 2 ** 20;
const onHost = context.devices.every((device) => (device.type & DeviceType.CPU) !== 0);

test("a buffer in large pages behaves like any other buffer", async () => {
  const buffer = DeviceBuffer.empty(context, Int32Array, large / 4, { largePages: true });
  expect(buffer.size).toBe(large);
  const fill = kernelOf("__kernel void fill_with(__global int *x) { x[get_global_id(0)] = get_global_id(0); }");
  fill.launch(queue, { global: large / 4 }, buffer);
  const values = await queue.read(buffer);
  expect([values[0], values[1], values.at(-1)]).toEqual([0, 1, large / 4 - 1]);
  const mapped = await queue.map(buffer);
  expect(mapped.data[77]).toBe(77);
  mapped.unmap();
  expect(queue.readSync(buffer.slice(1024, 1025))).toEqual(Int32Array.of(1024));
});

test("allocates page-aligned memory on CPUs, from 4 MiB on", (run) => {
  needs(run, onHost, "the device has separate memory");
  const buffer = new DeviceBuffer(context, { size: large, largePages: true });
  expect(buffer.flags & MemFlags.USE_HOST_PTR).not.toBe(0);
  expect(buffer.hostPointer % 4096n).toBe(0n);
  expect(new DeviceBuffer(context, { size: 4096, largePages: true }).flags & MemFlags.USE_HOST_PTR).toBe(0);
});

test("frees its memory when the driver has destroyed it, after release or garbage collection", async () => {
  let destroyed = 0;
  const make = (): DeviceBuffer =>
    new DeviceBuffer(context, { size: large, largePages: true }).onDestroyed(() => destroyed++);
  make().release();
  make();
  expect(await collectUntil(() => destroyed === 2)).toBe(true);
});

test("rejects options that conflict with largePages", () => {
  const options = [
    { hostPointer: "alloc" },
    { hostPointer: "use", host: new Uint8Array(large) },
    { hostCoherent: "preferred" },
    { properties: [] },
  ] as const;
  for (const option of options) {
    expect(() => new DeviceBuffer(context, { size: large, largePages: true, ...option })).toThrow(
      wrongType("options.largePages"),
    );
  }
  expect(() => new DeviceBuffer(context, { size: large, largePages: 1 as never })).toThrow(
    wrongType("options.largePages"),
  );
});
