/** Ranges, grids and triangles match NumPy's and are created on the device. */
import { CommandQueue } from "@cl/core";
import { arrays, type DTypeName } from "@cl/array";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { pooled } from "./support/pooled.js";

import { outOfRange, wrongType, wrongValue } from "@cl/testing/error-like";
import { isFull } from "@cl/testing/level";
import { context, hasDoubles, needsDoubles, xp } from "./support/device.js";
import { testDrawnCalls } from "./support/drawn-calls.js";
import { casesOf, counted, countedText, type Draw, type EvalCase } from "./support/numpy-eval.js";

test("fromFunction fills an array with values of its indices", async () => {
  const table = xp.fromFunction((i, j) => i * 10 + j, [2, 2], { dtype: "int32" });
  expect([...(await table.data())]).toEqual([0, 1, 10, 11]);
  expect(await xp.fromFunction(() => 3, [], { dtype: "int32" }).toNested()).toBe(3);
});

test("geomspace and logspace return exact end points", async () => {
  const powers = await xp.geomspace(-2, -1000, 7).data();
  expect([powers[0], powers[6]]).toEqual([-2, -1000]);
  expect(powers[3]).toBeCloseTo(-Math.sqrt(2000), 10);
  const halves = await xp.logspace(-1, 1, 3, { base: 2, dtype: "float32" }).data();
  expect([...halves]).toEqual([0.5, 1, 2]);
});

test("arange runs on the device and copies nothing from the host", async () => {
  const queue = new CommandQueue(context);
  const copies = vi.spyOn(queue, "enqueueCopy");
  const long = arrays(queue).arange(1_000_000, { dtype: "float32" });
  expect(copies).not.toHaveBeenCalled();
  const host = await long.data();
  expect([host[0], host[12_345], host[999_999]]).toEqual([0, 12_345, 999_999]);
});

test("meshgrid and mgrid return grids", { tags: "ci" }, async () => {
  const [x, y] = [counted([3], "int8"), counted([2], "int16")];
  const [columns, rows] = xp.meshgrid([x, y]);
  expect([await columns.data(), await rows.data()].map(String)).toEqual(["0,1,2,0,1,2", "0,0,0,1,1,1"]);
  expect([columns.shape, columns.dtype.name, rows.dtype.name]).toEqual([[2, 3], "int8", "int16"]);
  const transposed = xp.meshgrid([x, y], { indexing: "ij" });
  const sparse = xp.meshgrid([x, y], { sparse: true });
  expect([...transposed, ...sparse].map(({ shape }) => shape.join())).toEqual(["3,2", "3,2", "1,3", "2,1"]);
  const [views] = xp.meshgrid([x, y], { copy: false });
  expect(views.readonly).toBe(true);
  expect([...(await xp.mgrid([0, 2], [1, 3, 1]).data())]).toEqual([0, 0, 1, 1, 1, 2, 1, 2]);
});

test("zerosLike, onesLike and fullLike keep shape, dtype and order unless overridden", async () => {
  const a = counted([2, 3], "int16");
  const transposed = xp.zerosLike(a.T);
  expect([transposed.shape, transposed.strides, transposed.dtype.name]).toEqual([[3, 2], [2, 6], "int16"]);
  expect(xp.emptyLike(a.T, { order: "C" }).strides).toEqual([4, 2]);
  const other = xp.onesLike(a, { dtype: "float32", shape: [2] });
  expect(await other.data()).toEqual(Float32Array.of(1, 1));
  expect(await xp.fullLike(a, true, { dtype: "bool", shape: 1 }).toNested()).toEqual([true]);
});

test.each([
  ["a step of 0", () => xp.arange(0, 1, 0), outOfRange("step")],
  ["an infinite end", () => xp.arange(Infinity), outOfRange("stop")],
  ["a range below the dtype's minimum", () => xp.arange(-1, 3, 1, { dtype: "uint8" }), outOfRange()],
  ["a range above the dtype's maximum", () => xp.arange(257, { dtype: "uint8" }), outOfRange()],
  ["a range of booleans", () => xp.arange(3, { dtype: "bool" }), wrongType()],
  ["a negative count", () => xp.linspace(0, 1, -1), outOfRange("count")],
  ["geomspace with ends of different signs", () => xp.geomspace(-1, 1, 3), wrongValue()],
  ["the triangle of a one-dimensional array", () => xp.tril(counted([3], "int8")), outOfRange("tril")],
  ["the diagonal of three axes", () => xp.diag(counted([1, 1, 1], "int8")), outOfRange("diag")],
  ["an unknown dtype", () => xp.zeros([2], { dtype: "flaot32" as never }), wrongType("options.dtype")],
  ["two-dimensional coordinates", () => xp.meshgrid([counted([1, 1], "int8")]), outOfRange("arrays[0]")],
] as const)("rejects %s", (_name, make, sentence) => {
  expect(make).toThrow(sentence);
});

