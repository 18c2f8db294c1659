/** Arrays are joined, split, repeated, rolled and padded as in NumPy. */
import type { AnyArray, DeviceArray, DTypeName } from "@cl/array";
import { expect, test } from "vitest";
import { pooled } from "./support/pooled.js";

import { isFull, testsEveryCase } from "@cl/testing/level";
import { outOfRange, wrongType, wrongValue } from "@cl/testing/error-like";
import { hasDoubles, xp } from "./support/device.js";
import { testDrawnCalls } from "./support/drawn-calls.js";
import { casesOf, counted, countedText, type Draw, type EvalCase } from "./support/numpy-eval.js";

const rows = (): DeviceArray<"int32"> => counted([2, 3], "int32");
const line = (): DeviceArray<"int32"> => counted([3], "int32");

test("splits into views", async () => {
  const a = rows();
  const [left, right] = xp.hsplit(a, [1]) as [DeviceArray<"int32">, DeviceArray<"int32">];
  const parts = [left, right, ...xp.vsplit(a, 2), ...xp.dsplit(a.reshape([1, 1, 6]), 3)];
  expect(parts.map(({ shape }) => shape.join())).toEqual(["2,1", "2,2", "1,3", "1,3", "1,1,2", "1,1,2", "1,1,2"]);
  right.assign(0);
  expect([...(await a.data())]).toEqual([0, 0, 0, 3, 0, 0]);
  expect(xp.arraySplit(counted([5], "int8"), 3).map(({ shape }) => shape[0])).toEqual([2, 2, 1]);
});

test("broadcastArrays returns read-only views of a common shape", async () => {
  const [a, b] = xp.broadcastArrays(rows(), line());
  expect([a.shape, b.shape, a.readonly, b.readonly]).toEqual([[2, 3], [2, 3], false, true]);
  expect([...(await b.data())]).toEqual([0, 1, 2, 0, 1, 2]);
});

test("promotes parts to a common dtype or the requested one", () => {
  const [bytes, words] = [counted([2], "uint8"), counted([2], "int16")];
  expect(xp.concatenate([bytes, words]).dtype.name).toBe("int16");
  expect(xp.concatenate([bytes, words], { dtype: "float32" }).dtype.name).toBe("float32");
  expect(xp.stack([bytes, bytes]).dtype.name).toBe("uint8");
});

test("writes into `out`, also if a part is a view of it", { tags: "ci" }, async () => {
  const out = xp.zeros([6], { dtype: "int32" });
  expect(xp.concatenate([line(), line()], { out })).toBe(out);
  expect(await out.toNested()).toEqual([0, 1, 2, 0, 1, 2]);
  xp.concatenate([out.slice("3:"), out.slice("2::-1")], { out });
  expect(await out.toNested()).toEqual([0, 1, 2, 2, 1, 0]);
});

test("pads all axes by one pair of widths", async () => {
  const padded = xp.pad(xp.ones([1, 2], { dtype: "int32" }), [1, 0]);
  expect(await padded.toNested()).toEqual([
    [0, 0, 0],
    [0, 1, 1],
  ]);
});

