/** Sorting by several and by custom keys, values sorted with keys, and `out`. */
import { type AnyArray, type DeviceArray, type DTypeName, RadixSort } from "@cl/array";
import { describe, expect, test } from "vitest";

import { xp } from "./support/device.js";
import { outOfRange, wrongType, wrongValue } from "@cl/testing/error-like";
import { isFull, sample, testSeed } from "@cl/testing/level";
import { Draw, type EvalCase, evalDifferences, needsNumPy } from "./support/numpy-eval.js";
import { randomNumbers } from "./support/numbers.js";
import { sortCase } from "./support/sort-cases.js";

const sizes = [0, 1, 2, 47, 2048, 2049, 10_000];

/** Small integers of a dtype. */
function few<D extends DTypeName>(size: number, dtype: D, seed: number): ReturnType<typeof xp.empty<D>> {
  const next = randomNumbers(seed);
  return xp.fromHost(Int32Array.from({ length: size }, () => Math.floor(next() * 20) - 10)).astype(dtype);
}

/** The indices that sort by each key in turn. */
function ranked(...keys: readonly ArrayLike<number>[]): number[] {
  const [first] = keys as [ArrayLike<number>];
  return Array.from({ length: first.length }, (_, i) => i).sort((a, b) => {
    for (const key of keys) if (key[a] !== key[b]) return (key[a] as number) - (key[b] as number);
    return a - b;
  });
}

test("lexsort orders by the last key, then by the earlier ones, as NumPy does", { tags: "ci" }, async (run) => {
  needsNumPy(run);
  const draw = new Draw(testSeed(1));
  const cases = [[7], [3000], [3, 50], [2, 2100]].flatMap((shape) => {
    const keys = (["int8", "float32", "uint8"] as const).map((dtype) => sortCase(dtype, shape, "few", draw));
    return [1, 2, 3].map((k): EvalCase => {
      const axis = draw.integer(-shape.length, shape.length - 1);
      const chosen = keys.slice(0, k);
      const texts = chosen.map(({ text }) => text).join();
      const arrays = chosen.map(({ array }) => array);
      return { ours: () => xp.lexsort(arrays, { axis }), theirs: `np.lexsort([${texts}], ${axis})` };
    });
  });
  const rows = sortCase("int16", [3, 40], "few", draw);
  cases.push({ ours: () => xp.lexsort(rows.array), theirs: `np.lexsort(${rows.text})` });
  expect(await evalDifferences(cases)).toEqual([]);
});

describe("sortByKey", () => {
  test.each(isFull ? sizes : [47])("moves %i values of every size with their keys", async (size) => {
    const keys = few(size, "int16", size + 1);
    const order = ranked(await keys.data());
    for (const dtype of sample(["float32", "uint8", "int64", "complex128"] as const, 1)) {
      const values = xp.arange(size, { dtype: "int32" }).astype(dtype);
      const sorted = xp.sortByKey(keys, values);
      const numbers = Array.from(await sorted.values.astype("complex64").data()).filter((_, i) => i % 2 === 0);
      expect(numbers, dtype).toEqual(order.map((place) => (dtype === "uint8" ? place % 256 : place)));
      expect(await sorted.keys.data()).toEqual(await keys.sort().data());
    }
  });

  test("supports several values, views, other axes and descending order", { tags: "ci" }, async () => {
    const keys = few(3 * 40, "float32", 5).reshape([3, 40]);
    const values = xp.arange(120, { dtype: "int32" }).reshape([40, 3]).T;
    const { keys: sorted, values: both } = xp.sortByKey(keys, [values, keys.slice(":", "::-1")], {
      axis: 0,
      descending: true,
    });
    const order = keys.argsort({ axis: 0, descending: true });
    expect(await sorted.data()).toEqual(await keys.takeAlongAxis(order, { axis: 0 }).data());
    expect(await both[0].data()).toEqual(await values.takeAlongAxis(order, { axis: 0 }).data());
    expect(await both[1].data()).toEqual(await keys.slice(":", "::-1").takeAlongAxis(order, { axis: 0 }).data());
    expect(xp.sortByKey(keys, []).values).toEqual([]);
  });
});

describe("listsByKey", () => {
  test("returns each key's values in their original order", { tags: "ci" }, async () => {
    for (const size of sizes) {
      const keys = few(size, "int32", size + 3);
      const values = xp.arange(size, { dtype: "int64" });
      const { starts, lists } = xp.listsByKey(keys, values, 12);
      const [host, from, all] = [await keys.data(), await starts.data(), await lists.data()];
      for (let key = 0; key < 12; key++) {
        const own = Array.from(all.slice(from[key], from[key + 1]), Number);
        expect(own).toEqual([...host.keys()].filter((i) => host[i] === key));
      }
      // Keys without values are included.
      expect([...all].map(Number).sort((a, b) => a - b)).toEqual([...host.keys()]);
    }
  });

  test("counts in int64 on request, and accepts unsigned keys", { tags: "ci" }, async () => {
    const keys = xp.array([2, 255, 0, 2], { dtype: "uint8" });
    const { starts } = xp.listsByKey(keys.slice("::-1"), keys, 4, { dtype: "int64" });
    expect(await starts.data()).toEqual(BigInt64Array.of(0n, 1n, 1n, 3n, 3n));
  });
});

