/** Polynomials compared with NumPy: fits, values and roots. */
import { type AnyArray, type DeviceArray, type DTypeName, LinAlgError } from "@cl/array";
import { errorLike, outOfRange, wrongType } from "@cl/testing/error-like";
import { beforeEach, describe, expect, test } from "vitest";

import { sample } from "@cl/testing/level";
import { xp } from "./support/device.js";
import { casesOf, drawn, drawnText, evalDifferences, inexact, needsNumPy } from "./support/numpy-eval.js";

const closeness = (dtype: DTypeName): number => (dtype === "float32" || dtype === "complex64" ? 2e-4 : 1e-11);
const line = (
  size: number,
  dtype: DTypeName,
  seed: number,
): { readonly ours: DeviceArray; readonly theirs: string } => ({
  ours: drawn(size === 0 ? [0] : [size], dtype, seed),
  theirs: drawnText([size], dtype, seed),
});

describe("polynomials, compared with NumPy", () => {
  beforeEach(needsNumPy);

  test.each(sample(inexact, 1))("values and fits of %s", { tags: "full" }, async (dtype) => {
    const [x, y, w] = [line(40, dtype, 1), line(40, dtype, 2), line(40, dtype, 3)];
    const sets = drawn([40, 3], dtype, 4);
    const table = drawn([3, 4], dtype, 5);
    const operands = {
      x: x.theirs,
      y: y.theirs,
      w: w.theirs,
      sets: drawnText([40, 3], dtype, 4),
      table: drawnText([3, 4], dtype, 5),
    };
    const fits = casesOf(operands, [
      ["np.polyfit(x, sets, 1, w=w)", () => xp.polyfit(x.ours, sets, 1, { w: w.ours })],
      ...[0, 1, 2, 5].map((k) => [`np.polyfit(x, y, ${k})`, () => xp.polyfit(x.ours, y.ours, k)] as const),
      ["np.polyfit(x, sets, 2)", () => xp.polyfit(x.ours, sets, 2)],
      ["np.polyfit(x, y, 2, w=w)", () => xp.polyfit(x.ours, y.ours, 2, { w: w.ours })],
    ]).map(({ ours, theirs }) => ({ ours, theirs: `${theirs}.astype("${dtype}")` }));
    const values = [7, 0, 1, 2].flatMap((size) => {
      const p = line(size, dtype, size + 1);
      return casesOf({ p: p.theirs, ...operands }, [["np.polyval(p, table)", () => xp.polyval(p.ours, table)]]);
    });
    expect(await evalDifferences([...values, ...fits], closeness(dtype), "largest")).toEqual([]);
  });

  const polynomials = [
    "[1, -6, 11, -6]",
    "[0, 0, 2, 0, 8, 0, 0]",
    "[1, 0, 0, 0, -1]",
    "[3, 1]",
    "[5]",
    "[0, 0]",
    "[]",
    "[2, 0, 0]",
    "[1, -1e3, 2e5, -7e6, 5]",
  ];
  test.each(sample(polynomials, 3))("roots of %s", { tags: "ci" }, async (text) => {
    const roots = await xp.roots(xp.array(JSON.parse(text) as number[]));
    const cases = casesOf({ roots: `np.roots(np.array(${text}, float)).astype(complex)` }, [
      ["np.sort(roots.real)", () => roots.real.sort()],
      ["np.sort(roots.imag)", () => roots.imag.sort()],
    ]);
    expect(await evalDifferences(cases, 1e-9, "largest")).toEqual([]);
  });
});

test("evaluates a polynomial", async () => {
  const p = xp.array([2, 0, 1], { dtype: "float32" });
  expect(await xp.polyval(p, xp.array([3, -1], { dtype: "float32" })).data()).toEqual(Float32Array.of(19, 3));
});

test("integers are fitted in float64, and float32 roots are complex64", { tags: "full" }, async () => {
  const x = xp.arange(4, { dtype: "int32" });
  const fit = xp.polyfit(x, x.mul(x), 2);
  expect(fit.dtype.name).toBe("float64");
  expect((await fit.data()).map((value) => Math.round(value * 1e9) / 1e9 + 0)).toEqual(Float64Array.of(1, 0, 0));
  expect((await xp.roots(xp.array([1, 2], { dtype: "float32" }))).dtype.name).toBe("complex64");
});

test("points that do not determine the polynomial are an error", { tags: "ci" }, async () => {
  const x = xp.array([1, 1, 1], { dtype: "float32" });
  await expect(xp.polyfit(x, x, 1).data()).rejects.toThrow(errorLike(LinAlgError, "ERR_CL_SINGULAR", "lstsq"));
});

test("coefficients may change after the call", { tags: "ci" }, async () => {
  const p = xp.array([1, -3, 2], { dtype: "float32" });
  const roots = xp.roots(p);
  p.assign(0);
  expect(Array.from(await (await roots).real.sort().data(), Math.round)).toEqual([1, 2]);
});

test("rejects wrong arguments by name", async () => {
  const a = xp.zeros([3], { dtype: "float32" });
  expect(() => xp.polyfit(xp.zeros([2, 2]), a, 1)).toThrow(outOfRange("x"));
  expect(() => xp.polyfit(xp.zeros([0]), xp.zeros([0]), 1)).toThrow(outOfRange("x"));
  expect(() => xp.polyfit(a, xp.zeros([2]), 1)).toThrow(outOfRange("y"));
  expect(() => xp.polyfit(a, a, -1)).toThrow(outOfRange("degree"));
  expect(() => xp.polyfit(a, a, 1, { w: xp.zeros([2]) as AnyArray as typeof a })).toThrow(outOfRange("options.w"));
  expect(() => xp.polyval(xp.zeros([2, 2]), a)).toThrow(outOfRange("p"));
  await expect(xp.roots(xp.zeros([2, 2]))).rejects.toThrow(outOfRange("p"));
  await expect(xp.roots([1] as never)).rejects.toThrow(wrongType("p"));
});
