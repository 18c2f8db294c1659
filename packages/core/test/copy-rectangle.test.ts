import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CopyEnd, type CopyOptions, DeviceBuffer } from "@cl/core";
import { errorLike, outOfRange } from "@cl/testing/error-like";
import { bytesOf, countingBytes, end, pairs } from "./support/copy-ends.js";
import { context, queue } from "./support/kernels.js";
import { onFake } from "./support/on-fake.js";

/** Alias without types, for calls that TypeScript would reject. */
const copy = (target: unknown, source: unknown, options: unknown): unknown =>
  queue.enqueueCopy(target as CopyEnd, source as CopyEnd, options as CopyOptions);

type Triple = [number, number, number];
interface Box {
  origin: Triple;
  pitches: [number, number];
  size: number;
}

/** The same copy, byte by byte. */
function reference(target: Uint8Array, to: Box, source: Uint8Array, from: Box, [width, rows, slices]: Triple): void {
  const at = ({ origin, pitches }: Box, x: number, y: number, z: number): number =>
    origin[0] + x + (origin[1] + y) * pitches[0] + (origin[2] + z) * pitches[1];
  for (let z = 0; z < slices; z++) {
    for (let y = 0; y < rows; y++) {
      for (let x = 0; x < width; x++) target[at(to, x, y, z)] = source[at(from, x, y, z)] as number;
    }
  }
}

const small = fc.nat(3);
const regions = fc.tuple(
  fc.integer({ min: 1, max: 6 }),
  fc.integer({ min: 1, max: 4 }),
  fc.integer({ min: 1, max: 3 }),
);
const boxes = (region: Triple): fc.Arbitrary<Box> =>
  fc
    .record({ origin: fc.tuple(small, small, small), row: small, slice: small, more: small })
    .map(({ origin, row, slice, more }) => {
      const rowPitch = region[0] + row;
      const slicePitch = rowPitch * (region[1] + slice);
      const end =
        origin[0] + region[0] + (origin[1] + region[1] - 1) * rowPitch + (origin[2] + region[2] - 1) * slicePitch;
      return { origin, pitches: [rowPitch, slicePitch], size: end + more };
    });
const copies = regions.chain((region) => fc.tuple(fc.constant(region), boxes(region), boxes(region)));

describe.each(pairs)("a rectangle copied to %s from %s", (targetSide, sourceSide) => {
  test.each([true, false])("matches a byte-by-byte copy (blocking: %s)", async (blocking) => {
    await fc.assert(
      fc.asyncProperty(copies, async ([region, to, from]) => {
        const [target, source] = [countingBytes(to.size, 128), countingBytes(from.size)];
        const [targetEnd, sourceEnd] = [end(targetSide, target), end(sourceSide, source)];
        const options = {
          region,
          targetOrigin: to.origin,
          targetPitches: to.pitches,
          sourceOrigin: from.origin,
          sourcePitches: from.pitches,
        };
        if (blocking) queue.copySync(targetEnd, sourceEnd, options);
        else await queue.enqueueCopy(targetEnd, sourceEnd, options).wait();
        reference(target, to, source, from, region);
        expect(bytesOf(targetEnd)).toEqual(target);
      }),
      { numRuns: 40 },
    );
  });

  test("defaults origins to 0, regions to 1 and pitches to packed", async () => {
    const to = end(targetSide, new Uint8Array(8));
    await queue
      .enqueueCopy(to, end(sourceSide, countingBytes(9, 1)), { region: [2, 3], sourceOrigin: [1], sourcePitches: [3] })
      .wait();
    expect([...bytesOf(to)]).toEqual([2, 3, 5, 6, 8, 9, 0, 0]);
  });

  test("throws if it exceeds the source or the target, or if its region does not fit the pitches", () => {
    const [to, from] = [end(targetSide, new Uint8Array(12)), end(sourceSide, new Uint8Array(16))];
    for (const options of [
      { region: [4, 4] },
      { region: [4, 3], sourceOrigin: [0, 2] },
      { region: [2, 2], targetPitches: [11] },
      { region: [1, 1, 2], sourcePitches: [1, 16] },
      { region: [Number.MAX_SAFE_INTEGER, 1] },
      { region: [-1, 1] },
      { region: [4, 2], sourcePitches: [3] },
      { region: [2, 2, 2], targetPitches: [2, 3] },
      { region: [2, 2, 2], targetPitches: [2, 5] },
    ]) {
      expect(() => copy(to, from, options)).toThrow(outOfRange());
    }
  });

  test("with an empty region completes without copying", async () => {
    const to = end(targetSide, countingBytes(4));
    await queue.enqueueCopy(to, end(sourceSide, countingBytes(4, 9)), { region: [0, 2] }).wait();
    queue.copySync(to, end(sourceSide, countingBytes(4, 9)), { region: [2, 0] });
    expect(bytesOf(to)).toEqual(countingBytes(4));
  });
});

