/** Sorting by several and by custom keys, values sorted with keys, and `out`. */
import { type AnyArray, arrays, type DTypeName, RadixSort } from "@cl/array";
import { ImmediateAllocator, MemoryPool } from "@cl/tools";
import { beforeEach, describe, expect, test } from "vitest";

import { queue, xp } from "./support/device.js";
import { testsEveryCase } from "@cl/testing/level";
import { errorLike } from "@cl/testing/error-like";
import { needsNumPy } from "./support/numpy.js";
import { Draw, type EvalCase, evalDifferences } from "./support/numpy-eval.js";
import { randomNumbers } from "./support/numbers.js";
import { sortCase } from "./support/sort-cases.js";

const everyCase = testsEveryCase(import.meta.url);

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

test("sort writes into `out` of any layout", async () => {
  const a = xp.array([[3, 1, 2], [9, 8, 7], [5, 6, 4]], { dtype: "float32" }); // prettier-ignore
  const out = xp.empty([3, 3], { dtype: "float32" });
  a.sort({ axis: 0, out });
  expect(await out.toNested()).toEqual([[3, 1, 2], [5, 6, 4], [9, 8, 7]]); // prettier-ignore
  a.sort({ axis: 1, out });
  expect(await out.toNested()).toEqual([[1, 2, 3], [7, 8, 9], [4, 5, 6]]); // prettier-ignore
  a.sort({ axis: 0, out: out.T });
  expect(await out.T.toNested()).toEqual([[3, 1, 2], [5, 6, 4], [9, 8, 7]]); // prettier-ignore
});

describe("lexsort", () => {
  beforeEach(needsNumPy);

  test("orders by the last key, then by the earlier ones, as NumPy does", { timeout: 240_000 }, async () => {
    const draw = new Draw(Date.now() % 1_000_003);
    const cases = [[7], [3000], [3, 50], [2, 2100]].flatMap((shape) => {
      const keys = (["int8", "float32", "uint8"] as const).map((dtype) => sortCase(dtype, shape, "few", draw));
      const list = (k: number): string =>
        `[${keys
          .slice(0, k)
          .map(({ text }) => text)
          .join()}]`;
      return [1, 2, 3].map((k): EvalCase => {
        const axis = draw.integer(-shape.length, shape.length - 1);
        const arrays = keys.slice(0, k).map(({ array }) => array);
        return { ours: () => xp.lexsort(arrays, { axis }), theirs: `np.lexsort(${list(k)}, ${axis})` };
      });
    });
    const rows = sortCase("int16", [3, 40], "few", draw);
    cases.push({ ours: () => xp.lexsort(rows.array), theirs: `np.lexsort(${rows.text})` });
    expect(await evalDifferences(cases)).toEqual([]);
  });
});

