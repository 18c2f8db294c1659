/** Types of arrays; none of this runs. */
import { type CommandQueue, type DeviceBuffer, Program } from "@cl/core";
import {
  arrays,
  type AnyArray,
  type BuiltList,
  type DeviceArray,
  ElementwiseKernel,
  ListOfListsBuilder,
  type Partitioned,
  type Promote,
  type RecordArray,
  type UserArgument,
} from "@cl/array";
import { expectTypeOf, test } from "vitest";

declare const queue: CommandQueue;
declare const buffer: DeviceBuffer<Int16Array>;
const xp = arrays(queue);
const bytes = xp.zeros([2], { dtype: "uint8" });
const ints = xp.zeros([2], { dtype: "int32" });
const longs = xp.array([1n]);
const floats = xp.array(new Float32Array(2));
declare const count: number;

test("values determine the dtype", () => {
  expectTypeOf(xp.array([[1, 2]])).toEqualTypeOf<DeviceArray<"float64">>();
  expectTypeOf(xp.array([true])).toEqualTypeOf<DeviceArray<"bool">>();
  expectTypeOf(longs).toEqualTypeOf<DeviceArray<"int64">>();
  expectTypeOf(floats).toEqualTypeOf<DeviceArray<"float32">>();
  expectTypeOf(xp.array([1], { dtype: "int8" })).toEqualTypeOf<DeviceArray<"int8">>();
});

