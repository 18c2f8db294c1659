/** Covariance and correlation matrices compared with NumPy. */
import { expect, test } from "vitest";

import { outOfRange, wrongType } from "@cl/testing/error-like";
import { needsDoubles, xp } from "./support/device.js";
import { needsNumPy } from "./support/numpy.js";
import { drawn, type EvalCase, evalDifferences } from "./support/numpy-eval.js";

test("cov and corrcoef match NumPy", { tags: "full" }, async (run) => {
  needsNumPy(run);
  needsDoubles(run);
  const a = () => drawn([3, 20], "float64", 1);
  const y = () => drawn([2, 20], "float64", 2);
  const z = () => drawn([3, 20], "complex128", 3);
  const f = () =>
    xp.array(
      Array.from({ length: 20 }, (_, i) => i % 4),
      { dtype: "int32" },
    );
  const w = () => drawn([20], "float64", 4).add(1);
  const texts = {
    a: 'r([3, 20], "float64", 1)',
    y: 'r([2, 20], "float64", 2)',
    z: 'r([3, 20], "complex128", 3)',
    f: "np.arange(20) % 4",
    w: 'r([20], "float64", 4) + 1',
  };
  const cases: EvalCase[] = [
    { ours: () => xp.cov(a()), theirs: `np.cov(${texts.a})` },
    { ours: () => xp.cov(a().T, { rowVar: false }), theirs: `np.cov(${texts.a}.T, rowvar=False)` },
    { ours: () => xp.cov(a(), { y: y() }), theirs: `np.cov(${texts.a}, ${texts.y})` },
    { ours: () => xp.cov(a(), { bias: true }), theirs: `np.cov(${texts.a}, bias=True)` },
    { ours: () => xp.cov(a(), { ddof: 3 }), theirs: `np.cov(${texts.a}, ddof=3)` },
    { ours: () => xp.cov(a(), { fweights: f() }), theirs: `np.cov(${texts.a}, fweights=${texts.f})` },
    { ours: () => xp.cov(a(), { aweights: w() }), theirs: `np.cov(${texts.a}, aweights=${texts.w})` },
    {
      ours: () => xp.cov(a(), { fweights: f(), aweights: w(), ddof: 2 }),
      theirs: `np.cov(${texts.a}, fweights=${texts.f}, aweights=${texts.w}, ddof=2)`,
    },
    { ours: () => xp.cov(z()), theirs: `np.cov(${texts.z})` },
    { ours: () => xp.cov(a().slice(0)), theirs: `np.cov(${texts.a}[0])` },
    { ours: () => xp.cov(a().astype("int8").add(f())), theirs: `np.cov(${texts.a}.astype("int8") + ${texts.f})` },
    { ours: () => xp.cov(a(), { dtype: "float32" }), theirs: `np.cov(${texts.a}, dtype=np.float32)` },
    { ours: () => xp.corrcoef(a()), theirs: `np.corrcoef(${texts.a})` },
    { ours: () => xp.corrcoef(a(), { y: y() }), theirs: `np.corrcoef(${texts.a}, ${texts.y})` },
    { ours: () => xp.corrcoef(z()), theirs: `np.corrcoef(${texts.z})` },
    { ours: () => xp.corrcoef(a().slice(1)), theirs: `np.corrcoef(${texts.a}[1])` },
  ];
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
