/** Calls of shared virtual memory (SVM); see calls-objects.mjs. */
const label = ["empty string", "x", "NUL"];
const anything = { args: () => [0], any: true };
// null means omitted.
const number = ["null", "0"];
const signal = () => new AbortController().signal;

const allocation = { "options.flags": ["0"], "options.atomics": ["true"] };
// The driver checks unknown flag bits and alignments.
const skip = { "options.flags": ["2**31"], "options.alignment": ["2**31"] };

/** Returns the entry of a map call. Calls with the access in their name have no `access` option. */
const map = (on, more = {}) => ({
  on,
  args: (e) => ({
    queue: e.queue,
    "type?": Float32Array,
    "options?": { offset: 1, length: 2, waitFor: [e.event], ...more },
  }),
  otherNames: ["elements"],
  legal: { "options.offset": number, "options.length": ["null"] },
});

// Only the model's shape and type are used.
const like = {
  otherNames: ["model"],
  legal: {
    context: ["foreign"],
    model: ["Float64Array", "empty Uint8Array", "SharedArrayBuffer", "resizable", "liar", "released", "foreign"],
  },
};
const shaped = { otherNames: ["bytes"], legal: { context: ["foreign"], shape: ["0", "[]"], "shape.0": ["0"] } };

export const svmCalls = {
  "new SvmPointer": anything,
  "new SvmBase": anything,
  "new MappedSvm": anything,

  "new SvmAllocation": {
    args: (e) => ({
      context: e.context,
      bytes: 16,
      "options?": {
        kind: "fine-buffer",
        atomics: false,
        access: "read-only",
        alignment: 16,
        queue: e.queue,
        flags: 0,
        label: "name",
      },
    }),
    // Errors for a queue of another context and for contradicting flags.
    otherNames: ["context", "options.kind", "bytes"],
    skip,
    legal: { bytes: ["0"], ...allocation },
  },
  "SvmAllocation#part": {
    on: (e) => e.svm,
    args: () => ({ byteOffset: 4, "bytes?": 8, "type?": Float32Array }),
    otherNames: ["the part"],
    legal: { byteOffset: ["0"], bytes: ["null", "0"], type: ["null"] },
  },
  "SvmAllocation#array": {
    on: (e) => e.fineSvm,
    args: () => ({ type: Float32Array, "options?": { offset: 1, length: 2 } }),
    otherNames: ["elements"],
    legal: { "options.offset": number, "options.length": number },
  },
  "SvmAllocation#bindToQueue": { on: (e) => e.svm, args: (e) => ({ queue: e.queue }) },
  "SvmAllocation#unbindFromQueue": { on: (e) => e.boundSvm, args: () => ({ "options?": { signal: signal() } }) },
  "SvmAllocation#enqueueRelease": {
    on: (e) => e.boundSvm,
    args: (e) => ({ "queue?": e.queue, "options?": { waitFor: [e.event] } }),
  },

  "new BorrowedSvm": {
    args: (e) => ({ block: e.svm, bytes: 8, lender: { takeBack: () => undefined } }),
    legal: { lender: ["unknown name"], "lender.takeBack": ["function"], block: ["foreign"] },
  },
  "BorrowedSvm#part": {
    on: (e) => e.borrowedSvm,
    args: () => ({ byteOffset: 4, "bytes?": 8, "type?": Float32Array }),
    otherNames: ["the part"],
    legal: { byteOffset: ["0"], bytes: ["null", "0"], type: ["null"] },
  },
  "BorrowedSvm#array": {
    on: (e) => e.borrowedSvm,
    args: () => ({ type: Float32Array, "options?": { offset: 1, length: 2 } }),
    otherNames: ["elements"],
    legal: { "options.offset": number, "options.length": number },
  },
  "BorrowedSvm#ready": { on: (e) => e.borrowedSvm, args: () => ({ "options?": { signal: signal() } }) },
  "BorrowedSvm#bindToQueue": { on: (e) => e.borrowedSvm, args: (e) => ({ queue: e.queue }) },
  "BorrowedSvm#unbindFromQueue": { on: (e) => e.boundBorrowedSvm, args: () => ({ "options?": { signal: signal() } }) },
  "BorrowedSvm#Symbol(ownsPart)": { ...anything, on: (e) => e.borrowedSvm },
  "SvmBase#Symbol(ownsPart)": { ...anything, on: (e) => e.svm },

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
    args: () => ({
      "options?": { byteOffset: 0, bytes: 8, access: "read-only", hostAccess: "none", flags: 0, label: "name" },
    }),
    legal: {
      "options.byteOffset": number,
      "options.bytes": ["null"],
      "options.flags": ["0"],
      "options.label": ["null", ...label],
    },
    skip: { "options.flags": ["2**31"] },
  },

  "new Svm": { args: (e) => ({ context: e.context, array: e.fineSvm.array(Float32Array) }) },
  "Svm#part": {
    on: (e) => e.svmPart,
    args: () => ({ byteOffset: 4, "bytes?": 4, "type?": Float32Array }),
    otherNames: ["the part"],
    legal: { byteOffset: ["0"], bytes: ["null", "0"], type: ["null"] },
  },

  "new SvmArray": {
    args: (e) => ({
      context: e.context,
      shape: [2, 2],
      type: Float32Array,
      "options?": { order: "F", kind: "coarse", label: "name", alignment: 16 },
    }),
    otherNames: ["bytes"],
    skip,
    legal: { ...shaped.legal, ...allocation },
  },
  "SvmArray.like": {
    args: (e) => ({
      context: e.context,
      model: e.svmArray,
      "options?": { order: "C", kind: "coarse", label: "name", alignment: 64 },
    }),
    ...like,
    skip,
    legal: { ...like.legal, ...allocation },
  },

  "CommandQueue#enqueueSvmFill": {
    on: (e) => e.queue,
    args: (e) => ({ svm: e.svm, pattern: Float32Array.of(1), "options?": { offset: 4, bytes: 8, waitFor: [e.event] } }),
    legal: {
      pattern: ["Float64Array", "SharedArrayBuffer", "resizable"],
      "options.offset": number,
      "options.bytes": number,
    },
    otherNames: ["options"],
  },
  "CommandQueue#enqueueSvmMigrate": {
    on: (e) => e.queue,
    args: (e) => ({ svms: [e.svm], "options?": { flags: 1, waitFor: [e.event] } }),
    legal: { "options.flags": ["0"] },
  },

  "KernelObject#setSvmPointers": { on: (e) => e.kernel, args: (e) => ({ svms: [e.svm] }) },
  "KernelObject#setSvmFineGrainSystem": {
    on: (e) => e.kernel,
    args: () => ({ reachesAll: false }),
    legal: { reachesAll: ["true"] },
  },
};