describe("RadixSort", () => {
  test("sorts by an expression of several arrays and values", async () => {
    const sort = new RadixSort("const int *x, const float *y, int width", {
      key: "x[i] / width + (int)y[i]",
      dtype: "int32",
      sorts: ["y", "x"],
    });
    const [x, y] = [few(5000, "int32", 8), few(5000, "float32", 9)];
    const [hostX, hostY] = [await x.data(), await y.data()];
    const key = Array.from(hostX, (one, i) => Math.trunc(one / 3) + (hostY[i] as number));
    const sorted = sort.run(x, y, 3);
    expect(Object.keys(sorted)).toEqual(["y", "x"]);
    expect([...(await sorted.y.data())]).toEqual(ranked(key).map((i) => hostY[i]));
    expect([...(await sorted.x.data())]).toEqual(ranked(key).map((i) => hostX[i]));
  });

  test.each(sample(["float32", "int32"] as const, 1))("orders %s keys as numbers", { tags: "ci" }, async (dtype) => {
    for (const descending of [false, true]) {
      const sort = new RadixSort([{ array: "x", dtype }], { key: "x[i]", dtype, descending });
      const x = few(3000, dtype, 21);
      expect(await sort.run(x as never)["x"]?.data()).toEqual(await x.sort({ descending }).data());
    }
  });

  test("sorts by only the requested bits of the key", async () => {
    const sort = new RadixSort("const uint *x", { key: "x[i]", bits: 3 });
    // A view with an offset.
    const x = xp.array([0, 15, 8, 7, 9, 16], { dtype: "uint32" }).slice("1:");
    expect([...((await sort.run(x as never)["x"]?.data()) ?? [])]).toEqual([8, 16, 9, 15, 7]);
  });

  test("rejects invalid arguments", () => {
    expect(() => new RadixSort("int n", { key: "n" })).toThrow(wrongValue("parameters"));
    expect(() => new RadixSort("const int *x", { key: "x[i]", sorts: ["y" as "x"] })).toThrow(
      outOfRange("options.sorts[0]"),
    );
    expect(() => new RadixSort("const int *x", { key: "x[i]", dtype: "int32", bits: 8 })).toThrow(
      wrongType("options.bits"),
    );
    expect(() => new RadixSort("const int *x", { key: "x[i]", dtype: "float16" })).toThrow(wrongType("options.dtype"));
    const sort = new RadixSort("const int *x, const int *y", { key: "x[i]" });
    const x = few(4, "int32", 1);
    expect(() => sort.run(x.reshape([2, 2]), x)).toThrow(outOfRange());
    expect(() => sort.run(x, x.slice("1:"))).toThrow(outOfRange());
    expect(() => sort.run(x.astype("float32") as never, x)).toThrow(wrongType());
  });
});

describe("results", () => {
  test("go to `out`: the array itself, a view of it, or another dtype", async () => {
    const host = [5, 3, 1, 4, 2, 0];
    const a = xp.array(host, { dtype: "float32" });
    expect(a.sort({ out: a })).toBe(a);
    expect([...(await a.data())]).toEqual([0, 1, 2, 3, 4, 5]);
    const b = xp.array(host, { dtype: "float32" });
    b.slice(":3").sort({ out: b.slice("3:").slice("::-1") });
    expect([...(await b.data())]).toEqual([5, 3, 1, 5, 3, 1]);
    const columns = xp.zeros([2, 6], { dtype: "float32" });
    xp.stack([b, b.negative()]).sort({ axis: 1, descending: true, out: columns.slice("::-1") });
    expect([...(await columns.data())]).toEqual([-1, -1, -3, -3, -5, -5, 5, 5, 3, 3, 1, 1]);
    const long = few(5000, "int32", 3);
    const expected = await long.sort().data();
    long.sort({ out: long });
    expect(await long.data()).toEqual(expected);
  });

  test("of a view contain only the view's elements", { tags: "ci" }, async () => {
    const a = xp.array([5, 0, 3, 0, 4, 0], { dtype: "int32" });
    for (const axis of [0, null]) {
      expect([...(await a.slice("::2").sort({ axis }).data())]).toEqual([3, 4, 5]);
      expect([...(await a.slice("4::-2").argsort({ axis }).data())]).toEqual([1n, 0n, 2n]);
    }
    expect([...(await a.reshape([3, 2]).slice(":", ":1").sort({ axis: null }).data())]).toEqual([3, 4, 5]);
  });
});

