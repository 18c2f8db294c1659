// Start, launches and a whole program.
import { sides } from "../../job.mjs";

/** @type {readonly import("../../job.mjs").Job[]} */
export const programs = [
  {
    // From the import to the first kernel's result on the host, in a new process with empty caches.
    name: "first-kernel-cold",
    unit: "ms",
    kind: "once",
    environment: "default",
    sides: sides("first-kernel-cold", "system"),
    target: { times: 0.4, peer: "system" },
  },
  {
    // One of 500 launches of a bound kernel that end with a finish.
    name: "launch-stream",
    unit: "ns",
    kind: "loop",
    environment: "default",
    multiple: 500,
    sides: sides("launch-bound", "system"),
    target: { times: 1.2, peer: "system" },
  },
  {
    // examples/gray-scott on 256 × 256 cells, from its import to the written report.
    name: "gray-scott",
    size: "# steps",
    unit: "ms",
    kind: "once",
    environment: "default",
    count: { full: 500, quick: 100 },
    sides: sides("gray-scott", "system"),
    target: { times: 1, peer: "system" },
  },
];
