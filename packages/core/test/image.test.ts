/** Images: creation, properties, and creation errors. */
import { beforeEach, describe, expect, test } from "vitest";
import {
  DeviceBuffer,
  Image,
  ImageFormat,
  ImageInfo,
  type ImageOptions,
  MemFlags,
  MemInfo,
  MemObjectType,
  MemoryObject,
} from "@cl/core";

import { notSupported } from "@cl/testing/core-errors";
import { outOfRange, wrongType, wrongValue } from "@cl/testing/error-like";
import { type ImageKind, imageKinds, imageOf } from "./support/images.js";
import { needs } from "@cl/base/testing";
import { context, device, queue } from "./support/kernels.js";

const rgba = new ImageFormat("RGBA", "UNSIGNED_INT8");
const float = new ImageFormat("R", "FLOAT");

beforeEach((run) => needs(run, device.imageSupport, `'${device.name}' has no images`));

/** Alias without types, for calls that TypeScript would reject. */
const make = (options: unknown): Image => new Image(context, options as ImageOptions);

describe("an image", () => {
  test.each([
    [0, { width: 7, height: 0, depth: 0, arraySize: 0, strides: [4] }],
    [1, { width: 7, height: 0, depth: 0, arraySize: 0, strides: [4] }],
    [2, { width: 7, height: 0, depth: 0, arraySize: 3 }],
    [3, { width: 7, height: 5, depth: 0, arraySize: 0 }],
    [4, { width: 7, height: 5, depth: 0, arraySize: 3 }],
    [5, { width: 7, height: 5, depth: 3, arraySize: 0 }],
  ])("of type %i has sizes, width first", (index, sizes) => {
    const kind = imageKinds[index] as ImageKind;
    const image = imageOf(context, kind, rgba);
    expect(image).toMatchObject(sizes);
    expect(image.shape).toEqual(kind.shape);
    expect(image.objectType).toBe(kind.type);
    expect(String(image)).toMatch(/^Image \{ RGBA UNSIGNED_INT8, 7.* bytes \}$/);
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
    const made = (shape: number[], pitches: number[], array = false): number[] => [
      ...queue.readSync(make({ format: float, shape, array, host: padded, hostPointer: "copy", pitches })),
    ];
    expect(made([3, 2, 2], [16, 48])).toEqual([0, 1, 2, 4, 5, 6, 12, 13, 14, 16, 17, 18]);
    expect(made([3, 4], [24], true)).toEqual([0, 1, 2, 6, 7, 8, 12, 13, 14, 18, 19, 20]);
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
    const [buffer, image] = [new DeviceBuffer(context, 4), Image.empty(context, rgba, [1])];
    const refused = wrongType("pointer");
    expect(() => Image.fromPointer(context, buffer.pointer)).toThrow(refused);
    expect(() => DeviceBuffer.fromPointer(context, image.pointer)).toThrow(refused);
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
    expect(() => queue.enqueueCopy(buffer, image, { targetOffset: 4 })).toThrow(outOfRange());
  });

  test("must fit the buffer and have one dimension", () => {
    const buffer = new DeviceBuffer(context, 10);
    const refused: readonly (readonly [object, Error])[] = [
      [{ shape: [3] }, outOfRange("options.buffer")],
      [{ shape: [2, 1], array: true }, wrongType("options.array")],
      [{ shape: [1, 1, 1] }, wrongValue("options.shape")],
      [{ shape: [2], host: new Float32Array(2), hostPointer: "copy" }, wrongValue()],
    ];
    for (const [options, error] of refused) expect(() => make({ format: float, buffer, ...options })).toThrow(error);
  });

  test("with two dimensions requires the device's pitch alignment or throws", () => {
    const pitchAlignment = device.hasExtension("cl_khr_image2d_from_buffer") ? device.imagePitchAlignment : 0;
    const row = Math.max(64, pitchAlignment * 4);
    const buffer = new DeviceBuffer(context, row * 3);
    const flat = (): Image => make({ format: float, shape: [5, 3], buffer, pitches: [row] });
    if (pitchAlignment === 0) {
      expect(flat).toThrow(notSupported());
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
      expect(() => make({ format: float, shape: [5, 3], buffer, pitches: [row - 4] })).toThrow(RangeError);
    }
    expect(() => make({ format: float, shape: [5, 4], buffer, pitches: [row] })).toThrow(RangeError);
  });
});

describe("the Image constructor throws", () => {
  test.each<[argument: string, shape: () => ImageOptions["shape"], array?: boolean]>([
    ["options.shape[0]", () => [device.image2dMaxWidth + 1, 1]],
    ["options.shape[1]", () => [1, device.image2dMaxHeight + 1]],
    ["options.shape[2]", () => [1, 1, device.image3dMaxDepth + 1]],
    ["options.shape[1]", () => [1, Number(device.imageMaxArraySize) + 1], true],
  ])("if %s exceeds the device's limit", (argument, shape, array = false) => {
    const large = (): Image => new Image(context, { format: rgba, shape: shape(), array });
    expect(large).toThrow(outOfRange(argument));
  });

  test.each([new ImageFormat("RGB", "FLOAT"), new ImageFormat(0x7000, 0x7001)])("for the format %s", (format) => {
    expect(() => Image.empty(context, format, [4])).toThrow(notSupported());
  });

  const host = new Uint8Array(64);
  const padded = { host, hostPointer: "copy" };

  test.each<[argument: string | undefined, options: object]>([
    ["options.format", { format: undefined, shape: [4] }],
    ["options.shape", {}],
    ["options.shape", { shape: [] }],
    ["options.shape", { shape: [1, 2, 3, 4] }],
    ["options.hostPointer", { shape: [4], host }],
    ["options.host", { shape: [4], hostPointer: "use" }],
    ["options.pitches", { shape: [4], pitches: [16] }],
  ])("if %s is missing or contradicts other options: %o", (argument, options) => {
    expect(() => make({ format: rgba, ...options })).toThrow(wrongType(argument));
  });

  test.each<[argument: string, options: object]>([
    ["options.shape[1]", { shape: [4, 0] }],
    ["options.host", { shape: [4], host: new Uint8Array(15), hostPointer: "copy" }],
    ["options.pitches[0]", { shape: [4, 2], ...padded, pitches: [12] }],
    ["options.pitches[0]", { shape: [4, 2], ...padded, pitches: [18] }],
    ["options.pitches[1]", { shape: [2, 2, 2], ...padded, pitches: [12, 20] }],
  ])("if %s is out of range: %o", (argument, options) => {
    expect(() => make({ format: rgba, ...options })).toThrow(outOfRange(argument));
  });

  test("for an array of images without a count, or two kinds of access", () => {
    for (const options of [{ array: true }, { access: "read-only", flags: MemFlags.READ_WRITE }]) {
      expect(() => make({ format: rgba, shape: [4], ...options })).toThrow(wrongValue());
    }
  });
});
