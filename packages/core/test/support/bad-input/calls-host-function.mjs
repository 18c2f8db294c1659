/** Calls that enqueue functions; see calls-objects.mjs. */
export const hostFunctionCalls = {
  "CommandQueue#enqueueHostFunction": {
    on: (e) => e.queue,
    args: (e) => [() => undefined, { waitFor: [e.event], label: "name", signal: new AbortController().signal }],
    names: ["fn", "options?"],
    legal: {
      fn: ["function"],
      "options.label": ["empty string", "x", "NUL"],
      "options.waitFor": ["null", "[]"],
      options: ["{}"],
    },
  },
  // The addresses are invalid, and the fake device does not run native kernels.
  "CommandQueue#enqueueNativeKernel": {
    on: (e) => e.queue,
    args: (e) => [
      4096n,
      { arguments: new Uint8Array(16), memories: [{ buffer: e.buffer, offset: 8 }], waitFor: [e.event] },
    ],
    names: ["functionPointer", "options?"],
    fails: true,
    otherNames: ["native kernels", "no code"],
    legal: { "options.waitFor": ["null", "[]"], "options.memories": ["[]", "null"], options: ["{}"] },
  },
};
