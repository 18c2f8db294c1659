// Memory leaks: growth of resident memory after a warm-up, when nothing is released explicitly. The record's `handles` is the
// number of entries in the native table after garbage collection.
import { sides } from "../../job.mjs";

/**
 * @param {string} what
 * @param {number} full
 * @returns {import("../../job.mjs").Job}
 */
function driftOf(what, full) {
  return {
    name: "drift",
    size: `# ${what}`,
    unit: "KiB",
    kind: "once",
    environment: "default",
    rounds: 1,
    count: { full, quick: full / 10 },
    nodeArguments: ["--expose-gc"],
    sides: sides(`drift-${what}`),
    target: { ours: 2048 },
  };
}

export const drift = [driftOf("launches", 1_000_000), driftOf("buffers", 1_000_000), driftOf("promises", 100_000)];
