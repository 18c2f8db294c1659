/** Removal of jumps compared with NumPy. */
import { expect, test } from "vitest";

import { sample } from "@cl/testing/level";
import { needsDoubles, xp } from "./support/device.js";
import { outOfRange, wrongType } from "@cl/testing/error-like";
import { type EvalCase, evalDifferences, needsNumPy, noise, noiseText } from "./support/numpy-eval.js";

test("unwrap matches NumPy", async (run) => {
  needsNumPy(run);
  needsDoubles(run);
  const cases: EvalCase[] = [];
  for (const dtype of ["float64", "float32", "int32", "int16"] as const) {
    for (const [shape, axis] of [
      [[3, 20], -1],
      [[40], 0],
      [[20, 3], 0],
      [[1], 0],
      [[0], 0],
    ] as const) {
      for (const period of [25, undefined, 24, 7.5]) {
        for (const discont of [20, undefined]) {
          const given = `axis=${axis}, period=${period ?? "2 * np.pi"}, discont=${discont ?? "None"}`;
          cases.push({
            ours: () => xp.unwrap(noise(shape, dtype), { axis, period, discont }),
            theirs: `np.unwrap(${noiseText(shape, dtype)}, ${given})`,
          });
        }
      }
    }
  }
  expect(await evalDifferences(sample(cases, 2), 1e-5, "largest")).toEqual([]);
});

test("a rise by half a period stays a rise", async () => {
  const angles = xp.array([0, 12, 0, -12], { dtype: "int32" });
  expect(await xp.unwrap(angles, { period: 24 }).toNested()).toEqual([0, 12, 0, -12]);
});

test("wrong arguments are rejected by name", () => {
  const a = noise([4], "float32");
  expect(() => xp.unwrap(a, { period: 0 })).toThrow(outOfRange("options.period"));
  expect(() => xp.unwrap(a, { discont: NaN })).toThrow(outOfRange("options.discont"));
  expect(() => xp.unwrap(a, { axis: 1 })).toThrow(outOfRange("options.axis"));
  expect(() => xp.unwrap(a.slice(0))).toThrow(outOfRange("array"));
  expect(() => xp.unwrap(noise([4], "uint8"))).toThrow(wrongType("uint8"));
  expect(() => xp.unwrap(noise([4], "complex64"))).toThrow(wrongType("complex64"));
});
