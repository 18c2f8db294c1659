// What a pool itself costs: a request of a size that it holds, and its release. C++ has no pool: it creates and releases
// buffers. Nothing is written to them, so that their size costs nobody anything on a device that reserves memory at
// its first use.
import { sides } from "../../job.mjs";

/** @typedef {import("../../job.mjs").Job} Job */

/**
 * @param {string} name
 * @param {number} nanoseconds the target
 * @returns {Job}
 */
function requests(name, nanoseconds) {
  return {
    name,
    unit: "ns",
    kind: "loop",
    environment: "default",
    multiple: 1000,
    sides: sides(name, "cpp", "pyopencl"),
    target: { ours: nanoseconds },
  };
}

/** @type {readonly Job[]} */
export const pools = [
  requests("pool-4KiB", 100),
  requests("pool-1MiB", 100),
  requests("pool-64MiB", 100),
  // 64 live blocks between 256 B and 1 MiB; a unit gives one of them back and asks for another.
  requests("pool-mixed", 150),
];
