/**
 * Operators, copies, indexing and custom kernels: each kernel family once, with CPU and GPU kernels
 * (support/families.ts).
 *
 * @module-tag ci
 */
import { type DeviceArray, ElementwiseKernel } from "@cl/array";
import { expect, test } from "vitest";

import { describeKinds, sizes } from "../support/families.js";
import { largestDifference } from "../support/numbers.js";

describeKinds((stage) => {
  const { count, numbers, one, range } = stage;

  test("computes contiguous arrays of all lengths and offsets", async () => {
    for (const n of sizes) {
      const a = count("float32", n + 5);
      expect(numbers(a.slice([0, n]).add(a.slice([0, n])))).toEqual(range(n, (i) => 2 * (i % 100)));
      expect(numbers(a.slice([3, n + 3]).mul(2))).toEqual(range(n, (i) => 2 * ((i + 3) % 100)));
      expect(numbers(a.slice([1, n + 1]).add(a.slice([4, 5])))).toEqual(range(n, (i) => ((i + 1) % 100) + 4));
    }
  });

  test("computes and stores strided, reversed, transposed and broadcast views", async () => {
    const a = count("float32", 5, 7, 3);
    const values = numbers(a);
    const at = (i: number, j: number, k: number): number => values[(i * 7 + j) * 3 + k] as number;
    expect(numbers(a.T.add(1))).toEqual(range(105, (n) => at(n % 5, Math.floor(n / 5) % 7, Math.floor(n / 35)) + 1));
    expect(numbers(a.slice("::-2", "1::3", "::-1").negative())).toEqual(
      range(18, (n) => -at(4 - 2 * Math.floor(n / 6), 1 + 3 * (Math.floor(n / 3) % 2), 2 - (n % 3))),
    );
    expect(numbers(a.slice(":", ":1").add(a.slice(0)))).toEqual(
      range(105, (n) => at(Math.floor(n / 21), 0, n % 3) + at(0, Math.floor(n / 3) % 7, n % 3)),
    );
    const target = stage.xp.zeros([7, 10], { dtype: "float32" });
    target.slice("::-1", "1::2").assign(a.slice(":", ":", 0).T);
    expect(numbers(target.slice(6, 1).ravel())).toEqual([at(0, 0, 0)]);
    expect(numbers(target.slice(0))).toEqual([0, 1, 2, 3, 4].flatMap((i) => [0, at(i, 6, 0)]));
  });

  test("computes special functions with tables, loops and several results", { tags: "full" }, async () => {
    const { special } = stage.xp;
    const x = count("float32", 18).div(2);
    expect(largestDifference(numbers(special.erf(x)).slice(0, 3), [0, 0.5204999, 0.8427008])).toBeLessThan(1e-6);
    expect(largestDifference(numbers(special.jn(2, x.slice("1:"))).slice(0, 2), [0.030604, 0.1149035])).toBeLessThan(
      1e-6,
    );
    const [ai, , bi] = special.airy(x.slice(":3"));
    expect(largestDifference(numbers(ai), [0.3550281, 0.2316936, 0.1352924])).toBeLessThan(1e-6);
    expect(largestDifference(numbers(bi), [0.6149266, 0.854277, 1.2074236])).toBeLessThan(1e-6);
    const waves = [special.hankel1(0, x.slice("1:4")), special.hankel1(0, x.slice("1:4").mul({ re: 1, im: -8 }))];
    expect(largestDifference(numbers(waves[0] as DeviceArray).slice(2, 4), [0.7651977, 0.088257])).toBeLessThan(1e-6);
    for (const wave of waves) expect(numbers(wave).every((part) => Number.isFinite(part))).toBe(true);
    expect(numbers(special.zeta(2, x.slice("2:3")))[0]).toBeCloseTo(1.6449341, 5);
  });

  test("creates values and ranges", { tags: "full" }, async () => {
    for (const n of sizes) {
      expect(numbers(stage.xp.full([n], 7, { dtype: "int16" }))).toEqual(range(n, () => 7));
      expect(numbers(stage.xp.arange(3, 3 + 2 * n, 2, { dtype: "int32" }))).toEqual(range(n, (i) => 3 + 2 * i));
    }
  });

  test("reads and stores at arrays of indices", async () => {
    const a = count("float32", 6, 5);
    const rows = stage.xp.array([5, 0, -1, 2], { dtype: "int32" });
    expect(numbers(a.at(rows, 2))).toEqual([27, 2, 27, 12]);
    expect(numbers(a.take(rows, { axis: 1, mode: "wrap" }).slice(0))).toEqual([0, 0, 4, 2]);
    expect(numbers(a.take(stage.xp.array([100n, -100n]), { mode: "clip" }))).toEqual([29, 0]);
    const target = stage.xp.zeros([6, 5], { dtype: "float32" });
    target.setAt([rows], a.at(rows));
    expect(numbers(target.slice(":", 1))).toEqual([1, 0, 11, 0, 0, 26]);
    target.put([0, 1, 2, 3], stage.xp.array([7, 8], { dtype: "float32" }));
    expect(numbers(target).slice(0, 5)).toEqual([7, 8, 7, 8, 4]);
  });

  test("stores at repeated indices, for all element sizes", { tags: "full" }, async () => {
    for (const dtype of ["int8", "uint16", "int32", "float32", "float16"] as const) {
      // Byte and float16 arrays end within a word.
      const a = count(dtype, 5);
      a.addAt([stage.xp.array([4, 4, 0, -1], { dtype: "int32" })], count(dtype, 4));
      expect(numbers(a.astype("float32")), dtype).toEqual([2, 1, 2, 3, 8]);
      a.maximumAt([[1, 1]], 3).minimumAt([[2, 2]], 1);
      expect(numbers(a.astype("float32")), dtype).toEqual([2, 3, 1, 3, 8]);
    }
  });

  test("reads and stores through masks", async () => {
    for (const n of [...sizes, 3000]) {
      const a = count("int32", n);
      const odd = a.remainder(2).equal(1);
      const expected = range(n, (i) => i % 100).filter((value) => value % 2 === 1);
      expect(numbers(a.atSync(odd)), String(n)).toEqual(expected);
      expect(numbers(a.nonzero({ size: 3, fill: -1n }).at(-1) as DeviceArray)).toEqual(
        [...range(n, (i) => i).filter((i) => i % 100 !== 0), -1, -1, -1].slice(0, 3),
      );
      if (expected.length > 1) {
        const copy = a.copy();
        copy.setAt([odd], count("int32", expected.length).negative());
        expect(numbers(copy).filter((value) => value <= 0).length, String(n)).toBe(
          expected.length + Math.ceil(n / 100),
        );
      }
      a.setAt([odd], 0);
      const even = range(n, (i) => i % 100).filter((value) => value > 0 && value % 2 === 0);
      expect(one(a.countNonzero()), String(n)).toBe(even.length);
    }
  });

  test("runs custom kernels on all layouts", async () => {
    const kernel = new ElementwiseKernel("float a, const float *x, const int *y, float *z", "z[i] = a * x[i] + y[i]");
    const far = new ElementwiseKernel("const float *x, float *z", "z[i] = x[i / 2] + i");
    for (const n of sizes) {
      const z = stage.xp.zeros([2 * n], { dtype: "float32" });
      kernel.launch(2, count("float32", n), count("int32", n), z.slice([0, n]));
      kernel.launch(2, count("float32", n).slice("::-1"), count("int32", 1), z.slice("1::2"));
      expect(numbers(z.slice("1::2"))).toEqual(range(n, (i) => 2 * ((n - 1 - i) % 100)));
      far.launch(count("float32", 2 * n).slice("::2"), z.slice("::2"));
      expect(numbers(z.slice("::2"))).toEqual(range(n, (i) => ((2 * Math.floor(i / 2)) % 100) + i));
    }
  });
});
