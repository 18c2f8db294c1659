import * as fc from "fast-check";
import { expect, test } from "vitest";

import { estimateBanks } from "../../src/measure/bank-estimate.js";

const strides = [1, 2, 3, 4, 7, 8, 16, 17, 32, 33, 64, 65, 128];

/** Maximum number of items with different words in one bank. */
function conflicts(stride: number, banks: number, width: number, items: number): number {
  const words = new Map<number, Set<number>>();
  for (let item = 0; item < items; item++) {
    const word = Math.floor((item * stride * 4) / width);
    const bank = word % banks;
    words.set(bank, (words.get(bank) ?? new Set()).add(word));
  }
  return Math.max(...[...words.values()].map((set) => set.size));
}

const simulated = (banks: number, width: number, items: number): { stride: number; time: number }[] => {
  const base = conflicts(1, banks, width, items);
  return strides.map((stride) => ({ stride, time: conflicts(stride, banks, width, items) / base }));
};

test.each([
  [32, 4, 32],
  [32, 4, 64],
  [16, 4, 16],
  [64, 4, 64],
  [32, 8, 32],
])("estimateBanks finds %i banks of %i bytes with %i simultaneous items", (count, width, items) => {
  expect(estimateBanks(simulated(count, width, items))).toEqual({ observable: true, count, width });
});

test("estimateBanks tolerates small noise", () => {
  const noise = fc.array(fc.double({ min: 0.93, max: 1.07, noNaN: true }), { minLength: 13, maxLength: 13 });
  fc.assert(
    fc.property(noise, (factors) => {
      const points = simulated(32, 4, 32).map(({ stride, time }, i) => ({ stride, time: time * (factors[i] ?? 1) }));
      expect(estimateBanks(points)).toEqual({ observable: true, count: 32, width: 4 });
    }),
  );
});

test("estimateBanks finds conflicts that are partly hidden by other work", () => {
  const points = simulated(32, 4, 32).map(({ stride, time }) => ({ stride, time: 1 + (time - 1) * 0.9 }));
  expect(estimateBanks(points)).toEqual({ observable: true, count: 32, width: 4 });
});

test("estimateBanks returns the reason if strides have no effect or a cache dominates", () => {
  const flat = strides.map((stride) => ({ stride, time: 1 + (stride % 3) * 0.1 }));
  expect(estimateBanks(flat)).toEqual({ observable: false, reason: "all strides take about the same time" });
  const cache = strides.map((stride) => ({ stride, time: Math.min(stride, 16) }));
  expect(estimateBanks(cache)).toEqual({ observable: false, reason: "odd strides are slow too, as with a cache" });
  expect(estimateBanks(simulated(1024, 4, 1024))).toMatchObject({
    observable: false,
    reason: expect.stringContaining("still grows"),
  });
  expect(estimateBanks([])).toEqual({ observable: false, reason: "too few strides could be measured" });
});