describe("sortByKey", () => {
  test("moves values of every size with their keys", { timeout: 240_000 }, async () => {
    for (const [k, size] of sizes.entries()) {
      const keys = few(size, "int16", k + 1);
      const order = ranked(await keys.data());
      for (const dtype of ["uint8", "float32", "int64", "complex128"] as const) {
        const values = xp.arange(size, { dtype: "int32" }).astype(dtype);
        const sorted = xp.sortByKey(keys, values);
        const numbers = Array.from(await sorted.values.astype("complex64").data()).filter((_, i) => i % 2 === 0);
        expect(numbers, `${dtype} ${size}`).toEqual(order.map((place) => (dtype === "uint8" ? place % 256 : place)));
        expect(await sorted.keys.data()).toEqual(await keys.sort().data());
      }
    }
  });

  test("supports several values, views, other axes and descending order", async () => {
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
  test("returns each key's values in their original order", async () => {
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

  test("counts in int64 on request, and accepts unsigned keys", async () => {
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
      sorts: ["y"],
    });
    const [x, y] = [few(5000, "int32", 8), few(5000, "float32", 9)];
    const [hostX, hostY] = [await x.data(), await y.data()];
    const key = Array.from(hostX, (one, i) => Math.trunc(one / 3) + (hostY[i] as number));
    const sorted = sort.run(x, y, 3);
    expect(Object.keys(sorted)).toEqual(["y"]);
    expect([...(await sorted.y.data())]).toEqual(ranked(key).map((i) => hostY[i]));
  });

  test("orders signed and floating-point keys as numbers, also descending", async () => {
    for (const dtype of everyCase
      ? (["int32", "float32", "int64", "float64"] as const)
      : (["int32", "float32"] as const)) {
      for (const descending of [false, true]) {
        const sort = new RadixSort([{ array: "x", dtype }], { key: "x[i]", dtype, descending });
        const x = few(3000, dtype, 21);
        expect(await sort.run(x as never)["x"]?.data()).toEqual(await x.sort({ descending }).data());
      }
    }
  });

  test("sorts by only the requested bits of the key", async () => {
    const sort = new RadixSort("const uint *x", { key: "x[i]", bits: 3 });
    const x = xp.array([15, 8, 7, 9, 16], { dtype: "uint32" });
    expect([...((await sort.run(x as never)["x"]?.data()) ?? [])]).toEqual([8, 16, 9, 15, 7]);
  });

  test("returns results by name, in whatever order the names are given", async () => {
    const [keys, names] = [few(2500, "int32", 4), xp.arange(2500, { dtype: "int32" }).astype("uint8")];
    const order = ranked(await keys.data());
    const host = await names.data();
    for (const sorts of [["keys", "names"] as const, ["names", "keys"] as const]) {
      const sort = new RadixSort("const int *keys, const uchar *names", { key: "keys[i]", dtype: "int32", sorts });
      const sorted = sort.run(keys, names);
      expect(await sorted.keys.data()).toEqual(await keys.sort().data());
      expect([...(await sorted.names.data())]).toEqual(order.map((i) => host[i]));
    }
  });

  test("rejects invalid arguments", () => {
    expect(() => new RadixSort("int n", { key: "n" })).toThrow(
      errorLike(TypeError, "ERR_INVALID_ARG_VALUE", "parameters"),
    );
    expect(() => new RadixSort("const int *x", { key: "x[i]", sorts: ["y" as "x"] })).toThrow(
      errorLike(RangeError, "ERR_OUT_OF_RANGE", "options.sorts[0]"),
    );
    expect(() => new RadixSort("const int *x", { key: "x[i]", dtype: "int32", bits: 8 })).toThrow(
      errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.bits"),
    );
    expect(() => new RadixSort("const int *x", { key: "x[i]", dtype: "float16" })).toThrow(
      errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "options.dtype"),
    );
    const sort = new RadixSort("const int *x, const int *y", { key: "x[i]" });
    const x = few(4, "int32", 1);
    expect(() => sort.run(x.reshape([2, 2]), x)).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
    expect(() => sort.run(x, x.slice("1:"))).toThrow(errorLike(RangeError, "ERR_OUT_OF_RANGE"));
    expect(() => sort.run(x.astype("float32") as never, x)).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_TYPE"));
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
    const wide = xp.zeros([6], { dtype: "float64" });
    b.sort({ out: wide, descending: true });
    expect([...(await wide.data())]).toEqual([5, 5, 3, 3, 1, 1]);
    const long = few(5000, "int32", 3);
    const expected = await long.sort().data();
    long.sort({ out: long });
    expect(await long.data()).toEqual(expected);
  });

  test("of a view contain only the view's elements", async () => {
    const a = xp.array([5, 0, 3, 0, 4, 0], { dtype: "int32" });
    for (const axis of [0, null]) {
      expect([...(await a.slice("::2").sort({ axis }).data())]).toEqual([3, 4, 5]);
      expect([...(await a.slice("4::-2").argsort({ axis }).data())]).toEqual([1n, 0n, 2n]);
    }
    expect([...(await a.reshape([3, 2]).slice(":", ":1").sort({ axis: null }).data())]).toEqual([3, 4, 5]);
  });

  test("are the only memory that remains allocated", async () => {
    const pool = new MemoryPool(new ImmediateAllocator(queue));
    const own = arrays(queue, { allocator: pool });
    for (const size of [100, 10_000]) {
      const a = own.fromHost(Float32Array.from({ length: 3 * size }, (_, i) => (i * 7919) % 1013)).reshape([3, size]);
      const line = a.slice(0);
      const sort = new RadixSort("const float *x", { key: "x[i]", dtype: "float32" });
      const ints = line.astype("int32");
      const before = pool.activeBytes;
      const lists = own.listsByKey(ints, line, 5);
      const results: readonly AnyArray[] = [
        a.sort(),
        a.sort({ axis: 0 }),
        a.argsort({ axis: null }),
        own.lexsort([a, a]),
        own.lexsort(a),
        ...Object.values(own.sortByKey(a, a.T.T)),
        ...Object.values(sort.run(line)),
        lists.starts,
        lists.lists,
      ];
      await own.check();
      for (const one of results) one.release();
      expect(pool.activeBytes).toBe(before);
      for (const one of [a, line, ints]) one.release();
    }
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
    "random values": (i) => Math.floor((random[i] as number) * 2 ** 53),
    "five values": (i) => Math.floor((random[i] as number) * 5),
    "one value, and few others": (i) => (i % 1000 === 7 ? Math.floor((random[i] as number) * 100) : 50),
    "equal values": () => 3,
    "rising values": (i) => i,
    "falling values": (i) => size - i,
    periods: (i) => (i * 7919) % 1024,
    "a cluster below few much larger values": (i) =>
      Math.floor((random[i] as number) * (i % 500 === 3 ? 2 ** 61 : 2 ** 20)),
    "a cluster above few much smaller values": (i) =>
      2 ** 61 + Math.floor((random[i] as number) * (i % 500 === 3 ? -(2 ** 60) : 2 ** 20)),
  };

  test.each(Object.keys(distributions))("of %s are sorted stably as every type", async (name) => {
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

  test("are sorted in each row, with values that move with them, also complex and descending", async () => {
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

  test("keep the bits of zeros and NaN, which is last", async () => {
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
