// Pooled memory that is used: whether it saves page faults, and whether it matters where its blocks lie.
import { sides } from "../../job.mjs";

/** @type {readonly import("../../job.mjs").Job[]} */
export const touches = [
  {
    // Each temporary is filled by a kernel and given back before there is another one. C++ fills one buffer again and
    // again; `fresh` is C++ with a new buffer each time.
    name: "pool-first-touch",
    size: "# times 64 MiB",
    unit: "ms",
    kind: "loop",
    environment: "default",
    rounds: 5,
    count: { full: 100, quick: 5 },
    sides: { ...sides("pool-first-touch", "cpp", "pyopencl"), fresh: { peer: "cpp", job: "fresh-touch" } },
    target: { times: 1.1, peer: "cpp" },
  },
  {
    // The very first temporary, of a pool that has nothing yet.
    name: "pool-first-touch-first",
    size: "64 MiB",
    unit: "ms",
    kind: "loop",
    environment: "default",
    count: { full: 1, quick: 1 },
    sides: { ...sides("pool-first-touch-first", "pyopencl"), cpp: { peer: "cpp", job: "fresh-touch" } },
  },
  {
    // a + b of a million floats into a pooled result, a and b from the pool, too; C++ has three buffers of its own.
    name: "pool-add",
    size: "1000000",
    unit: "us",
    kind: "loop",
    environment: "default",
    multiple: 10,
    sides: sides("pool-add", "cpp", "pyopencl"),
  },
];
