/** Reads, writes, copies and fills of parts of images, with any origin, region and pitches. */
import * as fc from "fast-check";
import { beforeEach, describe, expect, expectTypeOf, test, type TestContext } from "vitest";
import {
  type ChannelOrderName,
  type ChannelTypeName,
  type CopyOptions,
  CommandType,
  DeviceBuffer,
  Image,
  ImageFormat,
  supportedImageFormats,
  UserEvent,
} from "@cl/core";

import { outOfRange, wrongType, wrongValue } from "@cl/testing/error-like";
import { copiesToBuffers, extentIn, imageKinds, type ImageKind, imageOf, pixelsIn } from "./support/images.js";
import { needs } from "@cl/base/testing";
import { context, device, queue } from "./support/kernels.js";
import { onFake } from "./support/on-fake.js";

type Triple = readonly [number, number, number];

const ushort4 = new ImageFormat("RGBA", "UNSIGNED_INT16");
const uint8 = new ImageFormat("RGBA", "UNSIGNED_INT8");

beforeEach((run) => needs(run, device.imageSupport, `'${device.name}' has no images`));

const counting = (length: number, from = 0): Uint16Array => Uint16Array.from({ length }, (_, i) => i + from);

/** Alias without types, for calls that TypeScript would reject. */
const loose = queue as unknown as {
  readSync(...args: readonly unknown[]): Uint16Array;
  enqueueFill(...args: readonly unknown[]): unknown;
};

const isSupported = (format: ImageFormat): boolean => supportedImageFormats(context).some((one) => one.equals(format));

/** Returns a format, or skips the test if the device does not support it. */
function supported<T extends ChannelTypeName>(
  run: TestContext,
  type: T,
  order: ChannelOrderName = "RGBA",
): ImageFormat<T> {
  const format = new ImageFormat(order, type);
  needs(run, isSupported(format), `${String(format)} is not supported`);
  return format;
}

/** A reference model that copies pixels one number at a time. */
class Model {
  readonly data: Uint16Array;
  readonly #extent: Triple;
  readonly #channels: number;

  constructor(shape: readonly number[], channels: number, from = 0) {
    this.#extent = extentIn(shape);
    this.#channels = channels;
    this.data = counting(pixelsIn(shape) * channels, from);
  }

  at([x, y, z]: Triple, channel: number): number {
    const [width, height] = this.#extent;
    return ((z * height + y) * width + x) * this.#channels + channel;
  }

