import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { dtype, DType } from "@cl/core";
import { outOfRange, wrongType } from "@cl/testing/error-like";

const scalars = [
  // NumPy name, C name, NumPy short name, bytes, typed array
  ["int8", "char", "i1", 1, Int8Array],
  ["uint8", "uchar", "u1", 1, Uint8Array],
  ["int16", "short", "i2", 2, Int16Array],
  ["uint16", "ushort", "u2", 2, Uint16Array],
  ["int32", "int", "i4", 4, Int32Array],
  ["uint32", "uint", "u4", 4, Uint32Array],
  ["int64", "long", "i8", 8, BigInt64Array],
  ["uint64", "ulong", "u8", 8, BigUint64Array],
  ["float32", "float", "f4", 4, Float32Array],
  ["float64", "double", "f8", 8, Float64Array],
] as const;

describe.each(scalars)("the type %s", (name, cName, short, bytes, Elements) => {
  test("is the same object for each of its names", () => {
    const type = dtype(name);
    expect(type).toBeInstanceOf(DType);
    for (const like of [type, cName, short, `<${short}`, `=${short}`, `|${short}`, Elements]) {
      expect(dtype(like)).toBe(type);
    }
  });

  test("has names, an item size and an array type", () => {
    expect(dtype(name)).toMatchObject({
      name,
      cName,
      itemSize: bytes,
      alignment: bytes,
      arrayType: Elements,
      componentCount: 1,
      width: 1,
      kind: name.startsWith("u") ? "uint" : name.startsWith("i") ? "int" : "float",
    });
    expect(dtype(name).base).toBe(dtype(name));
    expect([dtype(name).toString(), inspect(dtype(name))]).toEqual([name, `DType ${name}`]);
  });

  test.each([2, 3, 4, 8, 16])("has vectors of width %i aligned to their size", (width) => {
    const vector = dtype(`${name}x${width}`);
    const room = width === 3 ? 4 : width;
    expect(vector).toMatchObject({
      name: `${name}x${width}`,
      cName: `${cName}${width}`,
      kind: "vector",
      itemSize: bytes * room,
      alignment: bytes * room,
      arrayType: Elements,
      componentCount: room,
      width,
    });
    expect(vector.base).toBe(dtype(name));
    expect(dtype(vector)).toBe(vector);
  });
});

test("multi-word C names are aliases", () => {
  const words = [
    "unsigned int",
    "unsigned  long int",
    "signed char",
    "unsigned",
    "signed short int",
    "double3",
    "half8",
  ];
  const names = ["uint32", "uint64", "int8", "uint32", "int16", "float64x3", "float16x8"];
  expect(words.map((word) => dtype(word).name)).toEqual(names);
});

test("platform-independent NumPy codes and names are aliases", () => {
  const words = "b B h H i I q Q e f <d F D ? bool_ byte single ulonglong".split(" ");
  const names =
    "int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 float32 float64 complex64 complex128 bool bool int8 " +
    "float32 uint64";
  expect(words.map((word) => dtype(word).name)).toEqual(names.split(" "));
});

test("half, bool and complex types have the right sizes and kinds", () => {
  const Halves = (globalThis as Record<string, unknown>)["Float16Array"] ?? Uint16Array;
  expect(dtype("half")).toMatchObject({
    name: "float16",
    cName: "half",
    itemSize: 2,
    kind: "float",
    arrayType: Halves,
  });
  expect(dtype("bool")).toMatchObject({ cName: "uchar", itemSize: 1, kind: "bool", arrayType: Uint8Array });
  expect(dtype("c8")).toMatchObject({ name: "complex64", cName: "float2", itemSize: 8, alignment: 8, kind: "complex" });
  expect(dtype("c16")).toMatchObject({ name: "complex128", cName: "double2", itemSize: 16, arrayType: Float64Array });
  expect(dtype("complex64").base).toBe(dtype("float32"));
  expect(dtype("complex64").componentCount).toBe(2);
});

test("unknown types throw an error that names the argument", () => {
  const words = ["", "f3", "float5", "float32x5", "constructor", "__proto__", "toString2", "bool4", "complex64x2"];
  // Big-endian types, and types that differ between platforms or devices.
  const unsupported = [">f4", "!i8", "l", "size_t"];
  for (const wrong of [...words, ...unsupported, null, {}, 5, Array]) {
    expect(() => dtype(wrong as never)).toThrow(wrongType("type"));
  }
});

describe("a value in memory", () => {
  const view = (): DataView => new DataView(new ArrayBuffer(32));

  test("is not written at all if any component is invalid", () => {
    const memory = view();
    expect(() => dtype("uchar4").set(memory, 0, [1, 2, 256, 4])).toThrow(outOfRange("value[2]"));
    expect(() => dtype("uchar4").set(memory, 0, [1, 2])).toThrow(wrongType("value"));
    expect(new Uint8Array(memory.buffer).every((byte) => byte === 0)).toBe(true);
  });

  test("cannot be accessed outside the view", () => {
    const outside = outOfRange("byteOffset");
    expect(() => dtype("float4").get(view(), 17)).toThrow(outside);
    expect(() => dtype("float4").set(view(), -1, [1, 2, 3, 4])).toThrow(outside);
  });
});
