/** Eigenvalues and eigenvectors of general matrices, compared with NumPy. */
import { type AnyArray, type DeviceArray, type DTypeName, LinAlgError } from "@cl/array";
import { errorLike, outOfRange, wrongType } from "@cl/testing/error-like";
import { testSeed, testsEveryCase } from "@cl/testing/level";
import { beforeEach, describe, expect, test } from "vitest";

import { xp } from "./support/device.js";
import {
  casesOf,
  drawn,
  drawnText,
  type EvalCase,
  evalDifferences,
  inexact,
  needsNumPy,
} from "./support/numpy-eval.js";

const { linalg } = xp;
const complexOf = (dtype: DTypeName): "complex64" | "complex128" =>
  dtype === "float32" || dtype === "complex64" ? "complex64" : "complex128";
/** 168 and 90 machine epsilons; all draws need at most 13. */
const closeness = (dtype: DTypeName): number => (complexOf(dtype) === "complex64" ? 2e-5 : 2e-14);
const fresh = 1 + (testSeed(20_261_121) % 1000);
const matmul = (a: AnyArray, b: AnyArray): DeviceArray => xp.matmul(a as DeviceArray, b as DeviceArray) as DeviceArray;

describe("eigenvalues of general matrices, compared with NumPy", () => {
  beforeEach(needsNumPy);

  const shapes = testsEveryCase
    ? [[1, 1], [2, 2], [3, 3], [5, 5], [16, 16], [33, 33], [64, 64], [97, 97], [2, 3, 4, 4], [100, 3, 3]]
    : [[1, 1], [2, 2], [5, 5], [33, 33], [2, 3, 4, 4]]; // prettier-ignore

  test.each(inexact)("A v equals w v for unit vectors of %s", { timeout: 240_000, tags: "full" }, async (dtype) => {
    const cases: EvalCase[] = [];
    for (const shape of shapes) {
      const a = drawn<DTypeName>(shape, dtype, fresh);
      const [w, v] = linalg.eig(a);
      const name = complexOf(dtype);
      const real = name === "complex64" ? "float32" : "float64";
      const size = shape.at(-1) as number;
      const norm = "np.linalg.norm(a, 2, axis=(-2, -1))";
      // Keeps determinants within the range of float32.
      const down = size > 40 ? 2 : 1;
      const determinant = `np.linalg.det(a / np.float32(${down}))`;
      cases.push(
        ...casesOf({ a: drawnText(shape, dtype, fresh) }, [
          [`np.ones(a.shape[:-1], "${real}")`, () => linalg.norm(v, { axis: -2 })],
          // The trace cancels; its error is at most that of all eigenvalues.
          [`np.trace(a, axis1=-2, axis2=-1).astype("${name}")`, () => w.sum({ axis: -1 }), `${norm} * ${size}`],
          [
            `${determinant}.astype("${name}")`,
            () => linalg.eigvals(a).div(down).prod({ axis: -1 }),
            `abs(${determinant}) * np.linalg.cond(a)`,
          ],
          // Eigenvectors of length 1 have one condition number, whatever their order and signs (Bauer and Fike).
          [
            `np.zeros(a.shape[:-1], "${real}")`,
            () => distances(w, linalg.eigvals(a)),
            `${norm} * np.linalg.cond(np.linalg.eig(a)[1])`,
          ],
        ]),
      );
    }
    expect(await evalDifferences(cases, closeness(dtype), "largest")).toEqual([]);
    for (const shape of shapes) {
      const a = drawn<DTypeName>(shape, dtype, fresh);
      const [w, v] = linalg.eig(a);
      const size = shape.at(-1) as number;
      const left = matmul(a.astype(complexOf(dtype)), v).sub(v.mul(w.expandDims(-2)) as DeviceArray);
      const residual = await (left.abs().max() as DeviceArray<"float64">).item();
      expect(residual, String(shape)).toBeLessThan(closeness(dtype) * Math.sqrt(size) * 2);
    }
  });

  test("eigenvalues are NumPy's, also of unbalanced, defective and integer matrices", { tags: "ci" }, async () => {
    const texts = [
      "[[1, 2], [3, 4]]",
      "[[0, 1, 0], [0, 0, 1], [1, 0, 0]]",
      "[[2, 1, 0], [0, 2, 1], [0, 0, 2]]",
      "[[1, 1e8, 0], [1e-8, 2, 1e9], [0, 1e-9, 3]]",
      "[[0, 0], [0, 0]]",
      "[[1e-30, 2e-30], [3e-30, 4e-30]]",
      "[[0, -1, 0, 0], [1, 0, 0, 0], [0, 0, 0, -2], [0, 0, 2, 0]]",
    ];
    for (const text of texts) {
      const own = linalg.eigvals(xp.array(JSON.parse(text) as number[][]));
      const { size } = own;
      const cases = casesOf({ w: `np.linalg.eigvals(np.array(${text}, float)).astype(complex)` }, [
        ["np.sort(w.real)", () => own.real.sort()],
        ["np.sort(w.imag)", () => own.imag.sort()],
      ]);
      expect(size).toBe((JSON.parse(text) as unknown[]).length);
      expect(await evalDifferences(cases, text.startsWith("[[2, 1") ? 1e-4 : 1e-12, "largest"), text).toEqual([]);
    }
  });
});

