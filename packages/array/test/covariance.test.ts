/** Covariance and correlation matrices compared with NumPy. */
import { expect, test } from "vitest";

import { outOfRange, wrongType } from "@cl/testing/error-like";
import { needsDoubles, xp } from "./support/device.js";
import { casesOf, drawn, evalDifferences, needsNumPy } from "./support/numpy-eval.js";

test("cov and corrcoef match NumPy", { tags: "full" }, async (run) => {
  needsNumPy(run);
  needsDoubles(run);
  const a = drawn([3, 20], "float64", 1);
  const y = drawn([2, 20], "float64", 2);
  const z = drawn([3, 20], "complex128", 3);
  const f = xp.arange(20, { dtype: "int32" }).remainder(4);
  const w = drawn([20], "float64", 4).add(1);
  const operands = {
    a: 'r([3, 20], "float64", 1)',
    y: 'r([2, 20], "float64", 2)',
    z: 'r([3, 20], "complex128", 3)',
    f: "np.arange(20) % 4",
    w: 'r([20], "float64", 4) + 1',
  };
  const cases = casesOf(operands, [
    ["np.cov(a)", () => xp.cov(a)],
    ["np.cov(a.T, rowvar=False)", () => xp.cov(a.T, { rowVar: false })],
    ["np.cov(a, y)", () => xp.cov(a, { y })],
    ["np.cov(a, bias=True)", () => xp.cov(a, { bias: true })],
    ["np.cov(a, ddof=3)", () => xp.cov(a, { ddof: 3 })],
    ["np.cov(a, fweights=f)", () => xp.cov(a, { fweights: f })],
    ["np.cov(a, aweights=w)", () => xp.cov(a, { aweights: w })],
    ["np.cov(a, fweights=f, aweights=w, ddof=2)", () => xp.cov(a, { fweights: f, aweights: w, ddof: 2 })],
    ["np.cov(z)", () => xp.cov(z)],
    ["np.cov(a[0])", () => xp.cov(a.slice(0))],
    ['np.cov(a.astype("int8") + f)', () => xp.cov(a.astype("int8").add(f))],
    ["np.cov(a, dtype=np.float32)", () => xp.cov(a, { dtype: "float32" })],
    ["np.corrcoef(a)", () => xp.corrcoef(a)],
    ["np.corrcoef(a, y)", () => xp.corrcoef(a, { y })],
    ["np.corrcoef(z)", () => xp.corrcoef(z)],
    ["np.corrcoef(a[1])", () => xp.corrcoef(a.slice(1))],
  ]);
  expect(await evalDifferences(cases, 1e-5, "largest")).toEqual([]);
});

test("a float32 matrix keeps its dtype, and correlations are limited to [-1, 1]", { tags: "full" }, async () => {
  const line = drawn([1000], "float32", 5);
  const matrix = xp.corrcoef(xp.stack([line, line.mul(-3), line.add(2)]));
  expect(matrix.dtype.name).toBe("float32");
  const values = await matrix.data();
  for (const value of values) expect(Math.abs(value)).toBeLessThanOrEqual(1);
  expect(values[1]).toBeCloseTo(-1, 5);
  expect(await xp.cov(line, { ddof: 1000 }).item()).toBe(Infinity);
});

test("cov of two opposite lines", async () => {
  const lines = xp.array(Float32Array.of(1, 2, 3, 3, 2, 1)).reshape([2, 3]);
  expect([...(await xp.cov(lines).data())]).toEqual([1, -1, -1, 1]);
});

test("cov rejects wrong arguments by name", () => {
  const a = drawn([3, 4], "float32", 1);
  expect(() => xp.cov(a.reshape([3, 2, 2]))).toThrow(outOfRange("array"));
  expect(() => xp.cov(a, { y: drawn([3, 5], "float32", 1) })).toThrow(outOfRange("options.y"));
  expect(() => xp.cov(a, { ddof: 0.5 })).toThrow(outOfRange("options.ddof"));
  expect(() => xp.cov(a, { aweights: drawn([3], "float32", 1) })).toThrow(outOfRange("options.aweights"));
  expect(() => xp.cov(a, { fweights: drawn([4], "float32", 1) })).toThrow(wrongType("options.fweights"));
  expect(() => xp.cov(a, { aweights: drawn([4], "complex64", 1) })).toThrow(wrongType("options.aweights"));
  expect(() => xp.cov(a, { dtype: "int32" })).toThrow(wrongType("options.dtype"));
  expect(() => xp.cov(a.astype("complex64"), { dtype: "float32" })).toThrow(wrongType("options.dtype"));
});
