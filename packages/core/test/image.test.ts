/** Images: creation, properties, and creation errors. */
import { inspect } from "node:util";

import { beforeEach, describe, expect, test } from "vitest";
import {
  CommandQueue,
  Context,
  DeviceBuffer,
  DisposedError,
  Image,
  ImageFormat,
  ImageInfo,
  type ImageOptions,
  MemFlags,
  MemInfo,
  MemObjectType,
  MemoryObject,
  NotSupportedError,
} from "@cl/core";

import { imageKinds, imageOf } from "./support/images.js";
import { needs } from "@cl/base/testing";
import { errorLike } from "@cl/testing/error-like";

const context = Context.create();
const queue = new CommandQueue(context);
const { device } = queue;
const rgba = new ImageFormat("RGBA", "UNSIGNED_INT8");
const float = new ImageFormat("R", "FLOAT");

beforeEach((run) => needs(run, device.imageSupport, `'${device.name}' has no images`));

/** Alias without types, for calls that TypeScript would reject. */
const make = (options: unknown): Image => new Image(context, options as ImageOptions);

describe("an image", () => {
  test.each([
    [imageKinds[0], { width: 7, height: 0, depth: 0, arraySize: 0, strides: [4] }],
    [imageKinds[1], { width: 7, height: 0, depth: 0, arraySize: 0, strides: [4] }],
    [imageKinds[2], { width: 7, height: 0, depth: 0, arraySize: 3 }],
    [imageKinds[3], { width: 7, height: 5, depth: 0, arraySize: 0 }],
    [imageKinds[4], { width: 7, height: 5, depth: 0, arraySize: 3 }],
    [imageKinds[5], { width: 7, height: 5, depth: 3, arraySize: 0 }],
  ] as const)("has sizes, width first: $0.name", (kind, sizes) => {
    if (kind === undefined) throw new Error("no such kind");
    const image = imageOf(context, kind, rgba);
    expect(image).toMatchObject(sizes);
    expect(image.shape).toEqual(kind.shape);
    expect(image.objectType).toBe(kind.type);
    expect(image.elementSize).toBe(4);
    expect(image.format.equals(rgba)).toBe(true);
    expect([image.numMipLevels <= 1, image.numSamples <= 1]).toEqual([true, true]);
    // Raw driver answers.
    const raw = (param: number): bigint => new DataView(image.getImageInfo(param).buffer).getBigUint64(0, true);
    expect(raw(ImageInfo.WIDTH)).toBe(7n);
    expect(raw(ImageInfo.ELEMENT_SIZE)).toBe(4n);
    expect(image.context).toBe(context);
    expect(image.size).toBeGreaterThanOrEqual(7 * 4);
    expect(image.getInfo(MemInfo.TYPE)).toHaveLength(4);
  });

  test("with unequal sides has strides for pixels, rows and slices", () => {
    const flat = Image.empty(context, rgba, [4, 6]);
    // A non-square image detects swapped rows and columns.
    expect(flat.strides).toEqual([4, flat.rowPitch]);
    expect(flat.rowPitch).toBeGreaterThanOrEqual(16);
    const deep = Image.empty(context, rgba, [4, 6, 2]);
    expect(deep.strides).toEqual([4, deep.rowPitch, deep.slicePitch]);
    expect(deep.slicePitch).toBeGreaterThanOrEqual(6 * deep.rowPitch);
    const layers = Image.empty(context, rgba, [4, 6], { array: true });
    expect(layers.strides).toEqual([4, layers.slicePitch]);
  });

  test("starts with a copy of host memory", () => {
    const pixels = Uint8Array.from({ length: 4 * 6 }, (_, i) => i);
    const image = new Image(context, { format: rgba, shape: [3, 2], host: pixels, hostPointer: "copy" });
    pixels.fill(0);
    expect([...queue.readSync(image)]).toEqual(Array.from({ length: 24 }, (_, i) => i));
    expect(image.hostArray).toBeUndefined();
  });

  test("can be created from host memory with padded rows and slices", () => {
    // Two slices of two rows of three pixels, with one pixel after each row and one row after each slice.
    const padded = Float32Array.from({ length: 2 * 3 * 4 }, (_, i) => i);
    const image = new Image(context, {
      format: float,
      shape: [3, 2, 2],
      host: padded,
      hostPointer: "copy",
      pitches: [16, 48],
    });
    expect([...queue.readSync(image)]).toEqual([0, 1, 2, 4, 5, 6, 12, 13, 14, 16, 17, 18]);
    const layers = new Image(context, {
      format: float,
      shape: [3, 4],
      array: true,
      host: padded,
      hostPointer: "copy",
      pitches: [24],
    });
    expect([...queue.readSync(layers)]).toEqual([0, 1, 2, 6, 7, 8, 12, 13, 14, 18, 19, 20]);
  });

  test("can use host memory, which stays allocated while the device may access it", () => {
    const memory = new Float32Array(12).fill(3);
    const image = new Image(context, { format: float, shape: [4, 3], host: memory, hostPointer: "use" });
    expect(image.hostArray).toBe(memory);
    expect(image.flags & MemFlags.USE_HOST_PTR).not.toBe(0);
    queue.enqueueFill(image, [7, 0, 0, 0]);
    structuredClone(memory, { transfer: [memory.buffer] });
    expect([...queue.readSync(image)]).toEqual(Array.from({ length: 12 }, () => 7));
    image.release();
  });

  test("can be allocated in host-accessible memory", () => {
    const image = new Image(context, { format: float, shape: [4, 3], hostPointer: "alloc" });
    expect(image.flags & MemFlags.ALLOC_HOST_PTR).not.toBe(0);
    queue.writeSync(image, new Float32Array(12).fill(1));
    expect(queue.readSync(image)[11]).toBe(1);
  });

  test("is printed on one line with its label", () => {
    const image = Image.empty(context, rgba, [4, 3], { label: "photo" });
    expect(inspect(image)).toBe(`Image "photo" { RGBA UNSIGNED_INT8, 4 × 3, ${image.size} bytes }`);
    expect(String(Image.empty(context, rgba, [4, 3], { array: true }))).toContain("4 × 3 (array)");
  });

  test("can be released twice and throws a DisposedError afterwards", () => {
    const image = Image.empty(context, rgba, [4, 3]);
    image.release();
    image.release();
    expect(() => queue.readSync(image)).toThrow(DisposedError);
    expect(() => image.rowPitch).toThrow(DisposedError);
  });

  test("can be adopted by its pointer, with its type and format", () => {
    for (const kind of imageKinds) {
      const image = imageOf(context, kind, rgba);
      const again = Image.fromPointer(context, image.pointer);
      expect(again.equals(image)).toBe(true);
      expect([again.shape, again.objectType, again.elementSize]).toEqual([kind.shape, kind.type, 4]);
      expect(String(again.format)).toBe(String(rgba));
      expect(again.buffer?.size).toBe(image.buffer?.size);
      expect(MemoryObject.fromPointer(context, image.pointer)).toBeInstanceOf(Image);
      queue.enqueueFill(again, [1, 2, 3, 4]);
      expect([...queue.readSync(image)].slice(-4)).toEqual([1, 2, 3, 4]);
    }
    expect(() => Image.fromPointer(context, new DeviceBuffer(context, 4).pointer)).toThrow(
      errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "pointer"),
    );
    expect(() => DeviceBuffer.fromPointer(context, Image.empty(context, rgba, [1]).pointer)).toThrow(
      errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "pointer"),
    );
  });
});

