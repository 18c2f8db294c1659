/** Calls of element types; see calls-objects.mjs for what an entry says. */
import { dtype } from "@cl/core";

const view = () => new DataView(new ArrayBuffer(16));

export const dtypeCalls = {
  dtype: { args: () => ["float32"], names: ["like"] },
  // Only this package makes them.
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
      "value.0": ["NaN", "-1", "0", "1.5", "2**31", "2**53", "-Infinity"],
    },
  },
  "DType#equals": { on: () => dtype("float4"), args: () => [1], names: ["other"], any: true },
  "DType#toString": { on: () => dtype("float4"), args: () => [], names: [] },
  "DType#Symbol(nodejs.util.inspect.custom)": { on: () => dtype("float4"), args: () => [], names: [], any: true },
};
