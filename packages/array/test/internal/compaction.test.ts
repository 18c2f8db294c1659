/** Selection returns the same elements with CPU chunks and GPU blocks. */
import * as fc from "fast-check";
import { expect, test } from "vitest";

import { CountedMask } from "../../src/indexing/counted-mask.js";
import { caseCount } from "@cl/testing/level";
import { xp } from "../support/device.js";

const shapes = ["chunks", "blocks"] as const;

/** Sizes around the ends of chunks and blocks, and masks from empty to full. */
const cases = fc.tuple(
  fc.oneof(fc.integer({ min: 1, max: 200 }), fc.constantFrom(4095, 4096, 4097, 16_384, 16_385, 40_000)),
  fc.constantFrom(0, 0.001, 0.5, 0.999, 1),
  fc.integer({ min: 0, max: 20 }),
  fc.integer(),
);

function flagsOf(size: number, density: number, seed: number): Uint8Array {
  let state = seed | 1;
  return Uint8Array.from({ length: size }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    // Any nonzero byte is true.
    return (state >>> 0) / 2 ** 32 < density ? 1 + (state & 127) : 0;
  });
}

test.each(shapes)("returns the selected elements and indices of %s", { timeout: 240_000 }, async (parts) => {
  await fc.assert(
    fc.asyncProperty(cases, async ([size, density, offset, seed]) => {
      const flags = flagsOf(size + offset, density, seed);
      const mask = xp.fromHost(flags, { dtype: "bool" }).slice([offset, null]);
      const expected = Array.from(flags.subarray(offset)).flatMap((flag, i) => (flag === 0 ? [] : [i]));
      using counted = new CountedMask(mask, { parts });
      const total = await counted.total().value(undefined);
      expect(total).toBe(expected.length);
      if (total === 0) return;

      using positions = xp.empty([total], { dtype: "int32" });
      counted.write({ kind: "positions", target: positions.operand(), exact: false }, total);
      expect([...(await positions.data())]).toEqual(expected);

      const source = xp.arange(2 * size, { dtype: "int32" }).slice("::-2");
      using values = xp.empty([total], { dtype: "int32" });
      counted.write({ kind: "values", source: source.operand(), target: values.operand() }, total);
      expect([...(await values.data())]).toEqual(expected.map((i) => 2 * size - 1 - 2 * i));

      // Fewer than selected: nothing may be written after them.
      const half = Math.ceil(total / 2);
      positions.assign(-1);
      counted.write({ kind: "positions", target: positions.operand(), exact: false }, half);
      expect([...(await positions.data())]).toEqual(expected.map((i, k) => (k < half ? i : -1)));

      const target = xp.zeros([size], { dtype: "int32" });
      using given = xp.arange(1, 4, 1, { dtype: "int32" });
      counted.write({ kind: "store", source: given.operand(), target: target.operand(), exact: false }, size);
      const stored = Array<number>(size).fill(0);
      for (const [k, i] of expected.entries()) stored[i] = 1 + (k % 3);
      expect([...(await target.data())]).toEqual(stored);
    }),
    { numRuns: caseCount(25) },
  );
});

test.each(shapes)("returns the indices along each axis of %s", async (parts) => {
  const flags = flagsOf(30 * 20 * 10, 0.3, 77);
  using counted = new CountedMask(xp.fromHost(flags, { dtype: "bool", shape: [30, 20, 10] }), { parts });
  const total = counted.total().valueSync();
  using coordinates = xp.empty([3, total], { dtype: "int64" });
  counted.write({ kind: "coordinates", target: coordinates.operand() }, total);
  const expected = [...flags].flatMap((flag, i) =>
    flag === 0 ? [] : [[Math.floor(i / 200), Math.floor(i / 10) % 20, i % 10]],
  );
  expect(await coordinates.T.toNested()).toEqual(expected.map((list) => list.map(BigInt)));
});
