/** Linear algebra compared with NumPy and SciPy: sizes around block limits, stacks, layouts, dtypes. */
import type { AnyArray, DeviceArray, DTypeName } from "@cl/array";
import { beforeEach, describe, expect, test } from "vitest";

import { hasDoubles, xp } from "./support/device.js";
import { sample, testsEveryCase } from "@cl/testing/level";
import { drawn, type EvalCase, evalDifferences } from "./support/numpy-eval.js";
import { needsNumPy } from "./support/numpy.js";
import { untriedSeed } from "./support/untried-seed.js";

const everyCase = testsEveryCase(import.meta.url);

const { linalg } = xp;
const types: readonly DTypeName[] = hasDoubles
  ? ["float32", "float64", "complex64", "complex128"]
  : ["float32", "complex64"];
const isSingle = (dtype: DTypeName): boolean => dtype === "float32" || dtype === "complex64";
/** Relative to the largest number, for fixed draws and well-conditioned matrices. */
const closeness = (dtype: DTypeName): number => (isSingle(dtype) ? 2e-2 : 1e-9);
/** Relative to the scale of a case, for all draws, which need at most 13 machine epsilons. */
const stable = (dtype: DTypeName): number => 64 * 2 ** (isSingle(dtype) ? -23 : -52);
/** Names the compared value in failures. */
const fresh = 1 + (untriedSeed() % 1000);
/**
 * Draws whose pivots differ by at least 8e-4, and whose signs in QR depend on numbers of at least 5e-4, relative to their
 * columns: LAPACK's pivots and signs can be compared. Of 1000 draws, about 100 have a gap below 1e-5 at one size.
 */
const separated = 28;

const matmul = (a: AnyArray, b: AnyArray): DeviceArray => xp.matmul(a as DeviceArray, b as DeviceArray) as DeviceArray;

/** A random matrix or stack for both sides. */
interface Drawn {
  readonly array: DeviceArray;
  readonly text: string;
}

function draw(shape: readonly number[], dtype: DTypeName, seed: number): Drawn {
  return { array: drawn(shape, dtype, seed), text: `r([${shape.join()}], "${dtype}", ${seed})` };
}

/** A case whose error grows with the condition number of `a`. */
function conditioned(a: Drawn, ours: EvalCase["ours"], theirs: string): EvalCase {
  return { ours, theirs, scale: `np.linalg.cond(${a.text}) * abs(${theirs}).max()` };
}

/** A Hermitian, positive definite matrix. */
function definite(size: number, dtype: DTypeName, seed: number): Drawn {
  const { text } = draw([size, size], dtype, seed);
  // Computed on the device without matrix products: B B^H + I, row by row.
  const all = `(lambda m: m @ m.conj().T + np.eye(${size}, dtype=m.dtype))(${text})`;
  const b = drawn([size, size], dtype, seed);
  const products = b
    .expandDims(1)
    .mul(b.conj().expandDims(0) as DeviceArray)
    .sum({ axis: 2 });
  return { array: products.add(xp.eye(size, { dtype })) as DeviceArray, text: all };
}

