/** Polynomials compared with NumPy: fits, values and roots. */
import { type AnyArray, type DeviceArray, type DTypeName, LinAlgError } from "@cl/array";
import { errorLike } from "@cl/testing/error-like";
import { beforeEach, describe, expect, test } from "vitest";

import { hasDoubles, xp } from "./support/device.js";
import { drawn, type EvalCase, evalDifferences } from "./support/numpy-eval.js";
import { needsNumPy } from "./support/numpy.js";

const types: readonly DTypeName[] = hasDoubles
  ? ["float32", "float64", "complex64", "complex128"]
  : ["float32", "complex64"];
const closeness = (dtype: DTypeName): number => (dtype === "float32" || dtype === "complex64" ? 2e-4 : 1e-11);
const line = (
  size: number,
  dtype: DTypeName,
  seed: number,
): { readonly ours: DeviceArray; readonly theirs: string } => ({
  ours: drawn(size === 0 ? [0] : [size], dtype, seed),
  theirs: `r([${size}], "${dtype}", ${seed})`,
});

describe("polynomials, compared with NumPy", () => {
  beforeEach(needsNumPy);

  test.each(types)("fits of %s", async (dtype) => {
    const [x, y, w] = [line(40, dtype, 1), line(40, dtype, 2), line(40, dtype, 3)];
    const cases: EvalCase[] = [0, 1, 2, 5].map((degree) => ({
      ours: () => xp.polyfit(x.ours, y.ours, degree),
      theirs: `np.polyfit(${x.theirs}, ${y.theirs}, ${degree}).astype("${dtype}")`,
    }));
    const sets = { ours: drawn([40, 3], dtype, 4), theirs: `r([40, 3], "${dtype}", 4)` };
    cases.push(
      {
        ours: () => xp.polyfit(x.ours, sets.ours, 2),
        theirs: `np.polyfit(${x.theirs}, ${sets.theirs}, 2).astype("${dtype}")`,
      },
      {
        ours: () => xp.polyfit(x.ours, y.ours, 2, { w: w.ours }),
        theirs: `np.polyfit(${x.theirs}, ${y.theirs}, 2, w=${w.theirs}).astype("${dtype}")`,
      },
      {
        ours: () => xp.polyfit(x.ours, sets.ours, 1, { w: w.ours }),
        theirs: `np.polyfit(${x.theirs}, ${sets.theirs}, 1, w=${w.theirs}).astype("${dtype}")`,
      },
    );
    expect(await evalDifferences(cases, closeness(dtype), "largest")).toEqual([]);
  });

  test.each(types)("values of %s", async (dtype) => {
    const x = { ours: drawn([3, 4], dtype, 5), theirs: `r([3, 4], "${dtype}", 5)` };
    const cases: EvalCase[] = [0, 1, 2, 7].map((size) => {
      const p = line(size, dtype, size + 1);
      return { ours: () => xp.polyval(p.ours, x.ours), theirs: `np.polyval(${p.theirs}, ${x.theirs})` };
    });
    expect(await evalDifferences(cases, closeness(dtype), "largest")).toEqual([]);
  });

  test("roots, with zeros before and after the coefficients", async () => {
    for (const text of [
      "[1, -6, 11, -6]",
      "[0, 0, 2, 0, 8, 0, 0]",
      "[1, 0, 0, 0, -1]",
      "[3, 1]",
      "[5]",
      "[0, 0]",
      "[]",
      "[2, 0, 0]",
      "[1, -1e3, 2e5, -7e6, 5]",
    ]) {
      const roots = await xp.roots(xp.array(JSON.parse(text) as number[]));
      const cases: EvalCase[] = (["real", "imag"] as const).map((part) => ({
        ours: () => roots[part].sort(),
        theirs: `np.sort(np.roots(np.array(${text}, float)).astype(complex).${part})`,
      }));
      expect(await evalDifferences(cases, 1e-9, "largest"), text).toEqual([]);
    }
  });
});

test("integers are fitted in float64, and float32 roots are complex64", async () => {
  const x = xp.arange(4, { dtype: "int32" });
  const fit = xp.polyfit(x, x.mul(x), 2);
  expect(fit.dtype.name).toBe("float64");
  expect((await fit.data()).map((value) => Math.round(value * 1e9) / 1e9 + 0)).toEqual(Float64Array.of(1, 0, 0));
  expect((await xp.roots(xp.array([1, 2], { dtype: "float32" }))).dtype.name).toBe("complex64");
});

test("points that do not determine the polynomial are an error", async () => {
  const x = xp.array([1, 1, 1], { dtype: "float32" });
  await expect(xp.polyfit(x, x, 1).data()).rejects.toThrow(errorLike(LinAlgError, "ERR_CL_SINGULAR", "lstsq"));
});

test("coefficients may change after the call", async () => {
  const p = xp.array([1, -3, 2], { dtype: "float32" });
  const roots = xp.roots(p);
  p.assign(0);
  expect(Array.from(await (await roots).real.sort().data(), Math.round)).toEqual([1, 2]);
});

test("rejects wrong arguments by name", async () => {
  const a = xp.zeros([3], { dtype: "float32" });
  const range = (name: string): Error => errorLike(RangeError, "ERR_OUT_OF_RANGE", name);
  expect(() => xp.polyfit(xp.zeros([2, 2]), a, 1)).toThrow(range("x"));
  expect(() => xp.polyfit(xp.zeros([0]), xp.zeros([0]), 1)).toThrow(range("x"));
  expect(() => xp.polyfit(a, xp.zeros([2]), 1)).toThrow(range("y"));
  expect(() => xp.polyfit(a, a, -1)).toThrow(range("degree"));
  expect(() => xp.polyfit(a, a, 1, { w: xp.zeros([2]) as AnyArray as typeof a })).toThrow(range("options.w"));
  expect(() => xp.polyval(xp.zeros([2, 2]), a)).toThrow(range("p"));
  await expect(xp.roots(xp.zeros([2, 2]))).rejects.toThrow(range("p"));
  await expect(xp.roots([1] as never)).rejects.toThrow(errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "p"));
});
