import { addRate, emptyKernelTime, profilingOverhead, transferBandwidth, transferLatency } from "@cl/characterize";
import { CommandQueue, Context, handleCount } from "@cl/core";
import { expect, test, vi } from "vitest";
import { errorLike } from "@cl/testing/error-like";

// @cl/core keeps a new program for seconds to store its binary, which would distort the handle counts.
vi.stubEnv("CL_NO_CACHE", "1");
const context = Context.create();
const [device] = context.devices;
const queue = new CommandQueue(context);
const brief = { duration: 0.001 };

test.each(["hostToDevice", "deviceToHost", "deviceToDevice"] as const)(
  "transferLatency and transferBandwidth of %s are positive, and no handle leaks",
  async (direction) => {
    const before = handleCount();
    expect(await transferLatency(queue, direction, brief)).toBeGreaterThan(0);
    expect(await transferBandwidth(queue, direction, 100_000, brief)).toBeGreaterThan(0);
    expect(handleCount()).toBe(before);
  },
);

test("emptyKernelTime is positive, and no handle leaks", async () => {
  const before = handleCount();
  expect(await emptyKernelTime(queue, brief)).toBeGreaterThan(0);
  expect(handleCount()).toBe(before);
});

test("profilingOverhead returns the time that profiling adds to a copy", async () => {
  const before = handleCount();
  const { overhead, withProfiling } = await profilingOverhead(context, brief);
  expect(withProfiling).toBeGreaterThan(0);
  expect(overhead).toBeLessThan(withProfiling);
  expect(handleCount()).toBe(before);
});

test("addRate supports the device's types and names the missing extension of others", async () => {
  for (const type of ["char", "short", "int", "long", "float", "double", "half"] as const) {
    const extension = { double: "cl_khr_fp64", half: "cl_khr_fp16" }[type as string];
    if (extension !== undefined && device?.hasExtension(extension) !== true) {
      await expect(addRate(queue, type, brief)).rejects.toThrow(errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "type"));
    } else {
      expect(await addRate(queue, type, brief)).toBeGreaterThan(0);
    }
  }
}, 240_000);

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
    setTimeout(() => controller.abort(reason), 20);
    await expect(running).rejects.toBe(reason);
  }
  expect(handleCount()).toBe(before);
});

test.each([
  [transferLatency, [undefined, "hostToDevice"], errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "queue")],
  [transferLatency, [queue, "up"], errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "direction")],
  [
    transferLatency,
    [queue, "hostToDevice", { duration: -1 }],
    errorLike(RangeError, "ERR_OUT_OF_RANGE", "options.duration"),
  ],
  [transferBandwidth, [{}, "hostToDevice", 1], errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "queue")],
  [transferBandwidth, [queue, 1, 1], errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "direction")],
  [transferBandwidth, [queue, "hostToDevice", 0], errorLike(RangeError, "ERR_OUT_OF_RANGE", "bytes")],
  [transferBandwidth, [queue, "hostToDevice", 1, 5], errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options")],
  [profilingOverhead, [queue], errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "context")],
  [profilingOverhead, [context, { signal: 1 }], errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "signal")],
  [emptyKernelTime, [context], errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "queue")],
  [emptyKernelTime, [queue, { duration: "1" }], errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.duration")],
  [addRate, [1], errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "queue")],
  [addRate, [queue, "quad"], errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "type")],
  [addRate, [queue, "toString"], errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "type")],
] as const)("an invalid argument of %o is rejected by name (%#)", async (call, args, message) => {
  await expect(Reflect.apply(call, undefined, args)).rejects.toThrow(message);
});
