/**
 * Functions release all memory except their results, also after errors, and leave their operands unchanged.
 *
 * @module-tag ci
 */
import { BuildError } from "@cl/core";
import { type AnyArray, RadixSort, ScanKernel } from "@cl/array";
import { expect, test } from "vitest";
import { pooled } from "./support/pooled.js";

import { errorLike, wrongValue } from "@cl/testing/error-like";
import { sample, testsEveryCase } from "@cl/testing/level";

const { pool, xp } = pooled();
const { linalg, queue } = xp;

const a = xp.fromHost(Float32Array.from({ length: 5000 }, (_, i) => i % 97));
const table = a.reshape([50, 100]);
const ints = a.astype("int32").eval();
const square = table
  .slice(":", ":50")
  .add(xp.eye(50, { dtype: "float32" }).mul(1000))
  .eval();
const [long, wide] = [xp.ones([40, 1100], { dtype: "float32" }), xp.ones([1100, 48], { dtype: "float32" })];
const [oblong, line] = [xp.ones([40, 1021], { dtype: "float32" }), xp.ones([8192], { dtype: "complex64" })];
const unit = xp.ones([1, 1], { dtype: "float32" });
const starts = xp.zeros([100], { dtype: "bool" });
const limit = { parameters: "float limit", args: [50] } as const;
const radix = new RadixSort("const float *x", { key: "x[i]", dtype: "float32" });
const scan = new ScanKernel("const int *x, int *out", { dtype: "int32", scan: "a + b", identity: "0" });

const groups: Readonly<Record<string, readonly (() => unknown)[]>> = {
  selections: [
    () => xp.copyIf(a.slice("::2"), "a[i] > limit", limit),
    () => xp.copyIf(a, "a[i] > limit", { ...limit, size: 10 }),
    () => xp.partitionIf(a, "a[i] > limit", limit),
    async () => Object.values(await xp.unique(ints, { returnInverse: true, returnIndex: true, returnCounts: true })),
    () => xp.unique(ints.reshape([100, 50]), { axis: 1 }),
    () => xp.intersect1d(ints, ints.slice("::3")),
    () => xp.setdiff1d(ints, ints.slice(":9")),
    () => xp.uniqueConsecutive(ints),
  ],
  counts: [
    () => xp.bincount(ints),
    () => xp.bincount(ints, { size: 5000, weights: a }),
    () => xp.histogram(a, 7, { weights: a }),
    () => xp.histogram(a, [1, 2, 50], { density: true }),
    () => xp.histogram(a, "doane", { range: [3, 90] }),
    () => xp.histogramBinEdges(ints, "auto"),
    () => xp.searchsorted(a, [1, 2]),
    () => xp.digitize(a, [1, 2]),
    () => xp.interp(a, a, a),
  ],
  sorts: [
    () => table.quantile([0.1, 0.2], { axis: 0 }),
    () => a.nanmedian(),
    () => table.topk(3, { axis: 0 }),
    () => [a.sort(), table.sort({ axis: 0 }), table.argsort({ axis: null }), xp.lexsort([a, a]), xp.lexsort(table)],
    () => Object.values(xp.sortByKey(table, table.T.T)),
    () => Object.values(radix.run(a)),
    () => {
      const { starts, lists } = xp.listsByKey(ints, a, 100);
      return [starts, lists];
    },
  ],
  "linear algebra": [
    () => [linalg.solve(square, square), linalg.inv(square), linalg.det(square), ...linalg.slogdet(square)],
    () => [...linalg.qr(square), ...linalg.lu(square), ...linalg.lstsq(square, square)],
    () => [linalg.luFactor(square), linalg.solveTriangular(square, square)],
  ],
  "matrix products": [
    () => [long.matmul(wide), long.slice(":3").matmul(wide), long.matmul(wide.slice(":", 0))],
    () => xp.einsum("ij,jk,ik->k", [long, wide, unit]),
    () => xp.einsum("ij,kj->ki", [long, wide.T]),
    () => xp.multiDot([long.slice(":3"), wide, wide.T, wide.slice(":", 0)]),
    () => [xp.kron(square, square), xp.vecdot(long.slice(":3"), wide.slice(":", 0))],
    () => {
      expect(() => long.matmul(long)).toThrow(RangeError);
      return [];
    },
  ],
  transforms: [
    () => [xp.fft.fft2(oblong), xp.fft.rfft2(oblong), xp.fft.fftn(oblong, { s: [64, 100] })],
    () => [xp.fft.irfft(line), xp.fft.ifft(line), xp.fft.fftshift(line), xp.fft.fftfreq(10, { dtype: "float32" })],
  ],
  scans: [
    () => [a.sum(), table.var({ axis: 0 })],
    () => [table.cumsum(), table.T.cumsum({ axis: 0 }), table.cumsum({ axis: 1, starts, reverse: true })],
    () => [xp.diff(table, { n: 2, prepend: 1, append: table }), xp.ediff1d(a, { toEnd: 1 })],
    () => [xp.trapezoid(table, { x: table }), ...xp.gradient(table, { spacing: [2, table.slice(0)] })],
    () => {
      const out = xp.emptyLike(ints);
      scan.launch(ints, out);
      return out;
    },
  ],
};

test.each(sample(Object.entries(groups), 2))("%s release all memory except the results", async (_, calls) => {
  const round = async (): Promise<void> => {
    for (const call of calls) {
      const results = [(await call()) as AnyArray].flat(2) as readonly AnyArray[];
      for (const one of results) one.release();
    }
    // Checking for errors releases the error flags.
    await xp.check();
    await queue.finish();
  };
  const before = await square.data();
  await round();
  const { activeBytes } = pool;
  for (let k = 0; k < (testsEveryCase ? 50 : 3); k++) await round();
  expect(pool.activeBytes).toBe(activeBytes);
  expect(await square.data()).toEqual(before);
});

test("errors release all memory", async () => {
  const { activeBytes } = pool;
  const signal = AbortSignal.abort();
  await expect(xp.copyIf(a, "a[i] > 1", { signal })).rejects.toMatchObject({ name: "AbortError" });
  await expect(xp.unique(a, { signal })).rejects.toMatchObject({ name: "AbortError" });
  const negative = ints.negative();
  await expect(xp.bincount(negative)).rejects.toThrow(wrongValue());
  negative.release();
  expect(() => xp.copyIfSync(a, "no such thing")).toThrow(errorLike(BuildError, "CL_BUILD_PROGRAM_FAILURE"));
  await queue.finish();
  expect(pool.activeBytes).toBe(activeBytes);
});
