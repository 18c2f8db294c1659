/** Operators match NumPy's dtypes, shapes and values for all layouts of the operands. */
import { CommandQueue, Context, NotSupportedError } from "@cl/core";
import { arrays, type DeviceArray, type DTypeName, type OperandLike } from "@cl/array";
import { expect, test } from "vitest";

import { needs } from "@cl/base/testing";
import { context, hasDoubles, queue, xp } from "./support/device.js";

const ints = (...values: number[]): DeviceArray<"int32"> => xp.array(values, { dtype: "int32" });
const floats = (...values: number[]): DeviceArray<"float32"> => xp.array(values, { dtype: "float32" });

test("broadcasts operands, including views of every layout", async () => {
  const a = xp.arange(6, { dtype: "float32" }).reshape([2, 3]);
  expect(await a.add(a.slice(1, "::-1")).toNested()).toEqual([
    [5, 5, 5],
    [8, 8, 8],
  ]);
  expect(await a.T.mul(xp.array([10, 100], { dtype: "float32" })).toNested()).toEqual([
    [0, 300],
    [10, 400],
    [20, 500],
  ]);
  expect(await a.slice(":", [null, null, 2]).sub(a.slice(":", "1:2")).toNested()).toEqual([
    [-1, 1],
    [-1, 1],
  ]);
  expect((await a.slice("0:0").add(a.slice("0:1")).data()).length).toBe(0);
  expect(
    await xp
      .full([], 2, { dtype: "float32" })
      .mul(xp.full([], 4, { dtype: "float32" }))
      .item(),
  ).toBe(8);
});

test("supports more axes than a kernel has dimensions", async () => {
  const shape = [2, 3, 2, 3, 2, 2];
  const a = xp.arange(144, { dtype: "int32" }).reshape(shape);
  const order = [5, 0, 3, 1, 4, 2];
  const [one, other] = [a.transpose(order), a.reshape([2, 2, 2, 3, 3, 2]).transpose([0, 1, 3, 4, 2, 5])];
  const expected = await one.data();
  const added = await other.data();
  expect(await one.add(other.reshape(one.shape)).data()).toEqual(
    expected.map((value, i) => value + (added[i] as number)),
  );
});

test.each<[name: string, result: () => DeviceArray, type: DTypeName]>([
  ["int8 and uint8", () => xp.zeros([1], { dtype: "int8" }).add(xp.zeros([1], { dtype: "uint8" })), "int16"],
  ["bool and an integer", () => xp.zeros([1], { dtype: "bool" }).maximum(2), "int64"],
  ["uint8 and an integer", () => xp.zeros([1], { dtype: "uint8" }).add(255), "uint8"],
  ["float16 and a fraction", () => xp.zeros([1], { dtype: "float16" }).add(0.5), "float16"],
  ["the square root of int16", () => xp.zeros([1], { dtype: "int16" }).sqrt(), "float32"],
  ["a comparison", () => floats(1).less(2), "bool"],
  ["the quotient of booleans", () => xp.ones([1], { dtype: "bool" }).floorDivide(true), "int8"],
])("%s: has NumPy's dtype", async (_name, result, type) => {
  expect(result().dtype.name).toBe(type);
});

test("division of integers returns float64", async (run) => {
  needs(run, hasDoubles, "the device has no float64");
  expect(await ints(7, -7, 0).div(2).toNested()).toEqual([3.5, -3.5, 0]);
  expect(await ints(1).add(0.5).toNested()).toEqual([1.5]);
});

test("integers wrap around; division rounds down and does not fail for zero", async () => {
  const lowest = -(2 ** 31);
  expect(
    await ints(2 ** 31 - 1)
      .add(1)
      .toNested(),
  ).toEqual([lowest]);
  expect(await ints(65537).mul(65537).toNested()).toEqual([131073]);
  expect(
    await ints(7, -7, 7, -7, 5, lowest)
      .floorDivide(ints(2, 2, -2, -2, 0, -1))
      .toNested(),
  ).toEqual([3, -4, -4, 3, 0, lowest]);
  expect(
    await ints(7, -7, 7, -7, 5, lowest)
      .remainder(ints(3, 3, -3, -3, 0, -1))
      .toNested(),
  ).toEqual([1, 2, -2, -1, 0, 0]);
  expect(
    await floats(7, -7, 7, -6)
      .remainder(floats(3, 3, -3, 3))
      .toNested(),
  ).toEqual([1, 2, -2, 0]);
  expect(await ints(lowest, -5).absolute().toNested()).toEqual([lowest, 5]);
});

test("64-bit integers are exact, signed and unsigned", async () => {
  const big = xp.array([2n ** 63n - 1n, -1n, 5n]);
  const unsigned = xp.array([2n ** 63n, 2n ** 64n - 1n, 5n], { dtype: "uint64" });
  expect(await big.add(1n).toNested()).toEqual([-(2n ** 63n), 0n, 6n]);
  expect(await big.less(unsigned).toNested()).toEqual([true, true, false]);
  expect(await unsigned.greater(big).toNested()).toEqual([true, true, false]);
  expect(await unsigned.equal(big).toNested()).toEqual([false, false, true]);
});

test("maximum and minimum propagate NaN from either operand", async () => {
  expect(
    await floats(NaN, 1, 2)
      .maximum(floats(1, NaN, 3))
      .toNested(),
  ).toEqual([NaN, NaN, 3]);
  expect(
    await floats(NaN, 1, 2)
      .minimum(floats(1, NaN, 3))
      .toNested(),
  ).toEqual([NaN, NaN, 2]);
});

