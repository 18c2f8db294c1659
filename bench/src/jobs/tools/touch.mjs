// Use of pooled memory: whether pooling avoids page faults, and whether the location of blocks matters.
import { sides } from "../../job.mjs";

/** @type {readonly import("../../job.mjs").Job[]} */
export const touches = [
  {
    // A kernel fills each temporary, which is released before the next allocation. C++ fills the same buffer repeatedly;
    // `fresh` is C++ with a new buffer each time.
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
    // The first temporary of an empty pool.
    name: "pool-first-touch-first",
    size: "64 MiB",
    unit: "ms",
    kind: "loop",
    environment: "default",
    count: { full: 1, quick: 1 },
    sides: { ...sides("pool-first-touch-first", "pyopencl"), cpp: { peer: "cpp", job: "fresh-touch" } },
  },
  {
    // a + b of a million floats into a pooled result, with a and b from the pool; C++ uses three fixed buffers.
    name: "pool-add",
    size: "1000000",
    unit: "us",
    kind: "loop",
    environment: "default",
    multiple: 10,
    sides: sides("pool-add", "cpp", "pyopencl"),
  },
];
