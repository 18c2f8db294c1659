import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { dtype, DType } from "@cl/core";
import { errorLike } from "@cl/testing/error-like";

import { thrownBy } from "./support/kernels.js";

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
  for (const [spelled, name] of [
    ["unsigned int", "uint32"],
    ["unsigned  long int", "uint64"],
    ["signed char", "int8"],
    ["unsigned", "uint32"],
    ["signed short int", "int16"],
    ["float4", "float32x4"],
    ["double3", "float64x3"],
    ["half8", "float16x8"],
    ["uchar16", "uint8x16"],
    ["float8", "float32x8"],
  ] as const) {
    expect(dtype(spelled)).toBe(dtype(name));
  }
});

test("platform-independent NumPy codes and names are aliases", () => {
  for (const [word, name] of Object.entries({
    b: "int8",
    B: "uint8",
    h: "int16",
    H: "uint16",
    i: "int32",
    I: "uint32",
    q: "int64",
    Q: "uint64",
    e: "float16",
    f: "float32",
    "<d": "float64",
    F: "complex64",
    D: "complex128",
    "?": "bool",
    bool_: "bool",
    byte: "int8",
    single: "float32",
    ulonglong: "uint64",
  })) {
    expect(dtype(word)).toBe(dtype(name));
  }
});

test("names that NumPy and C define differently have NumPy's meaning", () => {
  expect(dtype("int8").itemSize).toBe(1);
  expect(dtype("uint16").itemSize).toBe(2);
  expect(dtype("float16").itemSize).toBe(2);
  expect(dtype("int32x8").cName).toBe("int8");
  expect(dtype("float32x16").cName).toBe("float16");
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

test("a type equals only itself", () => {
  expect(dtype("float").equals(dtype("f4"))).toBe(true);
  expect(dtype("float").equals(dtype("int"))).toBe(false);
  expect(dtype("float").equals("float")).toBe(false);
});

test("types are frozen", () => {
  expect(() => Object.assign(dtype("float"), { itemSize: 8 })).toThrow(TypeError);
});

test("unknown types throw an error that names the argument", () => {
  expect(thrownBy(() => dtype("float5")).message).toBe(
    `type must be the name of an element type such as "float32", "f4", "float" or "float4", received string 'float5'`,
  );
  expect(thrownBy(() => dtype(5 as never)).message).toMatch(
    /^type must be a DType, the name of one such as "float32", or/,
  );
  for (const name of [">f4", "!i8"]) {
    expect(thrownBy(() => dtype(name)).message).toMatch(/^type must be a little-endian type/);
  }
  expect(thrownBy(() => dtype("l")).message).toContain("differs between platforms");
  expect(thrownBy(() => dtype("size_t")).message).toContain("differs between devices");
  for (const wrong of [
    "",
    "f3",
    "float32x5",
    "constructor",
    "__proto__",
    "toString2",
    "bool4",
    "complex64x2",
    null,
    {},
  ]) {
    expect(() => dtype(wrong as never)).toThrow(TypeError);
  }
  expect(() => dtype(Array as never)).toThrow(TypeError);
});

describe("a value in memory", () => {
  const view = (): DataView => new DataView(new ArrayBuffer(32));

  test("is read as it was stored", () => {
    for (const [name, value] of [
      ["float3", [1, 2, 3]],
      ["complex64", { re: 1, im: -2 }],
      ["int64", 2n ** 62n + 1n],
      ["bool", true],
      ["half", 1.5],
      ["long2", [1n, -1n]],
    ] as const) {
      const memory = view();
      dtype(name).set(memory, 8, value);
      expect(dtype(name).get(memory, 8)).toEqual(value);
    }
  });

  test("is not written at all if any component is invalid", () => {
    const memory = view();
    expect(thrownBy(() => dtype("uchar4").set(memory, 0, [1, 2, 256, 4])).message).toBe(
      "value[2] must be an integer from 0 to 255, received number 256",
    );
    expect(thrownBy(() => dtype("uchar4").set(memory, 0, [1, 2])).message).toBe(
      "value must be an array of length 4, received length 2",
    );
    expect(new Uint8Array(memory.buffer).every((byte) => byte === 0)).toBe(true);
  });

  test("cannot be accessed outside the view", () => {
    expect(thrownBy(() => dtype("float4").get(view(), 17)).message).toBe(
      "byteOffset must leave 16 bytes for a float32x4 in the view of 32 bytes, received 17",
    );
    expect(() => dtype("float4").set(view(), -1, [1, 2, 3, 4])).toThrow(
      errorLike(RangeError, "ERR_OUT_OF_RANGE", "byteOffset"),
    );
    expect(() => dtype("float4").get(new Uint8Array(32) as never, 0)).toThrow(
      errorLike(TypeError, "ERR_INVALID_ARG_TYPE", "view"),
    );
  });
});
