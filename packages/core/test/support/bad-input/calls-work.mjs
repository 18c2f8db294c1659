/** Calls that enqueue work, and calls of programs and kernels; see calls-objects.mjs. */
import { LaunchList, Program, ProgramInfo } from "@cl/core";

import { bothForms } from "./both-forms.mjs";
import { source } from "./environment.mjs";

const label = ["empty string", "x", "NUL"];
const waits = ["null", "[]"];
const info = (on, value) => ({ on, args: () => ({ param: value }) });
const sizes = (e) => ({
  global: [4],
  local: [2],
  offset: [0],
  globalInGroups: false,
  allowEmpty: false,
  waitFor: [e.event],
});
const sizeLegal = {
  // Sizes accept additional fields, such as those that launchShape() of @cl/characterize returns.
  sizes: ["unknown name"],
  "sizes.global": ["2**31"],
  "sizes.local": ["null", "function"],
  "sizes.offset": ["null", "function", "0", "2**31"],
  "sizes.globalInGroups": ["any"],
  "sizes.allowEmpty": ["any"],
  "sizes.waitFor": waits,
};
const argumentLegal = {
  "argument 0": ["null", "buffer"],
  "argument 1": ["NaN", "-1", "0", "1.5", "2**31", "2**53", "-Infinity"],
  "argument 2": ["-1", "0"],
};
const launch = (more = {}) => ({
  on: (e) => e.kernel,
  args: (e) => ({ queue: e.queue, sizes: sizes(e), "argument 0": e.buffer, "argument 1": 2, "argument 2": 4 }),
  legal: { ...sizeLegal, ...argumentLegal, ...more },
});
const again = (e) => e.kernel.setArgs(e.buffer, 2, 4);
const onQueue = { on: (e) => e.queue };
// null means omitted.
const number = ["null", "0"];
const range = { "options.offset": number, "options.length": number };
const signal = () => new AbortController().signal;
const compile = (more = {}) => ({
  args: (e) => ({ "options?": { options: ["-DX=1"], devices: [e.device], ...more } }),
  legal: {
    "options.options": ["empty string", "x", "[]"],
    "options.cache": ["true"],
    "options.headers": ["{}", "unknown name"],
  },
});
const link = {
  args: (e) => ({
    context: e.context,
    programs: [e.compiled],
    "options?": { options: ["-DX=1"], devices: [e.device], label: "name" },
  }),
  legal: { "options.options": ["empty string", "x", "[]"] },
};
const made = { names: ["context", "source", "options?"], legal: { context: ["foreign"], source: ["x"] } };

