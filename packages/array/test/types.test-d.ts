/** What the type checker knows of arrays; none of this runs. */
import type { CommandQueue } from "@cl/core";
import { arrays, type AnyArray, type DeviceArray, type Promote } from "@cl/array";
import { expectTypeOf, test } from "vitest";

declare const queue: CommandQueue;
const xp = arrays(queue);
const bytes = xp.zeros([2], { dtype: "uint8" });
const ints = xp.zeros([2], { dtype: "int32" });
const longs = xp.array([1n]);
const floats = xp.array(new Float32Array(2));

test("values say what their elements are", () => {
  expectTypeOf(xp.array([[1, 2]])).toEqualTypeOf<DeviceArray<"float64">>();
  expectTypeOf(xp.array([true])).toEqualTypeOf<DeviceArray<"bool">>();
  expectTypeOf(longs).toEqualTypeOf<DeviceArray<"int64">>();
  expectTypeOf(floats).toEqualTypeOf<DeviceArray<"float32">>();
  expectTypeOf(xp.array([1], { dtype: "int8" })).toEqualTypeOf<DeviceArray<"int8">>();
});

test("data is the typed array of the elements", () => {
  expectTypeOf(longs.data()).toEqualTypeOf<Promise<BigInt64Array<ArrayBuffer>>>();
  expectTypeOf(floats.data()).toEqualTypeOf<Promise<Float32Array<ArrayBuffer>>>();
  expectTypeOf(longs.item()).toEqualTypeOf<Promise<bigint>>();
});

test("operands promote", () => {
  expectTypeOf<Promote<"int64", "uint64">>().toEqualTypeOf<"float64">();
  expectTypeOf(bytes.add(ints)).toEqualTypeOf<DeviceArray<"int32">>();
  expectTypeOf(ints.add(floats)).toEqualTypeOf<DeviceArray<"float64">>();
  expectTypeOf(ints.div(bytes)).toEqualTypeOf<DeviceArray<"float64">>();
  expectTypeOf(floats.less(ints)).toEqualTypeOf<DeviceArray<"bool">>();
  expectTypeOf(bytes.sqrt()).toEqualTypeOf<DeviceArray<"float16">>();
});

test("values of the host take the array's type where they fit", () => {
  expectTypeOf(ints.add(2)).toEqualTypeOf<DeviceArray<"int32">>();
  expectTypeOf(ints.add(2.5)).toEqualTypeOf<DeviceArray<"float64">>();
  expectTypeOf(floats.add(2.5)).toEqualTypeOf<DeviceArray<"float32">>();
  expectTypeOf(ints.add(Math.random())).toEqualTypeOf<DeviceArray<"int32" | "float64">>();
});

test("arrays of each type are arrays", () => {
  expectTypeOf(ints).toExtend<AnyArray>();
  // @ts-expect-error strings are no operands
  ints.add("2");
});
