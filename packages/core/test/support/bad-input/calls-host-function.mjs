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
};