const types: readonly DTypeName[] = ["int8", "int32", "int64", "uint16", "uint64", "float16", "float32", "complex64"];

function drawCase(draw: Draw): EvalCase {
  const dtype = draw.of(hasDoubles ? ([...types, "float64", "complex128"] as const) : types);
  const start = draw.integer(-40, 40) / draw.of([1, 2, 8, 10]);
  const stop = draw.integer(-40, 40) / draw.of([1, 3, 10]);
  const step = (draw.integer(0, 1) * 2 - 1) * (draw.integer(1, 30) / draw.of([1, 2, 10]));
  // Unsigned integers reject negative numbers.
  const unsigned = dtype.startsWith("uint");
  const [from, to, by] = unsigned
    ? [Math.abs(Math.trunc(start)), Math.abs(Math.trunc(stop)), Math.ceil(step) || 1]
    : [start, stop, step];
  const count = draw.integer(0, 20);
  const endpoint = draw.integer(0, 1) === 1;
  const spaced = draw.of(["float64", "float32", "int32", "float16", "complex64"] as const);
  const base = draw.of([2, 10, 1.5]);
  const shape = draw.shape(draw.integer(2, 3));
  const diagonal = draw.integer(-4, 4);
  const [rows, columns] = [draw.integer(0, 5), draw.integer(0, 5)];
  const a = counted(shape, dtype);
  const [low, high] = [from || 1, (Math.sign(from) || 1) * (Math.abs(to) + 1)];
  const operands = { a: countedText(shape, dtype), dtype: `"${dtype}"`, spaced: `"${spaced}"`, end: Number(endpoint) };
  const numbers = { start, stop, from_: from, to, by, count, base, diagonal, rows, columns, low, high };
  return draw.of(
    casesOf({ ...operands, ...numbers, first: shape[0] as number, shape: `(${shape.join()})` }, [
      ["np.arange(from_, to, by, dtype=dtype)", () => xp.arange(from, to, by, { dtype })],
      [
        "np.linspace(start, stop, count, endpoint=end, dtype=spaced)",
        () => xp.linspace(start, stop, count, { endpoint, dtype: spaced }),
      ],
      [
        "np.logspace(start / 8, stop / 8, count, endpoint=end, base=base)",
        () => xp.logspace(start / 8, stop / 8, count, { endpoint, base }),
      ],
      ["np.geomspace(float(low), high, count, endpoint=end)", () => xp.geomspace(low, high, count, { endpoint })],
      ["np.eye(rows, columns, diagonal, dtype=dtype)", () => xp.eye(rows, { columns, diagonal, dtype })],
      ["np.tri(rows, columns, diagonal, dtype=dtype)", () => xp.tri(rows, { columns, diagonal, dtype })],
      ["np.identity(rows, dtype)", () => xp.identity(rows, { dtype })],
      ["np.tril(a, diagonal)", () => xp.tril(a, { diagonal })],
      ["np.triu(a, diagonal)", () => xp.triu(a, { diagonal })],
      ["np.diag(a.ravel(), diagonal)", () => xp.diag(a.ravel(), { diagonal })],
      ["np.diag(a.reshape(first, -1), diagonal)", () => xp.diag(a.reshape([shape[0] as number, -1]), { diagonal })],
      ["np.indices(shape)", () => xp.indices(shape)],
    ]),
  );
}

describe("on devices with float64", () => {
  beforeEach(needsDoubles);
  testDrawnCalls(drawCase, 5, isFull ? 300 : 40, 4e-15);
});

test("arange and tri allocate nothing but their results", { tags: "ci" }, async () => {
  const { pool, xp: own } = pooled();
  for (const make of [
    () => own.arange(4096, { dtype: "int32" }),
    () => own.tri(64, { dtype: "int32" }),
    () => own.zeros([64, 64], { dtype: "int32" }),
  ]) {
    const result = make();
    await own.check();
    expect(pool.activeBytes).toBe(result.nbytes);
    result.release();
    expect(pool.activeBytes).toBe(0);
  }
});

test("rejects a device array as values of a new array", () => {
  const there = xp.zeros([2], { dtype: "float32" });
  expect(() => xp.array(there as never)).toThrow(wrongType("values"));
});
