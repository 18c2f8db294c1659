/** Arrays of structs and vectors: stored, viewed, copied and printed, with fields as arrays over the same memory. */
import { DeviceBuffer, dtype, type DTypeValue, Program, structType } from "@cl/core";
import type { DeviceArray, RecordArray } from "@cl/array";
import { expect, test } from "vitest";

import { context, xp } from "./support/device.js";
import { outOfRange, wrongState, wrongType } from "@cl/testing/error-like";
import { evalTexts, needsNumPy } from "./support/numpy-eval.js";

const inner = structType("inner", { a: "int16", b: "uint8" });
const particle = structType("particle", {
  position: "float3",
  mass: "float32",
  tags: ["int32", 2],
  inside: inner,
});
const value = (i: number): never =>
  ({ position: [i, i + 0.5, 0 - i], mass: i / 2, tags: [i, 0 - i], inside: { a: 0 - i, b: i } }) as never;
const particles = (count: number): RecordArray =>
  xp.recordsFrom(Array.from({ length: count }, (_, i) => value(i)) as never, particle);

test("struct values round-trip", async () => {
  const all = particles(5);
  expect([all.shape, all.size, all.itemSize, all.nbytes]).toEqual([[5], 5, particle.itemSize, 5 * particle.itemSize]);
  expect(await all.toNested()).toEqual([0, 1, 2, 3, 4].map(value));
  expect(await all.slice("::-2").toNested()).toEqual([4, 2, 0].map(value));
  expect(await all.slice(3).item()).toEqual(value(3));
  expect(String(all)).toBe("RecordArray { particle [5] }");
  expect((await xp.records(particle, [2, 3]).data()).every((byte) => byte === 0)).toBe(true);
});

test("fields are arrays over the same memory", async () => {
  const all = particles(4).reshape([2, 2]);
  const mass = all.field<"float32">("mass");
  expect([mass.shape, mass.dtype.name]).toEqual([[2, 2], "float32"]);
  expect(mass.strides).toEqual([2 * particle.itemSize, particle.itemSize]);
  mass.mul(10, { out: mass });
  expect(await mass.data()).toEqual(Float32Array.of(0, 5, 10, 15));
  const positions = all.field("position").sum({ axis: [0, 1] });
  expect(await positions.toNested()).toEqual([6, 8, -6]);
  expect(await all.T.field("tags").slice(1).data()).toEqual(Int32Array.of(1, -1, 3, -3));
  const a = all.record("inside").field("a");
  a.assign(7);
  expect(await all.slice(1, 1).item()).toEqual({ ...(value(3) as object), mass: 15, inside: { a: 7, b: 3 } });
});

test("assigns and copies structs, through views and from overlapping ones", async () => {
  const all = particles(6);
  using copy = all.copy();
  all.slice(":3").assign(all.slice("1:4"));
  expect(await all.toNested()).toEqual([1, 2, 3, 3, 4, 5].map(value));
  all.slice("::2").assign(copy.slice(5));
  expect(await all.toNested()).toEqual([5, 2, 5, 3, 5, 5].map(value));
  all.assign(value(9));
  expect(await all.reshape([2, 3]).T.slice(0).toNested()).toEqual([9, 9].map(value));
  expect(await copy.slice("...").broadcastTo([2, 6]).slice(1, 2).item()).toEqual(value(2));
});

test("vector components are arrays that support all operators", async () => {
  const v = xp.recordsFrom(Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8), "float4");
  expect([v.shape, v.components.shape, v.dtype.name]).toEqual([[2], [2, 4], "float32x4"]);
  const doubled = v.components.mul(2) as DeviceArray<"float32">;
  const w = xp.asRecords(doubled, "float4");
  expect(await w.slice(1).item()).toEqual([10, 12, 14, 16]);
  expect(await w.data()).toEqual(Float32Array.of(2, 4, 6, 8, 10, 12, 14, 16));
  expect(await xp.recordsFrom([[1, 2, 3]], "int3").components.toNested()).toEqual([[1, 2, 3]]);
  expect(await v.T.format()).toBe("[[1. 2. 3. 4.]\n [5. 6. 7. 8.]]");
});

test("kernels accept struct arrays, and foreign memory can be viewed as structs", async () => {
  const program = new Program(
    context,
    `${particle.cDeclaration}
    __kernel void grow(__global particle *p) { p[get_global_id(0)].mass += 1; p[get_global_id(0)].position *= 2; }`,
  ).buildSync();
  const all = particles(3);
  xp.launch(program.kernel("grow"), { global: 3 }, all);
  expect(await all.field("mass").toNested()).toEqual([1, 1.5, 2]);
  expect(await all.field("position").slice(2).toNested()).toEqual([4, 5, -4]);
  using buffer = new DeviceBuffer(context, { host: Int32Array.of(1, 2, 3, 4), hostPointer: "copy" });
  expect(await xp.asRecords(buffer, "int2").slice(1).item()).toEqual([3, 4]);
});

