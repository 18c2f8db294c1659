/** Calls of shared virtual memory (SVM); see calls-objects.mjs. */
const label = ["empty string", "x", "NUL"];
const waits = ["null", "[]"];
const nothing = (on) => ({ on, args: () => [], names: [] });
const anything = { args: () => [0], names: ["arg0"], any: true };
// null means omitted.
const number = ["null", "0"];
const signal = () => new AbortController().signal;
const options = { options: ["{}"] };

const allocation = {
  "options.label": label,
  "options.flags": ["0"],
  "options.atomics": ["true"],
  ...options,
};
// The driver checks unknown flag bits and alignments.
const skip = { "options.flags": ["2**31"], "options.alignment": ["2**31"] };

/** Returns the entry of a map call. Calls with the access in their name have no `access` option. */
const map = (on, more = {}) => ({
  on,
  args: (e) => [e.queue, Float32Array, { offset: 1, length: 2, waitFor: [e.event], ...more }],
  names: ["queue", "type?", "options?"],
  otherNames: ["elements"],
  legal: { "options.offset": number, "options.length": ["null"], "options.waitFor": waits, ...options },
});

// Only the model's shape and type are used.
const like = {
  otherNames: ["model"],
  legal: {
    context: ["foreign"],
    model: ["Float64Array", "empty Uint8Array", "SharedArrayBuffer", "resizable", "liar", "released", "foreign"],
  },
};
const shaped = {
  otherNames: ["bytes"],
  legal: { context: ["foreign"], shape: ["0", "[]"], "shape.0": ["0"] },
};

