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

const layout = {
  args: (e) => ({
    target: e.queue,
    struct: struct(),
    "options?": { options: "-w", signal: new AbortController().signal },
  }),
  legal: { target: ["device", "context", "foreign"], "options.options": ["empty string", "x", "[]"] },
  // The fake compiler has no struct layouts.
  fails: true,
};

export const dtypeCalls = {
  dtype: { args: () => ({ type: "float32" }) },
  // Created by the package only.
  "new DType": { args: () => [dtype("float32")], any: true },
  "DType#get": {
    on: () => dtype("float4"),
    args: () => ({ view: view(), byteOffset: 0 }),
    legal: { view: ["DataView"] },
  },
  "DType#set": {
    on: () => dtype("float4"),
    args: () => ({ view: view(), byteOffset: 0, value: [1, 2, 3, 4] }),
    legal: { view: ["DataView"], value: ["resizable"], "value.0": floats },
  },
  "DType#equals": { on: () => dtype("float4"), args: () => ({ other: 1 }), any: true },
  "DType#toString": { on: () => dtype("float4"), args: () => [] },
  "DType#Symbol(nodejs.util.inspect.custom)": { on: () => dtype("float4"), args: () => [], any: true },

  structType: {
    args: () => ({ name: "pair", fields: { x: "float3", n: ["int32", 2] }, "options?": { packed: true } }),
    legal: { name: ["x"], fields: ["unknown name"], "options.packed": ["true"] },
    // Errors say `the field "x" of fields`.
    otherNames: ["fields"],
  },
  "new StructType": { args: () => ["pair"], any: true },
  "StructType#offsetOf": { on: struct, args: () => ({ path: "n[1]" }), legal: { path: ["x"] } },
  "new StructLayoutError": { args: () => [struct()], any: true },
  verifyLayout: layout,
  matchLayout: layout,

  "new TypedValue": { args: () => ({ type: "float32", value: 1.5 }), legal: { value: floats } },
  "TypedValue#Symbol(@cl/core.kernelArgument)": { on: () => new TypedValue("float32", 1), args: () => [] },

  "new ElementArray": {
    args: () => ({ type: "float32", memory: 3 }),
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
    args: () => ({ type: "float32", values: [1, 2, 3] }),
    legal: { values: ["[NaN]", "empty string", "liar", ...lists], "values.0": floats },
  },
  "ElementArray#get": { on: elements, args: () => ({ index: 1 }), legal: { index: ["0", "-1"] } },
  "ElementArray#set": {
    on: elements,
    args: () => ({ index: 1, value: 2.5 }),
    legal: { index: ["0", "-1"], value: floats },
  },
  "ElementArray#Symbol(Symbol.iterator)": { on: elements, args: () => [] },

  // Abstract: only subclasses are created.
  "new MemoryType": { args: () => ["float32"], any: true },
  "new DeviceMemoryType": { args: () => ["float32"], any: true },
  "MemoryType#dereference": { on: global, args: () => [] },
  "MemoryType#equals": { on: global, args: () => ({ other: 1 }), any: true },
  "MemoryType#toString": { on: global, args: () => [] },
  "new GlobalMemoryType": {
    args: (e) => ({
      "type?": "float32",
      "options?": { shape: [2, 2], ndim: 2, strides: [8, 4], const: true, context: e.context },
    }),
    legal: { type: types, "options.const": ["true"], "options.context": ["foreign"] },
  },
  "new ConstantMemoryType": {
    args: (e) => ({ "type?": "float32", "options?": { shape: [2, 2], flat: true, context: e.context } }),
    legal: { type: types, "options.shape": ["[]"], "options.flat": ["true"], "options.context": ["foreign"] },
  },
  "DeviceMemoryType#fromParam": {
    on: () => new ConstantMemoryType("float32"),
    args: (e) => ({ value: e.buffer }),
    legal: { value: ["foreign", "buffer"] },
  },
  "DeviceMemoryType#toString": { on: global, args: () => [] },
  "new LocalMemoryType": {
    args: () => ({ "type?": "float32", "options?": { shape: [4] } }),
    legal: { type: types, "options.shape": ["[]"], "options.shape.0": extents },
  },
  "LocalMemoryType#fromParam": {
    on: tile,
    args: () => ({ value: new LocalMemory(16) }),
    legal: { value: ["local memory", "proxy"] },
  },
  "LocalMemoryType#Symbol(@cl/core.kernelArgument)": { on: tile, args: () => [] },
};
