/**
 * Matrix decompositions: each kernel family once, with CPU and GPU kernels (support/families.ts).
 *
 * @module-tag ci
 */
import type { DeviceArray } from "@cl/array";
import { hasParallelWorkItems } from "@cl/characterize";
import { expect, test } from "vitest";

import { describeKinds } from "../support/families.js";
import { largestDifference } from "../support/numbers.js";

describeKinds((stage) => {
  const products = (x: DeviceArray, y: DeviceArray): DeviceArray =>
    x.expandDims(2).mul(y.expandDims(0)).sum({ axis: 1 });
  const difference = (x: DeviceArray, y: DeviceArray): number => largestDifference(stage.numbers(x), stage.numbers(y));
  /** Twice the identity with ones above the diagonal and the rows reversed. */
  const matrix = (n: number, dtype: "float32" | "complex64"): DeviceArray =>
    stage.xp
      .eye(n, { dtype })
      .mul(2)
      .add(stage.xp.eye(n, { dtype, diagonal: 1 }))
      .slice("::-1");
  /** The lower triangle, mirrored. */
  const symmetric = (a: DeviceArray): DeviceArray => stage.xp.tril(a).add(stage.xp.tril(a, { diagonal: -1 }).T);

  test("solves systems and computes Cholesky, LU and QR", { timeout: 240_000 }, () => {
    const { linalg } = stage.xp;
    for (const n of [2, 35]) {
      const a = matrix(n, "complex64");
      const ones = stage.xp.ones([n, 2], { dtype: "complex64" }) as DeviceArray;
      expect(difference(products(a, linalg.solve(a, ones)), ones)).toBeLessThan(1e-4);
      const [p, l, u] = linalg.lu(a);
      expect(difference(products(p.astype("complex64"), products(l, u)), a)).toBeLessThan(1e-4);
      const [q, r] = linalg.qr(a);
      expect(difference(products(q, r), a)).toBeLessThan(1e-4);
      expect(difference(products(a, linalg.lstsq(a, ones)[0]), ones)).toBeLessThan(1e-4);
      const square = products(a.T, a);
      const lower = linalg.cholesky(square);
      expect(difference(products(lower, lower.T), square)).toBeLessThan(1e-4);
      expect(Math.round(Math.log2(Math.abs(stage.numbers(linalg.det(a))[0] as number)))).toBe(n);
    }
    // Real products use another kernel on CPUs.
    const a = matrix(67, "float32");
    expect(difference(products(a, linalg.inv(a)), stage.xp.eye(67, { dtype: "float32" }))).toBeLessThan(1e-4);
  });

  test("computes singular values and eigenvalues", { tags: "full" }, () => {
    const { linalg } = stage.xp;
    for (const n of [3, 10]) {
      const [left, values, right] = linalg.svd(matrix(n, "float32"));
      expect(difference(products(left.mul(values.expandDims(0)), right), matrix(n, "float32"))).toBeLessThan(1e-4);
    }
    const a = symmetric(matrix(4, "complex64"));
    const [w, v] = linalg.eigh(a);
    expect(difference(products(v.mul(w.expandDims(0)), v.conj().T), a)).toBeLessThan(1e-4);
  });

  test("computes eigenvalues of many rows", { tags: "full" }, () => {
    const { linalg, queue } = stage.xp;
    // One work-group rotates few rows, several rotate more (isAlone in jacobi.ts). Here each group has one partner, so
    // that a simulator needs two rounds of all pairs instead of seven.
    const many = hasParallelWorkItems(queue.device) ? 65 : 97;
    const ones = stage.xp.eye(many, { dtype: "float32", diagonal: 1 }).mul(stage.count("float32", many).remainder(2));
    const inPairs = stage.xp.eye(many, { dtype: "float32" }).mul(2).add(ones).add(ones.T);
    const [w, v] = linalg.eigh(inPairs);
    expect(stage.numbers(w.round())).toEqual(stage.range(many, (i) => (2 * i < many - 1 ? 1 : 2 * i < many ? 2 : 3)));
    // The rows of a pair, without a product, which is slow on a simulator.
    const [first, second] = [v.slice(":-1:2"), v.slice("1::2")];
    expect(difference(first.mul(2).add(second), first.mul(w.expandDims(0)))).toBeLessThan(1e-4);
  });
});
