/** Singular values, eigenvalues, and functions based on them, compared with NumPy. */
import { type AnyArray, type DeviceArray, type DTypeName, LinAlgError } from "@cl/array";
import { beforeEach, describe, expect, test } from "vitest";

import { hasDoubles, xp } from "./support/device.js";
import { isFull, sample, testsEveryCase } from "@cl/testing/level";
import { errorLike } from "@cl/testing/error-like";
import { drawn, type EvalCase, evalDifferences } from "./support/numpy-eval.js";
import { needsNumPy } from "./support/numpy.js";
import { untriedSeed } from "./support/untried-seed.js";

const everyCase = testsEveryCase(import.meta.url);

const { linalg } = xp;
const types: readonly DTypeName[] = (["float32", "float64", "complex64", "complex128"] as const).filter(
  (one) =>
    (hasDoubles || one === "float32" || one === "complex64") &&
    (everyCase || one === "float32" || (isFull && one === "complex128")),
);
const closeness = (dtype: DTypeName): number => (dtype === "float32" || dtype === "complex64" ? 1e-4 : 1e-12);
/** Names the compared value in failures. */
const fresh = 1 + (untriedSeed() % 1000);

const text = (shape: readonly number[], dtype: DTypeName, seed: number): string =>
  `r([${shape.join()}], "${dtype}", ${seed})`;
const adjoint = (a: DeviceArray): DeviceArray => a.swapaxes(-1, -2).conj();
const matmul = (a: AnyArray, b: AnyArray): DeviceArray => xp.matmul(a as DeviceArray, b as DeviceArray) as DeviceArray;

