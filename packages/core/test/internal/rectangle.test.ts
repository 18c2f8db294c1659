import * as fc from "fast-check";
import { expect, test } from "vitest";

import { boxEnd, boxesOverlap, boxPlace, boxStart, type Triple, triple } from "../../src/transfer/rectangle.js";

const region = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }));
const pitches = fc.tuple(fc.nat(3), fc.nat(3));

function bytesOfBox(
  start: number,
  [width, rows, slices]: Triple,
  [row, slice]: readonly [number, number],
): Set<number> {
  const bytes = new Set<number>();
  for (let z = 0; z < slices; z++) {
    for (let y = 0; y < rows; y++) for (let x = 0; x < width; x++) bytes.add(start + z * slice + y * row + x);
  }
  return bytes;
}

test("boxes overlap exactly if they share a byte", () => {
  fc.assert(
    fc.property(region, pitches, fc.integer({ min: -150, max: 150 }), (box, [moreRow, moreSlices], distance) => {
      const row = box[0] + moreRow;
      const slice = row * (box[1] + moreSlices);
      const first = bytesOfBox(0, box, [row, slice]);
      const shared = [...bytesOfBox(distance, box, [row, slice])].some((byte) => first.has(byte));
      expect(boxesOverlap(distance, box, [row, slice])).toBe(shared);
    }),
    { numRuns: 2000 },
  );
});

test("a box spans from its first byte to the one after its last", () => {
  fc.assert(
    fc.property(region, fc.tuple(fc.nat(5), fc.nat(5), fc.nat(5)), pitches, (box, origin, [moreRow, moreSlices]) => {
      const row = box[0] + moreRow;
      const place = boxPlace(box, origin, [row, row * (box[1] + moreSlices)], "source");
      const bytes = [...bytesOfBox(boxStart(place), box, place.pitches)];
      expect(boxStart(place)).toBe(Math.min(...bytes));
      expect(boxEnd(place, box)).toBe(Math.max(...bytes) + 1);
    }),
  );
});

test("missing numbers default to 0 in origins, 1 in regions, and a contiguous layout in pitches", () => {
  expect(triple([5], "origin", 0)).toEqual([5, 0, 0]);
  expect(triple([5, 6], "region", 1)).toEqual([5, 6, 1]);
  expect(boxPlace([4, 3, 2], undefined, undefined, "source")).toEqual({ origin: [0, 0, 0], pitches: [4, 12] });
  expect(boxPlace([4, 3, 2], [1], [8], "source")).toEqual({ origin: [1, 0, 0], pitches: [8, 24] });
});
