/** Calls of views of device and host memory; see calls-objects.mjs for the format of entries. */
import { DeviceView, HostView } from "@cl/core";

import { bothForms } from "./both-forms.mjs";

const flag = ["true"];
const nothing = (on) => ({ on, args: () => [] });
const anything = (on, args = () => []) => ({ on, args, any: true });
const numbers = ["NaN", "-1", "0", "1.5", "2**31", "2**53", "-Infinity", "1e300"];
const signal = () => new AbortController().signal;

/** Returns four floats, the default size of arrays here. */
const floats = () => Float32Array.of(1, 2, 3, 4);
const fourFloats = ["DataView", "ArrayBuffer", "SharedArrayBuffer"];
const host = () => new HostView(floats(), { shape: [2, 2] });
const layouts = {
  "options.offset": ["null", "0"],
  "options.shape": ["null", "0", "[]"],
  "options.strides": ["null"],
  "options.dtype": ["null"],
  "options.readonly": flag,
};

export const viewCalls = {
  rectangleOf: {
    args: (e) => ({ target: host(), source: e.view }),
    // Does not access memory.
    legal: { target: ["buffer"], source: ["foreign", "released"] },
  },
  "new ArrayView": { args: () => [], any: true },
  "ArrayView#slice": {
    on: host,
    args: () => [0, "::-1"],
    names: ["indices", "indices"],
    legal: { indices: ["null", "0", "-1"] },
  },
  "ArrayView#reshape": { on: host, args: () => ({ shape: [4] }), legal: { "shape.0": ["-1"], shape: ["-1"] } },
  "ArrayView#transpose": { on: host, args: () => ({ "axes?": [1, 0] }), legal: { "axes.0": ["-1"] } },
  "ArrayView#broadcastTo": { on: host, args: () => ({ shape: [3, 2, 2] }), legal: { "shape.0": ["0", "2**31"] } },
  "ArrayView#toString": anything(host),
  "ArrayView#Symbol(nodejs.util.inspect.custom)": anything(host),

  "new HostView": {
    args: () => ({
      memory: floats(),
      "options?": { dtype: "float32", shape: [2, 2], strides: [8, 4], offset: 0, readonly: false },
    }),
    otherNames: ["bytes", "view of shape"],
    legal: { ...layouts, memory: [...fourFloats, "resizable", "liar"], "options.shape": ["null"] },
  },
  "HostView.zeros": {
    args: () => ({ shape: [2, 2], dtype: "float32", "options?": { order: "C" } }),
    legal: { shape: ["0", "[]"], "shape.0": ["0"] },
  },
  "HostView.from": {
    args: () => ({ values: [1, 2], dtype: "float32" }),
    otherNames: ["value"],
    legal: { values: ["[]", ...numbers, "[NaN]"], "values.0": numbers },
  },
  "HostView#get": { on: host, args: () => [0, 1], names: ["indices", "indices"], legal: { indices: ["-1", "0"] } },
  "HostView#set": {
    on: host,
    args: () => [0, 1, 5],
    names: ["indices", "indices", "value"],
    legal: { indices: ["-1", "0"], value: numbers },
  },
  "HostView#fill": { on: host, args: () => ({ value: 5 }), legal: { value: numbers } },
  "HostView#assign": {
    on: host,
    args: () => ({ source: host() }),
    otherNames: ["value", "shape"],
    legal: { source: [...numbers, "[NaN]"] },
  },
  "HostView#toArray": { on: host, args: () => ({ "order?": "C" }) },
  "HostView#toNested": nothing(host),
  "HostView#values": nothing(host),
  "HostView#Symbol(Symbol.iterator)": nothing(host),

  "new DeviceView": {
    args: (e) => ({
      memory: e.buffer,
      "options?": { dtype: "float32", shape: [2, 2], strides: [8, 4], offset: 0, readonly: false },
    }),
    otherNames: ["view of shape"],
    legal: { ...layouts, memory: ["foreign", "buffer"], "options.shape": ["null"] },
  },
  "DeviceView.fromHost": {
    args: (e) => ({
      context: e.context,
      values: floats(),
      "options?": {
        dtype: "float32",
        shape: [2, 2],
        hostPointer: "copy",
        readonly: false,
        access: "read-write",
        label: "name",
      },
    }),
    otherNames: ["value", "size"],
    legal: {
      context: ["foreign"],
      values: ["liar", ...fourFloats, "resizable"],
      "options.dtype": ["null"],
      "options.shape": ["null", "-1"],
      "options.readonly": flag,
    },
  },
  "DeviceView.empty": {
    args: (e) => ({
      context: e.context,
      shape: [2, 2],
      dtype: "float32",
      "options?": { order: "C", access: "read-write", label: "name" },
    }),
    otherNames: ["buffer"],
    legal: { context: ["foreign"], shape: ["0", "[]"], "shape.0": ["0"] },
  },
  "DeviceView.prepare": {
    args: (e) => ({ context: e.context, "options?": { signal: signal() } }),
    legal: { context: ["foreign"] },
  },
  ...bothForms("DeviceView#read", {
    on: (e) => e.view,
    args: (e) => ({ queue: e.queue, "options?": { order: "C", into: floats(), waitFor: [e.event], signal: signal() } }),
    legal: { "options.into": ["null", ...fourFloats, "liar"] },
  }),
  "DeviceView#enqueueRead": {
    on: (e) => e.view,
    args: (e) => ({ queue: e.queue, into: floats(), "options?": { order: "C", waitFor: [e.event] } }),
    legal: { into: [...fourFloats, "liar"] },
  },
  ...bothForms("DeviceView#write", {
    on: (e) => e.view,
    args: (e) => ({ queue: e.queue, values: floats(), "options?": { waitFor: [e.event], signal: signal() } }),
    otherNames: ["value"],
    legal: { values: [...fourFloats, "liar"] },
  }),
  "DeviceView#enqueueWrite": {
    on: (e) => e.view,
    args: (e) => ({ queue: e.queue, values: floats(), "options?": { waitFor: [e.event] } }),
    otherNames: ["value"],
    legal: { values: [...fourFloats, "liar"] },
  },
  "DeviceView#enqueueCopyFrom": {
    on: (e) => e.view,
    args: (e) => ({
      queue: e.queue,
      source: DeviceView.fromHost(e.context, host()),
      "options?": { waitFor: [e.event] },
    }),
  },
  ...bothForms("DeviceView#copy", {
    on: (e) => e.view,
    args: (e) => ({ queue: e.queue, "options?": { order: "F", waitFor: [e.event], signal: signal() } }),
  }),
  ...bothForms("DeviceView#item", {
    on: (e) => e.view.slice(0, 0),
    args: (e) => ({ queue: e.queue, "options?": { waitFor: [e.event], signal: signal() } }),
  }),
  ...bothForms("DeviceView#map", {
    on: (e) => e.view,
    args: (e) => ({ queue: e.queue, "options?": { access: "read", waitFor: [e.event], signal: signal() } }),
  }),
};
