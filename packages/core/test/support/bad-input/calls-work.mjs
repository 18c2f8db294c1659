/** Calls that enqueue work, and calls of programs and kernels; see calls-objects.mjs. */
import { LaunchList, Program, ProgramInfo } from "@cl/core";

import { source } from "./environment.mjs";

const label = ["empty string", "x", "NUL"];
const waits = ["null", "[]"];
const info = (on, value) => ({ on, args: () => [value], names: ["param"] });
const nothing = (on) => ({ on, args: () => [], names: [] });
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
  args: (e) => [e.queue, sizes(e), e.buffer, 2, 4],
  names: ["queue", "sizes", "argument 0", "argument 1", "argument 2"],
  legal: { ...sizeLegal, ...argumentLegal, ...more },
});
const again = (e) => e.kernel.setArgs(e.buffer, 2, 4);
const onQueue = { on: (e) => e.queue };
// null means omitted.
const number = ["null", "0"];
const range = { "options.offset": number, "options.length": number, "options.waitFor": waits, options: ["{}"] };
const signal = () => new AbortController().signal;
const readArgs = {
  args: (e) => [e.buffer, Float32Array, { offset: 1, length: 2, view: false, waitFor: [e.event] }],
  names: ["buffer", "type?", "options?"],
  otherNames: ["elements"],
  legal: { ...range, buffer: ["buffer"] },
};
const compile = (more = {}) => ({
  args: (e) => [{ options: ["-DX=1"], devices: [e.device], ...more }],
  names: ["options?"],
  legal: {
    options: ["{}"],
    "options.options": ["empty string", "x", "[]"],
    "options.cache": ["true"],
    "options.headers": ["{}", "unknown name"],
  },
});
const link = {
  args: (e) => [e.context, [e.compiled], { options: ["-DX=1"], devices: [e.device], label: "name" }],
  names: ["context", "programs", "options?"],
  legal: { options: ["{}"], "options.options": ["empty string", "x", "[]"], "options.label": label },
};
const made = {
  names: ["context", "source", "options?"],
  legal: { context: ["foreign"], "options.label": label, options: ["{}"], source: ["x"] },
};

