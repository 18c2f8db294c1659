/** Errors of linear algebra and memory use; expected results are worked out by hand. */
import { arrays, LinAlgError } from "@cl/array";
import { ImmediateAllocator, MemoryPool } from "@cl/tools";
import { expect, test } from "vitest";

import { needs } from "@cl/base/testing";
import { errorLike } from "@cl/testing/error-like";
import { hasDoubles, queue, xp } from "./support/device.js";
import { largestDifference } from "./support/numbers.js";
import { drawn } from "./support/numpy-eval.js";

const { linalg } = xp;

/** The error that waiting throws. */
async function errorOf(wait: () => Promise<unknown>): Promise<LinAlgError> {
  try {
    await wait();
  } catch (error) {
    expect(error).toBeInstanceOf(LinAlgError);
    return error as LinAlgError;
  }
  throw new Error("nothing was wrong");
}

test("a singular matrix makes the next wait throw, once", async () => {
  const a = xp.array([[1, 2], [2, 4]], { dtype: "float32" }); // prettier-ignore
  const inverse = linalg.inv(a);
  const { code, message } = await errorOf(() => inverse.data());
  expect(code).toBe("ERR_CL_SINGULAR");
  expect(message).toBe("inv: the matrix is singular: its triangular factor has a zero at index 1 of the diagonal");
  expect(await linalg.det(a).item()).toBe(0);
  await xp.check();
  linalg.solve(a, a);
  expect((await errorOf(() => xp.check())).message).toMatch(/^solve: the matrix is singular/u);
  linalg.solveTriangular(a.sub(1), a);
  expect((await errorOf(() => xp.check())).message).toMatch(/^solveTriangular: the matrix is singular.* index 0 /u);
});

test("the error names the singular matrix of a stack", async () => {
  const a = xp.array([[[2, 0], [0, 2]], [[1, 1], [1, 1]], [[3, 0], [0, 3]]], { dtype: "float32" }); // prettier-ignore
  expect((await errorOf(() => linalg.inv(a).data())).message).toMatch(/^inv: matrix 1 of the stack is singular/u);
  // Any size: singularity is also detected in recursive solves.
  const large = drawn([3, 70, 70], "float32", 3);
  large.slice(2, ":", 40).assign(0);
  expect((await errorOf(() => linalg.solve(large, large).data())).message).toMatch(
    /^solve: matrix 2 of the stack is singular: its triangular factor has a zero at index 40 /u,
  );
});

test("cholesky rejects a matrix that is not positive definite", async () => {
  const a = xp.array([[[2, 1], [1, 2]], [[1, 2], [2, 1]]], { dtype: "float32" }); // prettier-ignore
  const { code, message } = await errorOf(() => linalg.cholesky(a).data());
  expect(code).toBe("ERR_CL_NOT_POSITIVE_DEFINITE");
  expect(message).toBe(
    "cholesky: matrix 1 of the stack is not positive definite: its leading minor of order 2 is not positive",
  );
  const large = xp.eye(100, { dtype: "float32" });
  large.slice(77, 77).assign(NaN);
  expect((await errorOf(() => linalg.cholesky(large).data())).message).toContain("minor of order 78");
  // The other triangle is not read.
  const half = xp.array([[4, NaN], [2, 5]], { dtype: "float32" }); // prettier-ignore
  expect(await linalg.cholesky(half).data()).toEqual(Float32Array.of(2, 0, 1, 2));
  expect(await linalg.cholesky(half.T, { upper: true }).data()).toEqual(Float32Array.of(2, 1, 0, 2));
});

test("lstsq rejects linearly dependent columns", async () => {
  const a = xp.array([[1, 2], [2, 4], [3, 6]], { dtype: "float32" }); // prettier-ignore
  linalg.lstsq(a, xp.ones([3], { dtype: "float32" }));
  expect((await errorOf(() => xp.check())).message).toMatch(/^lstsq: the matrix is singular/u);
});

