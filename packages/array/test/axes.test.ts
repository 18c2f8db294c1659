/** Swapping, moving, flipping, adding and removing axes: elements match NumPy's, and nothing is copied. */
import type { DeviceArray, DTypeName } from "@cl/array";
import { expect, test } from "vitest";

import { needs } from "@cl/base/testing";
import { errorLike } from "@cl/testing/error-like";
import { isFull, testSeed } from "@cl/testing/level";
import { xp } from "./support/device.js";
import { hasNumPy } from "./support/numpy.js";
import { counted, countedText, Draw, type EvalCase, evalDifferences } from "./support/numpy-eval.js";

const rows = (): DeviceArray<"int32"> => counted([2, 3], "int32");

test("views share memory with the array; flatten and copy do not", async () => {
  const a = xp.zeros([2, 2], { dtype: "int32" });
  a.diagonal().assign(1);
  a.swapaxes(0, 1).slice(0).assign(7);
  a.rot90().slice(0).assign(9);
  expect([...(await a.data())]).toEqual([7, 9, 7, 9]);
  a.flatten().assign(0);
  a.copy({ order: "F" }).assign(0);
  a.T.ravel({ order: "F" }).slice(0).assign(3);
  expect([...(await a.data())]).toEqual([3, 9, 7, 9]);
  expect(a.copy({ order: "F" }).strides).toEqual([4, 8]);
});

test("viewAs reinterprets the bytes as another dtype", async () => {
  const a = xp.fromHost(Uint32Array.of(0x3f80_0000, 0x4000_0000));
  expect(await a.viewAs("float32").toNested()).toEqual([1, 2]);
  expect(await a.viewAs("uint8").slice("3::4").toNested()).toEqual([0x3f, 0x40]);
  expect((await a.viewAs("uint16").toNested()).toString()).toBe("0,16256,0,16384");
  expect(a.viewAs("uint64").shape).toEqual([1]);
  expect(xp.zeros([4, 2, 0], { dtype: "uint16" }).viewAs("float32").shape).toEqual([4, 2, 0]);
  expect(xp.zeros([0, 3, 2], { dtype: "uint16" }).slice(":", 1).viewAs("float32").shape).toEqual([0, 1]);
  const z = xp.array([{ re: 1, im: 2 }], { dtype: "complex64" });
  expect(await z.viewAs("float32").toNested()).toEqual([1, 2]);
  // A store through the view writes to the array's memory.
  z.viewAs("float32").slice("1::2").assign(-5);
  expect(await z.toNested()).toEqual([{ re: 1, im: -5 }]);
});

const range = (name?: string): Error => errorLike(RangeError, "ERR_OUT_OF_RANGE", name);
const value = (name?: string): Error => errorLike(TypeError, "ERR_INVALID_ARG_VALUE", name);

test.each([
  ["moveaxis with lists of different lengths", () => rows().moveaxis([0, 1], 0), range("source")],
  ["a repeated axis", () => rows().flip([0, -2]), range()],
  ["an axis out of range", () => rows().flip(2), range("axis")],
  ["an axis of a zero-dimensional array", () => xp.array(1).flip(0), range("axis")],
  ["squeeze of a longer axis", () => rows().squeeze(0), value()],
  ["diagonal of one axis with itself", () => rows().diagonal({ axis2: -2 }), range()],
  ["diagonal of a one-dimensional array", () => counted([3], "int8").diagonal(), range("diagonal")],
  ["a window longer than its axis", () => rows().slidingWindow([3, 1]), value()],
  ["viewAs with a size that does not divide the axis", () => rows().viewAs("int64"), value()],
  ["viewAs of a strided array", () => rows().T.viewAs("int8"), value()],
  ["viewAs at an unaligned offset", () => counted([5], "int32").slice("1:").viewAs("int64"), value()],
  ["viewAs of a zero-dimensional array", () => xp.array(1, { dtype: "int32" }).viewAs("int8"), value()],
] as const)("rejects %s", (_name, make, sentence) => {
  expect(make).toThrow(sentence);
});

const types: readonly DTypeName[] = ["bool", "int8", "int16", "int32", "int64", "uint16", "float32", "complex64"];

function cases(seed: number, count: number): readonly EvalCase[] {
  const draw = new Draw(seed);
  return Array.from({ length: count }, () => drawCase(draw));
}

function drawCase(draw: Draw): EvalCase {
  const shape = draw.shape(draw.integer(1, 4));
  const dtype = draw.of(types);
  const a = counted(shape, dtype);
  const text = countedText(shape, dtype);
  const { ndim } = a;
  const axis = (): number => draw.integer(-ndim, ndim - 1);
  const offset = draw.integer(-3, 3);
  const [first, second] = [axis(), axis()];
  const order = draw.of(["C", "F"] as const);
  const other = draw.of(types);
  const times = draw.integer(-5, 5);
  const extent = draw.integer(1, 3);
  const evalCase = (ours: () => DeviceArray, theirs: string): EvalCase => ({ ours, theirs });
  return draw.of([
    evalCase(() => a.swapaxes(first, second), `np.swapaxes(${text}, ${first}, ${second})`),
    evalCase(() => a.moveaxis(first, second), `np.moveaxis(${text}, ${first}, ${second})`),
    evalCase(
      () => a.moveaxis([first, second], [second, 0]),
      `np.moveaxis(${text}, [${first}, ${second}], [${second}, 0])`,
    ),
    evalCase(() => a.expandDims([first, offset]), `np.expand_dims(${text}, (${first}, ${offset}))`),
    evalCase(() => a.squeeze(), `np.squeeze(${text})`),
    evalCase(() => a.squeeze(first), `np.squeeze(${text}, ${first})`),
    evalCase(() => a.flip(), `np.flip(${text})`),
    evalCase(() => a.flip([first, second]), `np.flip(${text}, (${first}, ${second}))`),
    evalCase(() => a.fliplr(), `np.fliplr(${text})`),
    evalCase(() => a.flipud(), `np.flipud(${text})`),
    evalCase(() => a.rot90(times, [first, second]), `np.rot90(${text}, ${times}, (${first}, ${second}))`),
    evalCase(
      () => a.diagonal({ offset, axis1: first, axis2: second }),
      `np.diagonal(${text}, ${offset}, ${first}, ${second})`,
    ),
    evalCase(() => a.reshape([-1, extent], { order }), `np.reshape(${text}, (-1, ${extent}), order="${order}")`),
    evalCase(() => a.T.ravel({ order }), `np.ravel(${text}.T, order="${order}")`),
    evalCase(() => a.T.flatten({ order }), `${text}.T.flatten("${order}")`),
    evalCase(
      () => a.slidingWindow([extent, 1], [first, second]),
      `np.lib.stride_tricks.sliding_window_view(${text}, (${extent}, 1), (${first}, ${second}))`,
    ),
    evalCase(() => (other === "bool" ? a : a.viewAs(other)), other === "bool" ? text : `${text}.view("${other}")`),
  ]);
}

for (const { kind, options, count } of [
  { kind: "a few", options: {}, count: 4 },
  { kind: "random", options: { tags: "ci" }, count: isFull ? 300 : 60 },
]) {
  test(`${kind} views have the elements of NumPy's`, { timeout: 240_000, ...options }, async (run) => {
    needs(run, hasNumPy, "NumPy is not installed (apt install python3-numpy)");
    expect(await evalDifferences(cases(testSeed(20_261_121), count))).toEqual([]);
  });
}
