/** Every supported format of every image type: data written in one way can be read in every other way. */
import { describe, expect, test } from "vitest";
import { CommandQueue, Context, DeviceBuffer, type Image, type ImageFormat } from "@cl/core";

import {
  boxIn,
  bytesOf,
  exactColor,
  extentIn,
  formatsOf,
  imageKinds,
  type ImageKind,
  imageOf,
  noise,
  pixelsIn,
  copiesToBuffers,
} from "./support/images.js";
import { needs } from "@cl/base/testing";

const context = Context.create();
const queue = new CommandQueue(context);
const hasImages = context.devices.some((device) => device.imageSupport);

test("the device supports images", (run) => {
  needs(run, hasImages, `'${queue.device.name}' has no images`);
  for (const kind of imageKinds.slice(3)) expect(formatsOf(context, kind).length).toBeGreaterThan(0);
});

const cases = imageKinds.flatMap((kind) => formatsOf(context, kind).map((format) => ({ kind, format })));

/** Returns a box that excludes the edges where the image is large enough. */
function innerBox(shape: readonly number[]): { origin: [number, number, number]; region: [number, number, number] } {
  const extent = extentIn(shape);
  return {
    origin: extent.map((size) => (size > 1 ? 1 : 0)) as [number, number, number],
    region: extent.map((size) => (size > 1 ? size - 2 : 1)) as [number, number, number],
  };
}

const read = (image: Image): Uint8Array => bytesOf(queue.readSync(image));

describe.each(imageKinds)("a $name image", (kind) => {
  test.each(cases.filter((one) => one.kind === kind))(
    "of $format keeps its pixels in writes, copies, maps and fills",
    async ({ format }: { kind: ImageKind; format: ImageFormat }) => {
      const { shape } = kind;
      const image = imageOf(context, kind, format);
      const bytes = pixelsIn(shape) * format.itemSize;
      expect(image.elementSize).toBe(format.itemSize);
      expect(image.shape).toEqual(shape);
      expect(image.objectType).toBe(kind.type);

      // Write and read, whole and in part.
      const whole = noise(bytes);
      await queue.write(image, whole);
      const back = await queue.read(image);
      expect(back.constructor).toBe(format.arrayType);
      expect(bytesOf(back)).toEqual(whole);
      const { origin, region } = innerBox(shape);
      const part = boxIn(whole, shape, format.itemSize, origin, region);
      expect(bytesOf(await queue.read(image, { origin, region }))).toEqual(part);

      // Read with gaps between rows and slices.
      const row = region[0] * format.itemSize + format.itemSize;
      const slice = row * (region[1] + 1);
      const padded = new Uint8Array(slice * region[2]).fill(0xee);
      queue.readSync(image, { origin, region, pitches: [row, slice], into: padded });
      const expected = padded.slice().fill(0xee);
      for (let i = 0; i < region[1] * region[2]; i++) {
        const width = region[0] * format.itemSize;
        const at = (i % region[1]) * row + Math.floor(i / region[1]) * slice;
        expected.set(part.subarray(i * width, (i + 1) * width), at);
      }
      expect(padded).toEqual(expected);

      // Copy through a buffer and through another image.
      const buffer = new DeviceBuffer(context, bytes + 16);
      if (copiesToBuffers(queue, image)) queue.enqueueCopy(buffer, image, { targetOffset: 16 });
      else queue.writeSync(buffer, whole, { offset: 16 });
      expect(queue.readSync(buffer, Uint8Array, { offset: 16 })).toEqual(whole);
      const other = imageOf(context, kind, format);
      if (copiesToBuffers(queue, image)) queue.enqueueCopy(other, buffer, { sourceOffset: 16 });
      else queue.writeSync(other, back);
      expect(read(other)).toEqual(whole);
      const third = imageOf(context, kind, format);
      queue.enqueueCopy(third, other);
      expect(read(third)).toEqual(whole);

      // Map, change and read.
      const mapped = await queue.map(image, { origin, region });
      expect(bytesOf(mapped.toArray())).toEqual(part);
      expect(mapped.region).toEqual(region);
      const changed = noise(part.length, 99);
      mapped.set(changed);
      await mapped.unmap().wait();
      expect(bytesOf(await queue.read(image, { origin, region }))).toEqual(changed);

      // Fill whole and in part.
      const { color, bytes: pixel } = exactColor(format);
      queue.enqueueFill(other, color);
      expect(read(other)).toEqual(Uint8Array.from({ length: bytes }, (_, i) => pixel[i % pixel.length] as number));
      queue.enqueueFill(third, color, { origin, region });
      expect(bytesOf(queue.readSync(third, { origin, region }))).toEqual(
        Uint8Array.from({ length: part.length }, (_, i) => pixel[i % pixel.length] as number),
      );
      expect(read(third).subarray(0, format.itemSize)).toEqual(whole.subarray(0, format.itemSize));

      for (const one of [image, other, third, buffer]) one.release();
    },
  );
});
