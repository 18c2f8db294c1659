/** Linear algebra compared with NumPy and SciPy: sizes around block limits, stacks, layouts, dtypes. */
import type { DeviceArray, DTypeName } from "@cl/array";
import { beforeEach, describe, expect, test } from "vitest";

import { hasDoubles, xp } from "./support/device.js";
import { sample, testSeed, testsEveryCase } from "@cl/testing/level";
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
const isSingle = (dtype: DTypeName): boolean => dtype === "float32" || dtype === "complex64";
/** Relative to the largest number, for fixed draws and well-conditioned matrices. */
const closeness = (dtype: DTypeName): number => (isSingle(dtype) ? 2e-2 : 1e-9);
/** Relative to the scale of a case, for all draws, which need at most 13 machine epsilons. */
const stable = (dtype: DTypeName): number => 64 * 2 ** (isSingle(dtype) ? -23 : -52);
/** Names the compared value in failures. */
const fresh = 1 + (testSeed(20_261_121) % 1000);
/**
 * Draws whose pivots differ by at least 8e-4, and whose signs in QR depend on numbers of at least 5e-4, relative to their
 * columns: LAPACK's pivots and signs can be compared. Of 1000 draws, about 100 have a gap below 1e-5 at one size.
 */
const separated = 28;

/** A Hermitian, positive definite matrix: m m^H + I, computed without matrix products. */
function definite(size: number, dtype: DTypeName, seed: number): DeviceArray {
  const m = drawn([size, size], dtype, seed);
  const products = m
    .expandDims(1)
    .mul(m.conj().expandDims(0) as DeviceArray)
    .sum({ axis: 2 });
  return products.add(xp.eye(size, { dtype })) as DeviceArray;
}

