import { describe, expect, test } from "vitest";
import { DeviceBuffer, type LaunchSizes, OpenCLError } from "@cl/core";
import { errorLike, outOfRange } from "@cl/testing/error-like";

import { context, device, kernelOf, queue, thrownBy } from "./support/kernels.js";

const where = kernelOf(`__kernel void where(__global int *out, int width, int height) {
  size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  out[x + width * (y + height * z)] = 1 + get_local_size(0) + 100 * get_local_size(1);
}`);

/** Returns which items ran, and with what local size, in a grid of 8 × 4 × 2. */
function ran(sizes: LaunchSizes): number[] {
  const out = DeviceBuffer.from(context, new Int32Array(64));
  where.launch(queue, sizes, out, 8, 4);
  return [...queue.readSync(out)];
}
const count = (items: number[]): number => items.filter((item) => item > 0).length;

describe("a launch", () => {
  test("runs in one, two and three dimensions", () => {
    expect(count(ran({ global: 5 }))).toBe(5);
    expect(count(ran({ global: [8, 3] }))).toBe(24);
    expect(count(ran({ global: [8, 4, 2] }))).toBe(64);
  });

  test("uses the given local size and counts groups with globalInGroups", () => {
    expect(ran({ global: 1, local: 4, offset: 1, globalInGroups: true }).slice(0, 9)).toEqual([
      0, 0, 0, 0, 105, 105, 105, 105, 0,
    ]);
    expect(ran({ global: 8, local: 4 }).slice(0, 8)).toEqual(Array(8).fill(105));
    expect(ran({ global: [8, 4], local: [2, 4] }).slice(0, 32)).toEqual(Array(32).fill(403));
  });

  test("starts at its offset", () => {
    expect(
      ran({ global: 2, offset: 3 })
        .map((item) => Math.sign(item))
        .slice(0, 8),
    ).toEqual([0, 0, 0, 1, 1, 0, 0, 0]);
    const items = ran({ global: [2, 1], offset: [1, 2] }).map((item) => Math.sign(item));
    expect(items.flatMap((item, i) => (item > 0 ? [i] : []))).toEqual([17, 18]);
  });

  test("takes them from arguments of any name", () => {
    const odd = kernelOf(`__kernel void odd(__global int *out, int __proto__, int constructor) {
      out[get_global_id(0)] = __proto__ + constructor;
    }`);
    const written = (sizes: LaunchSizes): number => {
      const out = DeviceBuffer.from(context, new Int32Array(8));
      odd.launch(queue, sizes, out, 3, 5);
      return queue.readSync(out).filter((value) => value === 8).length;
    };
    expect(written({ global: "__proto__" })).toBe(3);
    expect(written({ global: "constructor" })).toBe(5);
    expect(written({ global: (args) => Number(args["__proto__"]) })).toBe(3);
    expect(written({ global: (args) => Object.keys(args).length })).toBe(3);
    expect(() => written({ global: "toString" })).toThrow(outOfRange("sizes.global"));
  });

  test("calls size functions before it sets arguments, so that they may launch kernels", () => {
    const other = kernelOf(
      "__kernel void other(__global int *out, int a, int b, int c) { out[get_global_id(0)] = a + b + c; }",
    );
    const scratch = DeviceBuffer.from(context, new Int32Array(3));
    const launchOther = (size: number) => (): number => {
      other.launch(queue, { global: 3, offset: 0 }, scratch, 7, 8, 9);
      return size;
    };
    expect(ran({ global: launchOther(8), local: launchOther(4), offset: launchOther(0) })).toEqual(
      ran({ global: 8, local: 4 }),
    );
  });

  test("uses defaultSizes only if it is given no sizes", () => {
    const kernel = where.clone();
    kernel.defaultSizes = { global: "width" };
    const out = DeviceBuffer.from(context, new Int32Array(64));
    kernel.launch(queue, null, out, 8, 4);
    expect(count([...queue.readSync(out)])).toBe(8);
    kernel.launch(queue, undefined, out, 8, 4);
    kernel.launch(queue, { global: [8, 2] }, out, 8, 4);
    expect(count([...queue.readSync(out)])).toBe(16);
    expect(kernel.clone().defaultSizes).toBe(kernel.defaultSizes);
  });
});

describe("an empty launch", () => {
  test("runs nothing if allowEmpty is set, else throws", () => {
    expect(count(ran({ global: 0, allowEmpty: true }))).toBe(0);
    expect(count(ran({ global: [3, 0, 2], allowEmpty: true }))).toBe(0);
    expect(() => ran({ global: 0 })).toThrow(RangeError);
  });

  test("finishes the queue in launchAndFinishSync", () => {
    const out = DeviceBuffer.from(context, new Int32Array(64));
    const event = where.enqueue(queue, { global: 8 }, out, 8, 4);
    where.launchAndFinishSync(queue, { global: 0, allowEmpty: true }, out, 8, 4);
    expect(event.status).toBe(0);
  });
});

describe("the error for sizes that the driver rejects explains", () => {
  const out = DeviceBuffer.empty(context, Int32Array, 64);
  const errorOf = (sizes: LaunchSizes, kernel = where): OpenCLError => {
    const error = thrownBy(() => kernel.launchAndFinishSync(queue, sizes, out, 8, 4));
    expect(error).toBeInstanceOf(OpenCLError);
    return error as OpenCLError;
  };
  const strict = kernelOf(`__attribute__((reqd_work_group_size(4, 2, 1)))
    __kernel void strict(__global int *out, int width, int height) { out[get_global_id(0)] = width + height; }`);

  test("a local size that does not divide the global size, in each dimension", () => {
    const error = errorOf({ global: [8, 7, 3], local: [4, 2, 2] });
    expect(error.code).toBe("CL_INVALID_WORK_GROUP_SIZE");
    expect(error.message).toBe(
      "clEnqueueNDRangeKernel failed: CL_INVALID_WORK_GROUP_SIZE (-54): " +
        "sizes.local (2 in y) does not divide sizes.global (7); round it up to 8 and skip the extra work-items in the kernel; " +
        "sizes.local (2 in z) does not divide sizes.global (3); round it up to 4 and skip the extra work-items in the kernel",
    );
  });

  test("a group with more items than the device's maximum", () => {
    const most = device.maxWorkGroupSize;
    expect(errorOf({ global: [2 * most, 2], local: [most, 2] }).message).toContain(
      `sizes.local [${most}, 2] makes groups of ${2 * most} work-items, more than the ${most} of '${device.name}'`,
    );
  });

  test("a local size that the source does not allow", () => {
    expect(errorOf({ global: [8, 8], local: [2, 2] }, strict).message).toContain(
      "the kernel requires sizes.local to be [4, 2] (reqd_work_group_size), received [2, 2]",
    );
    strict.launchAndFinishSync(queue, { global: [8, 8], local: [4, 2] }, out, 8, 4);
  });

  test("the sizes of bound kernels", () => {
    const bound = where.bind({ global: 8, local: 3 }, out, 8, 4);
    for (const call of [
      () => bound.launch(queue),
      () => bound.enqueue(queue),
      () => bound.launchAndFinishSync(queue),
    ]) {
      expect(call).toThrow(errorLike(OpenCLError, "CL_INVALID_WORK_GROUP_SIZE"));
    }
    // The sizes are the bound kernel's, not those of the launch before.
    where.launch(queue, { global: [8, 4], local: [8, 4] }, out, 8, 4);
    expect(() => bound.launch(queue)).toThrow(errorLike(OpenCLError, "CL_INVALID_WORK_GROUP_SIZE"));
  });
});