describe("an image over a buffer", () => {
  test("shares the buffer's bytes and keeps the buffer alive", () => {
    const buffer = DeviceBuffer.from(context, Float32Array.of(1, 2, 3, 4));
    const image = new Image(context, { format: float, shape: [3], buffer });
    expect(image.objectType).toBe(MemObjectType.IMAGE1D_BUFFER);
    expect(image.buffer).toBe(buffer);
    expect(image.base).toBe(buffer);
    expect([...queue.readSync(image)]).toEqual([1, 2, 3]);
    queue.enqueueFill(image, [9, 0, 0, 0], { origin: [1], region: [1] });
    expect([...queue.readSync(buffer)]).toEqual([1, 9, 3, 4]);
    buffer.release();
    expect([...queue.readSync(image)]).toEqual([1, 9, 3]);
  });

  test("can be copied from and to images and buffers, including its own", () => {
    const buffer = DeviceBuffer.from(context, Float32Array.of(1, 2, 3, 4, 5, 6));
    const image = new Image(context, { format: float, shape: [3], buffer });
    queue.enqueueCopy(buffer, image, { region: [2], sourceOrigin: [1], targetOffset: 16 });
    expect([...queue.readSync(buffer)]).toEqual([1, 2, 3, 4, 2, 3]);
    const flat = Image.empty(context, float, [3, 2]);
    queue.enqueueFill(flat, [0, 0, 0, 0]);
    queue.enqueueCopy(flat, image, { region: [3], targetOrigin: [0, 1] });
    expect([...queue.readSync(flat)]).toEqual([0, 0, 0, 1, 2, 3]);
    queue.enqueueCopy(image, flat, { region: [2], sourceOrigin: [0, 1], targetOrigin: [1] });
    expect([...queue.readSync(image)]).toEqual([1, 1, 2]);
    expect(() => queue.enqueueCopy(buffer, image, { targetOffset: 4 })).toThrow(
      errorLike(RangeError, "ERR_OUT_OF_RANGE"),
    );
  });

  test("must fit the buffer and have the same context", () => {
    const buffer = new DeviceBuffer(context, 10);
    expect(() => make({ format: float, shape: [3], buffer })).toThrow(
      errorLike(RangeError, "ERR_OUT_OF_RANGE", "options.buffer"),
    );
    expect(() => make({ format: float, shape: [2], buffer: new Float32Array(2) })).toThrow(
      errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.buffer"),
    );
    expect(() => make({ format: float, shape: [2, 1], array: true, buffer })).toThrow(
      errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.array"),
    );
    expect(() => make({ format: float, shape: [1, 1, 1], buffer })).toThrow(
      errorLike(TypeError, "ERR_INVALID_ARG_VALUE", "options.shape"),
    );
    expect(() => make({ format: float, shape: [2], buffer, host: new Float32Array(2), hostPointer: "copy" })).toThrow(
      errorLike(TypeError, "ERR_INVALID_ARG_VALUE"),
    );
  });

  test("with two dimensions requires the device's pitch alignment or throws", () => {
    const pitchAlignment = device.hasExtension("cl_khr_image2d_from_buffer") ? device.imagePitchAlignment : 0;
    const row = Math.max(64, pitchAlignment * 4);
    const buffer = new DeviceBuffer(context, row * 3);
    const flat = (): Image => make({ format: float, shape: [5, 3], buffer, pitches: [row] });
    if (pitchAlignment === 0) {
      expect(flat).toThrow(NotSupportedError);
      expect(flat).toThrow(errorLike(NotSupportedError, "ERR_CL_NOT_SUPPORTED"));
      return;
    }
    queue.enqueueFill(buffer, Float32Array.of(2));
    const image = flat();
    expect(image.rowPitch).toBe(row);
    expect([...queue.readSync(image)]).toEqual(Array.from({ length: 15 }, () => 2));
    queue.enqueueFill(image, [4, 0, 0, 0], { origin: [0, 1], region: [5, 1] });
    const floats = queue.readSync(buffer, Float32Array);
    expect([floats[row / 4 - 1], floats[row / 4], floats[row / 4 + 4], floats[row / 4 + 5]]).toEqual([2, 4, 4, 2]);
    if (pitchAlignment > 1) {
      expect(() => make({ format: float, shape: [5, 3], buffer, pitches: [row - 4] })).toThrow(/such as/);
    }
    expect(() => make({ format: float, shape: [5, 4], buffer, pitches: [row] })).toThrow(/options.buffer/);
  });
});

