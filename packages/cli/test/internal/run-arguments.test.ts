import { describe, expect, test } from "vitest";

import { readArgument, readNumber } from "../../src/commands/run/argument-text.js";
import { elementOf } from "../../src/commands/run/parameters.js";

describe("numbers", () => {
  test.each([
    ["3", 3n],
    ["-3", -3n],
    ["+3", 3n],
    ["3u", 3n],
    ["3UL", 3n],
    ["0", 0],
    ["-0", -0],
    ["0x1f", 31n],
    ["-0X1F", -31n],
    ["0b101", 5n],
    ["18446744073709551615", 18446744073709551615n],
    ["2.5", 2.5],
    ["-2.5f", -2.5],
    ["3f", 3],
    [".5", 0.5],
    ["5.", 5],
    ["1e-3", 0.001],
    ["1.5E+3h", 1500],
    ["inf", Infinity],
    ["-Infinity", -Infinity],
    ["nan", Number.NaN],
  ])("%s", (text, value) => {
    expect(readNumber(text)).toBe(value);
  });

  test.each(["", ".", "-", "1e", "0x", "1,", "1 2", "3ff", "0b2", "e5", "Infinit", "1_000", "--1"])(
    "%j is not a number",
    (text) => {
      expect(readNumber(text)).toBeUndefined();
    },
  );
});

describe("arguments", () => {
  test.each([
    ["1,2.5,-3", { kind: "numbers", numbers: [1n, 2.5, -3n] }],
    ["null", { kind: "null" }],
    ["local:256", { kind: "local", size: 256 }],
    ["local:float4[8]", { kind: "local", size: { element: "float4", shape: [8] } }],
    ["a b.NPY", { kind: "memory", content: { from: "file", path: "a b.NPY" }, result: false }],
    [
      "out:[2, 3]",
      { kind: "memory", content: { from: "zeros", type: { element: undefined, shape: [2, 3] } }, result: true },
    ],
    ["inout:x.npy", { kind: "memory", content: { from: "file", path: "x.npy" }, result: true }],
    [
      "inout:rand:unsigned int[2]",
      { kind: "memory", content: { from: "rand", type: { element: "unsigned int", shape: [2] } }, result: true },
    ],
  ])("%s", (text, argument) => {
    expect(readArgument(text)).toEqual(argument);
  });

  test.each([
    "",
    "1,,2",
    "x",
    "zeros:",
    "rand:[]",
    "out:[1,]",
    "out:[-1]",
    "out:[1.5]",
    "out:[1]x",
    "local:",
    "inout:1",
  ])("%j is not an argument", (text) => {
    expect(() => readArgument(text)).toThrow(JSON.stringify(text));
  });
});

test.each([
  ["int8", "int32", 8],
  ["char", "int8", 1],
  ["unsigned char", "uint8", 1],
  ["uchar16", "uint8", 16],
  ["half", "float16", 1],
  ["float3", "float32", 3],
  ["unsigned long", "uint64", 1],
])("OpenCL C's %s has the element type %s and %i components", (name, scalar, width) => {
  const element = elementOf(name);
  expect([element?.scalar.name, element?.width]).toEqual([scalar, width]);
});

test.each(["bool", "size_t", "float5", "pair", "void", "image2d_t"])("OpenCL C's %s has no element type", (name) => {
  expect(elementOf(name)).toBeUndefined();
});
