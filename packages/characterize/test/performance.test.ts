import { addRate, emptyKernelTime, profilingOverhead, transferBandwidth, transferLatency } from "@cl/characterize";
import { CommandQueue, Context, handleCount } from "@cl/core";
import { sample } from "@cl/testing/level";
import { expect, test, vi } from "vitest";
import { outOfRange, wrongType } from "@cl/testing/error-like";

// @cl/core keeps a new program for seconds to store its binary, which would distort the handle counts.
// A count may decrease, because objects of other tests are collected.
vi.stubEnv("CL_NO_CACHE", "1");
const context = Context.create();
const [device] = context.devices;
const queue = new CommandQueue(context);
const brief = { duration: 0.001 };

test.each(sample(["deviceToHost", "hostToDevice", "deviceToDevice"] as const, 1))(
  "transferLatency and transferBandwidth of %s are positive, and no handle leaks",
  async (direction) => {
    const before = handleCount();
    expect(await transferLatency(queue, direction, brief)).toBeGreaterThan(0);
    expect(await transferBandwidth(queue, direction, 100_000, brief)).toBeGreaterThan(0);
    expect(handleCount()).toBeLessThanOrEqual(before);
  },
);

test("emptyKernelTime is positive, and no handle leaks", async () => {
  const before = handleCount();
  expect(await emptyKernelTime(queue, brief)).toBeGreaterThan(0);
  expect(handleCount()).toBeLessThanOrEqual(before);
});

test("profilingOverhead returns the time that profiling adds to a copy", async () => {
  const before = handleCount();
  const { overhead, withProfiling } = await profilingOverhead(context, brief);
  expect(withProfiling).toBeGreaterThan(0);
  expect(overhead).toBeLessThan(withProfiling);
  expect(handleCount()).toBeLessThanOrEqual(before);
});

test("addRate supports the device's types and names the missing extension of others", async () => {
  for (const type of sample(["int", "float", "half", "double", "char", "short", "long"] as const, 2)) {
    const extension = { double: "cl_khr_fp64", half: "cl_khr_fp16" }[type as string];
    if (extension !== undefined && device?.hasExtension(extension) !== true) {
      await expect(addRate(queue, type, brief)).rejects.toThrow(wrongType("type"));
    } else {
      expect(await addRate(queue, type, brief)).toBeGreaterThan(0);
    }
  }
});

test("a signal aborts each of them with its reason, and no handle leaks", async () => {
  const before = handleCount();
  const reason = new Error("enough");
  const calls = [
    (signal: AbortSignal) => transferLatency(queue, "hostToDevice", { signal, duration: 10 }),
    (signal: AbortSignal) => transferBandwidth(queue, "deviceToHost", 1000, { signal, duration: 10 }),
    (signal: AbortSignal) => emptyKernelTime(queue, { signal, duration: 10 }),
    (signal: AbortSignal) => profilingOverhead(context, { signal, duration: 10 }),
    (signal: AbortSignal) => addRate(queue, "int", { signal, duration: 10 }),
  ];
  for (const call of calls) {
    await expect(call(AbortSignal.abort(reason))).rejects.toBe(reason);
    const controller = new AbortController();
    const running = call(controller.signal);
    // While it measures, which nothing reports.
    setImmediate(() => controller.abort(reason));
    await expect(running).rejects.toBe(reason);
  }
  expect(handleCount()).toBeLessThanOrEqual(before);
});

test.each([
  [wrongType("queue"), transferLatency, [undefined, "hostToDevice"]],
  [wrongType("direction"), transferLatency, [queue, "up"]],
  [outOfRange("options.duration"), transferLatency, [queue, "hostToDevice", { duration: -1 }]],
  [wrongType("queue"), transferBandwidth, [{}, "hostToDevice", 1]],
  [outOfRange("bytes"), transferBandwidth, [queue, "hostToDevice", 0]],
  [wrongType("options"), transferBandwidth, [queue, "hostToDevice", 1, 5]],
  [wrongType("context"), profilingOverhead, [queue]],
  [wrongType("signal"), profilingOverhead, [context, { signal: 1 }]],
  [wrongType("queue"), emptyKernelTime, [context]],
  [wrongType("options.duration"), emptyKernelTime, [queue, { duration: "1" }]],
  [wrongType("queue"), addRate, [1]],
  [wrongType("type"), addRate, [queue, "quad"]],
  [wrongType("type"), addRate, [queue, "toString"]],
] as const)("%s is thrown by %o (%#)", async (error, call, args) => {
  await expect(Reflect.apply(call, undefined, args)).rejects.toThrow(error);
});