test("zero pivots are avoided by exchanging rows", async () => {
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

test("determinants do not overflow in intermediate results and keep their sign", async () => {
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

test("ill-conditioned matrices are solved with small residuals", async (run) => {
  needs(run, hasDoubles, "the device has no float64");
  // Hilbert matrices: the condition number is 1.6e13 with 10 rows, so residuals are small but solutions inaccurate.
  const n = 10;
  const hilbert = xp.fromFunction((i, j) => 1 / (i + j + 1), [n, n]);
  const ones = hilbert.sum({ axis: 1 });
  const x = linalg.solve(hilbert, ones);
  const residual = hilbert.mul(x).sum({ axis: 1 }).sub(ones);
  expect(await residual.norm().item()).toBeLessThan(1e-14);
  expect(await x.sub(1).norm().item()).toBeLessThan(0.1);
  const l = linalg.cholesky(hilbert);
  const again = l.expandDims(1).mul(l.expandDims(0)).sum({ axis: 2 });
  expect(await again.sub(hilbert).norm().item()).toBeLessThan(1e-15);
});

test("qr does not overflow or underflow for very large and small numbers", async () => {
  for (const size of [1e30, 1e-30]) {
    const a = xp.array([[3, 0], [4, 5]], { dtype: "float32" }).mul(size); // prettier-ignore
    const r = await linalg.qr(a, { mode: "r" }).div(size).data();
    const expected = Float32Array.of(-5, -4, 0, 3);
    expect(largestDifference(r, expected)).toBeLessThan(1e-5);
  }
});

test("factors can be reused for any stack, and their parts are read-only", async () => {
  const a = drawn([50, 50], "float32", 1);
  using factors = linalg.luFactor(a);
  expect(factors.lu.readonly && factors.pivots.readonly).toBe(true);
  const b = drawn([3, 50, 2], "float32", 2);
  const x = factors.solve(b);
  expect(x.shape).toEqual([3, 50, 2]);
  for (const k of [0, 1, 2]) expect(await x.slice(k).data()).toEqual(await linalg.solve(a, b.slice(k)).data());
  if (hasDoubles) {
    expect(() => factors.solve(b.astype("float64"))).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_TYPE"));
  }
  expect(() => factors.solve(drawn([49], "float32", 1))).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
});

test("rejects wrong shapes and dtypes, with both shapes", () => {
  const [a, line] = [drawn([3, 3], "float32", 1), drawn([4], "float32", 1)];
  expect(() => linalg.inv(line)).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE", "inv"));
  expect(() => linalg.det(drawn([2, 3], "float32", 1))).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE", "det"));
  expect(() => linalg.solve(a, line)).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
  expect(() => linalg.solve(drawn([2, 3, 3], "float32", 1), drawn([3, 3, 1], "float32", 1))).toThrow(
    errorLike(RangeError, "ERR_OUT_OF_RANGE"),
  );
  expect(() => linalg.lstsq(a, line)).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
  expect(() => linalg.inv(a.astype("float16"))).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "inv"));
  expect(() => linalg.qr(a, { mode: "full" as "r" })).toThrow(
    errorLike(RangeError, "ERR_OUT_OF_RANGE", "options.mode"),
  );
  expect(() => linalg.solveTriangular(a, a, { trans: "X" as "T" })).toThrow(
    errorLike(RangeError, "ERR_OUT_OF_RANGE", "options.trans"),
  );
});

test("leaves operands unchanged and keeps memory only for results", async () => {
  const pool = new MemoryPool(new ImmediateAllocator(queue));
  const own = arrays(queue, { allocator: pool });
  const a = own.fromHost(await drawn([2, 40, 40], "float32", 9).data(), { shape: [2, 40, 40] });
  const before = await a.data();
  const bytes = pool.activeBytes;
  for (const make of [
    () => [own.linalg.solve(a, a)],
    () => [own.linalg.inv(a)],
    () => [own.linalg.det(a)],
    () => own.linalg.slogdet(a),
    () => own.linalg.qr(a),
    () => own.linalg.lu(a),
    () => own.linalg.lstsq(a, a),
    () => [own.linalg.luFactor(a)],
    () => [own.linalg.solveTriangular(a, a)],
  ]) {
    for (const one of make()) one.release();
    await own.check();
  }
  // Checking for errors releases the error flags.
  expect(pool.activeBytes).toBe(bytes);
  expect(await a.data()).toEqual(before);
});
