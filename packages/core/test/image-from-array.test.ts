/** Images from arrays: axis order, channels and pixel formats. */
import { beforeEach, describe, expect, expectTypeOf, test } from "vitest";
import {
  DeviceBuffer,
  type Image,
  ImageFormat,
  imageFromArray,
  MemFlags,
  MemObjectType,
  NotSupportedError,
  Program,
  supportedImageFormats,
} from "@cl/core";

import { needs } from "@cl/base/testing";
import { notSupported } from "@cl/testing/core-errors";
import { outOfRange, wrongType } from "@cl/testing/error-like";
import { context, device, queue } from "./support/kernels.js";

beforeEach((run) => needs(run, device.imageSupport, `'${device.name}' has no images`));

const counting = (length: number): Float32Array => Float32Array.from({ length }, (_, i) => i);
const supports = (text: string): boolean => supportedImageFormats(context).some((one) => String(one) === text);

describe("an image from an array", () => {
  test("reverses the shape, so the last axis is x, and keeps the element order", async () => {
    const data = counting(2 * 3);
    const image = imageFromArray(context, { data, shape: [2, 3] });
    expectTypeOf(image).toEqualTypeOf<Image<"FLOAT">>();
    expect([image.shape, image.width, image.height]).toEqual([[3, 2], 3, 2]);
    expect(await queue.read(image)).toEqual(data);
    const deep = imageFromArray(context, { data: counting(24), shape: [2, 3, 4] });
    expect([deep.shape, deep.objectType]).toEqual([[4, 3, 2], MemObjectType.IMAGE3D]);
    expect(queue.readSync(deep, { origin: [1, 2, 1], region: [1, 1, 1] })[0]).toBe(12 + 2 * 4 + 1);
    const row = imageFromArray(context, counting(5));
    expect([row.shape, row.objectType]).toEqual([[5], MemObjectType.IMAGE1D]);
  });

  test("has the element [y][x] at kernel coordinates (x, y)", () => {
    const [height, width] = [3, 5];
    const image = imageFromArray(context, { data: counting(height * width), shape: [height, width] });
    const out = DeviceBuffer.empty(context, Float32Array, height * width);
    const program = new Program(
      context,
      `__kernel void turn(__read_only image2d_t image, __global float *out) {
        int x = get_global_id(0), y = get_global_id(1);
        out[x * get_image_height(image) + y] = read_imagef(image, (int2)(x, y)).x;
      }`,
    ).buildSync();
    program.kernel("turn").launch(queue, { global: [width, height] }, image, out);
    const turned = [...queue.readSync(out)];
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) expect(turned[x * height + y]).toBe(y * width + x);
    }
  });

  test("uses the last axis as channels if `channels` is given", (run) => {
    const data = Uint8Array.from({ length: 2 * 3 * 4 }, (_, i) => i);
    const image = imageFromArray(context, { data, shape: [2, 3, 4] }, { channels: 4 });
    expectTypeOf(queue.readSync(image)).toEqualTypeOf<Uint8Array<ArrayBuffer>>();
    expect([image.shape, String(image.format)]).toEqual([[3, 2], "RGBA UNSIGNED_INT8"]);
    expect([...queue.readSync(image, { origin: [1, 1], region: [1, 1] })]).toEqual([16, 17, 18, 19]);
    expect(imageFromArray(context, data, { channels: 4 }).shape).toEqual([6]);
    needs(run, supports("RG FLOAT"), "RG FLOAT is not supported");
    expect(imageFromArray(context, { data: counting(12), shape: [2, 3, 2] }, { channels: 2 }).shape).toEqual([3, 2]);
  });

  test.for([
    [Float32Array, "FLOAT", undefined],
    [Int8Array, "SIGNED_INT8", "SNORM_INT8"],
    [Uint8Array, "UNSIGNED_INT8", "UNORM_INT8"],
    [Uint8ClampedArray, "UNSIGNED_INT8", "UNORM_INT8"],
    [Int16Array, "SIGNED_INT16", "SNORM_INT16"],
    [Uint16Array, "UNSIGNED_INT16", "UNORM_INT16"],
    [Int32Array, "SIGNED_INT32", undefined],
    [Uint32Array, "UNSIGNED_INT32", undefined],
  ] as const)("of a %o has the channel type %s, or %s if normalized", ([Type, plain, normalized]) => {
    const data = Type.of(1, 2, 3, 4);
    expect(imageFromArray(context, data, { channels: 4 }).format.typeName).toBe(plain);
    const norm = (): Image => imageFromArray(context, data, { channels: 4, normalized: true });
    if (normalized === undefined) {
      expect(norm).toThrow(wrongType("options.normalized"));
    } else if (supports(String(new ImageFormat("RGBA", normalized)))) expect(norm().format.typeName).toBe(normalized);
    else expect(norm).toThrow(NotSupportedError);
    expect([...queue.readSync(imageFromArray(context, data, { channels: 4 }))]).toEqual([1, 2, 3, 4]);
  });

  test('sets kernel access by mode: "r", "w" or "rw"', () => {
    const data = counting(4);
    expect(imageFromArray(context, data).flags & MemFlags.READ_ONLY).not.toBe(0);
    expect(imageFromArray(context, data, { mode: "r" }).flags & MemFlags.READ_ONLY).not.toBe(0);
    // The array is also copied in mode "w".
    const written = imageFromArray(context, data, { mode: "w", label: "out" });
    expect(written.flags & MemFlags.WRITE_ONLY).not.toBe(0);
    expect([written.label, ...queue.readSync(written)]).toEqual(["out", 0, 1, 2, 3]);
    expect(imageFromArray(context, data, { mode: "rw" }).flags & MemFlags.READ_WRITE).not.toBe(0);
  });

  test("throws if shape, channels and element type do not match", () => {
    const make = imageFromArray as unknown as (...args: readonly unknown[]) => Image;
    const wrong: readonly (readonly [unknown, unknown, Error])[] = [
      [{ data: counting(6), shape: [2, 2] }, undefined, outOfRange("array.shape")],
      [{ data: counting(6), shape: [3, 2] }, { channels: 4 }, outOfRange("array.shape")],
      [{ data: counting(6), shape: [1, 1, 1, 6] }, undefined, outOfRange("array.shape")],
      [{ data: counting(4), shape: [4] }, { channels: 4 }, outOfRange("array.shape")],
      [{ data: counting(6), shape: [-2, -3] }, undefined, outOfRange("array.shape[0]")],
      [counting(6), { channels: 4 }, outOfRange("options.channels")],
      [counting(6), { channels: 5 }, outOfRange("options.channels")],
      [new Float64Array(4), undefined, wrongType("array")],
      [new BigInt64Array(4), undefined, wrongType("array")],
      [new Float32Array(0), undefined, outOfRange("array")],
    ];
    for (const [array, options, message] of wrong) expect(() => make(context, array, options)).toThrow(message);
    if (!supports("RGB FLOAT")) {
      expect(() => imageFromArray(context, counting(3), { channels: 3 })).toThrow(notSupported());
    }
  });
});
