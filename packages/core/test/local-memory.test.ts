import { describe, expect, test } from "vitest";
import { DeviceBuffer, LaunchList, LocalMemory, OutOfMemoryError } from "@cl/core";
import { errorLike, wrongType } from "@cl/testing/error-like";

import { context, device, kernelOf, queue } from "./support/kernels.js";

const reverse = kernelOf(`__kernel void reverse(__global int *data, __local int *tile) {
  size_t i = get_local_id(0), n = get_local_size(0);
  tile[i] = data[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  data[get_global_id(0)] = tile[n - 1 - i];
}`);

test("a work-group shares the given number of bytes of local memory", () => {
  const data = DeviceBuffer.from(context, Int32Array.of(1, 2, 3, 4, 5, 6, 7, 8));
  reverse.launch(queue, { global: 8, local: 4 }, data, new LocalMemory(16));
  expect([...queue.readSync(data)]).toEqual([4, 3, 2, 1, 8, 7, 6, 5]);
  reverse.launch(queue, { global: 8, local: 8 }, data, new LocalMemory(32));
  expect([...queue.readSync(data)]).toEqual([5, 6, 7, 8, 1, 2, 3, 4]);
});

test("a kernel may have several local arguments, which do not overlap", () => {
  const kernel = kernelOf(`__kernel void add(__local int *a, __global int *out, __local int *b, __local char *c) {
    size_t i = get_local_id(0);
    a[i] = i; b[i] = 10 * i; c[i] = 100;
    barrier(CLK_LOCAL_MEM_FENCE);
    size_t other = get_local_size(0) - 1 - i;
    out[i] = a[other] + b[other] + c[other];
  }`);
  const out = DeviceBuffer.empty(context, Int32Array, 4);
  kernel.launch(queue, { global: 4, local: 4 }, new LocalMemory(16), out, new LocalMemory(16), new LocalMemory(4));
  expect([...queue.readSync(out)]).toEqual([133, 122, 111, 100]);
});

test("localMemSize includes the kernel's arguments", () => {
  const kernel = kernelOf(`__kernel void f(__local int *a, __global int *out) {
    __local int own[16]; own[get_local_id(0)] = 1; a[0] = 1; barrier(CLK_LOCAL_MEM_FENCE); out[0] = own[0] + a[0]; }`);
  // Drivers may add bytes: NVIDIA's adds 4 per argument.
  const ownBytes = kernel.workGroup().localMemSize;
  expect(ownBytes).toBeGreaterThanOrEqual(64);
  expect(ownBytes).toBeLessThan(64 + 32);
  kernel.setArg(0, new LocalMemory(100));
  expect(kernel.workGroup().localMemSize).toBeGreaterThanOrEqual(ownBytes + 100);
  expect(kernel.workGroup().localMemSize).toBeLessThan(ownBytes + 100 + 32);
});

describe("rejects more local memory than the device has, where PoCL would end the process", () => {
  const data = DeviceBuffer.from(context, new Int32Array(8));
  const most = device.localMemSize;
  /** Size that fits on each driver; drivers other than PoCL's reserve some bytes. */
  const fitting = device.platform.name === "Portable Computing Language" ? most : most - 512;
  const exhausted = errorLike(OutOfMemoryError, "CL_OUT_OF_RESOURCES");

  test("in a launch", () => {
    for (const launch of [
      () => reverse.launch(queue, { global: 8, local: 8 }, data, new LocalMemory(2 * most)),
      () => reverse.enqueue(queue, { global: 8, local: 8 }, data, new LocalMemory(2 * most)),
      () => reverse.launchAndFinishSync(queue, { global: 8, local: 8 }, data, new LocalMemory(2 * most)),
    ]) {
      expect(launch).toThrow(exhausted);
      expect(launch).toThrow(expect.objectContaining({ routine: "clEnqueueNDRangeKernel" }));
    }
    reverse.launchAndFinishSync(queue, { global: 8, local: 8 }, data, new LocalMemory(fitting));
  });

  test("in a launch with arguments set by setArg", () => {
    const kernel = reverse.clone().setArgs(data, new LocalMemory(64));
    kernel.launchWithSetArgs(queue, { global: 8, local: 8 });
    kernel.setArg("tile", new LocalMemory(2 * most));
    expect(() => kernel.launchWithSetArgs(queue, { global: 8, local: 8 })).toThrow(exhausted);
    kernel.setArg("tile", new LocalMemory(64)).launchWithSetArgs(queue, { global: 8, local: 8 });
  });

  test("in a bound kernel and in a list that contains it, also if it was changed later", () => {
    const bound = reverse.bind({ global: 8, local: 8 }, data, new LocalMemory(64));
    const list = new LaunchList(context).pushBarrier().push(bound);
    bound.launch(queue);
    list.launch(queue);
    bound.setArg("tile", new LocalMemory(2 * most));
    expect(() => bound.launch(queue)).toThrow(exhausted);
    expect(() => list.launch(queue)).toThrow(exhausted);
    bound.setArg("tile", new LocalMemory(64));
    list.launch(queue);
  });

  test("in several arguments, each of which fits", () => {
    const kernel = kernelOf(
      "__kernel void f(__local int *a, __local int *b, __global int *out) { a[0] = 1; b[0] = 2; out[0] = a[0] + b[0]; }",
    );
    const half = new LocalMemory(fitting / 2);
    kernel.launchAndFinishSync(queue, { global: 1 }, half, half, data);
    expect(() =>
      kernel.launchAndFinishSync(
        queue,
        { global: 1 },
        new LocalMemory(fitting / 2 + (most - fitting) * 2 + 4),
        half,
        data,
      ),
    ).toThrow(OutOfMemoryError);
  });

  test("declared in the kernel", () => {
    const kernel = kernelOf(`__kernel void f(__global int *out, int i) {
      __local int own[${most / 2}]; own[i] = 3; barrier(CLK_LOCAL_MEM_FENCE); out[0] = own[i]; }`);
    expect(() => kernel.launchAndFinishSync(queue, { global: 1 }, data, 0)).toThrow(exhausted);
  });
});

test("a __local pointer accepts only local memory, and other parameters reject it", () => {
  const data = DeviceBuffer.from(context, new Int32Array(8));
  for (const value of [16, null, undefined, data, new Int32Array(4), { bytes: 16 }]) {
    expect(() => reverse.launch(queue, { global: 8 }, data, value)).toThrow(wrongType());
  }
  expect(() => reverse.launch(queue, { global: 8 }, new LocalMemory(4), new LocalMemory(4))).toThrow(wrongType());
});
