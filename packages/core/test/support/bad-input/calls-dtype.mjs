/** Calls of element types; see calls-objects.mjs for the format of entries. */
import {
  ConstantMemoryType,
  dtype,
  ElementArray,
  GlobalMemoryType,
  LocalMemory,
  LocalMemoryType,
  structType,
  TypedValue,
} from "@cl/core";

const struct = () => structType("pair", { x: "float3", n: ["int32", 2] });
const elements = () => ElementArray.from("float32", [1, 2, 3]);
const global = () => new GlobalMemoryType("float32");
const tile = () => new LocalMemoryType("float32", { shape: [4] });
// Valid values of a float and of a shape entry.
const floats = ["NaN", "-1", "0", "1.5", "2**31", "2**53", "-Infinity"];
const extents = ["0", "2**31"];
const lists = [
  "[]",
  "[null]",
  "[NaN]",
  "huge array",
  "Float64Array",
  "empty Uint8Array",
  "SharedArrayBuffer",
  "resizable",
];
const types = ["undefined", "null"];

const view = () => new DataView(new ArrayBuffer(16));

export const dtypeCalls = {
  dtype: { args: () => ["float32"], names: ["type"] },
  // Created by the package only.
  "new DType": { args: () => [dtype("float32")], names: [], any: true },
  "DType#get": {
    on: () => dtype("float4"),
    args: () => [view(), 0],
    names: ["view", "byteOffset"],
    legal: { view: ["DataView"] },
  },
  "DType#set": {
    on: () => dtype("float4"),
    args: () => [view(), 0, [1, 2, 3, 4]],
    names: ["view", "byteOffset", "value"],
    legal: {
      view: ["DataView"],
      value: ["resizable"],
      "value.0": floats,
    },
  },
  "DType#equals": { on: () => dtype("float4"), args: () => [1], names: ["other"], any: true },
  "DType#toString": { on: () => dtype("float4"), args: () => [], names: [] },
  "DType#Symbol(nodejs.util.inspect.custom)": { on: () => dtype("float4"), args: () => [], names: [], any: true },

  structType: {
    args: () => ["pair", { x: "float3", n: ["int32", 2] }, { packed: true }],
    names: ["name", "fields", "options?"],
    legal: { name: ["x"], fields: ["unknown name"], options: ["{}"], "options.packed": ["true"] },
    // Errors say `the field "x" of fields`.
    otherNames: ["fields"],
  },
  "new StructType": { args: () => ["pair"], names: [], any: true },
  "StructType#offsetOf": { on: struct, args: () => ["n[1]"], names: ["path"], legal: { path: ["x"] } },
  "new StructLayoutError": { args: () => [struct()], names: [], any: true },
  verifyLayout: {
    args: (e) => [e.queue, struct(), { options: "-w", signal: new AbortController().signal }],
    names: ["target", "struct", "options?"],
    legal: {
      target: ["device", "context", "foreign"],
      options: ["{}"],
      "options.options": ["empty string", "x", "[]"],
    },
    // The fake compiler has no struct layouts.
    fails: true,
  },
  matchLayout: {
    args: (e) => [e.queue, struct(), { options: "-w", signal: new AbortController().signal }],
    names: ["target", "struct", "options?"],
    legal: {
      target: ["device", "context", "foreign"],
      options: ["{}"],
      "options.options": ["empty string", "x", "[]"],
    },
    // The fake compiler has no struct layouts.
    fails: true,
  },

  "new TypedValue": {
    args: () => ["float32", 1.5],
    names: ["type", "value"],
    legal: { value: floats },
  },
  "TypedValue#Symbol(@cl/core.kernelArgument)": { on: () => new TypedValue("float32", 1), args: () => [], names: [] },

  "new ElementArray": {
    args: () => ["float32", 3],
    names: ["type", "memory"],
    legal: {
      memory: [
        "0",
        "Float64Array",
        "empty Uint8Array",
        "ArrayBuffer",
        "DataView",
        "SharedArrayBuffer",
        "resizable",
        "liar",
      ],
    },
  },
  "ElementArray.from": {
    args: () => ["float32", [1, 2, 3]],
    names: ["type", "values"],
    legal: { values: ["[NaN]", "empty string", "liar", ...lists], "values.0": floats },
  },
  "ElementArray#get": { on: elements, args: () => [1], names: ["index"], legal: { index: ["0", "-1"] } },
  "ElementArray#set": {
    on: elements,
    args: () => [1, 2.5],
    names: ["index", "value"],
    legal: { index: ["0", "-1"], value: floats },
  },
  "ElementArray#Symbol(Symbol.iterator)": { on: elements, args: () => [], names: [] },

  // Abstract: only subclasses are created.
  "new MemoryType": { args: () => ["float32"], names: [], any: true },
  "new DeviceMemoryType": { args: () => ["float32"], names: [], any: true },
  "MemoryType#dereference": { on: global, args: () => [], names: [] },
  "MemoryType#equals": { on: global, args: () => [1], names: ["other"], any: true },
  "MemoryType#toString": { on: global, args: () => [], names: [] },
  "new GlobalMemoryType": {
    args: (e) => ["float32", { shape: [2, 2], ndim: 2, strides: [8, 4], const: true, context: e.context }],
    names: ["type?", "options?"],
    legal: { type: types, options: ["{}"], "options.const": ["true"], "options.context": ["foreign"] },
  },
  "new ConstantMemoryType": {
    args: (e) => ["float32", { shape: [2, 2], flat: true, context: e.context }],
    names: ["type?", "options?"],
    legal: {
      type: types,
      options: ["{}"],
      "options.shape": ["[]"],
      "options.flat": ["true"],
      "options.context": ["foreign"],
    },
  },
  "DeviceMemoryType#fromParam": {
    on: () => new ConstantMemoryType("float32"),
    args: (e) => [e.buffer],
    names: ["value"],
    legal: { value: ["foreign", "buffer"] },
  },
  "DeviceMemoryType#toString": { on: global, args: () => [], names: [] },
  "new LocalMemoryType": {
    args: () => ["float32", { shape: [4] }],
    names: ["type?", "options?"],
    legal: { type: types, options: ["{}"], "options.shape": ["[]"], "options.shape.0": extents },
  },
  "LocalMemoryType#fromParam": {
    on: tile,
    args: () => [new LocalMemory(16)],
    names: ["value"],
    legal: { value: ["local memory", "proxy"] },
  },
  "LocalMemoryType#Symbol(@cl/core.kernelArgument)": { on: tile, args: () => [], names: [] },
};