describe("a rectangular copy", () => {
  const buffer = new DeviceBuffer(context, 64);

  test("requires a region, and rejects offsets and bytes, because origins replace them", () => {
    const rejects = (options: object, code: string, argument: string): void =>
      expect(() => copy(buffer, new Uint8Array(64), options)).toThrow(errorLike(TypeError, code, argument));
    rejects({ sourceOrigin: [0] }, "ERR_INVALID_ARG_TYPE", "options.region");
    rejects({ targetPitches: [8] }, "ERR_INVALID_ARG_TYPE", "options.region");
    rejects({ region: [4], bytes: 4 }, "ERR_INVALID_ARG_VALUE", "options.bytes");
    rejects({ region: [4], sourceOffset: 0 }, "ERR_INVALID_ARG_VALUE", "options.sourceOffset");
  });

  test("can copy within a buffer if the rectangles do not overlap", () => {
    const own = DeviceBuffer.from(context, countingBytes(64));
    const options = { region: [2, 4], sourcePitches: [8], targetPitches: [8] } as const;
    expect(() => copy(own, own, { ...options, targetOrigin: [1] })).toThrow(outOfRange());
    expect(() => copy(own, own, { ...options, targetPitches: [16], targetOrigin: [2] })).toThrow(outOfRange());
    queue.copySync(own, own, { ...options, targetOrigin: [2] });
    expect([...bytesOf(own).subarray(8, 14)]).toEqual([8, 9, 8, 9, 12, 13]);
  });
});

test("drivers that require complete slices and rows, such as NVIDIA's, receive the last ones as separate copies", async () => {
  const { lines } = await onFake(`
    process.env.FAKE_CL_RECTANGLES = "whole";
    let [seed, wrong] = [1, 0];
    const random = (below) => (seed = (Math.imul(seed, 48271) >>> 0) % 0x7fffffff) % below;
    for (let round = 0; round < 400; round++) {
      const region = [1 + random(4), 1 + random(4), 1 + random(3)];
      const box = () => {
        const origin = [random(6), random(6), random(3)];
        const row = region[0] + random(3);
        const pitches = [row, row * (region[1] + random(3))];
        const at = (x, y, z) => origin[0] + x + (origin[1] + y) * row + (origin[2] + z) * pitches[1];
        return { origin, pitches, at, size: at(region[0], region[1] - 1, region[2] - 1) + random(3) };
      };
      const [to, from] = [box(), box()];
      const source = Uint8Array.from({ length: from.size }, (_, i) => i);
      const expected = new Uint8Array(to.size);
      for (let z = 0; z < region[2]; z++)
        for (let y = 0; y < region[1]; y++)
          for (let x = 0; x < region[0]; x++) expected[to.at(x, y, z)] = source[from.at(x, y, z)];
      const options = { region, targetOrigin: to.origin, targetPitches: to.pitches, sourceOrigin: from.origin, sourcePitches: from.pitches };
      for (const [hostTarget, hostSource] of [[true, false], [false, true], [false, false]]) {
        const bytes = new Uint8Array(to.size);
        const target = DeviceBuffer.from(context, bytes);
        const ends = [hostTarget ? bytes : target, hostSource ? source : DeviceBuffer.from(context, source)];
        if (round % 2 === 0) queue.copySync(...ends, options);
        else await queue.enqueueCopy(...ends, options).wait();
        if (Buffer.compare(hostTarget ? bytes : queue.readSync(target), expected) !== 0) wrong++;
      }
    }
    console.log(wrong);`);
  expect(lines).toEqual(["0"]);
});
