/** Types of selection, counting and searching. */
import { type BuiltList, type DeviceArray, ListOfListsBuilder, type Partitioned } from "@cl/array";
import { expectTypeOf, test } from "vitest";

import { xp } from "./support/device.js";

declare const floats: DeviceArray<"float32">;
declare const integers: DeviceArray<"int32">;

test("a call with `size` does not return a promise", () => {
  expectTypeOf(xp.copyIf(floats, "a[i] > 0")).toEqualTypeOf<Promise<DeviceArray<"float32">>>();
  expectTypeOf(xp.copyIf(floats, "a[i] > 0", { size: 3 })).toEqualTypeOf<DeviceArray<"float32">>();
  expectTypeOf(xp.partitionIf(integers, (a) => a.less(3))).toEqualTypeOf<Promise<Partitioned<"int32">>>();
  expectTypeOf(xp.bincount(integers, { size: 3 })).toEqualTypeOf<DeviceArray<"int64">>();
  expectTypeOf(xp.bincount(integers)).toEqualTypeOf<Promise<DeviceArray<"int64">>>();
});

test("`parameters` determines the types of the arguments", () => {
  const selected = xp.copyIf(floats, "a[i] > x", { parameters: "float x, const int *y", args: [1, integers] });
  expectTypeOf(selected).toEqualTypeOf<Promise<DeviceArray<"float32">>>();
  // @ts-expect-error -- a string is not a number
  void xp.copyIf(floats, "a[i] > x", { parameters: "float x", args: ["one"] });
  // @ts-expect-error -- a predicate must return booleans
  void xp.copyIf(floats, (a) => a.add(1));
});

test("results have the types of the requested parts", () => {
  expectTypeOf(xp.histogram(floats, 3)).toEqualTypeOf<[DeviceArray<"int64">, DeviceArray<"float32">]>();
  expectTypeOf(xp.histogram(integers, floats)[1]).toEqualTypeOf<DeviceArray<"float32">>();
  expectTypeOf(xp.histogram(integers, 3, { weights: floats })[0]).toEqualTypeOf<DeviceArray<"float32">>();
  expectTypeOf(xp.histogram(integers, "auto")).resolves.toEqualTypeOf<[DeviceArray<"int64">, DeviceArray<"float64">]>();
  expectTypeOf(xp.unique(integers)).toEqualTypeOf<Promise<DeviceArray<"int32">>>();
  expectTypeOf(xp.unique(integers, { returnCounts: true }))
    .resolves.toHaveProperty("counts")
    .toEqualTypeOf<DeviceArray<"int64">>();
  expectTypeOf(integers.median()).toEqualTypeOf<DeviceArray<"float64">>();
  expectTypeOf(integers.quantile(0.5, { method: "lower" })).toEqualTypeOf<DeviceArray<"int32">>();
  expectTypeOf(integers.quantile([0, 1])).toEqualTypeOf<DeviceArray<"float64">>();
  expectTypeOf(floats.topk(2)).toEqualTypeOf<[values: DeviceArray<"float32">, indices: DeviceArray<"int64">]>();
});

test("lists have their declared types, and omitted ones are absent", () => {
  const builder = new ListOfListsBuilder("const float *x", { near: "int32", far: "float32" }, "");
  const both = builder.build({ objects: 3 }, floats);
  expectTypeOf(both).resolves.toHaveProperty("near").toEqualTypeOf<BuiltList<"int32">>();
  const one = builder.build({ objects: 3, omit: ["near"] }, floats);
  expectTypeOf(one).resolves.toHaveProperty("far").toEqualTypeOf<BuiltList<"float32">>();
  expectTypeOf(one).resolves.not.toHaveProperty("near");
  // @ts-expect-error -- there is no such list
  void builder.build({ objects: 3, omit: ["none"] }, floats);
  // @ts-expect-error -- the array has another dtype
  void builder.build({ objects: 3 }, integers);
});