export const workCalls = {
  // Transfers.
  "CommandQueue#enqueueCopy": {
    ...onQueue,
    args: (e) => ({
      target: e.target,
      source: e.buffer,
      "options?": { bytes: 4, sourceOffset: 4, targetOffset: 8, waitFor: [e.event] },
    }),
    legal: {
      target: ["ArrayBuffer", "DataView", "SharedArrayBuffer", "liar", "buffer"],
      source: ["ArrayBuffer", "DataView", "SharedArrayBuffer", "Float64Array", "liar", "buffer"],
      "options.bytes": ["0"],
      "options.sourceOffset": number,
      "options.targetOffset": number,
    },
  },
  "CommandQueue#copySync": {
    ...onQueue,
    args: (e) => ({
      target: new Float32Array(4),
      source: e.buffer,
      "options?": {
        region: [4, 2],
        sourceOrigin: [0, 0],
        targetOrigin: [0, 0],
        sourcePitches: [8],
        targetPitches: [8],
        waitFor: [e.event],
      },
    }),
    legal: {
      target: ["ArrayBuffer", "DataView", "SharedArrayBuffer", "resizable", "liar", "buffer"],
      source: ["buffer"],
      "options.region": ["[]"],
      "options.sourceOrigin": ["[]"],
      "options.targetOrigin": ["[]"],
      "options.sourcePitches": ["[]"],
      "options.targetPitches": ["[]"],
    },
  },
  "CommandQueue#enqueueFill": {
    ...onQueue,
    args: (e) => ({ buffer: e.buffer, pattern: 1, "options?": { offset: 4, bytes: 8, waitFor: [e.event] } }),
    legal: {
      pattern: ["NaN", "-1", "0", "1.5", "2**31", "2**53", "1e300", "-Infinity", "SharedArrayBuffer", "resizable"],
      "options.offset": number,
      "options.bytes": number,
    },
  },
  "CommandQueue#enqueueMigrate": {
    ...onQueue,
    args: (e) => ({ memories: [e.buffer], "options?": { flags: 1, waitFor: [e.event] } }),
    legal: { memories: ["buffer"], "memories.0": ["buffer"], "options.flags": ["0"] },
  },
  ...bothForms("CommandQueue#read", {
    ...onQueue,
    args: (e) => ({
      buffer: e.buffer,
      "type?": Float32Array,
      "options?": { offset: 1, length: 2, view: false, waitFor: [e.event], signal: signal() },
    }),
    otherNames: ["elements"],
    legal: { ...range, buffer: ["buffer"] },
  }),
  "CommandQueue#write": {
    ...onQueue,
    args: (e) => ({
      buffer: e.target,
      array: e.array,
      "options?": { offset: 0, waitFor: [e.event], signal: signal() },
    }),
    otherNames: ["bytes"],
    legal: {
      buffer: ["buffer"],
      array: ["empty Uint8Array", "ArrayBuffer", "DataView", "SharedArrayBuffer", "liar"],
      ...range,
    },
  },
  "CommandQueue#writeSync": {
    ...onQueue,
    args: (e) => ({ buffer: e.target, array: e.array, "options?": { offset: 0, waitFor: [e.event] } }),
    otherNames: ["bytes"],
    legal: {
      buffer: ["buffer"],
      array: ["empty Uint8Array", "ArrayBuffer", "DataView", "SharedArrayBuffer", "resizable", "liar"],
      ...range,
    },
  },
  ...bothForms("CommandQueue#map", {
    ...onQueue,
    args: (e) => ({
      buffer: e.buffer,
      "type?": Float32Array,
      "options?": { offset: 1, length: 2, access: "write", waitFor: [e.event], signal: signal() },
    }),
    otherNames: ["elements"],
    legal: { ...range, "options.length": ["null"], buffer: ["buffer"] },
  }),
  "MappedMemory#unmap": { on: (e) => e.mapped, args: (e) => ({ "options?": { waitFor: [e.event] } }) },

  // Programs.
  "new Program": { args: (e) => [e.context, source, { label: "name" }], ...made },
  "Program.fromBinaries": {
    args: (e) => ({ context: e.context, binaries: e.program.binaries, "options?": { label: "name" } }),
    legal: { context: ["foreign"] },
  },
  driverBinary: { args: (e) => ({ binary: e.program.binaries.get(e.device) }) },
  "Program.fromIL": {
    args: (e) => ({ context: e.context, il: Uint8Array.of(3, 2, 0x23, 7, 1, 1, 1, 1), "options?": { label: "name" } }),
    legal: { context: ["foreign"] },
    // The device may not support IL.
    fails: true,
  },
  "Program.fromBuiltInKernels": {
    args: (e) => ({
      context: e.context,
      names: e.device.builtInKernels.slice(0, 1),
      "devices?": [e.device],
      "options?": { label: "name" },
    }),
    otherNames: ["kernel"],
    legal: { context: ["foreign"] },
    fails: true,
  },
  "Program.fromPointer": {
    args: (e) => ({ context: e.context, pointer: e.program.pointer, "options?": { retain: true, label: "name" } }),
    legal: { "options.retain": ["true"] },
  },
  "Program.link": {
    ...link,
    args: (e) => ({ ...link.args(e), "options?": { devices: [e.device], label: "name", signal: signal() } }),
  },
  "Program.linkSync": link,
  "Program#build": { on: (e) => e.fresh, ...compile({ cache: false, signal: signal() }) },
  "Program#buildSync": { on: (e) => e.fresh, ...compile({ cache: false }) },
  "Program#compile": { on: (e) => e.fresh, ...compile({ headers: { "a.h": "" }, signal: signal() }) },
  "Program#compileSync": { on: (e) => e.fresh, ...compile({ headers: { "a.h": "" } }) },
  "Program#kernel": { on: (e) => e.program, args: () => ({ name: "f" }), otherNames: ["no kernel"] },
  "ProgramObject#status": { on: (e) => e.program, args: (e) => ({ device: e.device }) },
  "ProgramObject#log": { on: (e) => e.program, args: (e) => ({ device: e.device }) },
  "ProgramObject#options": { on: (e) => e.program, args: (e) => ({ device: e.device }) },
  "ProgramObject#binaryType": { on: (e) => e.program, args: (e) => ({ device: e.device }) },
  "ProgramObject#fetchBinaries": { on: (e) => e.program, args: () => ({ "options?": { signal: signal() } }) },
  "ProgramObject#getInfo": info((e) => e.program, ProgramInfo.NUM_DEVICES),
  "ProgramObject#getBuildInfo": { on: (e) => e.program, args: (e) => ({ device: e.device, param: 0x1181 }) },
  "ProgramObject#setSpecializationConstant": {
    on: (e) => Program.fromIL(e.context, Uint8Array.of(3, 2, 0x23, 7, 1, 1, 1, 1)),
    args: () => ({ id: 3, value: Int32Array.of(1) }),
    legal: { id: ["0", "2**31"], value: ["Float64Array", "DataView", "SharedArrayBuffer", "resizable"] },
    fails: true,
  },

  // Kernels.
  "new Kernel": { args: (e) => ({ program: e.program, name: "f" }), legal: { program: ["foreign"] } },
  "Kernel.fromPointer": {
    args: (e) => ({ program: e.program, pointer: e.kernel.pointer, "options?": { retain: true } }),
    legal: { "options.retain": ["true"] },
  },
  "Kernel#argNames=": {
    on: (e) => e.kernel,
    args: () => ({ argNames: ["a", "b", "c"] }),
    legal: { "argNames.0": label },
  },
  "Kernel#argTypes=": {
    on: (e) => e.kernel,
    args: () => ({ argTypes: ["float*", "float", "int"] }),
    legal: { "argTypes.0": ["null"] },
  },
  "Kernel#launch": launch(),
  "Kernel#enqueue": launch(),
  "Kernel#launchAndFinishSync": launch(),
  "Kernel#launchWithSetArgs": { on: again, args: (e) => ({ queue: e.queue, sizes: sizes(e) }), legal: sizeLegal },
  "Kernel#enqueueWithSetArgs": { on: again, args: (e) => ({ queue: e.queue, sizes: sizes(e) }), legal: sizeLegal },
  "Kernel#setArg": {
    on: (e) => e.kernel,
    args: () => ({ parameter: "a", "argument 1": 2 }),
    // The first argument, which cannot be a number.
    otherNames: ["argument 0"],
    legal: argumentLegal,
  },
  "Kernel#setArgs": {
    on: (e) => e.kernel,
    args: (e) => ({ "argument 0": e.buffer, "argument 1": 2, "argument 2": 4 }),
    legal: argumentLegal,
  },
  "Kernel#bind": {
    on: (e) => e.kernel,
    args: (e) => ({
      sizes: { ...sizes(e), waitFor: undefined },
      "argument 0": e.buffer,
      "argument 1": 2,
      "argument 2": 4,
    }),
    legal: { ...sizeLegal, ...argumentLegal, "sizes.local": ["null", "function", "2**31"], "sizes.waitFor": ["null"] },
  },
  "KernelObject#equals": { on: (e) => e.kernel, args: () => ({ arg0: 1 }), any: true },
  "Kernel#capture": {
    on: (e) => e.kernel,
    args: (e) => ({
      path: `${process.env.FAULT_FOLDER}/capture.mjs`,
      queue: e.queue,
      sizes: sizes(e),
      "argument 0": e.buffer,
      "argument 1": 2,
      "argument 2": 4,
    }),
    legal: { ...sizeLegal, ...argumentLegal, path: ["x"], "sizes.local": ["null", "function", "2**31"] },
  },
  "Kernel#getArgInfo": {
    on: (e) => e.kernel,
    args: () => ({ parameter: 0, param: 0x1196 }),
    legal: { parameter: ["0", "x"] },
  },
  "KernelObject#workGroup": {
    on: (e) => e.kernel,
    args: (e) => ({ "device?": e.device }),
    legal: { device: ["hollow", "proxy"] },
  },
  "KernelObject#getWorkGroupInfo": { on: (e) => e.kernel, args: (e) => ({ param: 0x11b0, "device?": e.device }) },
  "KernelObject#subGroup": {
    on: (e) => e.kernel,
    args: (e) => ({ "input?": [4], "device?": e.device }),
    legal: { input: ["[]"], "input.0": ["0", "2**31"], device: ["hollow", "proxy"] },
  },
  "KernelObject#getSubGroupInfo": {
    on: (e) => e.kernel,
    args: (e) => ({ param: 0x2033, "input?": [4], "device?": e.device }),
    fails: true,
    legal: { "input.0": ["0", "2**31"] },
  },
  "new LocalMemory": { args: () => ({ bytes: 16 }), legal: { bytes: ["2**31"] } },

  // Bound kernels and lists.
  "BoundKernel#launch": { on: (e) => e.bound, args: (e) => ({ queue: e.queue }) },
  "BoundKernel#enqueue": { on: (e) => e.bound, args: (e) => ({ queue: e.queue, "options?": { waitFor: [e.event] } }) },
  "BoundKernel#launchAndFinishSync": { on: (e) => e.bound, args: (e) => ({ queue: e.queue }) },
  "BoundKernel#setArg": {
    on: (e) => e.bound,
    args: () => ({ parameter: "a", "argument 1": 2 }),
    // The first argument, which cannot be a number.
    otherNames: ["argument 0"],
    legal: argumentLegal,
  },
  "BoundKernel#takesNumber": { on: (e) => e.bound, args: () => ({ parameter: "a" }), legal: { parameter: ["0", "x"] } },
  "BoundKernel#launchRows": {
    on: (e) => e.bound,
    args: (e) => ({ queue: e.queue, parameters: ["a"], rows: Float64Array.of(1, 2) }),
    otherNames: ["parameter"],
    legal: { "parameters.0": ["0", "x"], rows: ["Float64Array"] },
  },
  "BoundKernel#enqueueRows": {
    on: (e) => e.bound,
    args: (e) => ({
      queue: e.queue,
      parameters: ["a"],
      rows: Float64Array.of(1, 2),
      "options?": { waitFor: [e.event] },
    }),
    otherNames: ["parameter"],
    legal: { "parameters.0": ["0", "x"], rows: ["Float64Array"] },
  },
  "new LaunchList": {
    args: (e) => ({ context: e.context, "options?": { label: "name", waitForPrevious: false } }),
    legal: { context: ["foreign"], "options.waitForPrevious": ["true"] },
  },
  "LaunchList#push": {
    on: (e) => e.list,
    args: (e) => ({ kernel: e.bound, "options?": { label: "name", scalars: { a: 0 } } }),
    legal: { "options.scalars": ["{}", "unknown name"], "options.scalars.a": ["0", "-0"] },
  },
  "LaunchList#pushCopy": {
    on: (e) => e.list,
    args: (e) => ({ target: e.target, source: e.buffer, "range?": { bytes: 4, sourceOffset: 4, targetOffset: 8 } }),
    otherNames: ["options"],
    legal: {
      target: ["buffer"],
      source: ["buffer"],
      range: ["{}"],
      "range.bytes": ["0"],
      "range.sourceOffset": number,
      "range.targetOffset": number,
    },
  },
  "LaunchList#pushFill": {
    on: (e) => new LaunchList(e.context),
    args: (e) => ({ target: e.buffer, pattern: Float32Array.of(1), "range?": { offset: 4, bytes: 8 } }),
    otherNames: ["options"],
    legal: {
      target: ["buffer"],
      pattern: ["NaN", "-1", "0", "1.5", "2**31", "2**53", "1e300", "-Infinity", "Float64Array", "SharedArrayBuffer"],
      range: ["{}"],
      "range.offset": number,
      "range.bytes": number,
    },
  },
  "LaunchList#launch": {
    on: (e) => new LaunchList(e.context).push(e.bound, { scalars: { a: 0 } }),
    args: (e) => ({ queue: e.queue, "values?": [1] }),
    legal: { values: ["[NaN]", "Float64Array"], "values.0": ["NaN", "-1", "0", "1.5", "2**31", "2**53", "-Infinity"] },
  },
  "LaunchList#enqueue": { on: (e) => e.list, args: (e) => ({ queue: e.queue, "options?": { waitFor: [e.event] } }) },
};
