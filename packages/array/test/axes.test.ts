/** Swapping, moving, flipping, adding and removing axes: elements match NumPy's, and nothing is copied. */
import type { DeviceArray, DTypeName } from "@cl/array";
import { expect, test } from "vitest";

import { needs } from "@cl/base/testing";
import { errorLike } from "@cl/testing/error-like";
import { xp } from "./support/device.js";
import { untriedSeed } from "./support/untried-seed.js";
import { hasNumPy } from "./support/numpy.js";
import { counted, countedText, Draw, type EvalCase, evalDifferences } from "./support/numpy-eval.js";

const rows = (): DeviceArray<"int32"> => counted([2, 3], "int32");

test.each([
  [
    "swapaxes",
    () => counted([1, 2, 3], "int32").swapaxes(0, -1),
    [
      [[0], [3]],
      [[1], [4]],
      [[2], [5]],
    ],
  ],
  [
    "moveaxis",
    () => counted([2, 1, 2], "int32").moveaxis(0, -1),
    [
      [
        [0, 2],
        [1, 3],
      ],
    ],
  ],
  [
    "expandDims",
    () => rows().expandDims([0, -1]),
    [
      [
        [[0], [1], [2]],
        [[3], [4], [5]],
      ],
    ],
  ],
  ["squeeze", () => counted([1, 2, 1], "int32").squeeze(), [0, 1]],
  ["squeeze of one axis", () => counted([1, 2, 1], "int32").squeeze(0), [[0], [1]]],
  [
    "flip",
    () => rows().flip(),
    [
      [5, 4, 3],
      [2, 1, 0],
    ],
  ],
  [
    "flipud",
    () => rows().flipud(),
    [
      [3, 4, 5],
      [0, 1, 2],
    ],
  ],
  [
    "fliplr",
    () => rows().fliplr(),
    [
      [2, 1, 0],
      [5, 4, 3],
    ],
  ],
  [
    "rot90",
    () => rows().rot90(),
    [
      [2, 5],
      [1, 4],
      [0, 3],
    ],
  ],
  [
    "rot90 back",
    () => rows().rot90(-1),
    [
      [3, 0],
      [4, 1],
      [5, 2],
    ],
  ],
  ["diagonal", () => rows().diagonal({ offset: 1 }), [1, 5]],
  [
    "slidingWindow",
    () => counted([4], "int32").slidingWindow(3),
    [
      [0, 1, 2],
      [1, 2, 3],
    ],
  ],
  [
    "reshape in F order",
    () => rows().reshape([3, 2], { order: "F" }),
    [
      [0, 4],
      [3, 2],
      [1, 5],
    ],
  ],
  ["ravel in F order", () => rows().ravel({ order: "F" }), [0, 3, 1, 4, 2, 5]],
  ["flatten", () => rows().T.flatten(), [0, 3, 1, 4, 2, 5]],
] as const)("%s returns the expected elements", async (_name, make, expected) => {
  expect(await make().toNested()).toEqual(expected);
});

test("views share memory with the array; flatten and copy do not", async () => {
  const a = xp.zeros([2, 2], { dtype: "int32" });
  a.diagonal().assign(1);
  a.swapaxes(0, 1).slice(0).assign(7);
  a.rot90().slice(0).assign(9);
  expect(await a.toNested()).toEqual([
    [7, 9],
    [7, 9],
  ]);
  a.flatten().assign(0);
  a.copy({ order: "F" }).assign(0);
  a.T.ravel({ order: "F" }).slice(0).assign(3);
  expect(await a.toNested()).toEqual([
    [3, 9],
    [7, 9],
  ]);
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

test.each([
  [
    "moveaxis with lists of different lengths",
    () => rows().moveaxis([0, 1], 0),
    errorLike(RangeError, "ERR_OUT_OF_RANGE", "source"),
  ],
  ["a repeated axis", () => rows().flip([0, -2]), errorLike(RangeError, "ERR_OUT_OF_RANGE")],
  ["an axis out of range", () => rows().flip(2), errorLike(RangeError, "ERR_OUT_OF_RANGE", "axis")],
  ["an axis of a zero-dimensional array", () => xp.array(1).flip(0), errorLike(RangeError, "ERR_OUT_OF_RANGE", "axis")],
  ["squeeze of a longer axis", () => rows().squeeze(0), errorLike(TypeError, "ERR_INVALID_ARG_VALUE")],
  ["diagonal of one axis with itself", () => rows().diagonal({ axis2: -2 }), errorLike(RangeError, "ERR_OUT_OF_RANGE")],
  [
    "diagonal of a one-dimensional array",
    () => counted([3], "int8").diagonal(),
    errorLike(RangeError, "ERR_OUT_OF_RANGE", "diagonal"),
  ],
  ["a window longer than its axis", () => rows().slidingWindow([3, 1]), errorLike(TypeError, "ERR_INVALID_ARG_VALUE")],
  [
    "viewAs with a size that does not divide the axis",
    () => rows().viewAs("int64"),
    errorLike(TypeError, "ERR_INVALID_ARG_VALUE"),
  ],
  ["viewAs of a strided array", () => rows().T.viewAs("int8"), errorLike(TypeError, "ERR_INVALID_ARG_VALUE")],
  [
    "viewAs at an unaligned offset",
    () => counted([5], "int32").slice("1:").viewAs("int64"),
    errorLike(TypeError, "ERR_INVALID_ARG_VALUE"),
  ],
  [
    "viewAs of a zero-dimensional array",
    () => xp.array(1, { dtype: "int32" }).viewAs("int8"),
    errorLike(TypeError, "ERR_INVALID_ARG_VALUE"),
  ],
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

test("views have the same elements as NumPy's, for a fixed and a fresh seed", { timeout: 240_000 }, async (run) => {
  needs(run, hasNumPy, "NumPy is not installed (apt install python3-numpy)");
  expect(await evalDifferences(cases(20_261_121, 300))).toEqual([]);
  const seed = untriedSeed();
  expect(await evalDifferences(cases(seed, 300)), `seed ${seed}`).toEqual([]);
});
