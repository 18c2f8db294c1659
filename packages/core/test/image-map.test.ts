/** Mapped images: driver-chosen pitches, several maps of one image, and unmapping. */
import * as fc from "fast-check";
import { beforeEach, describe, expect, expectTypeOf, test } from "vitest";
import { DisposedError, Image, ImageFormat, MappedImage } from "@cl/core";

import { needs } from "@cl/base/testing";
import { outOfRange } from "@cl/testing/error-like";
import { boxIn, bytesOf, extentIn, imageKinds, imageOf, pixelsIn } from "./support/images.js";
import { context, device, queue } from "./support/kernels.js";

const short4 = new ImageFormat("RGBA", "SIGNED_INT16");
const float = new ImageFormat("R", "FLOAT");
const counting = (length: number): Int16Array<ArrayBuffer> => Int16Array.from({ length }, (_, i) => i);

beforeEach((run) => needs(run, device.imageSupport, `'${device.name}' has no images`));

function filled(shape: readonly [number, number]): Image<"SIGNED_INT16"> {
  const image = Image.empty(context, short4, shape);
  queue.writeSync(image, counting(4 * pixelsIn(shape)));
  return image;
}

describe("a mapped image", () => {
  test("with unequal sides has each row at a multiple of its pitch", async () => {
    const image = filled([5, 3]);
    const mapped = await queue.map(image);
    expectTypeOf(mapped.row(0)).toEqualTypeOf<Int16Array<ArrayBuffer>>();
    expect(mapped).toBeInstanceOf(MappedImage);
    expect(mapped.image).toBe(image);
    expect([mapped.origin, mapped.region]).toEqual([
      [0, 0, 0],
      [5, 3, 1],
    ]);
    expect(mapped.rowPitch).toBeGreaterThanOrEqual(40);
    expect(mapped.slicePitch).toBeGreaterThanOrEqual(3 * 40);
    // A non-square image detects swapped axes.
    for (let y = 0; y < 3; y++) {
      expect([...mapped.row(y)]).toEqual([...counting(60).subarray(20 * y, 20 * (y + 1))]);
      expect(mapped.data[(y * mapped.rowPitch) / 2]).toBe(20 * y);
    }
    expect(mapped.toArray()).toEqual(counting(60));
    mapped.row(2)[1] = -7;
    expect(String(mapped)).toBe("MappedImage { Int16Array, 5 × 3 × 1 pixels of RGBA SIGNED_INT16 }");
    await mapped.unmap().wait();
    expect(queue.readSync(image)[41]).toBe(-7);
  });

  test.each(imageKinds)("can be any region: $name", (kind) => {
    const image = imageOf(context, kind, short4);
    const whole = counting(4 * pixelsIn(kind.shape));
    const axis = (size: number): fc.Arbitrary<readonly [number, number]> =>
      fc.nat(size - 1).chain((start) => fc.tuple(fc.constant(start), fc.integer({ min: 1, max: size - start })));
    const [x, y, z] = extentIn(kind.shape);
    fc.assert(
      fc.property(axis(x), axis(y), axis(z), (one, two, three) => {
        queue.writeSync(image, whole);
        const origin = [one[0], two[0], three[0]] as const;
        const region = [one[1], two[1], three[1]] as const;
        const mapped = queue.mapSync(image, { origin, region });
        const expected = boxIn(bytesOf(whole), kind.shape, 8, origin, region);
        expect(bytesOf(mapped.toArray())).toEqual(expected);
        for (let slice = 0; slice < region[2]; slice++) {
          const first = boxIn(
            bytesOf(whole),
            kind.shape,
            8,
            [origin[0], origin[1], origin[2] + slice],
            [region[0], 1, 1],
          );
          expect(bytesOf(mapped.row(0, slice))).toEqual(first);
        }
        mapped.set(Int16Array.from(mapped.toArray(), (value) => -value));
        mapped.release();
        const back = queue.readSync(image, { origin, region });
        expect(bytesOf(Int16Array.from(back, (value) => -value))).toEqual(expected);
      }),
      { numRuns: 40 },
    );
  });

  test("over host memory with padded rows keeps the padding unchanged", () => {
    const memory = new Float32Array(4 * 8).fill(-1);
    const image = new Image(context, { format: float, shape: [5, 4], host: memory, hostPointer: "use", pitches: [32] });
    const mapped = queue.mapSync(image, { access: "write-invalidate" });
    mapped.set(Float32Array.from({ length: 20 }, (_, i) => i));
    expect([...mapped.row(3)]).toEqual([15, 16, 17, 18, 19]);
    mapped.unmap().waitSync();
    expect([...queue.readSync(image, { origin: [4, 0], region: [1, 4] })]).toEqual([4, 9, 14, 19]);
  });

  test("throws in all its methods after it is unmapped", () => {
    const mapped = queue.mapSync(filled([3, 2]));
    const row = mapped.row(1);
    mapped.release();
    expect(row.length).toBe(0);
    for (const use of [() => mapped.row(0), () => mapped.toArray(), () => mapped.set(counting(24))]) {
      expect(use).toThrow(DisposedError);
    }
  });

  test("rejects invalid rows, arrays and regions", () => {
    const image = filled([3, 2]);
    const mapped = queue.mapSync(image);
    for (const [call, argument] of [
      [() => mapped.row(2), "y"],
      [() => mapped.row(0, 1), "z"],
      [() => mapped.set(counting(23)), "array"],
      [() => queue.mapSync(image, { region: [0] }), "options.region"],
      [() => queue.mapSync(image, { origin: [3] }), "options.region"],
      [() => queue.mapSync(image, { origin: [4] }), "options.origin[0]"],
    ] as const) {
      expect(call).toThrow(outOfRange(argument));
    }
    mapped.release();
  });
});