describe("decompositions by rotations, compared with NumPy", () => {
  beforeEach(needsNumPy);

  const shapes = everyCase
    ? [[1, 1], [2, 2], [5, 3], [3, 5], [31, 31], [32, 40], [33, 33], [65, 64], [64, 65], [100, 2], [2, 100], [3, 8, 5], [97, 97], [120, 100]]
    : sample([[1, 1], [5, 3], [2, 40], [3, 8, 5], [97, 97]], 3); // prettier-ignore

  test.each(types)("singular values of %s, and the matrix they reconstruct", { timeout: 240_000 }, async (dtype) => {
    const cases: EvalCase[] = [];
    const inverses: EvalCase[] = [];
    for (const shape of shapes) {
      const a = drawn<DTypeName>(shape, dtype, fresh);
      const theirs = text(shape, dtype, fresh);
      const [rows = 0, columns = 0] = shape.slice(-2);
      const steps = Math.min(rows, columns);
      const [u, s, vh] = linalg.svd(a);
      const [left, , right] = linalg.svd(a, { fullMatrices: false });
      const square = (size: number): string =>
        `np.broadcast_to(np.eye(${size}, dtype="${dtype}"), [${[...shape.slice(0, -2), size, size].join()}])`;
      cases.push(
        { ours: () => s, theirs: `np.linalg.svd(${theirs}, compute_uv=False)` },
        { ours: () => linalg.svd(a, { computeUv: false }), theirs: `np.linalg.svd(${theirs}, compute_uv=False)` },
        { ours: () => matmul(left.mul(s.expandDims(-2)), right), theirs },
        {
          ours: () => matmul(u.slice("...", [0, steps]).mul(s.expandDims(-2)), vh.slice("...", [0, steps], ":")),
          theirs,
        },
        { ours: () => matmul(adjoint(u), u), theirs: square(rows) },
        { ours: () => matmul(vh, adjoint(vh)), theirs: square(columns) },
        // Of 1000 draws, no singular value is within 14 % of the tolerance, which is 97 epsilons at that draw.
        { ours: () => linalg.matrixRank(a), theirs: `np.linalg.matrix_rank(${theirs})` },
      );
      // No draw has a singular value below the tolerance.
      const inverse = `np.linalg.pinv(${theirs}, 1e-9)`;
      inverses.push({
        ours: () => linalg.pinv(a, { rtol: 1e-9 }),
        theirs: inverse,
        scale: `np.linalg.cond(${theirs}) * np.linalg.norm(${inverse}, 2, axis=(-2, -1))`,
      });
    }
    expect(await evalDifferences(cases, closeness(dtype), "largest")).toEqual([]);
    // 105 and 563 machine epsilons; all draws need at most 16.
    expect(await evalDifferences(inverses, closeness(dtype) / 8)).toEqual([]);
  });

  test.each(types)(
    "eigenvalues of Hermitian matrices of %s, from either triangle",
    { timeout: 240_000 },
    async (dtype) => {
      const cases: EvalCase[] = [];
      for (const shape of sample(
        [
          [1, 1],
          [2, 2],
          [3, 5, 5],
          [33, 33],
          [97, 97],
        ],
        3,
      )) {
        const a = drawn<DTypeName>(shape, dtype, fresh);
        const theirs = text(shape, dtype, fresh);
        for (const uplo of ["L", "U"] as const) {
          const [w, v] = linalg.eigh(a, { uplo });
          const whole =
            uplo === "L"
              ? `np.tril(m) + np.tril(m, -1).conj().swapaxes(-1, -2)`
              : `np.triu(m) + np.triu(m, 1).conj().swapaxes(-1, -2)`;
          const real = "m - 1j * np.eye(m.shape[-1]) * m.imag if np.iscomplexobj(m) else m";
          cases.push(
            { ours: () => w, theirs: `np.linalg.eigh(${theirs}, UPLO="${uplo}")[0]` },
            { ours: () => linalg.eigvalsh(a, { uplo }), theirs: `np.linalg.eigvalsh(${theirs}, UPLO="${uplo}")` },
            {
              ours: () => matmul(v.mul(w.expandDims(-2)), adjoint(v)),
              theirs: `(lambda m: ${whole})((lambda m: ${real})(${theirs})).astype("${dtype}")`,
            },
            {
              ours: () => matmul(adjoint(v), v),
              theirs: `np.broadcast_to(np.eye(${shape.at(-1) as number}, dtype="${dtype}"), [${shape.join()}])`,
            },
          );
        }
      }
      expect(await evalDifferences(cases, closeness(dtype), "largest")).toEqual([]);
    },
  );

  test("computes norms and condition numbers of every order", { timeout: 240_000 }, async () => {
    const dtype = "float32";
    const cases: EvalCase[] = [];
    const [line, matrix, stack] = [[7], [5, 4], [2, 3, 4]].map((shape) => ({
      ours: drawn(shape, dtype, fresh) as DeviceArray,
      theirs: text(shape, dtype, fresh),
    })) as [Both, Both, Both];
    const all = [undefined, "fro", "nuc", 1, -1, 2, -2, Infinity, -Infinity] as const;
    for (const ord of everyCase ? all : sample([undefined, "nuc", 1, -2, Infinity] as const, 3)) {
      const named =
        ord === undefined ? "None" : typeof ord === "string" ? `"${ord}"` : String(ord).replace("Infinity", "np.inf");
      const keepDims = ord === 1 || ord === "nuc";
      // The error of all singular values is proportional to the largest.
      const scaleOf = ({ theirs }: Both): Pick<EvalCase, "scale"> =>
        ord === -2 ? { scale: `np.linalg.norm(${theirs})` } : {};
      cases.push(
        {
          ours: () => linalg.norm(matrix.ours, { ord }),
          theirs: `np.linalg.norm(${matrix.theirs}, ${named})`,
          ...scaleOf(matrix),
        },
        {
          ours: () => linalg.norm(stack.ours, { ord, axis: [2, 0], keepDims }),
          theirs: `np.linalg.norm(${stack.theirs}, ${named}, axis=(2, 0), keepdims=${keepDims ? "True" : "False"})`,
          ...scaleOf(stack),
        },
      );
      if (typeof ord !== "string") {
        cases.push({ ours: () => linalg.norm(line.ours, { ord }), theirs: `np.linalg.norm(${line.theirs}, ${named})` });
      }
      if (ord !== "nuc" || everyCase) {
        const theirs = `np.linalg.cond(${matrix.theirs}[:4], ${named})`;
        cases.push({
          ours: () => linalg.cond(matrix.ours.slice([0, 4]), { ...(ord !== undefined && { ord }) }),
          theirs,
          scale: `${theirs} * np.linalg.cond(${matrix.theirs}[:4])`,
        });
      }
    }
    cases.push(
      { ours: () => linalg.norm(stack.ours), theirs: `np.linalg.norm(${stack.theirs})` },
      {
        ours: () => linalg.norm(stack.ours, { axis: 1, ord: 3 }),
        theirs: `np.linalg.norm(${stack.theirs}, 3, axis=1)`,
      },
      {
        ours: () => linalg.cond(matrix.ours),
        theirs: `np.linalg.cond(${matrix.theirs})`,
        scale: `np.linalg.cond(${matrix.theirs}) ** 2`,
      },
    );
    expect(await evalDifferences(cases, 1e-5, "largest")).toEqual([]);
  });

  test("the condition number of a zero matrix is infinite", async () => {
    const zeros = xp.zeros([2, 2], { dtype: "float32" });
    for (const ord of [undefined, -2, 1] as const) {
      expect(await linalg.cond(zeros, { ...(ord !== undefined && { ord }) }).item()).toBe(Infinity);
    }
  });

  test("computes matrix powers", { timeout: 240_000 }, async () => {
    const a = drawn([2, 4, 4], "float32", fresh) as DeviceArray;
    const theirs = text([2, 4, 4], "float32", fresh);
    const norm = (matrices: string): string => `np.linalg.norm(${matrices}, 2, axis=(-2, -1))`;
    const cases: EvalCase[] = [0, 1, 2, 3, 7, 10, -1, -3].map((exponent) => ({
      ours: () => linalg.matrixPower(a, exponent),
      theirs: `np.linalg.matrix_power(${theirs}, ${exponent})`,
      // Powers can be much smaller than those of the norm.
      scale:
        exponent < 0
          ? `np.linalg.cond(${theirs}) * ${norm(`np.linalg.inv(${theirs})`)} ** ${-exponent}`
          : `${norm(theirs)} ** ${exponent}`,
    }));
    const whole = xp.fromHost(Int32Array.of(1, 1, 1, 0), { shape: [2, 2] }) as AnyArray as DeviceArray;
    cases.push({
      ours: () => linalg.matrixPower(whole, 40),
      theirs: 'np.linalg.matrix_power(np.array([[1, 1], [1, 0]], "int32"), 40)',
    });
    expect(await evalDifferences(cases, 1e-5)).toEqual([]);
  });
});

