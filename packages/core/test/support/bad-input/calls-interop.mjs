/** Right calls of samplers, pipes and what extensions bring; see calls-objects.mjs. */
const label = ["empty string", "x", "NUL"];
const flag = ["true"];
const info = (on, value) => ({ on, args: () => [value], names: ["param"], legal: { param: [] } });
const nothing = (on) => ({ on, args: () => [], names: [] });
const pointer = {
  names: ["context", "pointer", "options?"],
  legal: { "options.label": label, "options.retain": flag, options: ["{}"] },
};

export const interopCalls = {
  "new Sampler": {
    args: (e) => [
      e.context,
      { normalizedCoordinates: true, addressingMode: 0x1132, filterMode: 0x1140, label: "name" },
    ],
    names: ["context", "options?"],
    legal: {
      context: ["foreign"],
      options: ["{}", "[]"],
      "options.label": label,
      "options.normalizedCoordinates": flag,
    },
  },
  "Sampler.fromPointer": { args: (e) => [e.context, e.sampler.pointer, { retain: true, label: "name" }], ...pointer },
  "Sampler#getInfo": info((e) => e.sampler, 0x1152),
  "Sampler#summary": nothing((e) => e.sampler),
};