/** The distance of each eigenvalue from the closest other one. */
function distances(one: AnyArray, other: AnyArray): DeviceArray {
  const far = (one.expandDims(-1) as DeviceArray<"complex128">).sub(other.expandDims(-2) as DeviceArray<"complex128">);
  return far.abs().min({ axis: -1 });
}

test("integers become complex128, and float32 complex64", { tags: "full" }, () => {
  const square = xp.eye(2, { dtype: "int32" });
  const [w, v] = linalg.eig(square);
  expect([w.dtype.name, v.dtype.name]).toEqual(["complex128", "complex128"]);
  expect(linalg.eigvals(xp.eye(2, { dtype: "float32" })).dtype.name).toBe("complex64");
});

test("real matrices have real eigenvalues and vectors, or conjugate ones", { tags: "full" }, async () => {
  const mixed = xp.array([1, 2, 0, 3, -2, 1, 4, 0, 0, 0, 5, 6, 0, 0, 7, 8], { dtype: "float32" }).reshape([4, 4]);
  const values = await linalg.eigvals(mixed).data();
  const parts = [0, 1, 2, 3].map((k) => [values[2 * k], values[2 * k + 1]]);
  const pair = parts.filter(([, im]) => im !== 0);
  expect(pair).toHaveLength(2);
  expect(pair[0]).toEqual([pair[1]?.[0], -(pair[1]?.[1] ?? 0)]);
  const [w, v] = linalg.eig(mixed.slice("2:", "2:"));
  expect(await w.imag.any().item()).toBe(false);
  expect(await v.imag.any().item()).toBe(false);
});

test("the eigenvalues of a symmetric matrix are real", async () => {
  const matrix = xp.array(Float32Array.of(2, 1, 1, 2)).reshape([2, 2]);
  const [first = 0, , second = 0] = await linalg.eigvals(matrix).data();
  expect(first + second).toBeCloseTo(4, 4);
  expect(first * second).toBeCloseTo(3, 4);
});

test("empty matrices and stacks have no eigenvalues", () => {
  expect(linalg.eigvals(xp.zeros([0, 0])).shape).toEqual([0]);
  expect(linalg.eig(xp.zeros([0, 3, 3])).map(({ shape }) => shape)).toEqual([[0, 3], [0, 3, 3]]); // prettier-ignore
});

test("the vectors of defective matrices are finite", { tags: "full" }, async () => {
  const jordan = xp.eye(40, { dtype: "float32" }).add(xp.eye(40, { diagonal: 1, dtype: "float32" }));
  const [, v] = linalg.eig(jordan);
  expect(await v.isfinite().all().item()).toBe(true);
});

test("NaN does not converge", { tags: "full" }, async () => {
  const a = xp.zeros([2, 3, 3], { dtype: "float32" });
  a.slice(1, 2, 0).assign(NaN);
  await expect(linalg.eigvals(a).data()).rejects.toThrow(errorLike(LinAlgError, "ERR_CL_NO_CONVERGENCE", "eigvals"));
  await expect(linalg.eig(a.slice(1))[1].data()).rejects.toThrow(
    errorLike(LinAlgError, "ERR_CL_NO_CONVERGENCE", "eig"),
  );
});

test("rejects matrices that are not square, and float16", () => {
  for (const name of ["eig", "eigvals"] as const) {
    expect(() => linalg[name](xp.zeros([2, 3]))).toThrow(outOfRange("a"));
    expect(() => linalg[name](xp.zeros([2, 2], { dtype: "float16" }))).toThrow(wrongType());
  }
});
