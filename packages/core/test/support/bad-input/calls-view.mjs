/** Calls of views of device and host memory; see calls-objects.mjs for the format of entries. */
import { DeviceView, HostView } from "@cl/core";

const waits = ["null", "[]"];
const flag = ["true"];
const nothing = (on) => ({ on, args: () => [], names: [] });
const anything = (on, args = () => []) => ({ on, args, names: args({}).map((_, i) => `arg${i}`), any: true });
const numbers = ["NaN", "-1", "0", "1.5", "2**31", "2**53", "-Infinity", "1e300"];
const signal = () => new AbortController().signal;

/** Returns four floats, the default size of arrays here. */
const floats = () => Float32Array.of(1, 2, 3, 4);
const fourFloats = ["DataView", "ArrayBuffer", "SharedArrayBuffer"];
const host = () => new HostView(floats(), { shape: [2, 2] });
const transfer = { options: ["{}"], "options.waitFor": waits };
const reads = { ...transfer };
const layouts = {
  "options.offset": ["null", "0"],
  "options.shape": ["null", "0", "[]"],
  "options.strides": ["null"],
  "options.dtype": ["null"],
  "options.readonly": flag,
  options: ["{}"],
};
const access = { "options.label": ["empty string", "x", "NUL"] };

export const viewCalls = {
  rectangleOf: {
    args: (e) => [host(), e.view],
    names: ["target", "source"],
    // Does not access memory.
    legal: { target: ["buffer"], source: ["foreign", "released"] },
  },
  "new ArrayView": { args: () => [], names: [], any: true },
  "ArrayView#slice": {
    on: host,
    args: () => [0, "::-1"],
    names: ["indices", "indices"],
    legal: { indices: ["null", "0", "-1"] },
  },
  "ArrayView#reshape": { on: host, args: () => [[4]], names: ["shape"], legal: { "shape.0": ["-1"], shape: ["-1"] } },
  "ArrayView#transpose": {
    on: host,
    args: () => [[1, 0]],
    names: ["axes?"],
    legal: { "axes.0": ["-1"] },
  },
  "ArrayView#broadcastTo": {
    on: host,
    args: () => [[3, 2, 2]],
    names: ["shape"],
    legal: { "shape.0": ["0", "2**31"] },
  },
  "ArrayView#toString": anything(host),
  "ArrayView#Symbol(nodejs.util.inspect.custom)": anything(host),

  "new HostView": {
    args: () => [floats(), { dtype: "float32", shape: [2, 2], strides: [8, 4], offset: 0, readonly: false }],
    names: ["memory", "options?"],
    otherNames: ["bytes", "view of shape"],
    legal: { ...layouts, memory: [...fourFloats, "resizable", "liar"], "options.shape": ["null"] },
  },
  "HostView.zeros": {
    args: () => [[2, 2], "float32", { order: "C" }],
    names: ["shape", "dtype", "options?"],
    legal: { shape: ["0", "[]"], "shape.0": ["0"], options: ["{}"] },
  },
  "HostView.from": {
    args: () => [[1, 2], "float32"],
    names: ["values", "dtype"],
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
  "HostView#fill": { on: host, args: () => [5], names: ["value"], legal: { value: numbers } },
  "HostView#assign": {
    on: host,
    args: () => [host()],
    names: ["source"],
    otherNames: ["value", "shape"],
    legal: { source: [...numbers, "[NaN]"] },
  },
  "HostView#toArray": { on: host, args: () => ["C"], names: ["order?"] },
  "HostView#toNested": nothing(host),
  "HostView#values": nothing(host),
  "HostView#Symbol(Symbol.iterator)": nothing(host),

  "new DeviceView": {
    args: (e) => [e.buffer, { dtype: "float32", shape: [2, 2], strides: [8, 4], offset: 0, readonly: false }],
    names: ["memory", "options?"],
    otherNames: ["view of shape"],
    legal: { ...layouts, memory: ["foreign", "buffer"], "options.shape": ["null"] },
  },
  "DeviceView.fromHost": {
    args: (e) => [
      e.context,
      floats(),
      { dtype: "float32", shape: [2, 2], hostPointer: "copy", readonly: false, access: "read-write", label: "name" },
    ],
    names: ["context", "values", "options?"],
    otherNames: ["value", "size"],
    legal: {
      ...access,
      context: ["foreign"],
      values: ["liar", ...fourFloats, "resizable"],
      options: ["{}"],
      "options.dtype": ["null"],
      "options.shape": ["null", "-1"],
      "options.readonly": flag,
    },
  },
  "DeviceView.empty": {
    args: (e) => [e.context, [2, 2], "float32", { order: "C", access: "read-write", label: "name" }],
    names: ["context", "shape", "dtype", "options?"],
    otherNames: ["buffer"],
    legal: { ...access, context: ["foreign"], shape: ["0", "[]"], "shape.0": ["0"], options: ["{}"] },
  },
  "DeviceView.prepare": {
    args: (e) => [e.context, { signal: signal() }],
    names: ["context", "options?"],
    legal: { context: ["foreign"], options: ["{}"] },
  },
  "DeviceView#read": {
    on: (e) => e.view,
    args: (e) => [e.queue, { order: "C", into: floats(), waitFor: [e.event], signal: signal() }],
    names: ["queue", "options?"],
    legal: { ...reads, "options.into": ["null", ...fourFloats, "liar"] },
  },
  "DeviceView#readSync": {
    on: (e) => e.view,
    args: (e) => [e.queue, { order: "C", into: floats(), waitFor: [e.event] }],
    names: ["queue", "options?"],
    legal: { ...reads, "options.into": ["null", ...fourFloats, "liar"] },
  },
  "DeviceView#enqueueRead": {
    on: (e) => e.view,
    args: (e) => [e.queue, floats(), { order: "C", waitFor: [e.event] }],
    names: ["queue", "into", "options?"],
    legal: { ...reads, into: [...fourFloats, "liar"] },
  },
  "DeviceView#write": {
    on: (e) => e.view,
    args: (e) => [e.queue, floats(), { waitFor: [e.event], signal: signal() }],
    names: ["queue", "values", "options?"],
    otherNames: ["value"],
    legal: { ...transfer, values: [...fourFloats, "liar"] },
  },
  "DeviceView#writeSync": {
    on: (e) => e.view,
    args: (e) => [e.queue, floats(), { waitFor: [e.event] }],
    names: ["queue", "values", "options?"],
    otherNames: ["value"],
    legal: { ...transfer, values: [...fourFloats, "liar"] },
  },
  "DeviceView#enqueueWrite": {
    on: (e) => e.view,
    args: (e) => [e.queue, floats(), { waitFor: [e.event] }],
    names: ["queue", "values", "options?"],
    otherNames: ["value"],
    legal: { ...transfer, values: [...fourFloats, "liar"] },
  },
  "DeviceView#enqueueCopyFrom": {
    on: (e) => e.view,
    args: (e) => [e.queue, DeviceView.fromHost(e.context, host()), { waitFor: [e.event] }],
    names: ["queue", "source", "options?"],
    legal: transfer,
  },
  "DeviceView#copy": {
    on: (e) => e.view,
    args: (e) => [e.queue, { order: "F", waitFor: [e.event], signal: signal() }],
    names: ["queue", "options?"],
    legal: reads,
  },
  "DeviceView#copySync": {
    on: (e) => e.view,
    args: (e) => [e.queue, { order: "C", waitFor: [e.event] }],
    names: ["queue", "options?"],
    legal: reads,
  },
  "DeviceView#item": {
    on: (e) => e.view.slice(0, 0),
    args: (e) => [e.queue, { waitFor: [e.event], signal: signal() }],
    names: ["queue", "options?"],
    legal: transfer,
  },
  "DeviceView#itemSync": {
    on: (e) => e.view.slice(0, 0),
    args: (e) => [e.queue, { waitFor: [e.event] }],
    names: ["queue", "options?"],
    legal: transfer,
  },
  "DeviceView#map": {
    on: (e) => e.view,
    args: (e) => [e.queue, { access: "read", waitFor: [e.event], signal: signal() }],
    names: ["queue", "options?"],
    legal: transfer,
  },
  "DeviceView#mapSync": {
    on: (e) => e.view,
    args: (e) => [e.queue, { access: "write", waitFor: [e.event] }],
    names: ["queue", "options?"],
    legal: transfer,
  },
  "DeviceView#Symbol(@cl/core.kernelArgument)": nothing((e) => e.view),
  "DeviceView#release": nothing((e) => e.view),
  "DeviceView#Symbol(nodejs.dispose)": nothing((e) => e.view),
};
