/**
 * Matrix products and Fourier transforms: each kernel family once, with CPU and GPU kernels (support/families.ts).
 *
 * @module-tag ci
 */
import { expect, test } from "vitest";

import { hasDoubles } from "../support/device.js";
import { describeKinds } from "../support/families.js";
import { largestDifference } from "../support/numbers.js";

describeKinds((stage) => {
  const { count, numbers, one, range } = stage;

  test("multiplies small and large matrices and sums products", () => {
    // Rows of 0 and 1, so that the sums are known.
    for (const [m, k, n] of [
      [3, 4, 5],
      [40, 20, 36],
      [4, 1100, 5],
    ] as const) {
      // Few tiles, because CPU compilers are slow on them.
      for (const dtype of m < 10 && k < 10 ? (["float32", "int16", "float16"] as const) : (["float32"] as const)) {
        const a = count(dtype, m, k).remainder(2).astype(dtype);
        const b = count(dtype, n, k).remainder(3).astype(dtype);
        const [x, y] = [numbers(a.astype("float32")), numbers(b.astype("float32"))];
        const expected = range(m * n, (i) => {
          const [row, column] = [Math.floor(i / n) * k, (i % n) * k];
          return range(k, (l) => (x[row + l] as number) * (y[column + l] as number)).reduce((sum, one) => sum + one);
        });
        expect(numbers(a.matmul(b.T).astype("float32")), `${m} ${k} ${n} ${dtype}`).toEqual(expected);
        const columnMajor = [a.copy({ order: "F" }), b.copy({ order: "F" })];
        if (m !== 4) expect(numbers(stage.xp.einsum("ij,kj->ik", columnMajor).astype("float32"))).toEqual(expected);
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

  test("transforms in one pass and several, with large primes, real input and other axes", () => {
    for (const dtype of ["complex64", ...(hasDoubles ? (["complex128"] as const) : [])] as const) {
      const shapes = [
        [3, 17],
        [17, 12],
        [1, 4608],
      ] as const;
      // Both precisions have the same source.
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

  test("convolves long lines with short ones", { tags: "full" }, () => {
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