export const workCalls = {
  // Transfers.
  "CommandQueue#enqueueCopy": {
    ...onQueue,
    args: (e) => [e.target, e.buffer, { bytes: 4, sourceOffset: 4, targetOffset: 8, waitFor: [e.event] }],
    names: ["target", "source", "options?"],
    legal: {
      target: ["ArrayBuffer", "DataView", "SharedArrayBuffer", "liar", "buffer"],
      source: ["ArrayBuffer", "DataView", "SharedArrayBuffer", "Float64Array", "liar", "buffer"],
      "options.bytes": ["0"],
      "options.sourceOffset": number,
      "options.targetOffset": number,
      "options.waitFor": waits,
      options: ["{}"],
    },
  },
  "CommandQueue#copySync": {
    ...onQueue,
    args: (e) => [
      new Float32Array(4),
      e.buffer,
      {
        region: [4, 2],
        sourceOrigin: [0, 0],
        targetOrigin: [0, 0],
        sourcePitches: [8],
        targetPitches: [8],
        waitFor: [e.event],
      },
    ],
    names: ["target", "source", "options?"],
    legal: {
      target: ["ArrayBuffer", "DataView", "SharedArrayBuffer", "resizable", "liar", "buffer"],
      source: ["buffer"],
      options: ["{}"],
      "options.region": ["[]"],
      "options.sourceOrigin": ["[]"],
      "options.targetOrigin": ["[]"],
      "options.sourcePitches": ["[]"],
      "options.targetPitches": ["[]"],
      "options.waitFor": waits,
    },
  },
  "CommandQueue#enqueueFill": {
    ...onQueue,
    args: (e) => [e.buffer, 1, { offset: 4, bytes: 8, waitFor: [e.event] }],
    names: ["buffer", "pattern", "options?"],
    legal: {
      pattern: ["NaN", "-1", "0", "1.5", "2**31", "2**53", "1e300", "-Infinity", "SharedArrayBuffer", "resizable"],
      "options.offset": number,
      "options.bytes": number,
      "options.waitFor": waits,
      options: ["{}"],
    },
  },
  "CommandQueue#enqueueMigrate": {
    ...onQueue,
    args: (e) => [[e.buffer], { flags: 1, waitFor: [e.event] }],
    names: ["memories", "options?"],
    legal: {
      memories: ["buffer"],
      "memories.0": ["buffer"],
      "options.flags": ["0"],
      "options.waitFor": waits,
      options: ["{}"],
    },
  },
  "CommandQueue#read": {
    ...onQueue,
    ...readArgs,
    args: (e) => [e.buffer, Float32Array, { offset: 1, length: 2, view: false, waitFor: [e.event], signal: signal() }],
  },
  "CommandQueue#readSync": { ...onQueue, ...readArgs },
  "CommandQueue#write": {
    ...onQueue,
    args: (e) => [e.target, e.array, { offset: 0, waitFor: [e.event], signal: signal() }],
    names: ["buffer", "array", "options?"],
    otherNames: ["bytes"],
    legal: {
      buffer: ["buffer"],
      array: ["empty Uint8Array", "ArrayBuffer", "DataView", "SharedArrayBuffer", "liar"],
      ...range,
    },
  },
  "CommandQueue#writeSync": {
    ...onQueue,
    args: (e) => [e.target, e.array, { offset: 0, waitFor: [e.event] }],
    names: ["buffer", "array", "options?"],
    otherNames: ["bytes"],
    legal: {
      buffer: ["buffer"],
      array: ["empty Uint8Array", "ArrayBuffer", "DataView", "SharedArrayBuffer", "resizable", "liar"],
      ...range,
    },
  },
  "CommandQueue#map": {
    ...onQueue,
    args: (e) => [
      e.buffer,
      Float32Array,
      { offset: 1, length: 2, access: "write", waitFor: [e.event], signal: signal() },
    ],
    names: ["buffer", "type?", "options?"],
    otherNames: ["elements"],
    legal: { ...range, "options.length": ["null"], buffer: ["buffer"] },
  },
  "CommandQueue#mapSync": {
    ...onQueue,
    args: (e) => [e.buffer, Float32Array, { offset: 1, length: 2, access: "read", waitFor: [e.event] }],
    names: ["buffer", "type?", "options?"],
    otherNames: ["elements"],
    legal: { ...range, "options.length": ["null"], buffer: ["buffer"] },
  },
  "MappedMemory#unmap": {
    on: (e) => e.mapped,
    args: (e) => [{ waitFor: [e.event] }],
    names: ["options?"],
    legal: { options: ["{}"], "options.waitFor": waits },
  },
  "MappedMemory#release": nothing((e) => e.mapped),
  "MappedBuffer#summary": nothing((e) => e.mapped),
  "MappedMemory#Symbol(nodejs.asyncDispose)": nothing((e) => e.mapped),

  // Programs.
  "new Program": { args: (e) => [e.context, source, { label: "name" }], ...made },
  "Program.fromBinaries": {
    args: (e) => [e.context, e.program.binaries, { label: "name" }],
    names: ["context", "binaries", "options?"],
    legal: { context: ["foreign"], "options.label": label, options: ["{}"] },
  },
  driverBinary: { args: (e) => [e.program.binaries.get(e.device)], names: ["binary"] },
  "Program.fromIL": {
    args: (e) => [e.context, Uint8Array.of(3, 2, 0x23, 7, 1, 1, 1, 1), { label: "name" }],
    names: ["context", "il", "options?"],
    legal: { context: ["foreign"], "options.label": label, options: ["{}"] },
    // The device may not support IL.
    fails: true,
  },
  "Program.fromBuiltInKernels": {
    args: (e) => [e.context, e.device.builtInKernels.slice(0, 1), [e.device], { label: "name" }],
    otherNames: ["kernel"],
    names: ["context", "names", "devices?", "options?"],
    legal: { context: ["foreign"], "options.label": label, options: ["{}"] },
    fails: true,
  },
  "Program.fromPointer": {
    args: (e) => [e.context, e.program.pointer, { retain: true, label: "name" }],
    names: ["context", "pointer", "options?"],
    legal: { "options.label": label, "options.retain": ["true"], options: ["{}"] },
  },
  "Program.link": {
    ...link,
    args: (e) => [e.context, [e.compiled], { devices: [e.device], label: "name", signal: signal() }],
  },
  "Program.linkSync": link,
  "Program#build": { on: (e) => e.fresh, ...compile({ cache: false, signal: signal() }) },
  "Program#buildSync": { on: (e) => e.fresh, ...compile({ cache: false }) },
  "Program#compile": { on: (e) => e.fresh, ...compile({ headers: { "a.h": "" }, signal: signal() }) },
  "Program#compileSync": { on: (e) => e.fresh, ...compile({ headers: { "a.h": "" } }) },
  "Program#kernel": { on: (e) => e.program, args: () => ["f"], names: ["name"], otherNames: ["no kernel"] },
  "Program#kernels": nothing((e) => e.program),
  "ProgramObject#status": { on: (e) => e.program, args: (e) => [e.device], names: ["device"] },
  "ProgramObject#log": { on: (e) => e.program, args: (e) => [e.device], names: ["device"] },
  "ProgramObject#options": { on: (e) => e.program, args: (e) => [e.device], names: ["device"] },
  "ProgramObject#binaryType": { on: (e) => e.program, args: (e) => [e.device], names: ["device"] },
  "ProgramObject#fetchBinaries": {
    on: (e) => e.program,
    args: () => [{ signal: signal() }],
    names: ["options?"],
    legal: { options: ["{}"] },
  },
  "ProgramObject#getInfo": info((e) => e.program, ProgramInfo.NUM_DEVICES),
  "ProgramObject#getBuildInfo": { on: (e) => e.program, args: (e) => [e.device, 0x1181], names: ["device", "param"] },
  "ProgramObject#setSpecializationConstant": {
    on: (e) => Program.fromIL(e.context, Uint8Array.of(3, 2, 0x23, 7, 1, 1, 1, 1)),
    args: () => [3, Int32Array.of(1)],
    names: ["id", "value"],
    legal: { id: ["0", "2**31"], value: ["Float64Array", "DataView", "SharedArrayBuffer", "resizable"] },
    fails: true,
  },
  "ProgramObject#summary": nothing((e) => e.program),

  // Kernels.
  "new Kernel": { args: (e) => [e.program, "f"], names: ["program", "name"], legal: { program: ["foreign"] } },
  "Kernel.fromPointer": {
    args: (e) => [e.program, e.kernel.pointer, { retain: true }],
    names: ["program", "pointer", "options?"],
    legal: { "options.retain": ["true"], options: ["{}"] },
  },
  "Kernel#argNames=": {
    on: (e) => e.kernel,
    args: () => [["a", "b", "c"]],
    names: ["argNames"],
    legal: { "argNames.0": label },
  },
  "Kernel#argTypes=": {
    on: (e) => e.kernel,
    args: () => [["float*", "float", "int"]],
    names: ["argTypes"],
    legal: { "argTypes.0": ["null"] },
  },
  "Kernel#launch": launch(),
  "Kernel#enqueue": launch(),
  "Kernel#launchAndFinishSync": launch(),
  "Kernel#launchWithSetArgs": {
    on: again,
    args: (e) => [e.queue, sizes(e)],
    names: ["queue", "sizes"],
    legal: sizeLegal,
  },
  "Kernel#enqueueWithSetArgs": {
    on: again,
    args: (e) => [e.queue, sizes(e)],
    names: ["queue", "sizes"],
    legal: sizeLegal,
  },
  "Kernel#setArg": {
    on: (e) => e.kernel,
    args: () => ["a", 2],
    names: ["parameter", "argument 1"],
    // The first argument, which cannot be a number.
    otherNames: ["argument 0"],
    legal: argumentLegal,
  },
  "Kernel#setArgs": {
    on: (e) => e.kernel,
    args: (e) => [e.buffer, 2, 4],
    names: ["argument 0", "argument 1", "argument 2"],
    legal: argumentLegal,
  },
  "Kernel#bind": {
    on: (e) => e.kernel,
    args: (e) => [{ ...sizes(e), waitFor: undefined }, e.buffer, 2, 4],
    names: ["sizes", "argument 0", "argument 1", "argument 2"],
    legal: { ...sizeLegal, ...argumentLegal, "sizes.local": ["null", "function", "2**31"], "sizes.waitFor": ["null"] },
  },
  "KernelObject#equals": { on: (e) => e.kernel, args: () => [1], names: ["arg0"], any: true },
  "Kernel#clone": nothing((e) => e.kernel),
  "Kernel#capture": {
    on: (e) => e.kernel,
    args: (e) => [`${process.env.FAULT_FOLDER}/capture.mjs`, e.queue, sizes(e), e.buffer, 2, 4],
    names: ["path", "queue", "sizes", "argument 0", "argument 1", "argument 2"],
    legal: { ...sizeLegal, ...argumentLegal, path: ["x"], "sizes.local": ["null", "function", "2**31"] },
  },
  "Kernel#getArgInfo": {
    on: (e) => e.kernel,
    args: () => [0, 0x1196],
    names: ["parameter", "param"],
    legal: { parameter: ["0", "x"] },
  },
  "KernelObject#workGroup": {
    on: (e) => e.kernel,
    args: (e) => [e.device],
    names: ["device?"],
    legal: { device: ["hollow", "proxy"] },
  },
  "KernelObject#getWorkGroupInfo": {
    on: (e) => e.kernel,
    args: (e) => [0x11b0, e.device],
    names: ["param", "device?"],
  },
  "KernelObject#subGroup": {
    on: (e) => e.kernel,
    args: (e) => [[4], e.device],
    names: ["input?", "device?"],
    legal: { input: ["[]"], "input.0": ["0", "2**31"], device: ["hollow", "proxy"] },
  },
  "KernelObject#getSubGroupInfo": {
    on: (e) => e.kernel,
    args: (e) => [0x2033, [4], e.device],
    fails: true,
    names: ["param", "input?", "device?"],
    legal: { "input.0": ["0", "2**31"] },
  },
  "Kernel#summary": nothing((e) => e.kernel),
  "new LocalMemory": { args: () => [16], names: ["bytes"], legal: { bytes: ["2**31"] } },

  // Bound kernels and lists.
  "BoundKernel#launch": { on: (e) => e.bound, args: (e) => [e.queue], names: ["queue"] },
  "BoundKernel#enqueue": {
    on: (e) => e.bound,
    args: (e) => [e.queue, { waitFor: [e.event] }],
    names: ["queue", "options?"],
    legal: { options: ["{}"], "options.waitFor": waits },
  },
  "BoundKernel#launchAndFinishSync": { on: (e) => e.bound, args: (e) => [e.queue], names: ["queue"] },
  "BoundKernel#setArg": {
    on: (e) => e.bound,
    args: () => ["a", 2],
    names: ["parameter", "argument 1"],
    // The first argument, which cannot be a number.
    otherNames: ["argument 0"],
    legal: argumentLegal,
  },
  "BoundKernel#takesNumber": {
    on: (e) => e.bound,
    args: () => ["a"],
    names: ["parameter"],
    legal: { parameter: ["0", "x"] },
  },
  "BoundKernel#launchRows": {
    on: (e) => e.bound,
    args: (e) => [e.queue, ["a"], Float64Array.of(1, 2)],
    names: ["queue", "parameters", "rows"],
    otherNames: ["parameter"],
    legal: { "parameters.0": ["0", "x"], rows: ["Float64Array"] },
  },
  "BoundKernel#enqueueRows": {
    on: (e) => e.bound,
    args: (e) => [e.queue, ["a"], Float64Array.of(1, 2), { waitFor: [e.event] }],
    names: ["queue", "parameters", "rows", "options?"],
    otherNames: ["parameter"],
    legal: { "parameters.0": ["0", "x"], "options.waitFor": waits, options: ["{}"], rows: ["Float64Array"] },
  },
  "BoundKernel#summary": nothing((e) => e.bound),
  "new LaunchList": {
    args: (e) => [e.context, { label: "name", waitForPrevious: false }],
    names: ["context", "options?"],
    legal: { context: ["foreign"], "options.waitForPrevious": ["true"], "options.label": label, options: ["{}"] },
  },
  "LaunchList#push": {
    on: (e) => e.list,
    args: (e) => [e.bound, { label: "name", scalars: { a: 0 } }],
    names: ["kernel", "options?"],
    legal: {
      options: ["{}"],
      "options.label": label,
      "options.scalars": ["{}", "unknown name"],
      "options.scalars.a": ["0", "-0"],
    },
  },
  "LaunchList#pushCopy": {
    on: (e) => e.list,
    args: (e) => [e.target, e.buffer, { bytes: 4, sourceOffset: 4, targetOffset: 8 }],
    names: ["target", "source", "range?"],
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
    args: (e) => [e.buffer, Float32Array.of(1), { offset: 4, bytes: 8 }],
    names: ["target", "pattern", "range?"],
    otherNames: ["options"],
    legal: {
      target: ["buffer"],
      pattern: ["NaN", "-1", "0", "1.5", "2**31", "2**53", "1e300", "-Infinity", "Float64Array", "SharedArrayBuffer"],
      range: ["{}"],
      "range.offset": number,
      "range.bytes": number,
    },
  },
  "LaunchList#pushBarrier": nothing((e) => e.list),
  "LaunchList#launch": {
    on: (e) => new LaunchList(e.context).push(e.bound, { scalars: { a: 0 } }),
    args: (e) => [e.queue, [1]],
    names: ["queue", "values?"],
    legal: {
      values: ["[NaN]", "Float64Array"],
      "values.0": ["NaN", "-1", "0", "1.5", "2**31", "2**53", "-Infinity"],
    },
  },
  "LaunchList#enqueue": {
    on: (e) => e.list,
    args: (e) => [e.queue, { waitFor: [e.event] }],
    names: ["queue", "options?"],
    legal: { options: ["{}"], "options.waitFor": waits },
  },
  "LaunchList#summary": nothing((e) => e.list),
};
