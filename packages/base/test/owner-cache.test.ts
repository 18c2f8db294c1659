/** Caches of values per owner object. */
import { expect, test } from "vitest";

import { memoizePerObject, OwnerCache } from "@cl/base";

test("creates a value once per owner and key", () => {
  const cache = new OwnerCache<object, string | null>();
  const [a, b] = [{}, {}];
  const values = (make: (value: string | null) => () => string | null): (string | null)[] => [
    cache.get(a, "x", make("1")),
    cache.get(a, "y", make("2")),
    cache.get(b, "x", make(null)),
  ];
  expect(values((value) => () => value)).toEqual(["1", "2", null]);
  expect(values(() => () => expect.unreachable())).toEqual(["1", "2", null]);
});

test("caches nothing if creating a value throws", () => {
  const cache = new OwnerCache<object, number>();
  const owner = {};
  const failing = (): never => {
    throw new Error("no memory");
  };
  expect(() => cache.get(owner, "x", failing)).toThrow("no memory");
  expect(cache.get(owner, "x", () => 1)).toBe(1);
});

test("replaces a value that is not usable", () => {
  const cache = new OwnerCache<object, { released: boolean }>({ isUsable: ({ released }) => !released });
  const owner = {};
  const first = cache.get(owner, "x", () => ({ released: false }));
  first.released = true;
  expect(cache.get(owner, "x", () => ({ released: false }))).not.toBe(first);
});

test("clears the cache when it reaches its capacity", () => {
  const cache = new OwnerCache<object, number>({ capacity: 2 });
  const owner = {};
  for (const value of [1, 2, 3]) cache.get(owner, String(value), () => value);
  expect(["3", "1"].map((key) => cache.get(owner, key, () => 0))).toEqual([3, 0]);
});

test("drops the least recently used values beyond the maximum size, but never the newest", () => {
  const dropped: number[] = [];
  const cache = new OwnerCache<object, number>({ size: { max: 10, of: (n) => n, drop: (n) => dropped.push(n) } });
  const owner = {};
  for (const value of [4, 5, 4, 6]) cache.get(owner, String(value), () => value);
  expect(dropped).toEqual([5]);
  cache.get(owner, "20", () => 20);
  expect(dropped).toEqual([5, 4, 6]);
});

test("memoizePerObject calls a function once per object", () => {
  let calls = 0;
  const numberOf = memoizePerObject(() => calls++);
  const [a, b] = [{}, {}];
  expect([a, b, a, b].map(numberOf)).toEqual([0, 1, 0, 1]);
});
