/** Singular values, eigenvalues, and functions based on them, compared with NumPy. */
import { type AnyArray, type DeviceArray, type DTypeName, LinAlgError } from "@cl/array";
import { beforeEach, describe, expect, test } from "vitest";

import { hasDoubles, xp } from "./support/device.js";
import { isFull, sample, testSeed, testsEveryCase } from "@cl/testing/level";
import { errorLike, outOfRange } from "@cl/testing/error-like";
import { casesOf, drawn, drawnText, type EvalCase, evalDifferences, needsNumPy } from "./support/numpy-eval.js";

const { linalg } = xp;
const types: readonly DTypeName[] = (["float32", "float64", "complex64", "complex128"] as const).filter(
  (one) =>
    (hasDoubles || one === "float32" || one === "complex64") &&
    (testsEveryCase || one === "float32" || (isFull && one === "complex128")),
);
const closeness = (dtype: DTypeName): number => (dtype === "float32" || dtype === "complex64" ? 1e-4 : 1e-12);
const fresh = 1 + (testSeed(20_261_121) % 1000);

const adjoint = (a: DeviceArray): DeviceArray => a.swapaxes(-1, -2).conj();
const matmul = (a: AnyArray, b: AnyArray): DeviceArray => xp.matmul(a as DeviceArray, b as DeviceArray) as DeviceArray;
const single = (values: readonly number[], shape: readonly number[]): DeviceArray =>
  xp.array(values, { dtype: "float32" }).reshape(shape);
const normOf = (a: DeviceArray): Promise<number> => a.norm().item();

