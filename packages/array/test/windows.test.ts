/** Window functions compared with NumPy. */
import { expect, test } from "vitest";

import { needs } from "@cl/base/testing";
import { errorLike } from "@cl/testing/error-like";
import { xp } from "./support/device.js";
import { hasNumPy } from "./support/numpy.js";
import { type EvalCase, evalDifferences } from "./support/numpy-eval.js";

test("windows have NumPy's values", async (run) => {
  needs(run, hasNumPy, "NumPy is not installed (apt install python3-numpy)");
  const cases = [0, 1, 2, 3, 8, 51, 1000].flatMap((count): EvalCase[] => [
    ...(["hanning", "hamming", "blackman", "bartlett"] as const).flatMap((name): EvalCase[] => [
      { ours: () => xp[name](count), theirs: `np.${name}(${count})` },
      { ours: () => xp[name](count, { dtype: "float32" }), theirs: `np.${name}(${count}).astype("float32")` },
    ]),
    ...[0, 0.5, 8.6, 14, 300].map((beta): EvalCase => ({
      ours: () => xp.kaiser(count, beta),
      theirs: `np.kaiser(${count}, ${beta})`,
    })),
  ]);
  expect(await evalDifferences(cases, 1e-7)).toEqual([]);
});

test("windows reject wrong arguments", () => {
  expect(() => xp.hanning(-1)).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE", "count"));
  expect(() => xp.hamming(1.5)).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE", "count"));
  expect(() => xp.kaiser(3, NaN)).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE", "beta"));
  expect(() => xp.bartlett(3, { dtype: "int32" as never })).toThrow(
    errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.dtype"),
  );
});
