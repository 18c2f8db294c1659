/** Seeded random numbers. */
import { expect, test } from "vitest";

import { randomNumbers } from "@cl/base";

test("returns the same numbers for the same seed, evenly distributed", () => {
  const random = randomNumbers(5);
  const second = randomNumbers(5);
  let sum = 0;
  for (let i = 0; i < 10_000; i++) {
    const number = random();
    expect(number).toBe(second());
    expect(number >= 0 && number < 1).toBe(true);
    sum += number;
  }
  expect(Math.abs(sum / 10_000 - 0.5)).toBeLessThan(0.02);
});
