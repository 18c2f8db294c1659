/** Calls of samplers, pipes and extensions; see calls-objects.mjs. */
const label = ["empty string", "x", "NUL"];
const flag = ["true"];
const info = (on, value) => ({ on, args: () => ({ param: value }), legal: { param: [] } });
const pointer = { names: ["context", "pointer", "options?"], legal: { "options.retain": flag } };

export const interopCalls = {
  "new Sampler": {
    args: (e) => ({
      context: e.context,
      "options?": { normalizedCoordinates: true, addressingMode: 0x1132, filterMode: 0x1140, label: "name" },
    }),
    legal: { context: ["foreign"], options: ["{}", "[]"], "options.normalizedCoordinates": flag },
  },
  "Sampler.fromPointer": { args: (e) => [e.context, e.sampler.pointer, { retain: true, label: "name" }], ...pointer },

  // Pipes.
  "new Pipe": {
    args: (e) => ({ context: e.context, options: { packetSize: 16, maxPackets: 4, flags: 1, label: "name" } }),
    // Errors for the device's limits of packets.
    otherNames: ["packets"],
    // The driver checks unknown flag bits.
    skip: { "options.flags": ["2**31", "2**53"] },
    legal: { context: ["foreign"], "options.flags": ["0"], "options.label": label, "options.maxPackets": ["2**31"] },
  },
  "Pipe.fromPointer": { args: (e) => [e.context, e.pipe.pointer, { retain: true, label: "name" }], ...pointer },
  "Pipe#getPipeInfo": info((e) => e.pipe, 0x1120),

  // Semaphores.
  "new Semaphore": {
    args: (e) => ({ context: e.context, "options?": { devices: [e.device], exportTypes: [0x2055], label: "name" } }),
    legal: { context: ["foreign"], "options.exportTypes": ["[]"] },
  },
  "Semaphore.import": {
    args: (e) => ({
      context: e.context,
      source: { type: 0x2055, fd: e.semaphore.export(0x2055), devices: [e.device], label: "name" },
    }),
    legal: { context: ["foreign"], "source.label": label },
    // Descriptors that are not semaphores.
    skip: { "source.fd": ["0", "2**31"] },
  },
  "Semaphore#enqueueSignal": {
    on: (e) => e.semaphore,
    args: (e) => ({ queue: e.queue, "options?": { waitFor: [e.event] } }),
  },
  "Semaphore#enqueueWait": {
    on: (e) => {
      e.semaphore.enqueueSignal(e.queue);
      return e.semaphore;
    },
    args: (e) => ({ queue: e.queue, "options?": { waitFor: [e.event] } }),
  },
  "Semaphore#export": { on: (e) => e.semaphore, args: (e) => ({ type: 0x2055, "device?": e.device }) },

  // External memory.
  importBuffer: {
    args: (e) => ({
      context: e.context,
      source: {
        handleType: 0x2060,
        fd: e.descriptor,
        size: 16,
        type: Float32Array,
        devices: [e.device],
        access: "read-write",
        flags: 0,
        label: "name",
      },
    }),
    // Errors can name the shared buffer options or the size in bytes.
    otherNames: ["options", "bytes"],
    skip: { "source.fd": ["0", "2**31"], "source.flags": ["2**31", "2**53"] },
    legal: { context: ["foreign"], "source.label": label, "source.flags": ["0"] },
  },
  "CommandQueue#enqueueAcquireExternal": {
    on: (e) => e.queue,
    args: (e) => ({ memories: [e.external], "options?": { waitFor: [e.event] } }),
  },
  "CommandQueue#enqueueReleaseExternal": {
    on: (e) => e.queue,
    args: (e) => ({ memories: [e.external], "options?": { waitFor: [e.event] } }),
  },

  // Command buffers.
  "new CommandBuffer": {
    args: (e) => ({ queue: e.queue, "options?": { simultaneousUse: true, label: "name" } }),
    legal: { queue: ["queue", "foreign"], "options.simultaneousUse": flag },
  },
  "CommandBuffer#push": { on: (e) => e.recording, args: (e) => ({ kernel: e.bound }) },
  "CommandBuffer#pushCopy": {
    on: (e) => e.recording,
    args: (e) => ({ target: e.target, source: e.buffer, "range?": { sourceOffset: 4, targetOffset: 4, bytes: 4 } }),
    otherNames: ["range", "bytes", "options", "offset", "sourceOffset", "targetOffset"],
    legal: {
      target: ["buffer"],
      source: ["buffer"],
      range: ["{}"],
      "range.bytes": ["0"],
      "range.sourceOffset": ["0", "null"],
      "range.targetOffset": ["0", "null"],
    },
  },
  "CommandBuffer#pushFill": {
    on: (e) => e.recording,
    args: (e) => ({ target: e.buffer, pattern: 1, "range?": { offset: 4, bytes: 8 } }),
    otherNames: ["range", "bytes", "options", "offset", "pattern", "buffer"],
    legal: { range: ["{}"], "range.offset": ["0", "null"], "range.bytes": ["0", "null"], pattern: ["any"] },
  },
  "CommandBuffer#enqueue": { on: (e) => e.recording.finalize(), args: (e) => ({ "options?": { waitFor: [e.event] } }) },

  "Kernel#suggestedLocalSize": {
    on: (e) => e.kernel.setArgs(e.buffer, 1, 4),
    args: (e) => ({ queue: e.queue, sizes: { global: [4], offset: [1] } }),
    legal: {
      queue: ["queue"],
      sizes: ["unknown name"],
      "sizes.offset": ["null", "0", "2**31", "function"],
      "sizes.global": ["2**31"],
    },
  },
};
