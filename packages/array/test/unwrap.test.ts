/** Removal of jumps compared with NumPy. */
import { expect, test } from "vitest";

import { needs } from "@cl/base/testing";
import { errorLike } from "@cl/testing/error-like";
import { hasDoubles, queue, xp } from "./support/device.js";
import { hasNumPy } from "./support/numpy.js";
import { type EvalCase, evalDifferences, noise, noiseText } from "./support/numpy-eval.js";

test("unwrap matches NumPy", async (run) => {
  needs(run, hasNumPy, "NumPy is not installed (apt install python3-numpy)");
  needs(run, hasDoubles, `'${queue.device.name}' has no float64`);
  const cases: EvalCase[] = [];
  for (const dtype of ["float64", "float32", "int32", "int16"] as const) {
    for (const [shape, axis] of [
      [[40], 0],
      [[3, 20], -1],
      [[20, 3], 0],
      [[1], 0],
      [[0], 0],
    ] as const) {
      for (const period of [undefined, 24, 25, 7.5]) {
        for (const discont of [undefined, 20]) {
          const given = [
            `axis=${axis}`,
            ...(period === undefined ? [] : [`period=${period}`]),
            ...(discont === undefined ? [] : [`discont=${discont}`]),
          ];
          cases.push({
            ours: () => xp.unwrap(noise(shape, dtype), { axis, period, discont }),
            theirs: `np.unwrap(${noiseText(shape, dtype)}, ${given.join(", ")})`,
          });
        }
      }
    }
  }
  expect(await evalDifferences(cases, 1e-5, "largest")).toEqual([]);
});

test("a rise by half a period stays a rise", async () => {
  const angles = xp.array([0, 12, 0, -12], { dtype: "int32" });
  expect(await xp.unwrap(angles, { period: 24 }).toNested()).toEqual([0, 12, 0, -12]);
});

test("wrong arguments are rejected by name", () => {
  const type = (text: string): unknown => errorLike(TypeError, "ERR_INVALID_ARG_TYPE", text);
  const range = (text: string): unknown => errorLike(RangeError, "ERR_OUT_OF_RANGE", text);
  const a = noise([4], "float32");
  expect(() => xp.unwrap(a, { period: 0 })).toThrow(range("options.period"));
  expect(() => xp.unwrap(a, { discont: NaN })).toThrow(range("options.discont"));
  expect(() => xp.unwrap(a, { axis: 1 })).toThrow(range("options.axis"));
  expect(() => xp.unwrap(a.slice(0))).toThrow(range("array"));
  expect(() => xp.unwrap(noise([4], "uint8"))).toThrow(type("uint8"));
  expect(() => xp.unwrap(noise([4], "complex64"))).toThrow(type("complex64"));
});
