// Overhead of the pool: allocating a size that it holds, and releasing it. C++ creates and releases buffers instead. The
// memory is not written, so the size does not matter on devices that allocate pages at first use.
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
  // 64 live blocks between 256 B and 1 MiB; a unit releases one of them and allocates another.
  requests("pool-mixed", 150),
];
