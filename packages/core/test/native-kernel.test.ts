import { describe, expect, test } from "vitest";
import {
  type CommandEvent,
  CommandQueue,
  CommandType,
  DeviceBuffer,
  NotSupportedError,
  OpenCLError,
  UserEvent,
} from "@cl/core";

import { nativeFunctions } from "./native-kernels/build.js";
import { needs, type Run } from "@cl/base/testing";
import { notSupported } from "@cl/testing/core-errors";
import { outOfRange, wrongType, wrongValue } from "@cl/testing/error-like";
import { context, device, queue } from "./support/kernels.js";

const functions = nativeFunctions();

/** Returns the C functions, or skips the test if they or native kernels are not available. */
function needed(run: Run): NonNullable<typeof functions> {
  needs(run, device.hasNativeKernel, `'${device.name}' does not support native kernels`);
  needs(run, functions !== undefined, "there is no C compiler");
  return functions as NonNullable<typeof functions>;
}

/** The arguments of `scale`: room for two addresses, then two numbers. */
function block(count: number, bias: number): ArrayBuffer {
  const bytes = new ArrayBuffer(24);
  new Int32Array(bytes, 16).set([count, bias]);
  return bytes;
}

describe("a native kernel", () => {
  test("works on buffers, in order with the queue's other commands", async (run) => {
    const { scale } = needed(run);
    const values = DeviceBuffer.from(context, Int32Array.of(1, 2, 3, 4));
    const factors = DeviceBuffer.from(context, Int32Array.of(10, 20, 30, 40));
    queue.enqueueFill(values, 2, { bytes: 8 });
    const event = queue.enqueueNativeKernel(scale, {
      arguments: block(4, 5),
      memories: [
        { buffer: values, offset: 0 },
        { buffer: factors, offset: 8 },
      ],
    });
    expect([...(await queue.read(values))]).toEqual([25, 45, 95, 165]);
    await event.wait();
    expect(event).toMatchObject({ statusName: "COMPLETE", commandType: CommandType.NATIVE_KERNEL });
  });

  test("copies its arguments, so that later changes of the array have no effect", async (run) => {
    const { scale } = needed(run);
    const values = DeviceBuffer.from(context, Int32Array.of(1, 2, 3, 4));
    const gate = new UserEvent(context);
    const bytes = new Uint8Array(block(4, 7));
    const event = queue.enqueueNativeKernel(scale, {
      arguments: bytes,
      memories: [
        { buffer: values, offset: 0 },
        { buffer: values, offset: 8 },
      ],
      waitFor: gate,
    });
    bytes.fill(0xff);
    values.release();
    gate.complete();
    await expect(event.wait()).resolves.toBeUndefined();
  });

  const pairs: readonly (readonly [string, (whole: DeviceBuffer) => readonly [DeviceBuffer, DeviceBuffer]])[] = [
    ["the same buffer twice", (whole) => [whole, whole]],
    ["two sub-buffers, one with an odd end", (whole) => [whole.subBuffer(4096, 4096), whole.subBuffer(0, 1000)]],
    ["a buffer and its sub-buffer", (whole) => [whole, whole.subBuffer(4096, 4096)]],
    ["a sub-buffer and its buffer", (whole) => [whole.subBuffer(4096, 4096), whole]],
  ];
  test.for(pairs)("gets the addresses of %s", async ([, pairOf], run) => {
    const { scale } = needed(run);
    const host = Int32Array.from({ length: 2048 }, (_, i) => 2 + (i % 5));
    const whole = DeviceBuffer.from(context, host);
    const [values, factors] = pairOf(whole);
    const memories = [values, factors].map((buffer, i) => ({ buffer, offset: 8 * i }));
    await queue.enqueueNativeKernel(scale, { arguments: block(200, 1), memories }).wait();
    const expected = host.slice();
    const [to, from] = [values, factors].map((buffer) => buffer.offset / 4) as [number, number];
    for (let i = 0; i < 200; i++) expected[to + i] = (host[to + i] as number) * (host[from + i] as number) + 1;
    expect(await queue.read(whole)).toEqual(expected);
  });

  test.for(["read-only", "write-only", "none"] as const)(
    "works with host access %j, if supported",
    async (kind, run) => {
      const { scale } = needed(run);
      const memory = new DeviceBuffer(context, { type: Int32Array, length: 4, hostAccess: kind });
      const memories = [0, 8].map((offset) => ({ buffer: memory, offset }));
      queue.enqueueFill(memory, 3);
      const enqueue = (): CommandEvent => queue.enqueueNativeKernel(scale, { arguments: block(4, 1), memories });
      if (kind === "none" && device.platform.name === "Portable Computing Language") {
        expect(enqueue).toThrow(notSupported());
        return;
      }
      enqueue();
      const readable = DeviceBuffer.empty(context, Int32Array, 4);
      queue.enqueueCopy(readable, memory);
      expect([...(await queue.read(readable))]).toEqual([10, 10, 10, 10]);
    },
  );

  test("works on an out-of-order queue, and fails with its wait list without an effect", async (run) => {
    const { scale } = needed(run);
    needs(run, device.hasQueueOutOfOrderExecMode, `'${device.name}' has no out-of-order queues`);
    const outOfOrder = new CommandQueue(context, { outOfOrder: true });
    const values = DeviceBuffer.from(context, Int32Array.of(1, 2, 3, 4));
    const memories = [0, 8].map((offset) => ({ buffer: values, offset }));
    const gate = new UserEvent(context);
    const failing = outOfOrder.enqueueNativeKernel(scale, { arguments: block(4, 100), memories, waitFor: gate });
    gate.fail();
    await expect(failing.wait()).rejects.toThrow(OpenCLError);
    const filled = outOfOrder.enqueueFill(values, 3);
    const squared = outOfOrder.enqueueNativeKernel(scale, { arguments: block(4, 1), memories, waitFor: filled });
    expect([...(await outOfOrder.read(values, { waitFor: squared }))]).toEqual([10, 10, 10, 10]);
    await outOfOrder.finish().catch(() => undefined);
  });

  test("needs no arguments, and runs after its wait list", async (run) => {
    const { count, countOf } = needed(run);
    const before = countOf();
    const gate = new UserEvent(context);
    const event = queue.enqueueNativeKernel(count, { waitFor: [gate] });
    queue.flush();
    expect(countOf()).toBe(before);
    gate.complete();
    await event.wait();
    expect(countOf()).toBe(before + 1);
    const events = Array.from({ length: 1000 }, () => queue.enqueueNativeKernel(count));
    await queue.finish();
    expect(countOf()).toBe(before + 1001);
    expect(events.every(({ status }) => status === 0)).toBe(true);
  });
});

