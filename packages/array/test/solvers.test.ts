/** Errors of linear algebra, numerical limits and memory use; compared with NumPy in solvers-numpy.test.ts. */
import { LinAlgError } from "@cl/array";
import { expect, test } from "vitest";

import { errorLike, outOfRange, wrongType } from "@cl/testing/error-like";
import { hasDoubles, xp } from "./support/device.js";
import { largestDifference } from "./support/numbers.js";
import { drawn } from "./support/numpy-eval.js";

const { linalg } = xp;

const singular = (argument?: string): Error => errorLike(LinAlgError, "ERR_CL_SINGULAR", argument);
const indefinite = errorLike(LinAlgError, "ERR_CL_NOT_POSITIVE_DEFINITE", "cholesky");

test("a singular matrix makes the next wait throw, once", async () => {
  const a = xp.array([[1, 2], [2, 4]], { dtype: "float32" }); // prettier-ignore
  await expect(linalg.inv(a).data()).rejects.toThrow(singular("inv"));
  const diagonal = xp.array([[2, 0], [0, 4]], { dtype: "float32" }); // prettier-ignore
  expect(await linalg.inv(diagonal).data()).toEqual(Float32Array.of(0.5, 0, 0, 0.25));
  expect(await linalg.det(a).item()).toBe(0);
  await xp.check();
  linalg.solveTriangular(a.sub(1), a);
  await expect(xp.check()).rejects.toThrow(singular("solveTriangular"));
});

test("the error names the singular matrix of a stack and the zero", { tags: "ci" }, async () => {
  const a = xp.array([[[2, 0], [0, 2]], [[1, 1], [1, 1]], [[3, 0], [0, 3]]], { dtype: "float32" }); // prettier-ignore
  await expect(linalg.inv(a).data()).rejects.toThrow(singular("inv"));
  // Any size: singularity is also detected in recursive solves.
  const large = drawn([3, 70, 70], "float32", 3);
  large.slice(2, ":", 40).assign(0);
  const failure: unknown = await linalg
    .solve(large, large)
    .data()
    .catch((error: unknown) => error);
  expect(failure).toEqual(singular("solve"));
  expect(String(failure)).toMatch(/\b2\b.*\b40\b/);
});

test("cholesky rejects a matrix that is not positive definite, and reads one triangle", async () => {
  const a = xp.array([[[2, 1], [1, 2]], [[1, 2], [2, 1]]], { dtype: "float32" }); // prettier-ignore
  await expect(linalg.cholesky(a).data()).rejects.toThrow(indefinite);
  const half = xp.array([[4, NaN], [2, 5]], { dtype: "float32" }); // prettier-ignore
  expect(await linalg.cholesky(half).data()).toEqual(Float32Array.of(2, 0, 1, 2));
  expect(await linalg.cholesky(half.T, { upper: true }).data()).toEqual(Float32Array.of(2, 1, 0, 2));
});

test("the error names the minor of a large matrix that is not positive definite", { tags: "ci" }, async () => {
  const large = xp.eye(100, { dtype: "float32" });
  large.slice(77, 77).assign(NaN);
  const failure: unknown = await linalg
    .cholesky(large)
    .data()
    .catch((error: unknown) => error);
  expect(failure).toEqual(indefinite);
  expect(String(failure)).toMatch(/\b78\b/);
});

test("lstsq rejects linearly dependent columns", { tags: "ci" }, async () => {
  const a = xp.array([[1, 2], [2, 4], [3, 6]], { dtype: "float32" }); // prettier-ignore
  linalg.lstsq(a, xp.ones([3], { dtype: "float32" }));
  await expect(xp.check()).rejects.toThrow(singular("lstsq"));
});