describe("decompositions by rotations, compared with NumPy", () => {
  beforeEach(needsNumPy);

  const longer = testsEveryCase
    ? "1 1, 2 2, 5 3, 3 5, 31 31, 32 40, 33 33, 65 64, 64 65, 100 2, 2 100, 3 8 5, 97 97, 120 100"
    : "1 1, 5 3, 2 40, 3 8 5, 97 97";
  const shapes = (isFull ? longer : "3 8 5").split(", ").map((shape) => shape.split(" ").map(Number));

  test.each(types)("singular values of %s, and the matrix they reconstruct", { tags: "ci" }, async (dtype) => {
    const cases: EvalCase[] = [];
    const inverses: EvalCase[] = [];
    for (const shape of shapes) {
      const a = drawn<DTypeName>(shape, dtype, fresh);
      const [rows = 0, columns = 0] = shape.slice(-2);
      const rank = Math.min(rows, columns);
      const [u, s, vh] = linalg.svd(a);
      const [left, , right] = linalg.svd(a, { fullMatrices: false });
      const square = (size: number): string =>
        `np.broadcast_to(np.eye(${size}, dtype="${dtype}"), [${[...shape.slice(0, -2), size, size].join()}])`;
      const operands = { a: drawnText(shape, dtype, fresh) };
      cases.push(
        ...casesOf(operands, [
          ["np.linalg.svd(a, compute_uv=False)", () => s],
          ["np.linalg.svd(a, compute_uv=False)", () => linalg.svd(a, { computeUv: false })],
          ["a", () => matmul(left.mul(s.expandDims(-2)), right)],
          ["a", () => matmul(u.slice("...", [0, rank]).mul(s.expandDims(-2)), vh.slice("...", [0, rank], ":"))],
          [square(rows), () => matmul(adjoint(u), u)],
          [square(columns), () => matmul(vh, adjoint(vh))],
          // Of 1000 draws, no singular value is within 14 % of the tolerance, which is 97 epsilons at that draw.
          ["np.linalg.matrix_rank(a)", () => linalg.matrixRank(a)],
        ]),
      );
      // No draw has a singular value below the tolerance.
      const inverse = "np.linalg.pinv(a, 1e-9)";
      const scale = `np.linalg.cond(a) * np.linalg.norm(${inverse}, 2, axis=(-2, -1))`;
      inverses.push(...casesOf(operands, [[inverse, () => linalg.pinv(a, { rtol: 1e-9 }), scale]]));
    }
    expect(await evalDifferences(cases, closeness(dtype), "largest")).toEqual([]);
    // 105 and 563 machine epsilons; all draws need at most 16.
    expect(await evalDifferences(inverses, closeness(dtype) / 8)).toEqual([]);
  });

  test.each(types)("eigenvalues of Hermitian matrices of %s, from either triangle", { tags: "full" }, async (dtype) => {
    const cases: EvalCase[] = [];
    for (const shape of isFull
      ? [
          [1, 1],
          [2, 2],
          [3, 5, 5],
          [33, 33],
          [97, 97],
        ]
      : [[3, 5, 5]]) {
      const a = drawn<DTypeName>(shape, dtype, fresh);
      const real = "m - 1j * np.eye(m.shape[-1]) * m.imag if np.iscomplexobj(m) else m";
      const operands = {
        a: drawnText(shape, dtype, fresh),
        m: `(lambda m: ${real})(${drawnText(shape, dtype, fresh)})`,
      };
      const identity = `np.broadcast_to(np.eye(${shape.at(-1)}, dtype="${dtype}"), [${shape.join()}])`;
      for (const uplo of isFull ? (["L", "U"] as const) : (["U"] as const)) {
        const [w, v] = linalg.eigh(a, { uplo });
        const [half, first] = uplo === "L" ? ["tril", -1] : ["triu", 1];
        const whole = `(np.${half}(m) + np.${half}(m, ${first}).conj().swapaxes(-1, -2)).astype("${dtype}")`;
        cases.push(
          ...casesOf(operands, [
            [`np.linalg.eigh(a, UPLO="${uplo}")[0]`, () => w],
            [`np.linalg.eigvalsh(a, UPLO="${uplo}")`, () => linalg.eigvalsh(a, { uplo })],
            [whole, () => matmul(v.mul(w.expandDims(-2)), adjoint(v))],
            [identity, () => matmul(adjoint(v), v)],
          ]),
        );
      }
    }
    expect(await evalDifferences(cases, closeness(dtype), "largest")).toEqual([]);
  });

  const orders = [undefined, "fro", "nuc", 1, -1, 2, -2, Infinity, -Infinity] as const;
  test.each(sample(orders.toReversed(), 2))("norms and conditions of order %s", { tags: "ci" }, async (ord) => {
    const [line, matrix, stack] = [[7], [5, 4], [2, 3, 4]].map((shape) => drawn(shape, "float32", fresh)) as [
      DeviceArray,
      DeviceArray,
      DeviceArray,
    ];
    const operands = {
      line: drawnText([7], "float32", fresh),
      matrix: drawnText([5, 4], "float32", fresh),
      stack: drawnText([2, 3, 4], "float32", fresh),
    };
    const named =
      ord === undefined ? "None" : typeof ord === "string" ? `"${ord}"` : String(ord).replace("Infinity", "np.inf");
    const keepDims = ord === 1 || ord === "nuc";
    // The error of all singular values is proportional to the largest.
    const scaleOf = (name: string): string =>
      ord === -2 ? `np.linalg.norm(${name})` : `abs(np.linalg.norm(${name}, ${named})).max()`;
    const square = matrix.slice([0, 4]);
    const cases = casesOf(operands, [
      [`np.linalg.norm(matrix, ${named})`, () => linalg.norm(matrix, { ord }), scaleOf("matrix")],
      [
        `np.linalg.norm(stack, ${named}, axis=(2, 0), keepdims=${Number(keepDims)})`,
        () => linalg.norm(stack, { ord, axis: [2, 0], keepDims }),
        "np.linalg.norm(stack)",
      ],
      [
        `np.linalg.cond(matrix[:4], ${named})`,
        () => linalg.cond(square, { ...(ord !== undefined && { ord }) }),
        `np.linalg.cond(matrix[:4], ${named}) * np.linalg.cond(matrix[:4])`,
      ],
      ...(typeof ord === "string"
        ? []
        : ([
            [`np.linalg.norm(line, ${named})`, () => linalg.norm(line, { ord }), "np.linalg.norm(line)"],
            ["np.linalg.norm(stack, 3, axis=1)", () => linalg.norm(stack, { axis: 1, ord: 3 }), "5.0"],
          ] as const)),
    ]);
    expect(await evalDifferences(cases, 1e-5, "largest")).toEqual([]);
  });

  test("computes matrix powers", { tags: "full" }, async () => {
    const a = drawn([2, 4, 4], "float32", fresh) as DeviceArray;
    const whole = xp.array([1, 1, 1, 0], { dtype: "int32" }).reshape([2, 2]) as AnyArray as DeviceArray;
    const operands = { a: drawnText([2, 4, 4], "float32", fresh), whole: 'np.array([[1, 1], [1, 0]], "int32")' };
    const norm = (matrices: string): string => `np.linalg.norm(${matrices}, 2, axis=(-2, -1))`;
    const cases = casesOf(operands, [
      // Powers can be much smaller than those of the norm.
      ...[0, 1, 2, 3, 7, 10, -1, -3].map(
        (exponent) =>
          [
            `np.linalg.matrix_power(a, ${exponent})`,
            () => linalg.matrixPower(a, exponent),
            exponent < 0
              ? `np.linalg.cond(a) * ${norm("np.linalg.inv(a)")} ** ${-exponent}`
              : `${norm("a")} ** ${exponent}`,
          ] as const,
      ),
      ["np.linalg.matrix_power(whole, 40)", () => linalg.matrixPower(whole, 40)],
    ]);
    expect(await evalDifferences(cases, 1e-5)).toEqual([]);
  });
});