describe("the Image constructor throws", () => {
  test("if the image exceeds the device limits, and names the limit", () => {
    const { image2dMaxWidth, image2dMaxHeight, image3dMaxDepth } = device;
    expect(() => Image.empty(context, rgba, [image2dMaxWidth + 1, 1])).toThrow(
      new RegExp(`options.shape\\[0\\] must be at most ${image2dMaxWidth}, the limit of .* for IMAGE2D`),
    );
    expect(() => Image.empty(context, rgba, [1, image2dMaxHeight + 1])).toThrow(
      errorLike(RangeError, "ERR_OUT_OF_RANGE", "options.shape[1]"),
    );
    expect(() => Image.empty(context, rgba, [1, 1, image3dMaxDepth + 1])).toThrow(
      errorLike(RangeError, "ERR_OUT_OF_RANGE", "options.shape[2]"),
    );
    expect(() => Image.empty(context, rgba, [1, Number(device.imageMaxArraySize) + 1], { array: true })).toThrow(
      errorLike(RangeError, "ERR_OUT_OF_RANGE", "options.shape[1]"),
    );
  });

  test("if the format is not supported, and lists similar formats", () => {
    const odd = new ImageFormat("RGB", "FLOAT");
    expect(() => Image.empty(context, odd, [4, 3])).toThrow(NotSupportedError);
    expect(() => Image.empty(context, odd, [4, 3])).toThrow(errorLike(NotSupportedError, "ERR_CL_NOT_SUPPORTED"));
    expect(() => Image.empty(context, new ImageFormat(0x7000, 0x7001), [4])).toThrow(
      errorLike(NotSupportedError, "ERR_CL_NOT_SUPPORTED"),
    );
  });

  test("without a format or a shape, or with contradicting options", () => {
    const wrong: readonly (readonly [unknown, Error | RegExp])[] = [
      [{ shape: [4] }, errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.format")],
      [{ format: rgba }, errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.shape")],
      [{ format: rgba, shape: [] }, errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.shape")],
      [{ format: rgba, shape: [1, 2, 3, 4] }, errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.shape")],
      [{ format: rgba, shape: [4, 0] }, errorLike(RangeError, "ERR_OUT_OF_RANGE", "options.shape[1]")],
      [{ format: rgba, shape: [4], array: true }, errorLike(TypeError, "ERR_INVALID_ARG_VALUE", "options.shape")],
      [
        { format: rgba, shape: [4], host: new Uint8Array(16) },
        errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.hostPointer"),
      ],
      [{ format: rgba, shape: [4], hostPointer: "use" }, errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.host")],
      [
        { format: rgba, shape: [4], host: new Uint8Array(15), hostPointer: "copy" },
        errorLike(RangeError, "ERR_OUT_OF_RANGE", "options.host"),
      ],
      [{ format: rgba, shape: [4], pitches: [16] }, errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.pitches")],
      [
        { format: rgba, shape: [4, 2], host: new Uint8Array(64), hostPointer: "copy", pitches: [12] },
        errorLike(RangeError, "ERR_OUT_OF_RANGE", "options.pitches[0]"),
      ],
      [
        { format: rgba, shape: [4, 2], host: new Uint8Array(64), hostPointer: "copy", pitches: [18] },
        errorLike(RangeError, "ERR_OUT_OF_RANGE", "options.pitches[0]"),
      ],
      [
        { format: rgba, shape: [2, 2, 2], host: new Uint8Array(64), hostPointer: "copy", pitches: [12, 20] },
        errorLike(RangeError, "ERR_OUT_OF_RANGE", "options.pitches[1]"),
      ],
      [
        { format: rgba, shape: [4], access: "read-only", flags: MemFlags.READ_WRITE },
        errorLike(TypeError, "ERR_INVALID_ARG_VALUE"),
      ],
    ];
    for (const [options, message] of wrong) expect(() => make(options)).toThrow(message);
  });
});