test("prints structs as NumPy does", async (run) => {
  needsNumPy(run);
  const type = structType("mixed", { mass: "float32", tags: ["int32", 2], single: "bool" });
  const alone = structType("alone", { mass: "float32" });
  const rows = [
    { mass: 0.5, tags: [1, -20], single: true },
    { mass: 10, tags: [3, 4], single: false },
  ];
  const mixed = `np.array([(0.5, [1, -20], True), (10, [3, 4], False)], [("mass", "f4"), ("tags", "i4", 2), ("single", "?")])`;
  const [table, single, long] = evalTexts([
    `str(${mixed})`,
    `str(np.array([(0.5,), (2,)], [("mass", "f4")]))`,
    `str(np.zeros(2000, [("x", "f4"), ("y", "i4")]))`,
  ]);
  expect(await xp.recordsFrom(rows as never, type).format()).toBe(table);
  expect(await xp.recordsFrom([{ mass: 0.5 }, { mass: 2 }] as never, alone).format()).toBe(single);
  expect(await xp.records(structType("two", { x: "float32", y: "int32" }), 2000).format()).toBe(long);
});

test.each<[name: string, call: () => unknown, error: Error]>([
  ["a scalar type", () => xp.records("float32", 1), wrongType("type")],
  ["an unknown field", () => particles(1).field("weight"), outOfRange("name")],
  ["a struct as a scalar field", () => particles(1).field("inside"), wrongType()],
  ["a number as a struct", () => particles(1).record("mass"), wrongType()],
  ["components of structs", () => particles(1).components, wrongType("particle")],
  ["a field of vectors", () => xp.records("int2", 1).field("x"), wrongType("int32x2")],
  ["another element type", () => particles(1).assign(xp.records("int2", 1)), wrongType()],
  ["another shape", () => particles(2).assign(particles(3)), outOfRange()],
  ["a broadcast target", () => particles(1).broadcastTo([2]).assign(particles(1)), wrongState()],
  ["too short an axis", () => xp.asRecords(xp.zeros([3], { dtype: "float32" }), dtype("float4")), outOfRange()],
])("rejects %s", (_, call, error) => {
  expect(call).toThrow(error);
});

const tight = structType(
  "tight",
  { a: "uint8", b: "float32", c: ["int16", 2], d: "float4", e: "complex64", f: "uint64" },
  { packed: true },
);
const tightRow = (i: number): Record<string, DTypeValue> => ({
  a: i,
  b: i + 0.5,
  c: [i, -i],
  d: [i, 2, 3, 4],
  e: { re: i, im: 1 },
  f: BigInt(i),
});

test("reads fields of packed structs at any offset", { tags: "ci" }, async () => {
  const all = xp.recordsFrom([0, 1, 2, 3].map(tightRow), tight);
  expect(await all.field("a").toNested()).toEqual([0, 1, 2, 3]);
  const b = all.field<"float32">("b");
  expect([b.dtype.name, b.shape]).toEqual(["float32", [4]]);
  expect(await b.toNested()).toEqual([0.5, 1.5, 2.5, 3.5]);
  expect(await b.add(1).sum().item()).toBe(12);
  expect(await all.slice("::-2").field("c").data()).toEqual(Int16Array.of(3, -3, 1, -1));
  expect(await all.reshape([2, 2]).T.field("e").slice(1, 0).item()).toEqual({ re: 1, im: 1 });
  expect(await all.field("f").toNested()).toEqual([0n, 1n, 2n, 3n]);
  expect(await all.record("d").components.slice(2).toNested()).toEqual([2, 2, 3, 4]);
  expect((await all.slice([0, 0]).field("b").data()).length).toBe(0);
});

test("sets fields of packed structs in place, and copies of them are read-only", { tags: "ci" }, async () => {
  const all = xp.recordsFrom([0, 1, 2, 3].map(tightRow), tight);
  all
    .setField("b", xp.array([9, 8, 7, 6], { dtype: "float32" }))
    .setField("f", 5)
    .setField("a", 1);
  all.slice("::2").setField("c", xp.array([10, 20], { dtype: "int64" }));
  expect(await all.toNested()).toEqual([
    { ...tightRow(0), a: 1, b: 9, c: [10, 20], f: 5n },
    { ...tightRow(1), a: 1, b: 8, f: 5n },
    { ...tightRow(2), a: 1, b: 7, c: [10, 20], f: 5n },
    { ...tightRow(3), a: 1, b: 6, f: 5n },
  ]);
  expect(all.field("b").readonly).toBe(true);
  expect(() => all.field("b").assign(1)).toThrow(wrongState());
  expect(all.field("a").readonly).toBe(false);
  expect(() => all.slice(0).broadcastTo([2]).setField("b", 1)).toThrow(wrongState());
  expect(() => all.setField("b", xp.zeros([3], { dtype: "float32" }))).toThrow(outOfRange());
});