test("counts singular values", async () => {
  expect(await linalg.matrixRank(single([0, 3, 3, 0], [2, 2])).item()).toBe(2n);
});

test.each([
  ["zeros", [0, 0, 0, 0, 0, 0]],
  ["ones", [1, 1, 1, 1, 1, 1]],
  ["one element", [0, 2, 0, 0, 0, 0]],
])("rank-deficient matrices of %s have complete bases", { tags: "full" }, async (_, values) => {
  const a = single(values, [3, 2]);
  const [u, s, vh] = linalg.svd(a);
  expect(await normOf(matmul(u.slice(":", [0, 2]).mul(s), vh).sub(a))).toBeLessThan(1e-6);
  for (const one of [u, vh]) {
    const identity = xp.eye(one.shape[0] as number, { dtype: "float32" });
    expect(await normOf(matmul(one.T, one).sub(identity))).toBeLessThan(1e-6);
  }
  expect(await linalg.matrixRank(a).item()).toBe(values.some((one) => one !== 0) ? 1n : 0n);
  // Penrose's first equation.
  expect(await normOf(matmul(a, matmul(linalg.pinv(a), a)).sub(a))).toBeLessThan(1e-6);
});

test("separates equal and opposite eigenvalues at any scale", { tags: "ci" }, async () => {
  const a = single([0, 1, 1, 0], [2, 2]);
  for (const size of [1, 1e30, 1e-30]) {
    const [w, v] = linalg.eigh(a.mul(size) as DeviceArray);
    const values = w.div(size) as DeviceArray;
    expect(await normOf(values.sub(single([-1, 1], [2])))).toBeLessThan(1e-6);
    expect(await normOf(matmul(a, v).sub(v.mul(values)))).toBeLessThan(1e-6);
    const s = linalg.svd(a.mul(size) as DeviceArray, { computeUv: false }) as DeviceArray;
    expect(await normOf(s.div(size).sub(1) as DeviceArray)).toBeLessThan(1e-6);
  }
  expect(await linalg.eigvalsh(xp.zeros([3, 3], { dtype: "float32" })).data()).toEqual(new Float32Array(3));
  expect(await linalg.eigvalsh(xp.eye(3, { dtype: "float32" })).data()).toEqual(new Float32Array(3).fill(1));
});

test("NaN and infinities throw because they do not converge", { tags: "ci" }, async () => {
  const a = xp.eye(5, { dtype: "float32" }).broadcastTo([2, 5, 5]).copy() as DeviceArray;
  a.slice(1, 2, 3).assign(NaN);
  linalg.svd(a);
  await expect(xp.check()).rejects.toThrow(errorLike(LinAlgError, "ERR_CL_NO_CONVERGENCE", "svd"));
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
  expect(() => linalg.norm(a, { ord: 2 })).toThrow(outOfRange());
  expect(() => linalg.norm(a, { ord: 3, axis: [0, 1] })).toThrow(outOfRange());
  expect(() => linalg.norm(a, { ord: "fro", axis: 1 })).toThrow(outOfRange());
  expect(() => linalg.norm(a, { axis: [0, 1, 2] })).toThrow(outOfRange("options.axis"));
  expect(() => linalg.cond(a.slice(":", 0), { ord: 1 })).toThrow(outOfRange());
  expect(() => linalg.cond(xp.zeros([0, 3], { dtype: "float32" }))).toThrow(outOfRange("cond"));
});

test.each(["ones", "zeros"] as const)("%s have an infinite condition number", { tags: "full" }, async (name) => {
  const a = xp[name]([2, 2], { dtype: "float32" });
  expect(await linalg.cond(a, { ord: 1 }).item()).toBe(Infinity);
  expect(await linalg.cond(a).item()).toBeGreaterThan(1e6);
});
