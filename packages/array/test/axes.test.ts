/** Swapping, moving, flipping, adding and removing axes: elements match NumPy's, and nothing is copied. */
import type { DeviceArray, DTypeName } from "@cl/array";
import { expect, test } from "vitest";

import { outOfRange, wrongValue } from "@cl/testing/error-like";
import { isFull } from "@cl/testing/level";
import { xp } from "./support/device.js";
import { testDrawnCalls } from "./support/drawn-calls.js";
import { casesOf, counted, countedText, type Draw, type EvalCase } from "./support/numpy-eval.js";

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

test.each([
  ["moveaxis with lists of different lengths", () => rows().moveaxis([0, 1], 0), outOfRange("source")],
  ["a repeated axis", () => rows().flip([0, -2]), outOfRange()],
  ["an axis out of range", () => rows().flip(2), outOfRange("axis")],
  ["an axis of a zero-dimensional array", () => xp.array(1).flip(0), outOfRange("axis")],
  ["squeeze of a longer axis", () => rows().squeeze(0), wrongValue()],
  ["diagonal of one axis with itself", () => rows().diagonal({ axis2: -2 }), outOfRange()],
  ["diagonal of a one-dimensional array", () => counted([3], "int8").diagonal(), outOfRange("diagonal")],
  ["a window longer than its axis", () => rows().slidingWindow([3, 1]), wrongValue()],
  ["viewAs with a size that does not divide the axis", () => rows().viewAs("int64"), wrongValue()],
  ["viewAs of a strided array", () => rows().T.viewAs("int8"), wrongValue()],
  ["viewAs at an unaligned offset", () => counted([5], "int32").slice("1:").viewAs("int64"), wrongValue()],
  ["viewAs of a zero-dimensional array", () => xp.array(1, { dtype: "int32" }).viewAs("int8"), wrongValue()],
] as const)("rejects %s", (_name, make, sentence) => {
  expect(make).toThrow(sentence);
});

const types: readonly DTypeName[] = ["bool", "int8", "int16", "int32", "int64", "uint16", "float32", "complex64"];

function drawCase(draw: Draw): EvalCase {
  const shape = draw.shape(draw.integer(1, 4));
  const dtype = draw.of(types);
  const a = counted(shape, dtype);
  const axis = (): number => draw.integer(-a.ndim, a.ndim - 1);
  const offset = draw.integer(-3, 3);
  const [i, j] = [axis(), axis()];
  const order = draw.of(["C", "F"] as const);
  const other = draw.of(types);
  const times = draw.integer(-5, 5);
  const extent = draw.integer(1, 3);
  const operands = { a: countedText(shape, dtype), i, j, offset, times, extent, order: `"${order}"` };
  return draw.of(
    casesOf(operands, [
      ["np.swapaxes(a, i, j)", () => a.swapaxes(i, j)],
      ["np.moveaxis(a, i, j)", () => a.moveaxis(i, j)],
      ["np.moveaxis(a, [i, j], [j, 0])", () => a.moveaxis([i, j], [j, 0])],
      ["np.expand_dims(a, (i, offset))", () => a.expandDims([i, offset])],
      ["np.squeeze(a)", () => a.squeeze()],
      ["np.squeeze(a, i)", () => a.squeeze(i)],
      ["np.flip(a)", () => a.flip()],
      ["np.flip(a, (i, j))", () => a.flip([i, j])],
      ["np.fliplr(a)", () => a.fliplr()],
      ["np.flipud(a)", () => a.flipud()],
      ["np.rot90(a, times, (i, j))", () => a.rot90(times, [i, j])],
      ["np.diagonal(a, offset, i, j)", () => a.diagonal({ offset, axis1: i, axis2: j })],
      ["np.reshape(a, (-1, extent), order=order)", () => a.reshape([-1, extent], { order })],
      ["np.ravel(a.T, order=order)", () => a.T.ravel({ order })],
      ["a.T.flatten(order)", () => a.T.flatten({ order })],
      ["np.lib.stride_tricks.sliding_window_view(a, (extent, 1), (i, j))", () => a.slidingWindow([extent, 1], [i, j])],
      other === "bool" ? ["np.copy(a)", () => a] : [`a.view("${other}")`, () => a.viewAs(other)],
    ]),
  );
}

testDrawnCalls(drawCase, 4, isFull ? 300 : 60);
