import { describe, expect, test } from "vitest";

import { readArgument, readNumber } from "../../src/commands/run/argument-text.js";
import { elementOf } from "../../src/commands/run/parameters.js";

test.each<[string, string, (number | bigint | undefined)[]]>([
  [
    "integers",
    "3 -3 +3 3u 3UL 0x1f -0X1F 0b101 18446744073709551615",
    [3n, -3n, 3n, 3n, 3n, 31n, -31n, 5n, 2n ** 64n - 1n],
  ],
  ["zeros", "0 -0", [0, -0]],
  ["fractions", "2.5 -2.5f 3f .5 5. 1e-3 1.5E+3h", [2.5, -2.5, 3, 0.5, 5, 0.001, 1500]],
  ["special values", "inf -Infinity nan", [Infinity, -Infinity, NaN]],
  ["no numbers", " . - 1e 0x 1, 3ff 0b2 e5 Infinit 1_000 --1", Array(12).fill(undefined)],
])("readNumber reads %s", (_, texts, values) => {
  expect(texts.split(" ").map(readNumber)).toEqual(values);
});

describe("arguments", () => {
  const memory = (content: object, result: boolean): object => ({ kind: "memory", content, result });
  test.each([
    ["1,2.5,-3", { kind: "numbers", numbers: [1n, 2.5, -3n] }],
    ["null", { kind: "null" }],
    ["local:256", { kind: "local", size: 256 }],
    ["local:float4[8]", { kind: "local", size: { element: "float4", shape: [8] } }],
    ["a b.NPY", memory({ from: "file", path: "a b.NPY" }, false)],
    ["out:[2, 3]", memory({ from: "zeros", type: { element: undefined, shape: [2, 3] } }, true)],
    ["inout:x.npy", memory({ from: "file", path: "x.npy" }, true)],
    ["inout:rand:unsigned int[2]", memory({ from: "rand", type: { element: "unsigned int", shape: [2] } }, true)],
  ])("%s", (text, argument) => {
    expect(readArgument(text)).toEqual(argument);
  });

  test("are rejected if they are invalid", () => {
    const wrong = ["", "1,,2", "x", "zeros:", "rand:[]", "out:[1,]", "out:[-1]", "out:[1.5]", "out:[1]x", "local:"];
    for (const text of wrong) expect(() => readArgument(text), text).toThrow(Error);
  });
});

test.each([
  ["int8", "int32", 8],
  ["char", "int8", 1],
  ["unsigned char", "uint8", 1],
  ["half", "float16", 1],
  ["float3", "float32", 3],
  ["unsigned long", "uint64", 1],
])("OpenCL C's %s has the element type %s and %i components", (name, scalar, width) => {
  const element = elementOf(name);
  expect([element?.scalar.name, element?.width]).toEqual([scalar, width]);
});

test("types without elements are recognized", () => {
  const names = ["bool", "size_t", "float5", "pair", "void", "image2d_t"];
  expect(names.filter((name) => elementOf(name) !== undefined)).toEqual([]);
});
