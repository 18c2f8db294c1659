/** Every supported format of every image type: data that is written or filled can be read, whole and in part. */
import { describe, expect, test } from "vitest";

import {
  boxIn,
  bytesOf,
  exactColor,
  extentIn,
  formatsOf,
  imageKinds,
  imageOf,
  noise,
  pixelsIn,
} from "./support/images.js";
import { needs } from "@cl/base/testing";
import { sample } from "@cl/testing/level";
import { context, queue } from "./support/kernels.js";

const hasImages = context.devices.some((device) => device.imageSupport);

test("the device supports images", (run) => {
  needs(run, hasImages, `'${queue.device.name}' has no images`);
  for (const kind of imageKinds.slice(3)) expect(formatsOf(context, kind).length).toBeGreaterThan(0);
});

/** Returns a box that excludes the edges where the image is large enough. */
function innerBox(shape: readonly number[]): { origin: [number, number, number]; region: [number, number, number] } {
  const extent = extentIn(shape);
  return {
    origin: extent.map((size) => (size > 1 ? 1 : 0)) as [number, number, number],
    region: extent.map((size) => (size > 1 ? size - 2 : 1)) as [number, number, number],
  };
}

describe.each(imageKinds)("a $name image", (kind) => {
  test.each(sample(formatsOf(context, kind), 5))(
    "of %s keeps its pixels in writes and fills, whole and in part",
    async (format) => {
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

      // Fill whole and in part.
      const { color, bytes: pixel } = exactColor(format);
      const other = imageOf(context, kind, format);
      queue.enqueueFill(other, color);
      expect(bytesOf(queue.readSync(other))).toEqual(
        Uint8Array.from({ length: bytes }, (_, i) => pixel[i % pixel.length] as number),
      );
      queue.enqueueFill(image, color, { origin, region });
      expect(bytesOf(queue.readSync(image, { origin, region }))).toEqual(
        Uint8Array.from({ length: part.length }, (_, i) => pixel[i % pixel.length] as number),
      );
      const first = queue.readSync(image, { region: [1, 1, 1] });
      if (bytes > part.length) expect(bytesOf(first)).toEqual(whole.subarray(0, format.itemSize));
    },
  );
});