interface Both {
  readonly ours: DeviceArray;
  readonly theirs: string;
}

test("rank-deficient matrices have complete bases", async () => {
  for (const values of [
    [
      [0, 0],
      [0, 0],
      [0, 0],
    ],
    [
      [1, 1],
      [1, 1],
      [1, 1],
    ],
    [
      [0, 2],
      [0, 0],
      [0, 0],
    ],
  ]) {
    // prettier-ignore
    const a = xp.array(values, { dtype: "float32" }) as DeviceArray;
    const [u, s, vh] = linalg.svd(a);
    const again = matmul(u.slice(":", [0, 2]).mul(s), vh);
    expect(await again.sub(a).norm().item()).toBeLessThan(1e-6);
    for (const one of [u, vh]) {
      const size = one.shape[0] as number;
      expect(
        await matmul(one.T, one)
          .sub(xp.eye(size, { dtype: "float32" }) as DeviceArray)
          .norm()
          .item(),
      ).toBeLessThan(1e-6);
    }
    expect(await linalg.matrixRank(a).item()).toBe(values.flat().some((one) => one !== 0) ? 1n : 0n);
    // Penrose's first equation.
    expect(
      await matmul(a, matmul(linalg.pinv(a), a))
        .sub(a)
        .norm()
        .item(),
    ).toBeLessThan(1e-6);
  }
});

