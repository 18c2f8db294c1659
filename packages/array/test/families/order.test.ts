/**
 * Random numbers, sorting and selection: each kernel family once, with CPU and GPU kernels (support/families.ts).
 *
 * @module-tag ci
 */
import { type DeviceArray, ListOfListsBuilder } from "@cl/array";
import { expect, test } from "vitest";

import { hasDoubles } from "../support/device.js";
import { describeKinds, floats, sizes } from "../support/families.js";

describeKinds((stage) => {
  const { count, numbers, one, range } = stage;

  test("draws random numbers of all distributions", { tags: "full" }, () => {
    for (const generator of ["philox", "threefry"] as const) {
      const drawn = stage.xp.random(1, { generator });
      for (const dtype of floats as readonly "float32"[]) {
        const uniform = drawn.uniform([70], { low: 1, high: 2, dtype }).astype("float32");
        expect(numbers(uniform).every((x) => x >= 1 && x < 2)).toBe(true);
        expect(numbers(drawn.normal([70], { dtype }).abs().less(9)).every(Boolean)).toBe(true);
        expect(numbers(drawn.exponential([70], { dtype }).greater(0)).every(Boolean)).toBe(true);
      }
      expect(numbers(drawn.integers([70], { high: 5, dtype: "int16" })).every((x) => x >= 0 && x < 5)).toBe(true);
      expect(new Set(numbers(drawn.integers([19], { high: 2n ** 62n }))).size).toBe(19);
    }
    const random = stage.xp.random(1);
    for (const n of [5, 1029]) {
      const order = numbers(random.permutation(n)).sort((a, b) => a - b);
      expect(order).toEqual(range(n, (i) => i));
    }
    expect(numbers(random.choice(3, [70], { p: [0.5, 0, 0.5] })).every((x) => x === 0 || x === 2)).toBe(true);
    if (!hasDoubles) return;
    for (const lam of [3, 40]) {
      expect(numbers(random.poisson([70], { lam })).every((x) => x >= 0 && x < 100)).toBe(true);
    }
    for (const n of [9, 90]) expect(numbers(random.binomial([70], { n, p: 0.4 })).every((x) => x <= n)).toBe(true);
    expect(numbers(random.gamma([70], { shape: 0.5 })).every((x) => x > 0)).toBe(true);
  });

  test("sorts lines, short and long, with keys of all sizes", () => {
    for (const [dtype, n] of [
      ["int8", 5],
      ["float32", 65],
      ["int16", 2100],
    ] as const) {
      const a = count("int32", 2 * n)
        .reshape([2, n])
        .remainder(37)
        .sub(18)
        .astype(dtype);
      const values = numbers(a.slice(0).astype("float32"));
      const indices = range(n, (i) => i).sort((i, j) => (values[i] as number) - (values[j] as number) || i - j);
      // Not both of each, because each is a program to build.
      if (n !== 65) expect(numbers(a.sort().slice(0).astype("float32")), dtype).toEqual(indices.map((i) => values[i]));
      if (n !== 5) expect(numbers(a.argsort().slice(0)), dtype).toEqual(indices);
    }
    const wide = count("complex64", 4).reshape([2, 2]).T.sort({ axis: null, descending: true });
    expect(numbers(wide)).toEqual([3, 0, 2, 0, 1, 0, 0, 0]);
    const keys = stage.xp.array([2, 0, 2, 1], { dtype: "int32" });
    const { starts, lists } = stage.xp.listsByKey(keys, count("float32", 4), 3);
    expect(numbers(starts)).toEqual([0, 1, 2, 4]);
    expect(numbers(lists)).toEqual([1, 3, 0, 2]);
    expect(numbers(stage.xp.lexsort([keys, keys.slice("::-1")]))).toEqual([2, 0, 1, 3]);
  });

  test("selects, removes and partitions elements by predicates", () => {
    for (const n of [...sizes, 4097]) {
      const a = count("int32", n);
      const values = range(n, (i) => i % 100);
      const odd = values.filter((value) => value % 2 === 1);
      expect(numbers(stage.xp.copyIfSync(a, "a[i] & 1")), String(n)).toEqual(odd);
      expect(numbers(stage.xp.copyIf(a, "a[i] & 1", { size: 2, fill: -1 }))).toEqual([...odd, -1, -1].slice(0, 2));
      const [selected, others] = stage.xp.partitionIfSync(a.slice("::-1"), "a[i] & 1");
      expect([numbers(selected), numbers(others)], String(n)).toEqual([
        odd.toReversed(),
        values.filter((value) => value % 2 === 0).toReversed(),
      ]);
    }
  });

  test("counts elements in bins, weighted and unweighted", { tags: "full" }, () => {
    for (const n of [1, 65, 257, 5000]) {
      const a = count("uint8", n);
      const counts = range(100, (i) => Math.floor((n + 99 - i) / 100));
      expect(numbers(stage.xp.bincount(a, { size: 100 })), String(n)).toEqual(counts);
      expect(numbers(stage.xp.bincount(a, { size: 5000, weights: a })).slice(0, 100)).toEqual(
        counts.map((c, i) => c * i),
      );
      expect(numbers(stage.xp.bincount(a, { size: 5000 })).slice(0, 101), String(n)).toEqual([...counts, 0]);
      const x = count("float32", n);
      const tens = range(10, (k) => counts.slice(10 * k, 10 * k + 10).reduce((sum, one) => sum + one, 0));
      expect(numbers(stage.xp.histogram(x, 10, { range: [0, 100] })[0]), String(n)).toEqual(tens);
      const [own, edges] = stage.xp.histogram(x, 1, { weights: x });
      expect(numbers(own)).toEqual([counts.reduce((sum, c, i) => sum + c * i, 0)]);
      expect(numbers(edges)).toEqual(n === 1 ? [-0.5, 0.5] : [0, Math.min(n - 1, 99)]);
      expect(numbers(stage.xp.histogram(x, [0, 3, 50, 200])[0])).toEqual([
        counts.slice(0, 3).reduce((sum, one) => sum + one, 0),
        counts.slice(3, 50).reduce((sum, one) => sum + one, 0),
        counts.slice(50).reduce((sum, one) => sum + one, 0),
      ]);
    }
  });

  test("builds lists per object, with and without empty ones", { tags: "full" }, () => {
    const builder = new ListOfListsBuilder(
      "const int *keys",
      { all: "int32", some: "uint8" },
      "for (int k = 0; k < keys[i]; k++) { APPEND_all((int)i); if (k == 2) APPEND_some(k); }",
      { eliminateEmpty: ["some"] },
    );
    for (const n of [1, 65, 257, 4097]) {
      const keys = count("int32", n).remainder(4);
      const own = range(n, (i) => (i % 100) % 4);
      const { all, some } = builder.buildSync({ objects: n }, keys.astype("int32"));
      expect(numbers(all.values), String(n)).toEqual(own.flatMap((key, i) => Array<number>(key).fill(i)));
      expect(one(all.starts.slice("-1:"))).toBe(own.reduce((sum, key) => sum + key, 0));
      const threes = range(n, (i) => i).filter((i) => own[i] === 3);
      expect(numbers(some.nonempty as DeviceArray), String(n)).toEqual(threes);
      expect(numbers(some.starts)).toEqual(range(threes.length + 1, (k) => k));
      expect(numbers(some.values)).toEqual(threes.map(() => 2));
    }
  });

  test("finds runs of equal neighbors, and members of sets", { tags: "full" }, () => {
    for (const n of [1, 65, 4097]) {
      const a = count("int32", n).slice("::-1").remainder(7).astype("int32");
      const runs = numbers(a).filter((value, i, all) => i === 0 || value !== all[i - 1]);
      expect(numbers(stage.xp.uniqueConsecutiveSync(a)), String(n)).toEqual(runs);
      // oclgrind treats true as -1.
      const found = numbers(stage.xp.isin(a, [0, 2, 4, 6])).map((one) => one !== 0);
      expect(found, String(n)).toEqual(numbers(a).map((value) => value % 2 === 0));
    }
  });

  test("computes quantiles, medians and topk", () => {
    for (const n of [1, 2, 65, 99]) {
      const a = count("float32", 3, n).slice("::-1");
      const rows = [0, 1, 2].map((i) => range(n, (j) => ((2 - i) * n + j) % 100).sort((x, y) => x - y));
      const middle = rows.map((row) => ((row[Math.floor((n - 1) / 2)] as number) + (row[n >> 1] as number)) / 2);
      expect(numbers(a.median({ axis: 1 })), String(n)).toEqual(middle);
      expect(numbers(a.quantile([0, 1], { axis: 1, method: "lower" }))).toEqual([
        ...rows.map((row) => row[0]),
        ...rows.map((row) => row[n - 1]),
      ]);
      expect(numbers(a.topk(1)[0]), String(n)).toEqual(rows.map((row) => row[n - 1]));
    }
    const none = stage.xp.array([NaN, 3, NaN, 1], { dtype: "float32" });
    expect(numbers(none.nanquantile([0, 0.5, 1]))).toEqual([1, 2, 3]);
    expect(numbers(none.quantile(0.5))).toEqual([NaN]);
  });

  test("searches and interpolates in sorted values", () => {
    for (const n of [1, 2, 65, 100]) {
      const line = count("float32", n);
      expect(numbers(stage.xp.searchsorted(line, [-1, 0.5, n - 1, 200]))).toEqual([0, 1, n - 1, n]);
      expect(numbers(stage.xp.digitize([-1, 0.5, 200], line.slice("::-1")))).toEqual(
        n === 1 ? [0, 1, 1] : [n, n - 1, 0],
      );
      expect(numbers(stage.xp.interp([-1, 0.5, 200], line, line.mul(2)))).toEqual([0, n === 1 ? 0 : 1, 2 * (n - 1)]);
    }
    const none = stage.xp.empty([0], { dtype: "int32" });
    expect(numbers(stage.xp.searchsorted(none, [1, 2]))).toEqual([0, 0]);
  });
});