test("computes logical and bitwise operators", async () => {
  expect(await floats(0, 2, NaN).logicalAnd(true).toNested()).toEqual([false, true, true]);
  expect(
    await floats(0, 2, 0)
      .logicalOr(ints(0, 0, 3))
      .toNested(),
  ).toEqual([false, true, true]);
  expect(await floats(0, 2).logicalXor(1).toNested()).toEqual([true, false]);
  expect(await ints(0, 3).logicalNot().toNested()).toEqual([true, false]);
  expect(await ints(6).bitwiseAnd(3).bitwiseOr(8).bitwiseXor(1).invert().toNested()).toEqual([-12]);
  expect(await xp.array([true, false]).invert().toNested()).toEqual([false, true]);
  expect(await ints(1, 2).notEqual(1).toNested()).toEqual([false, true]);
  expect(await ints(1, 2).lessEqual(1).toNested()).toEqual([true, false]);
  expect(await ints(1, 2).greaterEqual(2).toNested()).toEqual([false, true]);
});

test("computes functions of one operand", async () => {
  const a = floats(-1.5, 0.25, 4);
  expect(await a.negative().toNested()).toEqual([1.5, -0.25, -4]);
  expect(await a.floor().toNested()).toEqual([-2, 0, 4]);
  expect(await a.ceil().toNested()).toEqual([-1, 1, 4]);
  expect(await a.trunc().toNested()).toEqual([-1, 0, 4]);
  expect(await a.absolute().sqrt().slice("1:").toNested()).toEqual([0.5, 2]);
  for (const name of ["exp", "log", "sin", "cos", "tan", "tanh"] as const) {
    const values = await a.absolute()[name]().data();
    for (const [i, x] of [1.5, 0.25, 4].entries()) expect(values[i]).toBeCloseTo(Math[name](x), 4);
  }
});

test("rounds float16 after each operation", async () => {
  const a = xp.array([1, 2048, 0.1], { dtype: "float16" });
  expect(await a.add(a.mul(0.0004884)).slice(0).item()).toBe(1);
  expect(await a.add(1).toNested()).toEqual([2, 2048, 1.099609375]);
});

test("writes results into `out`: an operand, a view, or overlapping parts of operands", async () => {
  const a = floats(1, 2, 3, 4);
  a.add(a, { out: a });
  expect(await a.toNested()).toEqual([2, 4, 6, 8]);
  a.slice("1:").add(a.slice(":-1"), { out: a.slice("1:") });
  expect(await a.toNested()).toEqual([2, 6, 10, 14]);
  const wide = xp.zeros([2, 4], { dtype: "float32" });
  expect(a.mul(2, { out: wide.slice(1, "::-1") }).dtype.name).toBe("float32");
  expect(await wide.toNested()).toEqual([
    [0, 0, 0, 0],
    [28, 20, 12, 4],
  ]);
});

const pairInto = (out: DeviceArray): unknown => xp.divmod(ints(1, 2), 1, { out: [out, out] });

test.each<[message: string, wrong: () => unknown]>([
  ["shapes [2] and [3] cannot be broadcast together", () => ints(1, 2).add(ints(1, 2, 3))],
  ["options.out must have the shape [2] of add, received [1]", () => ints(1, 2).add(1, { out: ints(1) })],
  ["options.out must be able to store the float32 of add, received int32", () => floats(1).add(1, { out: ints(1) })],
  ["must be a value that uint8 holds", () => xp.zeros([1], { dtype: "uint8" }).add(256)],
  ["subtract does not support bool", () => xp.array([true]).sub(true)],
  ["bitwiseAnd supports only booleans and integers", () => floats(1).bitwiseAnd(floats(1))],
  ["other must be an array, a number, a bigint or a boolean", () => ints(1).add("1" as unknown as OperandLike)],
  ["other must be an array, a number, a bigint or a boolean, or a complex", () => ints(1).add({} as OperandLike)],
  ["supports only integer exponents of at most int64", () => floats(1).ldexp(floats(1))],
  ["power does not support negative exponents of integers, received -1 for int32", () => ints(2).power(-1)],
  ["gcd supports only integers, received bool and bool", () => xp.array([true]).gcd(xp.array([true]))],
  ["x or y must be a DeviceArray", () => xp.special.jn(1, 2)],
  ["shapes [2] and [3] and [1] cannot be broadcast", () => xp.where(ints(1, 2).less(2), ints(1, 2, 3), ints(1))],
  ["high must be a value that int32 holds", () => ints(1).clip(0, 2 ** 31)],
  ["clip needs low or high", () => ints(1).clip(null)],
  ["options.out must not share memory", () => pairInto(ints(1, 2))],
  ["options.out must have 2 elements", () => xp.divmod(ints(1), 1, { out: [ints(1)] as never })],
  ["is read-only", () => ints(1, 2).add(1, { out: ints(1).broadcastTo([2]) })],
])("throws: %s", (message, wrong) => {
  expect(wrong).toThrow(message);
});

test("rejects arrays of another context", () => {
  const other = new Context(context.devices);
  expect(() => ints(1).add(arrays(new CommandQueue(other)).zeros([1], { dtype: "int32" }))).toThrow(
    "other must belong to the same context",
  );
});

test("rejects float64 on devices without it", (run) => {
  needs(run, !hasDoubles, `'${queue.device.name}' has float64`);
  expect(() => ints(1).div(2)).toThrow(NotSupportedError);
});

test("supports sizes around multiples of the work-group size", async () => {
  for (const n of [1, 63, 64, 65, 255, 256, 257, 1023, 1025]) {
    const a = xp.arange(n, { dtype: "int32" });
    expect((await a.add(a.slice("::-1")).data()).every((value) => value === n - 1)).toBe(true);
  }
});
