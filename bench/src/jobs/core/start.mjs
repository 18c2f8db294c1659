// Warm starts, in a new process per round.
import { sides } from "../../job.mjs";

const cpp = { peer: "cpp", prepare: "prepare" };

/** @type {readonly import("../../job.mjs").Job[]} */
export const starts = [
  {
    // Twenty kernels in one program. C++ stores the binary; `runtime` is C++ with the runtime's cache.
    name: "build-20-warm",
    unit: "ms",
    kind: "once",
    environment: "default",
    sides: {
      ...sides("build-20-warm", "pyopencl"),
      cpp: { ...cpp, job: "build-20-warm" },
      runtime: { ...cpp, job: "build-20-runtime" },
    },
    target: { ours: 3 },
  },
  {
    // From the import (C++: from main) to the first kernel's result on the host. The record's `process` is the time of the
    // process, including the interpreter.
    name: "first-kernel-warm",
    unit: "ms",
    kind: "once",
    environment: "default",
    sides: { ...sides("first-kernel-warm", "pyopencl"), cpp: { ...cpp, job: "first-kernel-warm" } },
    target: { times: 0.4, peer: "pyopencl" },
  },
];
