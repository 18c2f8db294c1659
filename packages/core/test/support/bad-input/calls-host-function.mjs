/** Calls that enqueue functions; see calls-objects.mjs. */
export const hostFunctionCalls = {
  "CommandQueue#enqueueHostFunction": {
    on: (e) => e.queue,
    args: (e) => ({
      fn: () => undefined,
      "options?": { waitFor: [e.event], label: "name", signal: new AbortController().signal },
    }),
    legal: { fn: ["function"] },
  },
  // The addresses are invalid, and the fake device does not run native kernels.
  "CommandQueue#enqueueNativeKernel": {
    on: (e) => e.queue,
    args: (e) => ({
      functionPointer: 4096n,
      "options?": { arguments: new Uint8Array(16), memories: [{ buffer: e.buffer, offset: 8 }], waitFor: [e.event] },
    }),
    fails: true,
    otherNames: ["native kernels", "no code"],
    legal: { "options.memories": ["[]", "null"] },
  },
};
