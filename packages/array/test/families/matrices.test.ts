/** Matrices and Fourier transforms: each family of kernels once, as processors get it and as GPUs do (support/families.ts). */
import type { DeviceArray } from "@cl/array";
import { expect, test } from "vitest";

import { hasDoubles } from "../support/device.js";
import { describeKinds } from "../support/families.js";
import { largestDifference } from "../support/numbers.js";

describeKinds((stage) => {
  const { count, numbers, one, range } = stage;

  test("matrices, decomposed and solved with", { timeout: 240_000 }, () => {
    const { linalg } = stage.xp;
    const products = (x: DeviceArray, y: DeviceArray): DeviceArray =>
      x.expandDims(2).mul(y.expandDims(0)).sum({ axis: 1 });
    const near = (x: DeviceArray, y: DeviceArray): void => {
      expect(largestDifference(numbers(x), numbers(y))).toBeLessThan(1e-4);
    };
    // Twice the identity, a one above the diagonal, rows exchanged.
    const matrix = (n: number, dtype: "float32" | "complex64"): DeviceArray =>
      stage.xp
        .eye(n, { dtype })
        .mul(2)
        .add(stage.xp.eye(n, { dtype, diagonal: 1 }))
        .slice("::-1");
    for (const n of [2, 35]) {
      const a = matrix(n, "complex64");
      const ones = stage.xp.ones([n, 2], { dtype: "complex64" }) as DeviceArray;
      near(products(a, linalg.solve(a, ones)), ones);
      const [p, l, u] = linalg.lu(a);
      near(products(p.astype("complex64"), products(l, u)), a);
      const [q, r] = linalg.qr(a);
      near(products(q, r), a);
      near(products(a, linalg.lstsq(a, ones)[0]), ones);
      const square = products(a.T, a);
      const lower = linalg.cholesky(square);
      near(products(lower, lower.T), square);
      expect(Math.round(Math.log2(Math.abs(numbers(linalg.det(a))[0] as number)))).toBe(n);
    }
    // Few rows are turned by one group, many by several.
    for (const n of [3, 97]) {
      const [left, values, right] = linalg.svd(matrix(n, "float32"));
      near(products(left.mul(values.expandDims(0)), right), matrix(n, "float32"));
    }
    const [w, v] = linalg.eigh(matrix(4, "complex64"));
    near(
      products(v.mul(w.expandDims(0)), v.conj().T),
      stage.xp.tril(matrix(4, "complex64")).add(stage.xp.tril(matrix(4, "complex64"), { diagonal: -1 }).T),
    );
    // Real products are another kernel on processors.
    const a = matrix(67, "float32");
    near(products(a, linalg.inv(a)), stage.xp.eye(67, { dtype: "float32" }));
  });

  test("products of matrices, small and large, and sums of products", () => {
    // By rows of 0 and 1, and sums that are known.
    for (const [m, k, n] of [
      [3, 4, 5],
      [40, 20, 36],
      [4, 1100, 5],
    ] as const) {
      // Tiles take a processor's compiler long, so that there are few of them.
      for (const dtype of m < 10 && k < 10 ? (["float32", "int16", "float16"] as const) : (["float32"] as const)) {
        const a = count(dtype, m, k).remainder(2).astype(dtype);
        const b = count(dtype, n, k).remainder(3).astype(dtype);
        const [x, y] = [numbers(a.astype("float32")), numbers(b.astype("float32"))];
        const expected = range(m * n, (i) => {
          const [row, column] = [Math.floor(i / n) * k, (i % n) * k];
          return range(k, (l) => (x[row + l] as number) * (y[column + l] as number)).reduce((sum, one) => sum + one);
        });
        expect(numbers(a.matmul(b.T).astype("float32")), `${m} ${k} ${n} ${dtype}`).toEqual(expected);
        const turned = [a.copy({ order: "F" }), b.copy({ order: "F" })];
        if (m !== 4) expect(numbers(stage.xp.einsum("ij,kj->ik", turned).astype("float32"))).toEqual(expected);
      }
    }
    const z = count("complex64", 2, 12);
    expect(numbers(z.matmul(z.T).slice(0, 0))).toEqual([506, 0]);
    expect(
      one(
        count("int32", 2, 70, 90)
          .matmul(stage.xp.ones([90], { dtype: "int32" }))
          .slice(0, 0),
      ),
    ).toBe(4005);
  });

  test("transforms: lines of one pass and of several, with large primes, real ones, along other axes", () => {
    for (const dtype of ["complex64", ...(hasDoubles ? (["complex128"] as const) : [])] as const) {
      const shapes = [
        [3, 17],
        [17, 12],
        [1, 4608],
      ] as const;
      // The text for both precisions is the same.
      for (const shape of dtype === "complex64" ? shapes : shapes.slice(0, 1)) {
        const a = count(dtype, ...shape);
        const spectrum = stage.xp.fft.fft(a);
        const [first, sums] = [numbers(spectrum.real.slice(":", 0)), numbers(a.real.sum({ axis: 1 }))];
        expect(largestDifference(first, sums), String(shape)).toBeLessThan(1e-6 * Math.max(...sums));
        const back = numbers(stage.xp.fft.ifft(spectrum));
        expect(largestDifference(back, numbers(a)), String(shape)).toBeLessThan(1e-3);
      }
      const b = count(dtype, 12, 17);
      expect(largestDifference(numbers(stage.xp.fft.ifftn(stage.xp.fft.fftn(b))), numbers(b))).toBeLessThan(1e-3);
    }
    for (const n of [1, 9, 24]) {
      const a = count("float32", 3, n + 1).slice(":", "1:");
      const back = numbers(stage.xp.fft.irfft(stage.xp.fft.rfft(a), { n }));
      expect(largestDifference(back, numbers(a)), String(n)).toBeLessThan(1e-3);
    }
  });

  test("sums of products of a short line with all parts of a longer one", () => {
    for (const dtype of ["int32", "float32", "complex64"] as const) {
      const taps = stage.xp.array([1, 0, 2], { dtype });
      for (const n of [3, 64, 67, 200]) {
        const a = count(dtype, n);
        const sums = range(n - 2, (i) => ((i + 2) % 100) + 2 * (i % 100));
        expect(numbers(stage.xp.convolve(a, taps, { mode: "valid" }).astype("complex64").real), String(n)).toEqual(
          sums,
        );
      }
    }
  });
});
