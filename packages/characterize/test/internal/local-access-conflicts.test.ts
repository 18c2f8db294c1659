import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { localAccessConflictOf } from "../../src/questions/local-access-conflicts.js";
import {
  adrenoDevice,
  amdDevice,
  cpuDevice,
  intelDevice,
  maliDevice,
  nvidiaDevice,
  platforms,
} from "./described-devices.js";
import { warningsOf } from "./warnings.js";

const h200 = nvidiaDevice(9, 0);
const none = { multiplicity: 1, explanation: undefined };

describe("whyNotLocalAccessConflictFree", () => {
  test("finds conflicts in the columns of a tile and suggests a padding", () => {
    expect(localAccessConflictOf(h200, 4, [32, 32])).toEqual({
      multiplicity: 32,
      explanation:
        "32 work-items along axis 0 of 32 × 32 elements of 4 bytes access up to 32 words of one of 32 banks; stored as 32 × 33 they would not conflict",
    });
    expect(localAccessConflictOf(h200, 4, [32, 32], [32, 33])).toEqual(none);
    expect(localAccessConflictOf(h200, 4, [16, 16])?.multiplicity).toBe(8);
    expect(localAccessConflictOf(intelDevice("Intel(R) Arc(TM) A770 Graphics"), 4, [16, 16])?.multiplicity).toBe(16);
    expect(localAccessConflictOf(amdDevice("gfx90a"), 4, [64, 64])?.multiplicity).toBe(32);
  });

  test("finds no conflicts in one dimension of any length", () => {
    for (const n of [1, 3, 31, 32, 33, 100_000]) expect(localAccessConflictOf(h200, 4, [n])).toEqual(none);
  });

  test("counts work-items that read the same word only once", () => {
    expect(localAccessConflictOf(h200, 1, [128])).toEqual(none);
    expect(localAccessConflictOf(h200, 2, [64])).toEqual(none);
    // 32 bytes of a column at a stride of 32 bytes: four of them share each bank, in four words.
    expect(localAccessConflictOf(h200, 1, [32, 32])?.multiplicity).toBe(8);
    // Two rows of one word each, read by both halves: two bytes of one word never conflict.
    expect(localAccessConflictOf(h200, 1, [2, 2])).toEqual(none);
  });

  test("assumes that fewer work-items access wide elements simultaneously, as in hardware", () => {
    for (const itemSize of [8, 16, 32, 64, 128]) expect(localAccessConflictOf(h200, itemSize, [64])).toEqual(none);
    expect(localAccessConflictOf(h200, 8, [32, 32])?.multiplicity).toBe(16);
    // Wider than all banks: each element takes several accesses.
    expect(localAccessConflictOf(h200, 256, [4])?.multiplicity).toBe(2);
    expect(localAccessConflictOf(h200, 12, [64])).toEqual(none);
  });

  test("skips work-items past the array's end", () => {
    expect(localAccessConflictOf(h200, 4, [2, 32])?.multiplicity).toBe(2);
    expect(localAccessConflictOf(h200, 4, [1, 32])).toEqual(none);
    expect(localAccessConflictOf(h200, 4, [3, 1])).toEqual(none);
  });

  test("finds no conflicts in global memory, and returns undefined if the banks are unknown", () => {
    expect(localAccessConflictOf(cpuDevice(platforms.pocl, "AuthenticAMD"), 4, [32, 32])).toEqual(none);
    expect(localAccessConflictOf(maliDevice("Mali-G710"), 4, [32, 32])).toEqual(none);
    const adreno = adrenoDevice();
    // One warning per missing value.
    expect(warningsOf(() => expect(localAccessConflictOf(adreno, 4, [32, 32])).toBeUndefined())).toHaveLength(2);
  });

  test("agrees with brute force for any shape and padding", () => {
    const extents = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(extents, fc.array(fc.nat(3), { minLength: 3, maxLength: 3 }), (shape, padding) => {
        const stored = shape.map((extent, i) => extent + (padding[i] ?? 0));
        const conflict = localAccessConflictOf(h200, 4, shape, stored);
        expect(conflict?.multiplicity).toBe(Math.max(...shape.map((_, axis) => bruteForce(shape, stored, axis))));
      }),
    );
  });
});

/** Maximum number of words in one of 32 banks, by iterating over all elements in the order of work-items along `axis`. */
function bruteForce(shape: readonly number[], stored: readonly number[], axis: number): number {
  const order: number[] = [];
  const walk = (at: number, address: number): void => {
    if (at > axis) {
      order.push(address);
      return;
    }
    for (let i = 0; i < (shape[at] ?? 0); i++) walk(at + 1, address + i * product(stored.slice(at + 1)));
  };
  walk(0, 0);
  const full = Array.from({ length: 32 }, () => 0);
  for (const address of new Set(order.slice(0, 32))) full[address % 32] = (full[address % 32] ?? 0) + 1;
  return Math.max(1, ...full);
}

function product(extents: readonly number[]): number {
  return extents.reduce((all, extent) => all * extent, 1);
}
