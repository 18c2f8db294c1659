import * as fc from "fast-check";
import { expect, test } from "vitest";

import { boxesOverlap, type Triple } from "../../src/transfer/rectangle.js";

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