test("a device without native kernels throws, with a hint to the alternative", (run) => {
  needs(run, !device.hasNativeKernel, `'${device.name}' supports native kernels`);
  const enqueue = (): unknown => queue.enqueueNativeKernel(4096n);
  expect(enqueue).toThrow(NotSupportedError);
  expect(enqueue).toThrow(/does not support native kernels; enqueueHostFunction/);
});

describe("an invalid native kernel throws", () => {
  const buffer = DeviceBuffer.empty(context, Int32Array, 4);
  const enqueueInvalid = (pointer: unknown, options?: unknown) => () =>
    queue.enqueueNativeKernel(pointer as bigint, options as object);

  test.each([
    ["null", 0n, undefined, outOfRange("functionPointer")],
    ["a memory without a buffer", 4096n, { memories: [{ offset: 0 }] }, wrongType("options.memories[0].buffer")],
    ["missing arguments", 4096n, { memories: [{ buffer, offset: 0 }] }, outOfRange("options.memories[0].offset")],
    [
      "an unaligned offset",
      4096n,
      { arguments: new Uint8Array(16), memories: [{ buffer, offset: 4 }] },
      outOfRange("options.memories[0].offset"),
    ],
    [
      "an offset at the end",
      4096n,
      { arguments: new Uint8Array(16), memories: [{ buffer, offset: 16 }] },
      outOfRange("options.memories[0].offset"),
    ],
    [
      "two memories at one offset",
      4096n,
      { arguments: new Uint8Array(16), memories: [0, 0].map((offset) => ({ buffer, offset })) },
      outOfRange("options.memories[1].offset"),
    ],
  ])("for %s", (_, pointer, options, expected) => {
    expect(enqueueInvalid(pointer, options)).toThrow(expected);
  });

  test("for an address without code", (run) => {
    needs(run, device.hasNativeKernel, `'${device.name}' does not support native kernels`);
    needs(run, process.platform === "linux", "only Linux reports which memory holds code");
    for (const pointer of [1n, 4096n, 2n ** 63n, context.pointer]) {
      expect(enqueueInvalid(pointer)).toThrow(wrongValue("function"));
    }
  });
});
