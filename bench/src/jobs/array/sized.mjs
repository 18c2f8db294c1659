// Jobs for each size: 1e3 to 1e7 float32 elements, and 1e8 only with `--size`, because on a CPU it takes gigabytes per peer
// and for some peers minutes.
import { sides } from "../../job.mjs";

/** @typedef {import("../../job.mjs").Job} Job */
/** @typedef {import("../../job.mjs").Target} Target */

/**
 * Targets as multiples of a peer's time: for 1e6 and 1e7 on CPUs, for 1e8 with CuPy.
 * @typedef {{ cpp?: number, pyopencl?: number, numpy?: number, numpyLarge?: number, cupy?: number }} Limits
 */

const sizes = ["1e3", "1e4", "1e5", "1e6", "1e7", "1e8"];

/**
 * @param {string} name
 * @param {readonly string[]} peers in addition to ours
 * @param {Limits} [limits]
 * @param {Record<string, { peer: string, job: string }>} [more] further sides by field, without the size
 * @returns {Job[]}
 */
export function sized(name, peers, limits = {}, more = {}) {
  return sizes.map((size) => ({
    name,
    size,
    unit: "us",
    kind: "loop",
    environment: "default",
    ...(size === "1e8" ? { onRequest: true } : {}),
    long: size !== "1e6",
    // At 1e7, ten operations between two finishes would take too long for slow peers.
    multiple: Number(size) <= 1e6 ? 10 : 1,
    quickMultiple: 1,
    sides: {
      ...sides(`${name}-${size}`, ...peers),
      ...Object.fromEntries(
        Object.entries(more).map(([field, { peer, job }]) => [field, { peer, job: `${job}-${size}` }]),
      ),
    },
    target: targets(size, limits),
  }));
}

/**
 * @param {string} size
 * @param {Limits} limits
 * @returns {readonly Target[]}
 */
function targets(size, { cpp, pyopencl, numpy, numpyLarge, cupy }) {
  /** @type {Record<string, readonly (readonly [string, number | undefined])[]>} */
  const bySize = {
    "1e6": [
      ["cpp", cpp],
      ["pyopencl", pyopencl],
      ["numpy", numpy],
    ],
    "1e7": [
      ["cpp", cpp],
      ["pyopencl", pyopencl],
      ["numpy", numpy ?? numpyLarge],
    ],
    "1e8": [["cupy", cupy]],
  };
  return (bySize[size] ?? []).flatMap(([peer, times]) => (times === undefined ? [] : [{ times, peer }]));
}