describe("linear algebra, compared with NumPy", () => {
  beforeEach(needsNumPy);

  const sizes = everyCase ? [1, 2, 3, 31, 32, 33, 63, 64, 65, 127, 128, 129, 200] : sample([1, 3, 33, 65, 129], 3);
  const dtypes = everyCase
    ? types
    : sample(
        types.filter((one) => ["float32", "complex128"].includes(one)),
        1,
      );

  test.each(dtypes)("solutions, inverses and determinants of %s", { timeout: 240_000 }, async (dtype) => {
    const cases: EvalCase[] = [];
    for (const size of sizes) {
      for (const seed of everyCase ? [size, fresh] : [fresh]) {
        const a = draw([size, size], dtype, seed);
        const [b, c] = [draw([size], dtype, 3), draw([size, 5], dtype, 4)];
        // Keeps determinants within the range of float32.
        const down = 2 ** Math.round(Math.log2(Math.sqrt(size / (dtype.startsWith("complex") ? 16 : 33))));
        const logarithm = `np.linalg.slogdet(${a.text})[1]`;
        cases.push(
          conditioned(a, () => linalg.solve(a.array, b.array), `np.linalg.solve(${a.text}, ${b.text})`),
          conditioned(a, () => linalg.solve(a.array, c.array), `np.linalg.solve(${a.text}, ${c.text})`),
          conditioned(a, () => linalg.luFactor(a.array).solve(c.array), `np.linalg.solve(${a.text}, ${c.text})`),
          conditioned(a, () => linalg.inv(a.array), `np.linalg.inv(${a.text})`),
          conditioned(a, () => linalg.det(a.array.div(down)), `np.linalg.det(${a.text} / np.float32(${down}))`),
          conditioned(a, () => linalg.slogdet(a.array)[0], `np.linalg.slogdet(${a.text})[0]`),
          {
            ours: () => linalg.slogdet(a.array)[1],
            theirs: logarithm,
            // A logarithm near 0 has the same error.
            scale: `np.linalg.cond(${a.text}) + abs(${logarithm})`,
          },
        );
      }
    }
    expect(await evalDifferences(cases, stable(dtype), "largest")).toEqual([]);
  });

  test.each(dtypes)("triangular factors of %s, and solving with them", { timeout: 240_000 }, async (dtype) => {
    const cases: EvalCase[] = [];
    for (const size of sizes) {
      const a = definite(size, dtype, fresh);
      const b = draw([size, 3], dtype, 5);
      cases.push(
        { ours: () => linalg.cholesky(a.array), theirs: `np.linalg.cholesky(${a.text})` },
        {
          ours: () => linalg.cholesky(a.array, { upper: true }),
          theirs: `np.linalg.cholesky(${a.text}).conj().T`,
        },
      );
      for (const lower of [true, false]) {
        for (const trans of ["N", "T", "C"] as const) {
          const unitDiagonal = trans === "T" && size > 1;
          // A unit diagonal needs a small triangle, or solutions grow without bounds.
          const triangle = unitDiagonal ? a.array.div(4 * size) : a.array;
          const theirs = unitDiagonal ? `(${a.text} / np.float32(${4 * size}))` : a.text;
          cases.push({
            ours: () => linalg.solveTriangular(triangle, b.array, { lower, trans, unitDiagonal }),
            theirs: `scipy.linalg.solve_triangular(${theirs}, ${b.text}, trans="${trans}", lower=${python(lower)}, unit_diagonal=${python(unitDiagonal)})`,
          });
        }
      }
    }
    expect(await evalDifferences(cases, closeness(dtype) / 10, "largest")).toEqual([]);
  });

  const oblong = everyCase
    ? [
        [1, 1],
        [5, 3],
        [3, 5],
        [32, 32],
        [33, 32],
        [32, 33],
        [65, 64],
        [64, 65],
        [129, 40],
        [40, 129],
        [200, 3],
        [3, 200],
        [130, 130],
      ]
    : [
        [5, 3],
        [3, 5],
        [33, 33],
        [70, 33],
        [40, 129],
      ];

  test.each(dtypes)(
    "QR and LU of rectangular matrices of %s, with LAPACK's signs",
    { timeout: 240_000 },
    async (dtype) => {
      const cases: EvalCase[] = [];
      for (const [rows = 0, columns = 0] of oblong) {
        const a = draw([rows, columns], dtype, separated);
        for (const mode of ["reduced", "complete"] as const) {
          for (const part of [0, 1] as const) {
            // The columns of Q beyond those of the matrix depend on all rounding errors, but not by more than that.
            cases.push({
              ours: () => linalg.qr(a.array, { mode })[part],
              theirs: `np.linalg.qr(${a.text}, mode="${mode}")[${part}]`,
            });
          }
        }
        cases.push({ ours: () => linalg.qr(a.array, { mode: "r" }), theirs: `np.linalg.qr(${a.text}, mode="r")` });
        for (const part of [0, 1, 2] as const) {
          // SciPy's permutation of one row is complex.
          const real = part === 0 ? ".real" : "";
          cases.push({ ours: () => linalg.lu(a.array)[part], theirs: `scipy.linalg.lu(${a.text})[${part}]${real}` });
        }
        const steps = Math.min(rows, columns);
        const square = draw([steps, steps], dtype, separated);
        cases.push({
          ours: () => linalg.luFactor(square.array).pivots,
          theirs: `scipy.linalg.lu_factor(${square.text})[1].astype("int32")`,
        });
      }
      expect(await evalDifferences(cases, closeness(dtype) / 10, "largest")).toEqual([]);
    },
  );

  test.each(dtypes)("QR and LU factors of %s multiply to the matrix", { timeout: 240_000 }, async (dtype) => {
    const cases: EvalCase[] = [];
    for (const [rows = 0, columns = 0] of oblong) {
      const a = draw([rows, columns], dtype, fresh);
      const scale = `np.linalg.norm(${a.text}, 2)`;
      for (const mode of ["reduced", "complete"] as const) {
        const [q, r] = linalg.qr(a.array, { mode });
        cases.push(
          { ours: () => matmul(q, r), theirs: a.text, scale },
          { ours: () => matmul(q.T.conj(), q), theirs: `np.eye(${q.shape[1]}, dtype="${dtype}")` },
        );
      }
      const [p, l, u] = linalg.lu(a.array);
      cases.push({ ours: () => matmul(matmul(p.astype(dtype), l), u), theirs: a.text, scale });
      // Pivots have the largest sum of the sizes of both parts.
      const largest = (dtype.startsWith("complex") ? Math.SQRT2 : 1) * (1 + stable(dtype));
      expect(await (l.abs().max() as DeviceArray<"float64">).item(), a.text).toBeLessThanOrEqual(largest);
    }
    expect(await evalDifferences(cases, stable(dtype), "largest")).toEqual([]);
  });

  test.each(dtypes)("least squares and shortest solutions of %s", { timeout: 240_000 }, async (dtype) => {
    const cases: EvalCase[] = [];
    for (const [rows = 0, columns = 0] of oblong) {
      // lstsq rejects square matrices that are singular in their precision, as one draw of 1000 is.
      const a = draw([rows, columns], dtype, rows === columns ? separated : fresh);
      const b = draw([rows, 2], dtype, 6);
      const theirs = (part: 0 | 1): string => `np.linalg.lstsq(${a.text}, ${b.text}, rcond=None)[${part}]`;
      const sizes = `(lambda a, b, x: (np.linalg.cond(a), np.linalg.norm(a, 2), np.linalg.norm(x), np.linalg.norm(b), np.linalg.norm(b - a @ x)))(${a.text}, ${b.text}, ${theirs(0)})`;
      cases.push({
        ours: () => linalg.lstsq(a.array, b.array)[0],
        theirs: theirs(0),
        scale: `(lambda cond, a, x, b, rest: cond * (x + cond * rest / a))(*${sizes})`,
      });
      if (rows > columns) {
        cases.push({
          ours: () => linalg.lstsq(a.array, b.array)[1],
          theirs: theirs(1),
          scale: `(lambda cond, a, x, b, rest: b * (b + a * x))(*${sizes})`,
        });
      }
    }
    expect(await evalDifferences(cases, stable(dtype), "largest")).toEqual([]);
  });

  test("stacks that broadcast, and vectors", { timeout: 240_000 }, async () => {
    const dtype = "float32";
    const a = draw([2, 3, 5, 5], dtype, 1);
    const one = draw([5, 5], dtype, 2);
    const row = draw([3, 5, 5], dtype, 3);
    const [b, c] = [draw([5], dtype, 4), draw([2, 1, 5, 2], dtype, 5)];
    const pairs: readonly (readonly [Drawn, Drawn])[] = [
      [a, c],
      [one, c],
      [row, c],
      [one, b],
    ];
    const cases: EvalCase[] = pairs.map(([x, y]) => ({
      ours: () => linalg.solve(x.array, y.array),
      theirs: `np.linalg.solve(${x.text}, ${y.text})`,
    }));
    cases.push(
      { ours: () => linalg.solve(a.array, b.array), theirs: `np.linalg.solve(${a.text}, ${b.text}[:, None])[..., 0]` },
      { ours: () => linalg.inv(a.array), theirs: `np.linalg.inv(${a.text})` },
      { ours: () => linalg.det(a.array), theirs: `np.linalg.det(${a.text})` },
      { ours: () => linalg.qr(a.array)[0], theirs: `np.linalg.qr(${a.text})[0]` },
      { ours: () => linalg.slogdet(row.array)[1], theirs: `np.linalg.slogdet(${row.text})[1]` },
    );
    expect(await evalDifferences(cases, closeness(dtype), "largest")).toEqual([]);
  });

  test("views of every layout, and integers, which become float64", { timeout: 240_000 }, async () => {
    const dtype = "float32";
    const a = draw([40, 80], dtype, 7);
    const views: readonly (readonly [(array: AnyArray) => DeviceArray, string])[] = [
      [(x) => (x as DeviceArray).slice([1, 38], [2, 39]), "[1:38, 2:39]"],
      [(x) => (x as DeviceArray).slice([1, 38], [2, 39]).T, "[1:38, 2:39].T"],
      [(x) => (x as DeviceArray).slice("::-1", "::2"), "[::-1, ::2]"],
      [(x) => (x as DeviceArray).slice([0, 1], [0, 1]).broadcastTo([1, 1]), "[0:1, 0:1]"],
    ];
    const cases: EvalCase[] = views.flatMap(([ours, text]) => [
      { ours: () => linalg.inv(ours(a.array)), theirs: `np.linalg.inv(${a.text}${text})` },
      {
        ours: () => linalg.solve(ours(a.array), ours(a.array).slice("::-1")),
        theirs: `np.linalg.solve(${a.text}${text}, ${a.text}${text}[::-1])`,
      },
    ]);
    if (hasDoubles) {
      const whole = xp.array([[2, 1], [7, 4]], { dtype: "int32" }); // prettier-ignore
      cases.push(
        { ours: () => linalg.inv(whole), theirs: "np.linalg.inv(np.array([[2, 1], [7, 4]]))" },
        {
          ours: () => linalg.solve(whole.astype("float32"), whole),
          theirs: 'np.linalg.solve(np.array([[2, 1], [7, 4]], "float32"), np.array([[2, 1], [7, 4]]))',
        },
      );
    }
    expect(await evalDifferences(cases, closeness(dtype), "largest")).toEqual([]);
  });

  test("matrices without rows or columns, and empty stacks", async () => {
    const shapes = [[0, 0], [3, 0, 0], [0, 2, 2]]; // prettier-ignore
    const cases: EvalCase[] = shapes.flatMap((shape) => {
      const a = draw(shape, "float32", 1);
      return [
        ...(["inv", "det", "cholesky"] as const).map((name) => ({
          ours: () => linalg[name](a.array),
          theirs: `np.linalg.${name}(${a.text})`,
        })),
        { ours: () => linalg.solve(a.array, a.array), theirs: `np.linalg.solve(${a.text}, ${a.text})` },
        { ours: () => linalg.slogdet(a.array)[1], theirs: `np.linalg.slogdet(${a.text})[1]` },
      ];
    });
    for (const shape of [
      [0, 3],
      [3, 0],
      [2, 0, 4],
    ]) {
      // prettier-ignore
      const a = draw(shape, "float32", 1);
      for (const mode of ["reduced", "complete"] as const) {
        cases.push(
          { ours: () => linalg.qr(a.array, { mode })[0], theirs: `np.linalg.qr(${a.text}, mode="${mode}")[0]` },
          { ours: () => linalg.qr(a.array, { mode })[1], theirs: `np.linalg.qr(${a.text}, mode="${mode}")[1]` },
        );
      }
    }
    expect(await evalDifferences(cases, 1e-6, "largest")).toEqual([]);
  });
});

function python(value: boolean): string {
  return value ? "True" : "False";
}