export const svmCalls = {
  "new SvmPointer": anything,
  "new SvmBase": anything,
  "new MappedSvm": anything,

  "new SvmAllocation": {
    args: (e) => [
      e.context,
      16,
      {
        kind: "fine-buffer",
        atomics: false,
        access: "read-only",
        alignment: 16,
        queue: e.queue,
        flags: 0,
        label: "name",
      },
    ],
    names: ["context", "bytes", "options?"],
    // Errors for a queue of another context and for contradicting flags.
    otherNames: ["context", "options.kind", "bytes"],
    skip,
    legal: { bytes: ["0"], ...allocation },
  },
  "SvmAllocation#part": {
    on: (e) => e.svm,
    args: () => [4, 8, Float32Array],
    names: ["byteOffset", "bytes?", "type?"],
    otherNames: ["the part"],
    legal: { byteOffset: ["0"], bytes: ["null", "0"], type: ["null"] },
  },
  "SvmAllocation#array": {
    on: (e) => e.fineSvm,
    args: () => [Float32Array, { offset: 1, length: 2 }],
    names: ["type", "options?"],
    otherNames: ["elements"],
    legal: { "options.offset": number, "options.length": number, ...options },
  },
  "SvmAllocation#bindToQueue": { on: (e) => e.svm, args: (e) => [e.queue], names: ["queue"] },
  "SvmAllocation#unbindFromQueue": {
    on: (e) => e.boundSvm,
    args: () => [{ signal: signal() }],
    names: ["options?"],
    legal: options,
  },
  "SvmAllocation#unbindFromQueueSync": nothing((e) => e.boundSvm),
  "SvmAllocation#enqueueRelease": {
    on: (e) => e.boundSvm,
    args: (e) => [e.queue, { waitFor: [e.event] }],
    names: ["queue?", "options?"],
    legal: { "options.waitFor": waits, ...options },
  },
  "SvmAllocation#release": nothing((e) => e.svm),

  "new BorrowedSvm": {
    args: (e) => [e.svm, 8, { takeBack: () => undefined }],
    names: ["block", "bytes", "lender"],
    legal: { lender: ["unknown name"], "lender.takeBack": ["function"], block: ["foreign"] },
  },
  "BorrowedSvm#part": {
    on: (e) => e.borrowedSvm,
    args: () => [4, 8, Float32Array],
    names: ["byteOffset", "bytes?", "type?"],
    otherNames: ["the part"],
    legal: { byteOffset: ["0"], bytes: ["null", "0"], type: ["null"] },
  },
  "BorrowedSvm#array": {
    on: (e) => e.borrowedSvm,
    args: () => [Float32Array, { offset: 1, length: 2 }],
    names: ["type", "options?"],
    otherNames: ["elements"],
    legal: { "options.offset": number, "options.length": number, ...options },
  },
  "BorrowedSvm#ready": {
    on: (e) => e.borrowedSvm,
    args: () => [{ signal: signal() }],
    names: ["options?"],
    legal: options,
  },
  "BorrowedSvm#bindToQueue": { on: (e) => e.borrowedSvm, args: (e) => [e.queue], names: ["queue"] },
  "BorrowedSvm#unbindFromQueue": {
    on: (e) => e.boundBorrowedSvm,
    args: () => [{ signal: signal() }],
    names: ["options?"],
    legal: options,
  },
  "BorrowedSvm#Symbol(startWatching)": nothing((e) => e.borrowedSvm),
  "BorrowedSvm#Symbol(ownsPart)": { ...anything, on: (e) => e.borrowedSvm },
  "SvmBase#Symbol(ownsPart)": { ...anything, on: (e) => e.svm },
  "BorrowedSvm#release": nothing((e) => e.borrowedSvm),
  "BorrowedSvm#enqueueRelease": nothing((e) => e.borrowedSvm),

  "SvmPointer#map": map((e) => e.svm, { access: "write", signal: signal() }),
  "SvmPointer#mapSync": map((e) => e.svm, { access: "read" }),
  "SvmPointer#mapRead": map((e) => e.svm, { signal: signal() }),
  "SvmPointer#mapReadSync": map((e) => e.svm),
  "SvmPointer#mapReadWrite": map((e) => e.fineSvm, { signal: signal() }),
  "SvmPointer#mapReadWriteSync": map((e) => e.fineSvm),
  "SvmPointer#mapWrite": map((e) => e.svmPart, { signal: signal() }),
  "SvmPointer#mapWriteSync": map((e) => e.svmPart),
  "SvmPointer#asBuffer": {
    on: (e) => e.svm,
    args: () => [{ byteOffset: 0, bytes: 8, access: "read-only", hostAccess: "none", flags: 0, label: "name" }],
    names: ["options?"],
    legal: {
      "options.byteOffset": number,
      "options.bytes": ["null"],
      "options.flags": ["0"],
      "options.label": ["null", ...label],
      ...options,
    },
    skip: { "options.flags": ["2**31"] },
  },
  "SvmBase#summary": nothing((e) => e.svm),
  "MappedSvm#summary": nothing((e) => e.mappedSvm),

  "new Svm": {
    args: (e) => [e.context, e.fineSvm.array(Float32Array)],
    names: ["context", "array"],
  },
  "Svm#part": {
    on: (e) => e.svmPart,
    args: () => [4, 4, Float32Array],
    names: ["byteOffset", "bytes?", "type?"],
    otherNames: ["the part"],
    legal: { byteOffset: ["0"], bytes: ["null", "0"], type: ["null"] },
  },
  "Svm#release": nothing((e) => e.svmPart),

  "new SvmArray": {
    args: (e) => [e.context, [2, 2], Float32Array, { order: "F", kind: "coarse", label: "name", alignment: 16 }],
    names: ["context", "shape", "type", "options?"],
    otherNames: ["bytes"],
    skip,
    legal: { ...shaped.legal, ...allocation },
  },
  "SvmArray#summary": nothing((e) => e.svmArray),
  "SvmArray.like": {
    args: (e) => [e.context, e.svmArray, { order: "C", kind: "coarse", label: "name", alignment: 64 }],
    names: ["context", "model", "options?"],
    ...like,
    skip,
    legal: { ...like.legal, ...allocation },
  },

  "CommandQueue#enqueueSvmFill": {
    on: (e) => e.queue,
    args: (e) => [e.svm, Float32Array.of(1), { offset: 4, bytes: 8, waitFor: [e.event] }],
    names: ["svm", "pattern", "options?"],
    legal: {
      pattern: ["Float64Array", "SharedArrayBuffer", "resizable"],
      "options.offset": number,
      "options.bytes": number,
      "options.waitFor": waits,
      ...options,
    },
    otherNames: ["options"],
  },
  "CommandQueue#enqueueSvmMigrate": {
    on: (e) => e.queue,
    args: (e) => [[e.svm], { flags: 1, waitFor: [e.event] }],
    names: ["svms", "options?"],
    legal: { "options.flags": ["0"], "options.waitFor": waits, ...options },
  },

  "KernelObject#setSvmPointers": { on: (e) => e.kernel, args: (e) => [[e.svm]], names: ["svms"] },
  "KernelObject#setSvmFineGrainSystem": {
    on: (e) => e.kernel,
    args: () => [false],
    names: ["reachesAll"],
    legal: { reachesAll: ["true"] },
  },
};
