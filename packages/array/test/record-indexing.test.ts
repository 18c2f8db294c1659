/** Records at index arrays and masks, compared with the same indices of an array of their numbers. */
import { structType } from "@cl/core";
import { expect, test } from "vitest";

import { xp } from "./support/device.js";
import { outOfRange, wrongType } from "@cl/testing/error-like";

const packed = structType("packed", { id: "uint8", x: "float64", v: ["int16", 3] }, { packed: true });
const aligned = structType("aligned", { id: "uint8", x: "float32", pair: "int2" });
const value = (i: number): never => ({ id: i, x: i / 2, v: [i, 0 - i, 0] }) as never;
const rows = Array.from({ length: 12 }, (_, i) => value(i));
const records = xp.recordsFrom(rows, packed).reshape([3, 4]);
/** The same layout of numbers, which tell which record an index selects. */
const places = xp.arange(12, { dtype: "int32" }).reshape([3, 4]);
const first = xp.array([2, 0], { dtype: "int32" });
const second = xp.array([[3], [1]], { dtype: "int64" });
const columns = xp.array([true, false, false, true]);

/** The records whose numbers are in nested arrays. */
const named = (numbers: unknown): unknown =>
  Array.isArray(numbers) ? numbers.map((one) => named(one)) : value(numbers as number);

test.each([
  ["a device array", [first]],
  ["two arrays, broadcast", [first, second]],
  ["a slice and an array", [":", [3, 3, 0]]],
  ["arrays around a slice and a new axis", [[1, 2], null, "::2"]],
  ["an ellipsis", ["...", [1, 2]]],
  ["an integer and an array", [1, second]],
  ["a host mask", [[true, false, true]]],
  ["nothing", []],
] as const)("at selects whole records with %s", { tags: "ci" }, async (_, indices) => {
  const expected = await places.at(...(indices as readonly [])).toNested();
  expect(await records.at(...(indices as readonly [])).toNested()).toEqual(named(expected));
});

test("at selects records with masks", async () => {
  const odd = places.remainder(2).equal(1);
  expect(await (await records.at(odd)).toNested()).toEqual([1, 3, 5, 7, 9, 11].map(value));
  expect(await (await records.at(1, columns)).toNested()).toEqual([4, 7].map(value));
  expect(await (await records.at("...", columns, { signal: new AbortController().signal })).toNested()).toEqual(
    [[0, 3], [4, 7], [8, 11]].map(named), // prettier-ignore
  );
  expect(await records.at(odd, { size: 7 }).toNested()).toEqual([
    ...[1, 3, 5, 7, 9, 11].map(value),
    { id: 0, x: 0, v: [0, 0, 0] },
  ]);
  expect(await records.atSync(odd).toNested()).toEqual([1, 3, 5, 7, 9, 11].map(value));
  expect(await records.atSync([0], first).toNested()).toEqual([2, 0].map(value));
});

test("take selects records along an axis or of all", { tags: "ci" }, async () => {
  expect(await records.take(first, { axis: 0 }).toNested()).toEqual(
    named(await places.take(first, { axis: 0 }).toNested()),
  );
  expect(await records.T.take([[1], [0]], { axis: -1 }).toNested()).toEqual(
    named(await places.T.take([[1], [0]], { axis: -1 }).toNested()),
  );
  expect(await records.T.take([0, 1, 11]).toNested()).toEqual([0, 4, 11].map(value));
  expect(await records.take(5).item()).toEqual(value(5));
  expect(await records.take([12, -1], { mode: "wrap" }).toNested()).toEqual([0, 11].map(value));
});

test("setAt stores records and single values", { tags: "ci" }, async () => {
  const copy = records.copy();
  copy.setAt([first, 0], xp.recordsFrom([value(50), value(51)] as never, packed));
  copy.setAt(["...", [3]], value(60));
  copy.setAt([columns.reshape([4]).slice("1:")], records.slice(1));
  const numbers = places.copy();
  numbers.setAt([first, 0], xp.array([50, 51], { dtype: "int32" }));
  numbers.setAt(["...", [3]], 60);
  numbers.setAt([columns.slice("1:")], places.slice(1));
  expect(await copy.toNested()).toEqual(named(await numbers.toNested()));
});

test("fields of selected records are arrays, also of packed structs", { tags: "ci" }, async () => {
  expect(await records.at([2, 0], [1, 1]).field("x").toNested()).toEqual([4.5, 0.5]);
  const own = xp.records(aligned, 4);
  own.field("pair").assign(xp.arange(8, { dtype: "int32" }).reshape([4, 2]));
  expect(await own.take([3, 1]).field("pair").toNested()).toEqual([[6, 7], [2, 3]]); // prettier-ignore
});

test("rejects wrong indices, axes and values", async () => {
  expect(() => records.at(0, 0, [0])).toThrow(outOfRange());
  expect(() => records.at([3])).toThrow(outOfRange());
  expect(() => records.take([12])).toThrow(outOfRange());
  expect(() => records.take([0], { axis: 2 })).toThrow(outOfRange("options.axis"));
  expect(() => records.setAt([0], xp.records(aligned, 4))).toThrow(wrongType("values"));
  records.at(xp.array([3], { dtype: "int32" }));
  await expect(xp.check()).rejects.toThrow(outOfRange());
});