test.each([
  ["an empty list", () => xp.concatenate([]), outOfRange("arrays")],
  ["a number in place of an array", () => xp.concatenate([1] as unknown as AnyArray[]), wrongType("arrays[0]")],
  ["parts of different lengths", () => xp.concatenate([rows(), rows().T]), outOfRange("arrays[0]")],
  ["parts of different dimensions", () => xp.concatenate([rows(), line()]), outOfRange("arrays[0]")],
  ["zero-dimensional parts", () => xp.concatenate([xp.array(1)]), outOfRange("arrays[0]")],
  ["stacked arrays of different shapes", () => xp.stack([rows(), line()]), outOfRange("arrays[0]")],
  ["an output of another shape", () => xp.stack([line()], { out: line() }), outOfRange("options.out")],
  [
    "an output of another dtype",
    () => xp.stack([counted([2], "float32")], { out: xp.zeros([1, 2], { dtype: "int32" }) }),
    wrongType("options.out"),
  ],
  ["blocks of different heights", () => xp.block([rows(), rows().T]), outOfRange()],
  ["blocks nested to different depths", () => xp.block([rows(), [rows()]]), outOfRange("blocks")],
  ["a split into unequal parts", () => xp.split(line(), 2), outOfRange()],
  ["vsplit of a one-dimensional array", () => xp.vsplit(line(), 1), outOfRange("vsplit")],
  ["too few repeat counts", () => line().repeat([1, 2]), outOfRange()],
  ["an index out of range", () => xp.delete(rows(), 3, { axis: 1 }), outOfRange("indices")],
  ["more values than indices", () => xp.insert(line(), [0, 1], line()), outOfRange()],
  ["more shifts than axes", () => xp.roll(rows(), [1, 2, 3], { axis: [0, 1] }), outOfRange()],
  ["pad widths for too few axes", () => xp.pad(rows(), [[1, 1]]), outOfRange("widths")],
  ["an unknown pad mode", () => xp.pad(rows(), 1, { mode: "mean" as "wrap" }), wrongType("options.mode")],
  [
    "a pad value that the mode does not use",
    () => xp.pad(rows(), 1, { mode: "edge", value: 1 }),
    wrongValue("options.value"),
  ],
  [
    "padding an empty array by wrapping",
    () => xp.pad(xp.zeros([0], { dtype: "int8" }), 1, { mode: "wrap" }),
    outOfRange(),
  ],
] as const)("rejects %s", (_name, make, sentence) => {
  expect(make).toThrow(sentence);
});

const types: readonly DTypeName[] = ["bool", "int8", "int32", "int64", "uint16", "float32", "complex64"];

/** Source indices of a padded axis. NumPy before 1.25 pads incorrectly by more than an axis is long. */
function paddedIndices(n: number, [before, after]: readonly [number, number], mode: string): string {
  const i = `np.arange(${-before}, ${n + after})`;
  if (mode === "edge") return `np.clip(${i}, 0, ${n - 1})`;
  if (mode === "wrap") return `${i} % ${n}`;
  if (mode === "reflect") return `${n - 1} - abs(${n - 1} - ${i} % ${Math.max(1, 2 * n - 2)})`;
  return `np.minimum(${i} % ${2 * n}, ${2 * n - 1} - ${i} % ${2 * n})`;
}

