/** Properties of Fourier transforms: round trips, memory, errors. */
import { CommandQueue, Device } from "@cl/core";
import type { DeviceArray } from "@cl/array";
import { describe, expect, test, vi } from "vitest";
import { NotSupportedError } from "@cl/core";
import { errorLike, outOfRange, wrongType } from "@cl/testing/error-like";

import { context, xp } from "./support/device.js";
import { noise } from "./support/numpy-eval.js";
import { sample } from "@cl/testing/level";

/** The largest difference of two arrays, relative to the largest element of the second. */
async function distance(one: DeviceArray, other: DeviceArray): Promise<number> {
  using difference = one.sub(other).absolute().max();
  using largest = other.absolute().max();
  return Number((await difference.data())[0]) / Number((await largest.data())[0]);
}

const sizes = sample([1, 2, 15, 16, 17, 255, 257, 1000, 1021, 4095, 4096, 4097, 10_000, 2 ** 16, 2 ** 17], 4);

describe("a transform", () => {
  test("is undone by its inverse", { tags: "ci" }, async () => {
    for (const n of sizes) {
      const a = noise([n], "complex64");
      expect(await distance(xp.fft.ifft(xp.fft.fft(a)), a), String(n)).toBeLessThan(2e-6);
      const b = noise([3, n], "float32");
      expect(await distance(xp.fft.irfft(xp.fft.rfft(b), { n }), b), String(n)).toBeLessThan(2e-6);
    }
  });

  test("of no lines returns an empty array, and of empty lines is rejected", () => {
    const none = xp.zeros([0, 8], { dtype: "float32" });
    expect(xp.fft.fft(none).shape).toEqual([0, 8]);
    expect(xp.fft.rfft(none).shape).toEqual([0, 5]);
    expect(xp.fft.irfft(none).shape).toEqual([0, 14]);
    expect(() => xp.fft.fft(none, { axis: 0 })).toThrow(outOfRange());
    expect(xp.fft.fft(none, { axis: 0, n: 2 }).shape).toEqual([2, 8]);
  });

  test("reads views at any offset and leaves its input unchanged", { tags: "full" }, async () => {
    const a = noise([2050], "float32");
    const before = await a.data();
    for (const [from, to] of [
      [1, 2049],
      [2, 2050],
      [1, 1001],
    ] as const) {
      using part = a.slice([from, to]);
      using copy = part.copy();
      expect(await xp.fft.rfft(part).data()).toEqual(await xp.fft.rfft(copy).data());
      if (from % 2 === 1) continue;
      using complex = part.viewAs("complex64");
      expect(await xp.fft.fft(complex).data()).toEqual(await xp.fft.fft(copy.viewAs("complex64")).data());
    }
    expect(await a.data()).toEqual(before);
  });

  test("runs on two queues concurrently", { tags: "full" }, async () => {
    const other = xp.withQueue(new CommandQueue(context));
    const a = noise([1021 * 16], "complex64").reshape([16, 1021]);
    const own = xp.fft.fft(a);
    const theirs = other.fft.fft(a);
    expect(theirs.xp).toBe(other);
    expect(await theirs.data()).toEqual(await own.data());
  });
});

describe("a transform is rejected", () => {
  const a = noise([4, 6], "float32");
  const z = noise([4, 6], "complex64");

  test.each<[string, () => unknown, Error]>([
    ["if its length is zero", () => xp.fft.fft(a, { n: 0 }), outOfRange("options.n")],
    ["if its result is empty", () => xp.fft.irfft(z.slice(0, ":1")), outOfRange()],
    ["if a length is negative", () => xp.fft.fftn(a, { s: [1, -1] }), outOfRange("options.s[1]")],
    ["along an axis that does not exist", () => xp.fft.fft(a, { axis: 2 }), outOfRange("options.axis")],
    ["along two axes of one", () => xp.fft.fft2(a.slice(0)), outOfRange("options.axes[0]")],
    ["along an axis twice", () => xp.fft.fftn(a, { axes: [0, 0] }), outOfRange()],
    ["with fewer lengths than axes", () => xp.fft.fftn(a, { s: [1], axes: [0, 1] }), outOfRange("options.s")],
    ["with more lengths than axes", () => xp.fft.fftn(a, { s: [1, 2, 3] }), outOfRange()],
    ["of an array without axes", () => xp.fft.fft(a.sum()), outOfRange("array")],
    ["along no axes", () => xp.fft.rfftn(a, { axes: [] }), outOfRange("rfftn")],
    ["rfft of complex numbers", () => xp.fft.rfft(z), wrongType("rfft")],
    ["ihfft of complex numbers", () => xp.fft.ihfft(z), wrongType("ihfft")],
    ["rfft2 of complex numbers", () => xp.fft.rfft2(z), wrongType("rfft2")],
    ["if its norm is unknown", () => xp.fft.fft(a, { norm: "both" as never }), outOfRange("options.norm")],
    ["fftfreq with a spacing of 0", () => xp.fft.fftfreq(4, { d: 0 }), outOfRange("options.d")],
    ["fftfreq of integers", () => xp.fft.fftfreq(4, { dtype: "int8" as never }), outOfRange("options.dtype")],
  ])("%s", (_name, call, error) => {
    expect(call).toThrow(error);
  });

  test("in double precision on devices without float64", () => {
    const spy = vi.spyOn(Device.prototype, "doubleFpConfig", "get").mockReturnValue(0);
    try {
      expect(() => xp.fft.fft(xp.zeros([4], { dtype: "int32" }))).toThrow(
        errorLike(NotSupportedError, "ERR_CL_NOT_SUPPORTED"),
      );
    } finally {
      spy.mockRestore();
    }
  });
});