  /** Calls `visit` with the index of each number of a box here and in host memory with the given pitches in bytes. */
  each(origin: Triple, region: Triple, row: number, slice: number, visit: (here: number, there: number) => void): void {
    for (let z = 0; z < region[2]; z++) {
      for (let y = 0; y < region[1]; y++) {
        for (let x = 0; x < region[0]; x++) {
          for (let c = 0; c < this.#channels; c++) {
            const here = this.at([origin[0] + x, origin[1] + y, origin[2] + z], c);
            visit(here, (z * slice + y * row) / 2 + x * this.#channels + c);
          }
        }
      }
    }
  }
}

/** Returns an arbitrary box of the image, with gaps of whole pixels between rows and of whole rows between slices. */
function boxes(kind: ImageKind): fc.Arbitrary<{ origin: Triple; region: Triple; row: number; slice: number }> {
  const axis = (size: number): fc.Arbitrary<readonly [number, number]> =>
    fc.nat(size - 1).chain((start) => fc.tuple(fc.constant(start), fc.integer({ min: 1, max: size - start })));
  const [x, y, z] = extentIn(kind.shape);
  return fc.tuple(axis(x), axis(y), axis(z), fc.nat(3), fc.nat(2)).map(([one, two, three, gap, rows]) => {
    const region: Triple = [one[1], two[1], three[1]];
    const row = (region[0] + gap) * 8;
    return { origin: [one[0], two[0], three[0]], region, row, slice: row * (region[1] + rows) };
  });
}

describe.each(imageKinds)("any region of a $name image", (kind) => {
  test("can be read and written with any pitches without touching other pixels", () => {
    const image = imageOf(context, kind, ushort4);
    fc.assert(
      fc.property(boxes(kind), fc.boolean(), ({ origin, region, row, slice }, tight) => {
        const model = new Model(kind.shape, 4);
        queue.writeSync(image, model.data);
        const [rows, slices] = tight ? [region[0] * 8, region[0] * 8 * region[1]] : [row, slice];
        const pitches = tight ? {} : { pitches: [rows, slices] as const };
        const end = (region[2] - 1) * slices + (region[1] - 1) * rows + region[0] * 8;

        const into = new Uint16Array(end / 2).fill(0xffff);
        const expected = into.slice();
        model.each(origin, region, rows, slices, (here, there) => (expected[there] = model.data[here] as number));
        expect(queue.readSync(image, { origin, region, into, ...pitches })).toEqual(expected);

        const source = counting(end / 2, 1000);
        queue.writeSync(image, source, { origin, region, ...pitches });
        model.each(origin, region, rows, slices, (here, there) => (model.data[here] = source[there] as number));
        expect(queue.readSync(image)).toEqual(model.data);
      }),
      { numRuns: 60 },
    );
  });

  test("can be copied to any position in an image, a buffer or host memory", () => {
    const [from, to] = [imageOf(context, kind, ushort4), imageOf(context, kind, ushort4)];
    const buffer = DeviceBuffer.empty(context, Uint16Array, 4 * pixelsIn(kind.shape) + 8);
    const takesBuffers = copiesToBuffers(queue, from);
    fc.assert(
      fc.property(boxes(kind), fc.nat(2), fc.func(fc.nat(6)), ({ origin, region, row, slice }, skip, place) => {
        const extent = extentIn(kind.shape);
        const there = extent.map((size, i) => place(i) % (size - (region[i] as number) + 1)) as unknown as Triple;
        const [source, target] = [new Model(kind.shape, 4), new Model(kind.shape, 4, 2000)];
        queue.writeSync(from, source.data);
        queue.writeSync(to, target.data);
        queue.enqueueCopy(to, from, { region, sourceOrigin: origin, targetOrigin: there });
        const [rows, slices] = [region[0] * 8, region[0] * region[1] * 8];
        const box: number[] = [];
        source.each(origin, region, rows, slices, (here, at) => (box[at] = source.data[here] as number));
        target.each(there, region, rows, slices, (here, at) => (target.data[here] = box[at] as number));
        expect(queue.readSync(to)).toEqual(target.data);

        if (takesBuffers) queue.enqueueCopy(buffer, from, { region, sourceOrigin: origin, targetOffset: 8 * skip });
        else queue.writeSync(buffer, Uint16Array.from(box), { offset: 4 * skip });
        expect([...queue.readSync(buffer, { offset: 4 * skip, length: box.length })]).toEqual(box);
        if (takesBuffers) queue.enqueueCopy(to, buffer, { region, targetOrigin: there, sourceOffset: 8 * skip });
        expect(queue.readSync(to)).toEqual(target.data);

        const host = new Uint16Array(2 * skip + slice * region[2] + 8);
        queue.copySync(host, from, {
          region,
          sourceOrigin: origin,
          targetOffset: 4 * skip,
          targetPitches: [row, slice],
        });
        source.each(origin, region, row, slice, (here, at) => expect(host[2 * skip + at]).toBe(source.data[here]));
        queue.copySync(to, host, { region, targetOrigin: there, sourceOffset: 4 * skip, sourcePitches: [row, slice] });
        expect(queue.readSync(to)).toEqual(target.data);
      }),
      { numRuns: 40 },
    );
  });

  test("can be filled with a color without touching other pixels", () => {
    const image = imageOf(context, kind, ushort4);
    fc.assert(
      fc.property(boxes(kind), ({ origin, region }) => {
        const model = new Model(kind.shape, 4);
        queue.writeSync(image, model.data);
        queue.enqueueFill(image, [1, 20, 300, 65535], { origin, region });
        model.each(origin, region, 0, 0, (here) => (model.data[here] = [1, 20, 300, 65535][here % 4] as number));
        expect(queue.readSync(image)).toEqual(model.data);
      }),
      { numRuns: 30 },
    );
  });

  test("throws an error that names the number if it is outside the image", () => {
    const image = imageOf(context, kind, ushort4);
    for (const [axis, size] of extentIn(kind.shape).entries()) {
      const origin = [0, 0, 0].with(axis, 1);
      const region = [1, 1, 1].with(axis, size);
      for (const [options, argument] of [
        [{ origin, region }, `options.region[${axis}]`],
        [{ origin: [0, 0, 0].with(axis, size + 1) }, `options.origin[${axis}]`],
        [{ region: [1, 1, 1].with(axis, -1) }, `options.region[${axis}]`],
      ] as const) {
        expect(() => loose.readSync(image, options)).toThrow(outOfRange(argument));
      }
      expect(() => loose.enqueueFill(image, [0, 0, 0, 0], { origin, region })).toThrow(RangeError);
    }
  });
});

/** Returns an image of 3 × 2 pixels with the numbers from 0. */
function filled(): Image<"UNSIGNED_INT16"> {
  const image = Image.empty(context, ushort4, [3, 2]);
  queue.writeSync(image, counting(24));
  return image;
}

describe("a read", () => {
  test("returns the format's typed array, also in its static type", async () => {
    const pixels = await queue.read(filled());
    expectTypeOf(pixels).toEqualTypeOf<Uint16Array<ArrayBuffer>>();
    expect(pixels).toEqual(counting(24));
    const into = new Uint16Array(24);
    expectTypeOf(queue.readSync(filled(), { into })).toEqualTypeOf<Uint16Array<ArrayBuffer>>();
    expect(await queue.read(filled(), { into })).toBe(into);
    expect(into).toEqual(counting(24));
  });

  test("returns an empty array for an empty region and defaults to the rest of the image", async () => {
    expect(await queue.read(filled(), { region: [0, 2] })).toEqual(new Uint16Array(0));
    expect(queue.readSync(filled(), { region: [0] })).toEqual(new Uint16Array(0));
    expect(await queue.read(filled(), { origin: [2, 1] })).toEqual(counting(4, 20));
    expect(await queue.read(filled(), { region: [1] })).toEqual(counting(4));
  });

  test("rejects arrays of another type or size, and pitches without `into`", () => {
    expect(() => loose.readSync(filled(), { into: new Float32Array(24) })).toThrow(wrongType("options.into"));
    expect(() => loose.readSync(filled(), { pitches: [24] })).toThrow(wrongValue());
    for (const [options, argument] of [
      [{ into: new Uint16Array(23) }, "options.into"],
      [{ into: new Uint16Array(99), pitches: [23] }, "options.pitches[0]"],
      [{ into: new Uint16Array(99), pitches: [24, 47] }, "options.pitches[1]"],
    ] as const) {
      expect(() => loose.readSync(filled(), options)).toThrow(outOfRange(argument));
    }
    expect(queue.readSync(filled(), { into: new Uint8Array(48) })[2]).toBe(1);
  });
});

describe("a write", () => {
  test("needs an array that matches the region, or pitches", () => {
    const image = Image.empty(context, ushort4, [3, 2]);
    for (const [length, options] of [[23], [25], [24, { pitches: [32] }]] as const) {
      expect(() => queue.writeSync(image, counting(length), options)).toThrow(outOfRange("array"));
    }
    // With pitches, the image is a part of a larger array.
    queue.writeSync(image, counting(100), { pitches: [40] });
    expect([...queue.readSync(image, { origin: [0, 1], region: [1, 1] })]).toEqual([20, 21, 22, 23]);
  });

  test("keeps the array's memory for the device until it completes, even if the array is transferred", async () => {
    const image = Image.empty(context, ushort4, [3, 2]);
    const gate = new UserEvent(context);
    const array = counting(24);
    const event = queue.enqueueCopy(image, array, { waitFor: gate });
    structuredClone(array, { transfer: [array.buffer as ArrayBuffer] });
    gate.complete();
    await event.wait();
    expect(event.commandType).toBe(CommandType.WRITE_IMAGE);
    expect(queue.readSync(image)).toEqual(counting(24));
  });
});

describe("a copy", () => {
  test("within an image works for regions that do not overlap", () => {
    const image = filled();
    queue.enqueueCopy(image, image, { region: [3, 1], targetOrigin: [0, 1] });
    expect([...queue.readSync(image, { origin: [0, 1] })]).toEqual([...counting(12)]);
    const overlap = outOfRange();
    expect(() => queue.enqueueCopy(image, image, { region: [2, 2], targetOrigin: [1] })).toThrow(overlap);
    expect(() => queue.enqueueCopy(Image.fromPointer(context, image.pointer), image)).toThrow(overlap);
  });

  test("between images requires equal formats and sizes", () => {
    const other = Image.empty(context, new ImageFormat("RGBA", "SIGNED_INT16"), [3, 2]);
    expect(() => queue.enqueueCopy(other, filled())).toThrow(wrongValue());
    const small = Image.empty(context, ushort4, [2, 2]);
    expect(() => queue.enqueueCopy(small, filled())).toThrow(outOfRange());
  });

  test("rejects unsupported options and wrong sizes", () => {
    const image = filled();
    const buffer = new DeviceBuffer(context, 48);
    const options = wrongType("options");
    const wrong: readonly (readonly [unknown, unknown, object, Error])[] = [
      [image, image, { sourceOffset: 4 }, options],
      [buffer, image, { targetOrigin: [1] }, options],
      [buffer, image, { targetPitches: [64] }, options],
      [buffer, image, { bytes: 4 }, options],
      [image, counting(24), { targetOffset: 4 }, options],
      [buffer, image, { targetOffset: 1 }, outOfRange()],
      [image, counting(23), {}, outOfRange()],
      [image, new Float32Array(12), {}, wrongType("source")],
    ];
    for (const [target, source, given, error] of wrong) {
      expect(() => queue.enqueueCopy(target as Image, source as Image, given as CopyOptions)).toThrow(error);
    }
    // Empty options and empty regions are valid.
    queue.enqueueCopy(buffer, image, { region: [0] });
    queue.copySync(new Uint16Array(24), image, {});
  });

  test("returns an event with the matching command type", () => {
    const [image, buffer] = [filled(), new DeviceBuffer(context, 48)];
    expect(queue.enqueueCopy(buffer, image).commandType).toBe(CommandType.COPY_IMAGE_TO_BUFFER);
    expect(queue.enqueueCopy(image, buffer).commandType).toBe(CommandType.COPY_BUFFER_TO_IMAGE);
    expect(queue.enqueueCopy(image, filled()).commandType).toBe(CommandType.COPY_IMAGE);
    expect(queue.enqueueFill(image, [1, 2, 3, 4]).commandType).toBe(CommandType.FILL_IMAGE);
    queue.finishSync();
  });
});

describe("a fill", () => {
  test.for<[type: ChannelTypeName, color: unknown, argument: string]>([
    ["UNSIGNED_INT8", [0, 0, 0, 256], "color[3]"],
    ["UNSIGNED_INT8", [0, 0.5, 0, 0], "color[1]"],
    ["UNSIGNED_INT8", [-1, 0, 0, 0], "color[0]"],
    ["SIGNED_INT32", [2 ** 31, 0, 0, 0], "color[0]"],
    ["UNORM_INT8", [0, 0, 1.01, 0], "color[2]"],
    ["UNORM_INT8", [0, 0, NaN, 0], "color[2]"],
    ["SNORM_INT8", [0, 0, -1.01, 0], "color[2]"],
    ["HALF_FLOAT", [1e5, 0, 0, 0], "color[0]"],
    ["FLOAT", [1e39, 0, 0, 0], "color[0]"],
  ])("rejects colors that pixels of %s cannot hold: %s", ([type, color, argument], run) => {
    const image = Image.empty(context, supported(run, type), [2, 2]);
    expect(() => loose.enqueueFill(image, color)).toThrow(outOfRange(argument));
  });

  test("rejects colors with another number of channels", () => {
    const image = Image.empty(context, uint8, [2, 2]);
    for (const color of [1, [1, 2, 3]]) {
      expect(() => loose.enqueueFill(image, color)).toThrow(wrongType("color"));
    }
  });

  test("takes red, green, blue and alpha for any channel order and from any kind of array", (run) => {
    const image = Image.empty(context, uint8, [2, 1]);
    queue.enqueueFill(image, Uint8Array.of(1, 2, 3, 4));
    expect([...queue.readSync(image)]).toEqual([1, 2, 3, 4, 1, 2, 3, 4]);
    const other = Image.empty(context, supported(run, "UNORM_INT8", "BGRA"), [1, 1]);
    queue.enqueueFill(other, Float32Array.of(1, 0, 0.2, 0.4));
    expect([...queue.readSync(other)]).toEqual([51, 0, 255, 102]);
  });

  const rounded = [
    ["UNORM_INT8", 255, 0],
    ["SNORM_INT8", 127, -1],
    ["UNORM_INT16", 65535, 0],
    ["SNORM_INT16", 32767, -1],
  ] as const;

  test.for(rounded)("of %s rounds to the nearest value", ([type, most, least], run) => {
    const format = supported(run, type);
    const buffer = new DeviceBuffer(context, 4 * format.itemSize);
    const images = [Image.empty(context, format, [1, 1]), new Image(context, { format, shape: [1], buffer })];
    const fraction = fc.double({ min: least, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.tuple(fraction, fraction, fraction, fraction), (color) => {
        for (const image of images) {
          queue.enqueueFill(image, color);
          for (const [i, value] of [...queue.readSync(image)].entries()) {
            // Values halfway between two numbers can round either way.
            expect(Math.abs(value - (color[i] as number) * most)).toBeLessThanOrEqual(0.5001);
          }
        }
      }),
    );
  });
});

test("the driver never receives an invalid origin, region or pitch", async () => {
  const { lines } = await onFake(`
    const format = new ImageFormat("RGBA", "UNORM_INT8");
    const shapes = [[[5], false], [[5, 3], true], [[5, 3], false], [[5, 3, 2], true], [[5, 3, 2], false]];
    for (const [shape, array] of shapes) {
      const image = Image.empty(context, format, shape, { array });
      const bytes = Uint8Array.from({ length: 4 * shape.reduce((a, b) => a * b) }, (_, i) => i);
      queue.writeSync(image, bytes);
      const into = new Uint8Array(400);
      queue.readSync(image, { origin: shape.map((n) => (n > 2 ? 1 : 0)), pitches: [40, 160], into });
      const mapped = queue.mapSync(image, { origin: [1] });
      console.log(into[0], mapped.toArray().length);
      mapped.release();
    }
    queue.finishSync();`);
  expect(lines).toEqual(["4 16", "24 48", "24 48", "24 96", "24 96"]);
});