describe("long lines", () => {
  const bytesOf = ({ buffer, byteOffset, byteLength }: NodeJS.TypedArray): Buffer =>
    Buffer.from(buffer, byteOffset, byteLength);
  const size = 50_001;
  const next = randomNumbers(5);
  const random = Array.from({ length: size }, () => next());
  /** Distributions of integers below 2 ** 62, some of which take the sort for CPUs other ways than random numbers do. */
  const distributions: Readonly<Record<string, (i: number) => number>> = {
    "five values": (i) => Math.floor((random[i] as number) * 5),
    "one value, and few others": (i) => (i % 1000 === 7 ? Math.floor((random[i] as number) * 100) : 50),
    "falling values": (i) => size - i,
    "a cluster below few much larger values": (i) =>
      Math.floor((random[i] as number) * (i % 500 === 3 ? 2 ** 61 : 2 ** 20)),
    "a cluster above few much smaller values": (i) =>
      2 ** 61 + Math.floor((random[i] as number) * (i % 500 === 3 ? -(2 ** 60) : 2 ** 20)),
  };

  test.each(Object.keys(distributions))("of %s are sorted stably as every type", { tags: "full" }, async (name) => {
    const values = Array.from({ length: size }, (_, i) => (distributions[name] as (i: number) => number)(i));
    for (const dtype of ["int64", "float64", "float32", "uint8"] as const) {
      using a = xp.fromHost(BigInt64Array.from(values, BigInt)).astype(dtype);
      const host = await a.data();
      const order = [...host.keys()].sort((x, y) => {
        const [left, right] = [host[x] as number, host[y] as number];
        return left < right ? -1 : left > right ? 1 : x - y;
      });
      using indices = a.argsort();
      expect(bytesOf(await indices.data()).equals(bytesOf(BigInt64Array.from(order, BigInt))), dtype).toBe(true);
      using sorted = a.sort();
      const expected = host.map((_, k) => host[order[k] as number] as never);
      expect(bytesOf(await sorted.data()).equals(bytesOf(expected)), dtype).toBe(true);
    }
  });

  test("are sorted in each row with their values, also complex and descending", { tags: "full" }, async () => {
    const keys = xp.fromHost(Float32Array.from({ length: 150_000 }, () => Math.floor(next() * 3e4))).reshape([3, -1]);
    const values = xp.arange(150_000, { dtype: "float64" }).reshape([3, -1]);
    for (const descending of [false, true]) {
      const places = keys.argsort({ descending });
      const { keys: sorted, values: moved } = xp.sortByKey(keys, values, { descending });
      const same = async (a: AnyArray, b: AnyArray): Promise<boolean> =>
        bytesOf(await a.data()).equals(bytesOf(await b.data()));
      expect(await same(sorted, keys.takeAlongAxis(places, { axis: 1 }))).toBe(true);
      expect(await same(moved, values.takeAlongAxis(places, { axis: 1 }))).toBe(true);
      expect(await same(sorted, keys.sort({ descending }))).toBe(true);
      for (const dtype of ["complex64", "complex128"] as const) {
        const complex = keys.astype(dtype).add(keys.remainder(7).multiply({ re: 0, im: 1 }));
        expect(await same(complex.argsort({ descending }), places), dtype).toBe(true);
      }
    }
  });

  test("keep the bits of zeros and NaN, which is last", { tags: "ci" }, async () => {
    const bits = Uint32Array.from(random, (one, i) =>
      i % 3 === 0 ? Math.floor(one * 2 ** 32) : i % 3 === 1 ? 0x80000000 : 0x7fc00000 + (i % 1000),
    );
    const host = new Float32Array(bits.buffer);
    const rank = (i: number): number => (Number.isNaN(host[i]) ? Infinity : (host[i] as number));
    const order = [...bits.keys()].sort((x, y) => {
      const [left, right] = [rank(x), rank(y)];
      if (Number.isNaN(host[x]) !== Number.isNaN(host[y])) return Number.isNaN(host[x]) ? 1 : -1;
      return left < right ? -1 : left > right ? 1 : x - y;
    });
    const sorted = bytesOf(await xp.fromHost(host).sort().data());
    expect(sorted.equals(bytesOf(bits.map((_, k) => bits[order[k] as number] as number)))).toBe(true);
  });
});

test("results along any axis are contiguous, so that a reshaped view writes through", async () => {
  const a = xp.arange(24, { dtype: "float32" }).reshape([4, 3, 2]);
  const results = [
    a.sort({ axis: 0 }),
    a.argsort({ axis: 1 }),
    a.partition(1, { axis: 0 }),
    a.argpartition(1, { axis: 0 }),
    ...a.topk(2, { axis: 0 }),
    xp.lexsort([a, a], { axis: 0 }),
    xp.sortByKey(a, a, { axis: 0 }).keys,
    xp.unpackbits(a.astype("uint8"), { axis: 0 }),
    xp.fft.fft(a, { axis: 0 }),
    xp.fft.rfft(a, { axis: 1 }),
    xp.fft.irfft(a, { axis: 0 }),
  ] as DeviceArray[];
  expect(results.map(({ isContiguous }) => isContiguous)).toEqual(results.map(() => true));
  const [sorted] = results as [DeviceArray];
  sorted.reshape([24]).slice(0).assign(7);
  expect(await sorted.slice(0, 0, 0).item()).toBe(7);
});