describe("linear algebra, compared with NumPy", () => {
  beforeEach(needsNumPy);

  const sizes = testsEveryCase ? [1, 2, 3, 31, 32, 33, 63, 64, 65, 127, 128, 129, 200] : sample([1, 33, 3, 65, 129], 3);
  const dtypes = testsEveryCase ? inexact : sample(inexact.slice(0, 2), 1);

  test.each(dtypes)("solutions, inverses and determinants of %s", { tags: "ci" }, async (dtype) => {
    const cases: EvalCase[] = [];
    for (const size of sizes) {
      for (const seed of testsEveryCase ? [size, fresh] : [fresh]) {
        const a = drawn([size, size], dtype, seed);
        const [b, c] = [drawn([size], dtype, 3), drawn([size, 5], dtype, 4)];
        // Keeps determinants within the range of float32.
        const down = 2 ** Math.round(Math.log2(Math.sqrt(size / (dtype.startsWith("complex") ? 16 : 33))));
        const conditioned = (theirs: string, ours: EvalCase["ours"]) =>
          [theirs, ours, `np.linalg.cond(a) * abs(${theirs}).max()`] as const;
        const operands = {
          a: drawnText([size, size], dtype, seed),
          b: drawnText([size], dtype, 3),
          c: drawnText([size, 5], dtype, 4),
        };
        cases.push(
          ...casesOf(operands, [
            conditioned("np.linalg.solve(a, b)", () => linalg.solve(a, b)),
            conditioned("np.linalg.solve(a, c)", () => linalg.solve(a, c)),
            conditioned("np.linalg.solve(a, c)", () => linalg.luFactor(a).solve(c)),
            conditioned("np.linalg.inv(a)", () => linalg.inv(a)),
            conditioned(`np.linalg.det(a / np.float32(${down}))`, () => linalg.det(a.div(down))),
            conditioned("np.linalg.slogdet(a)[0]", () => linalg.slogdet(a)[0]),
            // A logarithm near 0 has the same error.
            ["np.linalg.slogdet(a)[1]", () => linalg.slogdet(a)[1], "np.linalg.cond(a) + abs(np.linalg.slogdet(a)[1])"],
          ]),
        );
      }
    }
    expect(await evalDifferences(cases, stable(dtype), "largest")).toEqual([]);
  });

  test.each(dtypes)("triangular factors of %s, and solving with them", { tags: "ci" }, async (dtype) => {
    const cases: EvalCase[] = [];
    for (const size of sizes) {
      const a = definite(size, dtype, fresh);
      const b = drawn([size, 3], dtype, 5);
      // A unit diagonal needs a small triangle, or solutions grow without bounds.
      const unit = a.div(4 * size);
      const operands = {
        a: `(lambda m: m @ m.conj().T + np.eye(${size}, dtype=m.dtype))(${drawnText([size, size], dtype, fresh)})`,
        b: drawnText([size, 3], dtype, 5),
      };
      cases.push(
        ...casesOf(operands, [
          ["np.linalg.cholesky(a)", () => linalg.cholesky(a)],
          ["np.linalg.cholesky(a).conj().T", () => linalg.cholesky(a, { upper: true })],
        ]),
      );
      for (const lower of [true, false]) {
        for (const trans of ["N", "T", "C"] as const) {
          const unitDiagonal = trans === "T" && size > 1;
          const text = unitDiagonal ? `a / np.float32(${4 * size})` : "a";
          const options = `trans="${trans}", lower=${Number(lower)}, unit_diagonal=${Number(unitDiagonal)}`;
          cases.push(
            ...casesOf(operands, [
              [
                `scipy.linalg.solve_triangular(${text}, b, ${options})`,
                () => linalg.solveTriangular(unitDiagonal ? unit : a, b, { lower, trans, unitDiagonal }),
              ],
            ]),
          );
        }
      }
    }
    expect(await evalDifferences(cases, closeness(dtype) / 10, "largest")).toEqual([]);
  });

  const oblong = testsEveryCase
    ? "1 1, 5 3, 3 5, 32 32, 33 32, 32 33, 65 64, 64 65, 129 40, 40 129, 200 3, 3 200, 130 130"
    : "5 3, 3 5, 33 33, 70 33, 40 129";
  const shapes = oblong.split(", ").map((text) => text.split(" ").map(Number) as [rows: number, columns: number]);

  test.each(dtypes)("QR and LU of rectangular matrices of %s, with LAPACK's signs", { tags: "ci" }, async (dtype) => {
    const cases: EvalCase[] = [];
    for (const shape of shapes) {
      const a = drawn(shape, dtype, separated);
      const steps = Math.min(...shape);
      const square = drawn([steps, steps], dtype, separated);
      const operands = { a: drawnText(shape, dtype, separated), square: drawnText([steps, steps], dtype, separated) };
      for (const part of [0, 1] as const) {
        cases.push(
          ...casesOf(operands, [
            [`np.linalg.qr(a, mode="reduced")[${part}]`, () => linalg.qr(a)[part]],
            // The columns of Q beyond those of the matrix depend on all rounding errors, but not by more than that.
            [`np.linalg.qr(a, mode="complete")[${part}]`, () => linalg.qr(a, { mode: "complete" })[part]],
            [`scipy.linalg.lu(a)[${part + 1}]`, () => linalg.lu(a)[part === 0 ? 1 : 2]],
          ]),
        );
      }
      cases.push(
        ...casesOf(operands, [
          ['np.linalg.qr(a, mode="r")', () => linalg.qr(a, { mode: "r" })],
          // SciPy's permutation of one row is complex.
          ["scipy.linalg.lu(a)[0].real", () => linalg.lu(a)[0]],
          ['scipy.linalg.lu_factor(square)[1].astype("int32")', () => linalg.luFactor(square).pivots],
        ]),
      );
    }
    expect(await evalDifferences(cases, closeness(dtype) / 10, "largest")).toEqual([]);
  });

  test.each(dtypes)("least squares and shortest solutions of %s", { tags: "full" }, async (dtype) => {
    const cases: EvalCase[] = [];
    for (const [rows, columns] of shapes) {
      // lstsq rejects square matrices that are singular in their precision, as one draw of 1000 is.
      const seed = rows === columns ? separated : fresh;
      const [a, b] = [drawn([rows, columns], dtype, seed), drawn([rows, 2], dtype, 6)];
      const operands = { a: drawnText([rows, columns], dtype, seed), b: drawnText([rows, 2], dtype, 6) };
      const x = "np.linalg.lstsq(a, b, rcond=None)";
      const sizes = `(lambda x: (np.linalg.cond(a), np.linalg.norm(a, 2), np.linalg.norm(x), np.linalg.norm(b), np.linalg.norm(b - a @ x)))(${x}[0])`;
      cases.push(
        ...casesOf(operands, [
          [
            `${x}[0]`,
            () => linalg.lstsq(a, b)[0],
            `(lambda cond, a, x, b, rest: cond * (x + cond * rest / a))(*${sizes})`,
          ],
          ...(rows > columns
            ? ([
                [`${x}[1]`, () => linalg.lstsq(a, b)[1], `(lambda cond, a, x, b, rest: b * (b + a * x))(*${sizes})`],
              ] as const)
            : []),
        ]),
      );
    }
    expect(await evalDifferences(cases, stable(dtype), "largest")).toEqual([]);
  });

  test("stacks that broadcast, views of every layout, and integers, which become float64", { tags: "ci" }, async () => {
    const dtype = "float32";
    const [a, one, row] = [drawn([2, 3, 5, 5], dtype, 1), drawn([5, 5], dtype, 2), drawn([3, 5, 5], dtype, 3)];
    const [b, c, long] = [drawn([5], dtype, 4), drawn([2, 1, 5, 2], dtype, 5), drawn([40, 80], dtype, 7)];
    const operands = {
      a: drawnText(a.shape, dtype, 1),
      one: drawnText([5, 5], dtype, 2),
      row: drawnText([3, 5, 5], dtype, 3),
      b: drawnText([5], dtype, 4),
      c: drawnText(c.shape, dtype, 5),
      long: drawnText([40, 80], dtype, 7),
      whole: "(np.arange(4) % 3 + 1).reshape(2, 2)",
    };
    const whole = xp.array([1, 2, 3, 1], { dtype: "int32" }).reshape([2, 2]);
    const views = [
      [long.slice([1, 38], [2, 39]), "long[1:38, 2:39]"],
      [long.slice([1, 38], [2, 39]).T, "long[1:38, 2:39].T"],
      [long.slice("::-1", "::2"), "long[::-1, ::2]"],
      [long.slice([0, 1], [0, 1]).broadcastTo([1, 1]), "long[0:1, 0:1]"],
    ] as const;
    const cases = casesOf(operands, [
      ["np.linalg.solve(a, c)", () => linalg.solve(a, c)],
      ["np.linalg.solve(one, c)", () => linalg.solve(one, c)],
      ["np.linalg.solve(row, c)", () => linalg.solve(row, c)],
      ["np.linalg.solve(one, b)", () => linalg.solve(one, b)],
      ["np.linalg.solve(a, b[:, None])[..., 0]", () => linalg.solve(a, b)],
      ["np.linalg.inv(a)", () => linalg.inv(a)],
      ["np.linalg.det(a)", () => linalg.det(a)],
      ["np.linalg.qr(a)[0]", () => linalg.qr(a)[0]],
      ["np.linalg.slogdet(row)[1]", () => linalg.slogdet(row)[1]],
      ...views.flatMap(
        ([view, text]) =>
          [
            [`np.linalg.inv(${text})`, () => linalg.inv(view)],
            [`np.linalg.solve(${text}, ${text}[::-1])`, () => linalg.solve(view, view.slice("::-1"))],
          ] as const,
      ),
      ...(hasDoubles
        ? ([
            ["np.linalg.inv(whole)", () => linalg.inv(whole)],
            ['np.linalg.solve(whole.astype("float32"), whole)', () => linalg.solve(whole.astype("float32"), whole)],
          ] as const)
        : []),
    ]);
    expect(await evalDifferences(cases, closeness(dtype), "largest")).toEqual([]);
  });

  test("matrices without rows or columns, and empty stacks", { tags: "full" }, async () => {
    const square = ["0 0", "3 0 0", "0 2 2"].map((text) => text.split(" ").map(Number));
    const cases = square.flatMap((shape) => {
      const a = drawn(shape, "float32", 1);
      return casesOf({ a: drawnText(shape, "float32", 1) }, [
        ["np.linalg.inv(a)", () => linalg.inv(a)],
        ["np.linalg.det(a)", () => linalg.det(a)],
        ["np.linalg.cholesky(a)", () => linalg.cholesky(a)],
        ["np.linalg.solve(a, a)", () => linalg.solve(a, a)],
        ["np.linalg.slogdet(a)[1]", () => linalg.slogdet(a)[1]],
      ]);
    });
    const others = ["0 3", "3 0", "2 0 4"].map((text) => text.split(" ").map(Number));
    for (const shape of others) {
      const a = drawn(shape, "float32", 1);
      for (const mode of ["reduced", "complete"] as const) {
        const [q, r] = linalg.qr(a, { mode });
        cases.push(
          ...casesOf({ a: drawnText(shape, "float32", 1) }, [
            [`np.linalg.qr(a, mode="${mode}")[0]`, () => q],
            [`np.linalg.qr(a, mode="${mode}")[1]`, () => r],
          ]),
        );
      }
    }
    expect(await evalDifferences(cases, 1e-6, "largest")).toEqual([]);
  });
});
