/** The calls that put functions into queues; see calls-objects.mjs. */
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
  // Nothing that could be called is in these addresses. The fake device runs none either.
  "CommandQueue#enqueueNativeKernel": {
    on: (e) => e.queue,
    args: (e) => [
      4096n,
      { arguments: new Uint8Array(16), memories: [{ buffer: e.buffer, offset: 8 }], waitFor: [e.event] },
    ],
    names: ["functionPointer", "options?"],
    fails: true,
    words: ["native kernels", "no code"],
    legal: { "options.waitFor": ["null", "[]"], "options.memories": ["[]", "null"], options: ["{}"] },
  },
};