function drawCase(draw: Draw): EvalCase {
  const shape = draw.shape(draw.integer(1, 3));
  const dtype = draw.of(types);
  // Two different dtypes may promote to float64.
  const second = hasDoubles ? draw.of(types) : dtype;
  const transposed = draw.integer(0, 1) === 1;
  const along = draw.integer(0, shape.length - 1);
  const own = transposed ? shape.toReversed() : shape;
  const a = transposed ? counted(own, dtype).T : counted(own, dtype);
  const otherShape = shape.with(along, draw.integer(0, 3));
  const [b, like, c] = [counted(otherShape, second), counted(otherShape, dtype), counted(shape, second)];
  const list = (values: readonly unknown[]): string => `(${values.join(", ")},)`;
  const axis = draw.integer(-shape.length - 1, shape.length);
  const counts = draw.shape(draw.integer(1, 4), 3);
  const shifts = shape.map(() => draw.integer(-6, 6));
  const mode = draw.of(["constant", "edge", "reflect", "symmetric"] as const);
  const wideMode = draw.of(["edge", "reflect", "symmetric", "wrap"] as const);
  const widthsTo = (most: number): readonly (readonly [number, number])[] =>
    shape.map(() => [draw.integer(0, most), draw.integer(0, most)]);
  const [widths, wide] = [widthsTo(2), widthsTo(13)];
  const n = draw.integer(1, 4);
  const lengths = Array.from({ length: shape[along] as number }, () => draw.integer(0, 3));
  const operands = {
    a: countedText(own, dtype) + (transposed ? ".T" : ""),
    b: countedText(otherShape, second),
    c: countedText(shape, second),
    like: countedText(otherShape, dtype),
    counts: list(counts),
    shifts: list(shifts),
    lengths: `np.array([${lengths.join()}], int)`,
    widths: list(widths.map((pair) => list(pair))),
    padded: `np.ix_(${wide.map((pair, k) => paddedIndices(shape[k] as number, pair, wideMode)).join()})`,
    along,
    axis,
    n,
  };
  return draw.of(
    casesOf(operands, [
      ["np.concatenate((a, b), along)", () => xp.concatenate([a, b], { axis: along })],
      ["np.concatenate((a, b, a), axis)", () => xp.concatenate([a, b, a], { axis })],
      ["np.concatenate((a, b), None)", () => xp.concatenate([a, b], { axis: null })],
      ["np.stack((a, c), axis)", () => xp.stack([a, c], { axis })],
      ["np.hstack((a, b))", () => xp.hstack([a, b])],
      ["np.vstack((a, b))", () => xp.vstack([a, b])],
      ["np.dstack((a, c))", () => xp.dstack([a, c])],
      ["np.column_stack((a, c))", () => xp.columnStack([a, c])],
      ["np.block([[a, c], [c, a]])", () => xp.block([[a, c], [c, a]])], // prettier-ignore
      ["np.append(a, b)", () => xp.append(a, b)],
      ["np.tile(a, counts)", () => xp.tile(a, counts)],
      ["np.repeat(a, n)", () => a.repeat(n)],
      ["np.repeat(a, n - 1, along)", () => a.repeat(n - 1, { axis: along })],
      ["np.repeat(a, lengths, along)", () => a.repeat(lengths, { axis: along })],
      ["np.delete(a, axis, along)", () => xp.delete(a, axis, { axis: along })],
      ["np.delete(a, [n - 1, -n])", () => xp.delete(a, [n - 1, -n])],
      ["np.insert(a, axis, like, along)", () => xp.insert(a, axis, like, { axis: along })],
      ["np.insert(a, [0, n, 0], [0])", () => xp.insert(a, [0, n, 0], counted([1], dtype))],
      ["np.roll(a, shifts[0])", () => xp.roll(a, shifts[0] as number)],
      ["np.roll(a, shifts, tuple(range(a.ndim)))", () => xp.roll(a, shifts, { axis: [...shape.keys()] })],
      [`np.pad(a, widths, mode="${mode}")`, () => xp.pad(a, widths, { mode })],
      ["a[padded]", () => xp.pad(a, wide, { mode: wideMode })],
      [
        "np.array_split(a, n, along)[n - 1]",
        () => xp.arraySplit<DTypeName>(a, n, { axis: along })[n - 1] as DeviceArray,
      ],
      [
        "np.split(a, shifts, along)[len(shifts)]",
        () => xp.split(a, shifts, { axis: along })[shifts.length] as DeviceArray,
      ],
    ]),
  );
}

testDrawnCalls(drawCase, 4, testsEveryCase ? 250 : isFull ? 100 : 36);

test("joining and padding allocate nothing but their results", { tags: "ci" }, () => {
  const { pool, xp: own } = pooled();
  using a = own.zeros([64, 64], { dtype: "int32" });
  for (const make of [
    () => own.concatenate([a, a.T]),
    () => own.stack([a, a]),
    () => own.tile(a, 2),
    () => own.pad(a, 8, { mode: "reflect" }),
    () => own.roll(a, 3, { axis: 1 }),
  ]) {
    const before = pool.activeBytes;
    const result = make();
    expect(pool.activeBytes - before).toBeLessThanOrEqual(Math.ceil(result.nbytes * 1.25));
    result.release();
    expect(pool.activeBytes).toBe(before);
  }
});