test("zero pivots are avoided by exchanging rows", { tags: "ci" }, async () => {
  const a = xp.array([[0, 1], [1, 0]], { dtype: "float32" }); // prettier-ignore
  expect(await linalg.inv(a).data()).toEqual(Float32Array.of(0, 1, 1, 0));
  const [p, l, u] = linalg.lu(a);
  expect(await p.data()).toEqual(Float32Array.of(0, 1, 1, 0));
  expect(await l.data()).toEqual(Float32Array.of(1, 0, 0, 1));
  expect(await u.data()).toEqual(Float32Array.of(1, 0, 0, 1));
  expect(await linalg.det(a).item()).toBe(-1);
  // A singular matrix still has an LU decomposition.
  const [, , zeros] = linalg.lu(xp.zeros([2, 2], { dtype: "float32" }));
  expect(await zeros.data()).toEqual(new Float32Array(4));
  // A reversal of 100 rows, through several panels.
  const reversed = xp.eye(100, { dtype: "float32" }).slice("::-1");
  expect(await linalg.inv(reversed).data()).toEqual(await reversed.data());
});

test("determinants do not overflow in intermediate results and keep their sign", { tags: "ci" }, async () => {
  const diagonal = xp.zeros([40, 40], { dtype: "float32" });
  const line = diagonal.diagonal();
  line.slice([0, 20]).assign(1e30);
  line.slice([20, 40]).assign(-1e-30);
  expect(Math.abs((await linalg.det(diagonal).item()) - 1)).toBeLessThan(1e-5);
  line.slice([20, 39]).assign(1e30);
  expect(await linalg.det(diagonal).item()).toBe(-Infinity);
  const [sign, logarithm] = linalg.slogdet(diagonal);
  expect(await sign.item()).toBe(-1);
  expect(Math.abs((await logarithm.item()) - 38 * 30 * Math.log(10))).toBeLessThan(1e-2);
  const [none, lowest] = linalg.slogdet(xp.zeros([2, 2], { dtype: "float32" }));
  expect([await none.item(), await lowest.item()]).toEqual([0, -Infinity]);
});

test("qr does not overflow or underflow for very large and small numbers", { tags: "ci" }, async () => {
  for (const size of [1e30, 1e-30]) {
    const a = xp.array([[3, 0], [4, 5]], { dtype: "float32" }).mul(size); // prettier-ignore
    const r = await linalg.qr(a, { mode: "r" }).div(size).data();
    const expected = Float32Array.of(-5, -4, 0, 3);
    expect(largestDifference(r, expected)).toBeLessThan(1e-5);
  }
});

test("factors can be reused for any stack, and their parts are read-only", { tags: "ci" }, async () => {
  const a = drawn([50, 50], "float32", 1);
  using factors = linalg.luFactor(a);
  expect(factors.lu.readonly && factors.pivots.readonly).toBe(true);
  const b = drawn([3, 50, 2], "float32", 2);
  const x = factors.solve(b);
  expect(x.shape).toEqual([3, 50, 2]);
  for (const k of [0, 1, 2]) expect(await x.slice(k).data()).toEqual(await linalg.solve(a, b.slice(k)).data());
  if (hasDoubles) {
    expect(() => factors.solve(b.astype("float64"))).toThrow(wrongType());
  }
  expect(() => factors.solve(drawn([49], "float32", 1))).toThrow(outOfRange());
});

test("rejects wrong shapes and dtypes, with both shapes", () => {
  const [a, line] = [drawn([3, 3], "float32", 1), drawn([4], "float32", 1)];
  expect(() => linalg.inv(line)).toThrow(outOfRange("inv"));
  expect(() => linalg.det(drawn([2, 3], "float32", 1))).toThrow(outOfRange("det"));
  expect(() => linalg.solve(a, line)).toThrow(outOfRange());
  expect(() => linalg.solve(drawn([2, 3, 3], "float32", 1), drawn([3, 3, 1], "float32", 1))).toThrow(outOfRange());
  expect(() => linalg.lstsq(a, line)).toThrow(outOfRange());
  expect(() => linalg.inv(a.astype("float16"))).toThrow(wrongType("inv"));
  expect(() => linalg.qr(a, { mode: "full" as "r" })).toThrow(outOfRange("options.mode"));
  expect(() => linalg.solveTriangular(a, a, { trans: "X" as "T" })).toThrow(outOfRange("options.trans"));
});
