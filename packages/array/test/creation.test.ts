/** Ranges, grids and triangles match NumPy's and are created on the device. */
import { CommandQueue } from "@cl/core";
import { type AnyArray, arrays, type DTypeName } from "@cl/array";
import { ImmediateAllocator, MemoryPool } from "@cl/tools";
import { expect, test, vi } from "vitest";

import { needs } from "@cl/base/testing";
import { errorLike } from "@cl/testing/error-like";
import { context, hasDoubles, xp } from "./support/device.js";
import { untriedSeed } from "./support/untried-seed.js";
import { hasNumPy } from "./support/numpy.js";
import { counted, countedText, Draw, type EvalCase, evalDifferences } from "./support/numpy-eval.js";

test.each([
  ["arange", () => xp.arange(3, { dtype: "uint8" }), [0, 1, 2]],
  ["arange down", () => xp.arange(2, -1, -1, { dtype: "int16" }), [2, 1, 0]],
  ["arange of 64 bits", () => xp.arange(-1, 2, 1, { dtype: "int64" }), [-1n, 0n, 1n]],
  ["an empty arange", () => xp.arange(3, 3), []],
  [
    "arange of complex numbers",
    () => xp.arange(2, { dtype: "complex64" }),
    [
      { re: 0, im: 0 },
      { re: 1, im: 0 },
    ],
  ],
  ["arange whose elements differ by the truncated step", () => xp.arange(0.5, 5, 1.5, { dtype: "int32" }), [0, 2, 4]],
  ["arange of float64", () => xp.arange(0, 1, 0.25), [0, 0.25, 0.5, 0.75]],
  ["linspace", () => xp.linspace(0, 1, 3), [0, 0.5, 1]],
  ["linspace without its end point", () => xp.linspace(0, 1, 4, { endpoint: false }), [0, 0.25, 0.5, 0.75]],
  ["linspace of integers, rounded down,", () => xp.linspace(-1, 1, 4, { dtype: "int32" }), [-1, -1, 0, 1]],
  ["linspace of one number", () => xp.linspace(5, 7, 1), [5]],
  ["an empty linspace", () => xp.linspace(5, 7, 0), []],
  [
    "identity",
    () => xp.identity(2, { dtype: "int8" }),
    [
      [1, 0],
      [0, 1],
    ],
  ],
  [
    "tri",
    () => xp.tri(2, { columns: 3, diagonal: 1, dtype: "int8" }),
    [
      [1, 1, 0],
      [1, 1, 1],
    ],
  ],
  [
    "tril",
    () => xp.tril(counted([2, 2], "int16").add(1)),
    [
      [1, 0],
      [3, 4],
    ],
  ],
  [
    "triu",
    () => xp.triu(counted([2, 3], "complex64").T, { diagonal: -1 }).slice(2),
    [
      { re: 0, im: 0 },
      { re: 5, im: 0 },
    ],
  ],
  [
    "diag",
    () => xp.diag(counted([2], "int32"), { diagonal: -1 }),
    [
      [0, 0, 0],
      [0, 0, 0],
      [0, 1, 0],
    ],
  ],
  ["diag of a matrix", () => xp.diag(counted([2, 3], "int32")), [0, 4]],
  [
    "indices",
    () => xp.indices([2, 2]),
    [
      [
        [0n, 0n],
        [1n, 1n],
      ],
      [
        [0n, 1n],
        [0n, 1n],
      ],
    ],
  ],
  [
    "fromFunction",
    () => xp.fromFunction((i, j) => i * 10 + j, [2, 2], { dtype: "int32" }),
    [
      [0, 1],
      [10, 11],
    ],
  ],
  ["fromFunction without axes", () => xp.fromFunction(() => 3, [], { dtype: "int32" }), 3],
] as const)("%s returns the expected elements", async (_name, make, expected) => {
  expect(await make().toNested()).toEqual(expected);
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

test("meshgrid and mgrid return grids", async () => {
  const [x, y] = [counted([3], "int8"), counted([2], "int16")];
  const [columns, rows] = xp.meshgrid([x, y]);
  expect([await columns.data(), await rows.data()].map(String)).toEqual(["0,1,2,0,1,2", "0,0,0,1,1,1"]);
  expect([columns.shape, columns.dtype.name, rows.dtype.name]).toEqual([[2, 3], "int8", "int16"]);
  expect(xp.meshgrid([x, y], { indexing: "ij" }).map(({ shape }) => shape)).toEqual([
    [3, 2],
    [3, 2],
  ]);
  const sparse = xp.meshgrid([x, y], { sparse: true });
  expect(sparse.map(({ shape }) => shape)).toEqual([
    [1, 3],
    [2, 1],
  ]);
  const [views] = xp.meshgrid([x, y], { copy: false });
  expect(views.readonly).toBe(true);
  expect(await xp.mgrid([0, 2], [1, 3, 1]).toNested()).toEqual([
    [
      [0, 0],
      [1, 1],
    ],
    [
      [1, 2],
      [1, 2],
    ],
  ]);
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
  ["a step of 0", () => xp.arange(0, 1, 0), errorLike(RangeError, "ERR_OUT_OF_RANGE", "step")],
  ["an infinite end", () => xp.arange(Infinity), errorLike(RangeError, "ERR_OUT_OF_RANGE", "stop")],
  [
    "a range below the dtype's minimum",
    () => xp.arange(-1, 3, 1, { dtype: "uint8" }),
    errorLike(RangeError, "ERR_OUT_OF_RANGE"),
  ],
  [
    "a range above the dtype's maximum",
    () => xp.arange(257, { dtype: "uint8" }),
    errorLike(RangeError, "ERR_OUT_OF_RANGE"),
  ],
  ["a range of booleans", () => xp.arange(3, { dtype: "bool" }), errorLike(TypeError, "ERR_INVALID_ARG_TYPE")],
  ["a negative count", () => xp.linspace(0, 1, -1), errorLike(RangeError, "ERR_OUT_OF_RANGE", "count")],
  [
    "geomspace with ends of different signs",
    () => xp.geomspace(-1, 1, 3),
    errorLike(TypeError, "ERR_INVALID_ARG_VALUE"),
  ],
  [
    "the triangle of a one-dimensional array",
    () => xp.tril(counted([3], "int8")),
    errorLike(RangeError, "ERR_OUT_OF_RANGE", "tril"),
  ],
  [
    "the diagonal of three axes",
    () => xp.diag(counted([1, 1, 1], "int8")),
    errorLike(RangeError, "ERR_OUT_OF_RANGE", "diag"),
  ],
  [
    "an unknown dtype",
    () => xp.zeros([2], { dtype: "flaot32" as never }),
    "options.dtype must be the name of an element type",
  ],
  [
    "two-dimensional coordinates",
    () => xp.meshgrid([counted([1, 1], "int8")]),
    errorLike(RangeError, "ERR_OUT_OF_RANGE", "arrays[0]"),
  ],
] as const)("rejects %s", (_name, make, sentence) => {
  expect(make).toThrow(sentence);
});

const types: readonly DTypeName[] = ["int8", "int32", "int64", "uint16", "uint64", "float16", "float32", "complex64"];

function cases(seed: number, count: number): readonly EvalCase[] {
  const draw = new Draw(seed);
  return Array.from({ length: count }, () => drawCase(draw));
}

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
  const flag = endpoint ? "True" : "False";
  const spaced = draw.of(["float64", "float32", "int32", "float16", "complex64"] as const);
  const base = draw.of([2, 10, 1.5]);
  const shape = draw.shape(draw.integer(2, 3));
  const diagonal = draw.integer(-4, 4);
  const [rows, columns] = [draw.integer(0, 5), draw.integer(0, 5)];
  const [a, text] = [counted(shape, dtype), countedText(shape, dtype)];
  const evalCase = (ours: () => AnyArray, theirs: string): EvalCase => ({ ours, theirs });
  return draw.of([
    evalCase(() => xp.arange(from, to, by, { dtype }), `np.arange(${from}, ${to}, ${by}, dtype="${dtype}")`),
    evalCase(() => xp.arange(from, to, by, { dtype }), `np.arange(${from}, ${to}, ${by}, dtype="${dtype}")`),
    evalCase(
      () => xp.linspace(start, stop, count, { endpoint, dtype: spaced }),
      `np.linspace(${start}, ${stop}, ${count}, endpoint=${flag}, dtype="${spaced}")`,
    ),
    evalCase(
      () => xp.logspace(start / 8, stop / 8, count, { endpoint, base }),
      `np.logspace(${start / 8}, ${stop / 8}, ${count}, endpoint=${flag}, base=${base})`,
    ),
    evalCase(
      () => xp.geomspace(from || 1, (Math.sign(from) || 1) * (Math.abs(to) + 1), count, { endpoint }),
      `np.geomspace(${from || 1}.0, ${(Math.sign(from) || 1) * (Math.abs(to) + 1)}, ${count}, endpoint=${flag})`.replace(
        /(\.\d+)\.0/,
        "$1",
      ),
    ),
    evalCase(
      () => xp.eye(rows, { columns, diagonal, dtype }),
      `np.eye(${rows}, ${columns}, ${diagonal}, dtype="${dtype}")`,
    ),
    evalCase(
      () => xp.tri(rows, { columns, diagonal, dtype }),
      `np.tri(${rows}, ${columns}, ${diagonal}, dtype="${dtype}")`,
    ),
    evalCase(() => xp.tril(a, { diagonal }), `np.tril(${text}, ${diagonal})`),
    evalCase(() => xp.triu(a, { diagonal }), `np.triu(${text}, ${diagonal})`),
    evalCase(() => xp.diag(a.ravel(), { diagonal }), `np.diag(${text}.ravel(), ${diagonal})`),
    evalCase(
      () => xp.diag(a.reshape([shape[0] as number, -1]), { diagonal }),
      `np.diag(${text}.reshape(${shape[0]}, -1), ${diagonal})`,
    ),
    evalCase(() => xp.indices(shape), `np.indices((${shape.join()},))`),
  ]);
}

test("creation functions match NumPy, for a fixed and a fresh seed", { timeout: 300_000 }, async (run) => {
  needs(
    run,
    hasNumPy && hasDoubles,
    "NumPy is not installed (apt install python3-numpy), or the device has no float64",
  );
  expect(await evalDifferences(cases(20_261_121, 300), 4e-15)).toEqual([]);
  const seed = untriedSeed();
  expect(await evalDifferences(cases(seed, 300), 4e-15), `seed ${seed}`).toEqual([]);
});

test("arange and tri allocate nothing but their results", async () => {
  const queue = new CommandQueue(context);
  const pool = new MemoryPool(new ImmediateAllocator(queue));
  const own = arrays(queue, { allocator: pool });
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
  expect(() => xp.array(there as never)).toThrow(errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "values"));
});
