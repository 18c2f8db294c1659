/**
 * Reductions and scans: each kernel family once, with CPU and GPU kernels (support/families.ts).
 *
 * @module-tag ci
 */
import { ReductionKernel, ScanKernel } from "@cl/array";
import { expect, test } from "vitest";

import { describeKinds, sizes } from "../support/families.js";
import { largestDifference } from "../support/numbers.js";

describeKinds((stage) => {
  const { count, numbers, one, range } = stage;

  test("reduces all elements", async () => {
    for (const n of [...sizes, 5000, 40_000]) {
      const values = range(n, (i) => i % 100);
      const total = values.reduce((a, b) => a + b, 0);
      const a = count("float32", n);
      expect(one(a.sum()), String(n)).toBe(total);
      const later = count("int32", n + 1).slice("1:");
      expect(one(later.max()), String(n)).toBe(Math.min(n, 99));
      expect(one(a.argmax()), String(n)).toBe(Math.min(n - 1, 99));
      expect(largestDifference([one(a.mean())], [total / n])).toBeLessThan(1e-4);
      expect(one(a.slice("::-1").any())).toBe(n > 1 ? 1 : 0);
    }
  });

  test("reduces along axes, contiguous and strided", async () => {
    const shapes = [[3, 5], [70, 33], [2, 600], [600, 2], [9, 8, 7]]; // prettier-ignore
    for (const shape of shapes) {
      const a = count("int32", ...shape);
      for (const view of [a, a.copy({ order: "F" }), a.slice("::-1")]) {
        const nested = (await view.toNested()) as unknown[];
        for (let axis = 0; axis < shape.length; axis++) {
          const sums = numbers(view.sum({ axis }));
          expect(sums, `${shape.join()} over ${axis}`).toEqual(summed(nested, axis));
        }
      }
      expect(a.min({ axis: [0, -1], keepDims: true }).ndim).toBe(shape.length);
      // Long float sums are vectorized.
      expect(numbers(a.astype("float32").sum({ axis: 0 }))).toEqual(numbers(a.sum({ axis: 0 })));
    }
  });

  test("scans lines forward and backward, with and without segments", { tags: "full" }, () => {
    for (const n of [...sizes, 4097]) {
      const a = count("float32", n);
      const sums: number[] = [];
      let sum = 0;
      for (let i = 0; i < n; i++) sums.push((sum += i % 100));
      expect(numbers(a.cumsum()), String(n)).toEqual(sums);
      expect(numbers(a.cumsum({ exclusive: true })), String(n)).toEqual([0, ...sums].slice(0, n));
      expect(numbers(a.cummax({ reverse: true })).at(0), String(n)).toBe(Math.min(n - 1, 99));
      const starts = count("uint8", n).equal(7);
      const segments = range(n, (i) =>
        i < 7 ? (sums[i] as number) : (sums[i] as number) - (sums[before7(i)] as number),
      );
      expect(numbers(a.cumsum({ starts })), String(n)).toEqual(segments);
    }
  });

  test("scans rows and columns, short and long", () => {
    const shapes = [[3, 5], [70, 33], [2, 600], [600, 2]] as const; // prettier-ignore
    for (const [rows, columns] of shapes) {
      const a = count("int32", rows, columns);
      const at = (i: number, j: number): number => (i * columns + j) % 100;
      const along = range(rows * columns, (k) => {
        const [i, j] = [Math.floor(k / columns), k % columns];
        return range(j + 1, (l) => at(i, l)).reduce((x, y) => x + y);
      });
      expect(numbers(a.cumsum({ axis: 1 })), `${rows} × ${columns}`).toEqual(along);
      expect(numbers(a.T.copy().cumsum({ axis: 0 }).T), `${rows} × ${columns}`).toEqual(along);
      expect(numbers(a.T.cumsum({ axis: 0 }).T), `${rows} × ${columns}`).toEqual(along);
      const starts = count("uint8", columns).greater(-1);
      expect(numbers(a.cumsum({ axis: 0, starts })), `${rows} × ${columns}`).toEqual(numbers(a));
    }
  });

  test("runs custom reductions of all sizes", { tags: "full" }, () => {
    const kernel = new ReductionKernel("const float *x, const int *y", {
      dtype: "int64",
      map: "(long)x[i] * y[i] + i",
      reduce: "a + b",
      identity: "0",
    });
    for (const n of [...sizes, 5000]) {
      const expected = range(n, (i) => (i % 100) ** 2 + i).reduce((a, b) => a + b, 0);
      expect(one(kernel.run(count("float32", n), count("int32", n))), String(n)).toBe(expected);
      const [x, y] = [count("float32", 2 * n).slice("1::2"), count("int32", n).slice("::-1")];
      const mixed = range(n, (i) => ((2 * i + 1) % 100) * ((n - 1 - i) % 100) + i).reduce((a, b) => a + b, 0);
      expect(one(kernel.run(x, y)), String(n)).toBe(mixed);
    }
  });

  test("runs custom scans of several types, with segments", { tags: "full" }, () => {
    const sums = new ScanKernel("const int *x, int *out", {
      dtype: "int32",
      input: "i == 0 ? x[i] : x[i] - x[i - 1]",
      scan: "a + b",
      identity: "0",
      segmentStart: "i % 70 == 0",
      output: "out[i] = item + last - prev - last;",
    });
    const bytes = new ScanKernel("const uchar *x, uchar *out", {
      dtype: "uint8",
      scan: "b",
      identity: "0",
      exclusive: true,
    });
    for (const n of [1, 64, 257, 4097]) {
      const out = stage.xp.zeros([2 * n], { dtype: "int32" });
      sums.launch(count("int32", n), out.slice("1::2"));
      const steps = range(n, (i) => (i % 100) - (i === 0 ? 0 : (i - 1) % 100));
      expect(numbers(out.slice("1::2")), String(n)).toEqual(steps);
      const last = stage.xp.zeros([n], { dtype: "uint8" });
      bytes.launch(count("uint8", n), last);
      expect(numbers(last), String(n)).toEqual(range(n, (i) => (i === 0 ? 0 : (i - 1) % 100)));
    }
  });
});

/** The index before the segment of `i`; segments start at 7 more than multiples of 100. */
function before7(i: number): number {
  return i - ((i - 7) % 100) - 1;
}

/** The sums over an axis, in C order. */
function summed(nested: readonly unknown[], axis: number): number[] {
  const add = (a: unknown, b: unknown): unknown =>
    Array.isArray(a) ? a.map((one, i) => add(one, (b as unknown[])[i])) : (a as number) + (b as number);
  const over = (list: readonly unknown[], k: number): unknown =>
    k === 0 ? list.reduce(add) : list.map((one) => over(one as unknown[], k - 1));
  return [over(nested, axis)].flat(Infinity) as number[];
}