test("separates equal and opposite eigenvalues at any scale", async () => {
  const a = xp.array([[0, 1], [1, 0]], { dtype: "float32" }) as DeviceArray; // prettier-ignore
  for (const size of [1, 1e30, 1e-30]) {
    const [w, v] = linalg.eigh(a.mul(size) as DeviceArray);
    const values = w.div(size);
    expect(
      await values
        .sub(xp.array([-1, 1], { dtype: "float32" }))
        .norm()
        .item(),
    ).toBeLessThan(1e-6);
    expect(
      await matmul(a, v)
        .sub(v.mul(values as DeviceArray))
        .norm()
        .item(),
    ).toBeLessThan(1e-6);
    const s = linalg.svd(a.mul(size) as DeviceArray, { computeUv: false });
    expect(await s.div(size).sub(1).norm().item()).toBeLessThan(1e-6);
  }
  expect(await linalg.eigvalsh(xp.zeros([3, 3], { dtype: "float32" })).data()).toEqual(new Float32Array(3));
  expect(
    await linalg
      .eigvalsh(xp.eye(3, { dtype: "float32" }))
      .sub(1)
      .norm()
      .item(),
  ).toBeLessThan(1e-6);
});

test("NaN throws because it does not converge", async () => {
  const a = xp.eye(5, { dtype: "float32" }).broadcastTo([2, 5, 5]).copy() as DeviceArray;
  a.slice(1, 2, 3).assign(NaN);
  linalg.svd(a);
  const failure: unknown = await xp.check().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(LinAlgError);
  expect(failure).toMatchObject({
    code: "ERR_CL_NO_CONVERGENCE",
    message: "svd: matrix 1 of the stack did not converge",
  });
  a.slice(1, 3, 2).assign(Infinity);
  linalg.eigh(a, { uplo: "U" });
  await expect(xp.check()).rejects.toThrow(errorLike(LinAlgError, "ERR_CL_NO_CONVERGENCE"));
});

test("empty matrices have no singular values, and complete bases", () => {
  const [u, s, vh] = linalg.svd(xp.zeros([0, 3], { dtype: "float32" }));
  expect([u.shape, s.shape, vh.shape]).toEqual([[0, 0], [0], [3, 3]]);
  expect(linalg.eigh(xp.zeros([2, 0, 0]))[0].shape).toEqual([2, 0]);
  expect(linalg.pinv(xp.zeros([0, 3], { dtype: "float32" })).shape).toEqual([3, 0]);
  expect(linalg.matrixRank(xp.zeros([4, 0, 3], { dtype: "float32" })).shape).toEqual([4]);
});

test("rejects unknown norm orders", () => {
  const a = drawn([2, 3, 3], "float32", 1) as DeviceArray;
  expect(() => linalg.norm(a, { ord: 2 })).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
  expect(() => linalg.norm(a, { ord: 3, axis: [0, 1] })).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
  expect(() => linalg.norm(a, { ord: "fro", axis: 1 })).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
  expect(() => linalg.norm(a, { axis: [0, 1, 2] })).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE", "options.axis"));
  expect(() => linalg.cond(drawn([2, 3], "float32", 1), { ord: 1 })).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
  expect(() => linalg.cond(xp.zeros([0, 3], { dtype: "float32" }))).toThrow(
    errorLike(RangeError, "ERR_OUT_OF_RANGE", "cond"),
  );
});

test("a singular matrix has an infinite condition number and does not throw", async () => {
  const a = xp.ones([2, 2], { dtype: "float32" });
  expect(await linalg.cond(a, { ord: 1 }).item()).toBe(Infinity);
  expect(await linalg.cond(a).item()).toBeGreaterThan(1e6);
});