test("data() returns the typed array of the dtype", () => {
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

test("host numbers take the array's dtype if they fit", () => {
  expectTypeOf(ints.add(2)).toEqualTypeOf<DeviceArray<"int32">>();
  expectTypeOf(ints.add(2.5)).toEqualTypeOf<DeviceArray<"float64">>();
  expectTypeOf(floats.add(2.5)).toEqualTypeOf<DeviceArray<"float32">>();
  expectTypeOf(ints.mul(count)).toEqualTypeOf<DeviceArray<"int32">>();
  expectTypeOf(bytes.add(count)).toEqualTypeOf<DeviceArray<"uint8">>();
  expectTypeOf(xp.subtract(count, ints)).toEqualTypeOf<DeviceArray<"int32">>();
  expectTypeOf(ints.div(count)).toEqualTypeOf<DeviceArray<"float64">>();
});

test("each promotion rule has an operator", () => {
  const flags = xp.array([true]);
  const halves = xp.zeros([2], { dtype: "float16" });
  const complex = xp.zeros([2], { dtype: "complex64" });
  expectTypeOf(bytes.maximum(ints)).toEqualTypeOf<DeviceArray<"int32">>();
  expectTypeOf(ints.negative()).toEqualTypeOf<DeviceArray<"int32">>();
  expectTypeOf(flags.power(flags)).toEqualTypeOf<DeviceArray<"int8">>();
  expectTypeOf(flags.floorDivide(bytes)).toEqualTypeOf<DeviceArray<"uint8">>();
  expectTypeOf(flags.leftShift(flags)).toEqualTypeOf<DeviceArray<"int8">>();
  expectTypeOf(ints.gcd(longs)).toEqualTypeOf<DeviceArray<"int64">>();
  expectTypeOf(bytes.bitwiseAnd(ints)).toEqualTypeOf<DeviceArray<"int32">>();
  expectTypeOf(ints.bitwiseCount()).toEqualTypeOf<DeviceArray<"uint8">>();
  expectTypeOf(halves.div(bytes)).toEqualTypeOf<DeviceArray<"float16">>();
  expectTypeOf(floats.floatPower(2)).toEqualTypeOf<DeviceArray<"float64">>();
  expectTypeOf(complex.exp()).toEqualTypeOf<DeviceArray<"complex64">>();
  expectTypeOf(bytes.hypot(xp.zeros([1], { dtype: "int8" }))).toEqualTypeOf<DeviceArray<"float16">>();
  expectTypeOf(floats.ldexp(longs)).toEqualTypeOf<DeviceArray<"float32">>();
  expectTypeOf(complex.angle()).toEqualTypeOf<DeviceArray<"float32">>();
  expectTypeOf(floats.ilogb()).toEqualTypeOf<DeviceArray<"int32">>();
  expectTypeOf(bytes.floor()).toEqualTypeOf<DeviceArray<"uint8">>();
  expectTypeOf(complex.absolute()).toEqualTypeOf<DeviceArray<"float32">>();
  expectTypeOf(complex.less(floats)).toEqualTypeOf<DeviceArray<"bool">>();
  expectTypeOf(floats.isnan()).toEqualTypeOf<DeviceArray<"bool">>();
  expectTypeOf(floats.signbit()).toEqualTypeOf<DeviceArray<"bool">>();
  expectTypeOf(floats.logicalAnd(ints)).toEqualTypeOf<DeviceArray<"bool">>();
});

test("operator functions accept host numbers on either side", () => {
  expectTypeOf(xp.subtract(1, ints)).toEqualTypeOf<DeviceArray<"int32">>();
  expectTypeOf(xp.subtract(1.5, ints)).toEqualTypeOf<DeviceArray<"float64">>();
  expectTypeOf(xp.divide(bytes, floats)).toEqualTypeOf<DeviceArray<"float32">>();
  expectTypeOf(xp.arctan2(bytes, 1)).toEqualTypeOf<DeviceArray<"float16">>();
  expectTypeOf(xp.sqrt(ints)).toEqualTypeOf<DeviceArray<"float64">>();
  expectTypeOf(xp.equal(1, ints)).toEqualTypeOf<DeviceArray<"bool">>();
  expectTypeOf(xp.divmod(bytes, ints)).toEqualTypeOf<[DeviceArray<"int32">, DeviceArray<"int32">]>();
  expectTypeOf(xp.frexp(bytes)).toEqualTypeOf<[DeviceArray<"float16">, DeviceArray<"int32">]>();
  expectTypeOf(xp.add(1, 2)).toEqualTypeOf<DeviceArray<"int64">>();
});

test("where and clip promote", () => {
  expectTypeOf(xp.where(ints, bytes, floats)).toEqualTypeOf<DeviceArray<"float32">>();
  expectTypeOf(xp.where(ints, 0, floats)).toEqualTypeOf<DeviceArray<"float32">>();
  expectTypeOf(bytes.hypot(3)).toEqualTypeOf<DeviceArray<"float16">>();
  expectTypeOf(bytes.hypot(3.5)).toEqualTypeOf<DeviceArray<"float64">>();
  expectTypeOf(bytes.hypot(1_000_000)).toEqualTypeOf<DeviceArray<"float16" | "float64">>();
  expectTypeOf(bytes.hypot(count)).toEqualTypeOf<DeviceArray<"float16" | "float64">>();
  expectTypeOf(ints.hypot(3)).toEqualTypeOf<DeviceArray<"float64">>();
  expectTypeOf(xp.where(ints, bytes, 0.5)).toEqualTypeOf<DeviceArray<"float64">>();
  expectTypeOf(xp.where(ints, 1, 2)).toEqualTypeOf<DeviceArray<"int64">>();
  expectTypeOf(ints.clip(0, 9)).toEqualTypeOf<DeviceArray<"int32">>();
  expectTypeOf(ints.clip([0, 1], [2, 3])).toEqualTypeOf<DeviceArray<"int64">>();
  expectTypeOf(ints.clip(null, 0.5)).toEqualTypeOf<DeviceArray<"float64">>();
  expectTypeOf(bytes.clip(ints)).toEqualTypeOf<DeviceArray<"int32">>();
});

test("complex host numbers are operands", () => {
  expectTypeOf(floats.add({ re: 1, im: 2 })).toEqualTypeOf<DeviceArray<"complex64">>();
  expectTypeOf(ints.mul({ re: 1, im: 2 })).toEqualTypeOf<DeviceArray<"complex128">>();
});

test("reductions have their dtypes", () => {
  expectTypeOf(bytes.sum()).toEqualTypeOf<DeviceArray<"uint64">>();
  expectTypeOf(ints.prod({ axis: 0 })).toEqualTypeOf<DeviceArray<"int64">>();
  expectTypeOf(floats.sum({ dtype: "float64" })).toEqualTypeOf<DeviceArray<"float64">>();
  expectTypeOf(ints.mean()).toEqualTypeOf<DeviceArray<"float64">>();
  expectTypeOf(floats.astype("complex64").var()).toEqualTypeOf<DeviceArray<"float32">>();
  expectTypeOf(floats.max({ axis: 0, keepDims: true })).toEqualTypeOf<DeviceArray<"float32">>();
  expectTypeOf(floats.argmax().item()).toEqualTypeOf<Promise<bigint>>();
  expectTypeOf(ints.any()).toEqualTypeOf<DeviceArray<"bool">>();
  expectTypeOf(ints.norm()).toEqualTypeOf<DeviceArray<"float64">>();
  expectTypeOf(ints.dot(floats)).toEqualTypeOf<DeviceArray<"float64">>();
});

test("arrays of each dtype are assignable to AnyArray", () => {
  expectTypeOf(ints).toExtend<AnyArray>();
  // @ts-expect-error strings are not operands
  ints.add("2");
});

test("custom kernels accept their declared parameters", () => {
  const kernel = new ElementwiseKernel(
    "float a, long n, const float *x, __global uchar *y, unsigned int *z, pair *p",
    "",
  );
  type Of<K extends { launch(...args: never[]): void }> = Parameters<K["launch"]>;
  expectTypeOf<Of<typeof kernel>>().toEqualTypeOf<
    [
      number,
      number | bigint,
      DeviceArray<"float32">,
      DeviceArray<"uint8"> | DeviceArray<"bool">,
      DeviceArray<"uint32">,
      AnyArray | RecordArray,
    ]
  >();
  const listed = new ElementwiseKernel(
    [
      { value: "a", dtype: "int64" },
      { array: "x", dtype: "float64" },
    ],
    "",
  );
  expectTypeOf<Of<typeof listed>>().toEqualTypeOf<[number | bigint, DeviceArray<"float64">]>();
  expectTypeOf<Of<ElementwiseKernel>>().toEqualTypeOf<UserArgument[]>();
});

test("selecting by a mask returns a promise unless `size` is given", () => {
  const mask = floats.less(1);
  expectTypeOf(floats.at([0, 1], ":2", null, longs)).toEqualTypeOf<DeviceArray<"float32">>();
  expectTypeOf(floats.at(mask)).toEqualTypeOf<Promise<DeviceArray<"float32">>>();
  expectTypeOf(floats.at(0, mask, { signal: AbortSignal.abort() })).toEqualTypeOf<Promise<DeviceArray<"float32">>>();
  expectTypeOf(floats.at(mask, { size: 3, fill: 1 })).toEqualTypeOf<DeviceArray<"float32">>();
  expectTypeOf(floats.atSync(mask, ints)).toEqualTypeOf<DeviceArray<"float32">>();
  expectTypeOf(xp.where(mask)).toEqualTypeOf<Promise<[DeviceArray<"int64">, ...DeviceArray<"int64">[]]>>();
  expectTypeOf(floats.nonzero({ size: 2 })[0]).toEqualTypeOf<DeviceArray<"int64">>();
  expectTypeOf(ints.choose([ints, floats])).toEqualTypeOf<DeviceArray<"float64">>();
  expectTypeOf(ints.setAt(mask, 1)).toEqualTypeOf<typeof ints>();
  // @ts-expect-error fractions are not indices
  void floats.at(floats);
  void longs.at(mask, { size: 3, fill: 1 });
  // @ts-expect-error a boolean is not an integer
  void longs.at(mask, { size: 3, fill: true });
  // @ts-expect-error the selected elements have the array's dtype
  void floats.at(mask, { size: 3, dtype: "float64" });
  // @ts-expect-error positions are always int64
  void floats.nonzero({ size: 2, dtype: "int32" });
});

test("joined arrays have the promoted dtype", () => {
  expectTypeOf(xp.concatenate([bytes, ints])).toEqualTypeOf<DeviceArray<"int32">>();
  expectTypeOf(xp.stack([ints, floats, bytes])).toEqualTypeOf<DeviceArray<"float64">>();
  expectTypeOf(xp.concatenate([bytes, ints], { dtype: "float32" })).toEqualTypeOf<DeviceArray<"float32">>();
  const several: DeviceArray<"int16">[] = [];
  expectTypeOf(xp.vstack(several)).toEqualTypeOf<DeviceArray<"int16">>();
  expectTypeOf(xp.append(bytes, floats)).toEqualTypeOf<DeviceArray<"float32">>();
  expectTypeOf(xp.split(ints, 2)).toEqualTypeOf<DeviceArray<"int32">[]>();
  expectTypeOf(xp.broadcastArrays(ints, floats)).toEqualTypeOf<
    readonly [DeviceArray<"int32">, DeviceArray<"float32">]
  >();
  expectTypeOf(xp.meshgrid([ints, floats])).toEqualTypeOf<[DeviceArray<"int32">, DeviceArray<"float32">]>();
});

test("views and copies keep the dtype or have the requested one", () => {
  expectTypeOf(ints.rot90().diagonal()).toEqualTypeOf<DeviceArray<"int32">>();
  expectTypeOf(ints.viewAs("float32")).toEqualTypeOf<DeviceArray<"float32">>();
  expectTypeOf(xp.pad(floats, 1, { value: 2 })).toEqualTypeOf<DeviceArray<"float32">>();
  expectTypeOf(xp.pad(longs, 1, { value: 2 })).toEqualTypeOf<DeviceArray<"int64">>();
  // @ts-expect-error a boolean is not an integer
  xp.pad(longs, 1, { value: true });
  expectTypeOf(xp.zerosLike(ints)).toEqualTypeOf<DeviceArray<"int32">>();
  expectTypeOf(xp.zerosLike(ints, { dtype: "bool" })).toEqualTypeOf<DeviceArray<"bool">>();
  expectTypeOf(xp.indices([2, 2])).toEqualTypeOf<DeviceArray<"int64">>();
  expectTypeOf(xp.linspace(0, 1, 5, { dtype: "float32" })).toEqualTypeOf<DeviceArray<"float32">>();
});

test("foreign memory and arrays have their dtype if they declare it", () => {
  expectTypeOf(xp.asArray(buffer)).toEqualTypeOf<DeviceArray<"int16">>();
  expectTypeOf(xp.asArray(buffer, { dtype: "int8" })).toEqualTypeOf<DeviceArray<"int8">>();
  expectTypeOf(xp.asArray(ints)).toEqualTypeOf<DeviceArray<"int32">>();
  const scijs = { data: new Float32Array(1), shape: [1], stride: [1], offset: 0 };
  expectTypeOf(xp.array(scijs)).toEqualTypeOf<DeviceArray<"float32">>();
});

test("typed kernels only accept arrays of their element types", () => {
  const scale = new Program(queue.context, "__kernel void scale(float by, __global float *x) {}").kernel("scale");
  type Pointer = Parameters<typeof scale.launch>[3];
  expectTypeOf(floats).toExtend<Pointer>();
  expectTypeOf(xp.readOnly(floats)).toExtend<Pointer>();
  expectTypeOf(ints).not.toExtend<Pointer>();
  expectTypeOf<DeviceArray>().toExtend<Pointer>();
});

test("numbers fill arrays of complex numbers and 64-bit integers", () => {
  const complex = xp.zeros([2], { dtype: "complex64" });
  expectTypeOf(complex.assign(0)).toEqualTypeOf<DeviceArray<"complex64">>();
  expectTypeOf(xp.full([2], 0, { dtype: "complex64" })).toEqualTypeOf<DeviceArray<"complex64">>();
  expectTypeOf(xp.full([2], 0, { dtype: "int64" })).toEqualTypeOf<DeviceArray<"int64">>();
  expectTypeOf(longs.assign(0)).toEqualTypeOf<DeviceArray<"int64">>();
  expectTypeOf(longs.setAt([0], 1)).toEqualTypeOf<DeviceArray<"int64">>();
  // @ts-expect-error -- real numbers have no imaginary part
  floats.assign({ re: 0, im: 1 });
  // @ts-expect-error -- a boolean is not an integer
  longs.assign(true);
});

test("arrays are not iterable, because their elements have to be waited for", () => {
  const records = xp.records("float2", [2]);
  // @ts-expect-error -- await floats.toNested()
  for (const one of floats) expectTypeOf(one).toBeNumber();
  // @ts-expect-error -- await floats.toNested()
  const spread = [...floats];
  // @ts-expect-error -- await records.toNested()
  const [first] = records;
  expectTypeOf([spread, first]).toBeArray();
});

test("eigenvalues and roots are complex, text files float64, and counts int64", () => {
  expectTypeOf(xp.linalg.eigvals(floats)).toEqualTypeOf<DeviceArray<"complex64">>();
  expectTypeOf(xp.linalg.eig(ints)).toEqualTypeOf<[w: DeviceArray<"complex128">, v: DeviceArray<"complex128">]>();
  expectTypeOf(xp.roots(floats)).toEqualTypeOf<Promise<DeviceArray<"complex64">>>();
  expectTypeOf(xp.polyfit(floats, ints, 2)).toEqualTypeOf<DeviceArray<"float64">>();
  expectTypeOf(xp.polyval(floats, floats)).toEqualTypeOf<DeviceArray<"float32">>();
  expectTypeOf(xp.loadtxt("a.csv", { delimiter: "," })).toEqualTypeOf<Promise<DeviceArray<"float64">>>();
  expectTypeOf(xp.loadtxt("a.csv", { dtype: "int64" })).toEqualTypeOf<Promise<DeviceArray<"int64">>>();
  expectTypeOf(xp.random(1).multinomial([2], { n: 1, pvals: [1] })).toEqualTypeOf<DeviceArray<"int64">>();
  expectTypeOf(xp.random(1).beta([2], { a: 1, b: 2, dtype: "float32" })).toEqualTypeOf<DeviceArray<"float32">>();
});

test("a call with `size` does not return a promise", () => {
  expectTypeOf(xp.copyIf(floats, "a[i] > 0")).toEqualTypeOf<Promise<DeviceArray<"float32">>>();
  expectTypeOf(xp.copyIf(floats, "a[i] > 0", { size: 3 })).toEqualTypeOf<DeviceArray<"float32">>();
  expectTypeOf(xp.partitionIf(ints, (a) => a.less(3))).toEqualTypeOf<Promise<Partitioned<"int32">>>();
  expectTypeOf(xp.bincount(ints, { size: 3 })).toEqualTypeOf<DeviceArray<"int64">>();
  expectTypeOf(xp.bincount(ints)).toEqualTypeOf<Promise<DeviceArray<"int64">>>();
});

test("`parameters` determines the types of the arguments", () => {
  const selected = xp.copyIf(floats, "a[i] > x", { parameters: "float x, const int *y", args: [1, ints] });
  expectTypeOf(selected).toEqualTypeOf<Promise<DeviceArray<"float32">>>();
  // @ts-expect-error -- a string is not a number
  void xp.copyIf(floats, "a[i] > x", { parameters: "float x", args: ["one"] });
  // @ts-expect-error -- a predicate must return booleans
  void xp.copyIf(floats, (a) => a.add(1));
});

test("results have the types of the requested parts", () => {
  expectTypeOf(xp.histogram(floats, 3)).toEqualTypeOf<[DeviceArray<"int64">, DeviceArray<"float32">]>();
  expectTypeOf(xp.histogram(ints, floats)[1]).toEqualTypeOf<DeviceArray<"float32">>();
  expectTypeOf(xp.histogram(ints, 3, { weights: floats })[0]).toEqualTypeOf<DeviceArray<"float32">>();
  expectTypeOf(xp.histogram(ints, "auto")).resolves.toEqualTypeOf<[DeviceArray<"int64">, DeviceArray<"float64">]>();
  expectTypeOf(xp.unique(ints)).toEqualTypeOf<Promise<DeviceArray<"int32">>>();
  expectTypeOf(xp.unique(ints, { returnCounts: true }))
    .resolves.toHaveProperty("counts")
    .toEqualTypeOf<DeviceArray<"int64">>();
  expectTypeOf(ints.median()).toEqualTypeOf<DeviceArray<"float64">>();
  expectTypeOf(ints.quantile(0.5, { method: "lower" })).toEqualTypeOf<DeviceArray<"int32">>();
  expectTypeOf(ints.quantile([0, 1])).toEqualTypeOf<DeviceArray<"float64">>();
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
  void builder.build({ objects: 3 }, ints);
});
