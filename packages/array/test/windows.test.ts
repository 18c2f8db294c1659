/** Window functions compared with NumPy. */
import { expect, test } from "vitest";

import { sample } from "@cl/testing/level";
import { xp } from "./support/device.js";
import { outOfRange, wrongType } from "@cl/testing/error-like";
import { type EvalCase, evalDifferences, needsNumPy } from "./support/numpy-eval.js";

test("windows have NumPy's values", async (run) => {
  needsNumPy(run);
  const cases = sample([51, 0, 1, 2, 3, 8, 1000], 1).flatMap((count): EvalCase[] => [
    ...(["hanning", "hamming", "blackman", "bartlett"] as const).flatMap((name): EvalCase[] => [
      { ours: () => xp[name](count), theirs: `np.${name}(${count})` },
      { ours: () => xp[name](count, { dtype: "float32" }), theirs: `np.${name}(${count}).astype("float32")` },
    ]),
    ...[8.6, 0, 0.5, 14, 300].map((beta): EvalCase => ({
      ours: () => xp.kaiser(count, beta),
      theirs: `np.kaiser(${count}, ${beta})`,
    })),
  ]);
  expect(await evalDifferences(cases, 1e-7)).toEqual([]);
});

test("windows reject wrong arguments", () => {
  expect(() => xp.hanning(-1)).toThrow(outOfRange("count"));
  expect(() => xp.hamming(1.5)).toThrow(outOfRange("count"));
  expect(() => xp.kaiser(3, NaN)).toThrow(outOfRange("beta"));
  expect(() => xp.bartlett(3, { dtype: "int32" as never })).toThrow(wrongType("options.dtype"));
});
