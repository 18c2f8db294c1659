// Jobs that are there for each size: 1e3 to 1e7 elements of float32, and 1e8 where `--size` asks for it: on a processor it takes
// gigabytes for each peer, and minutes for some.
import { sides } from "../../job.mjs";

/** @typedef {import("../../job.mjs").Job} Job */
/** @typedef {import("../../job.mjs").Target} Target */

/**
 * What is to be reached: times a peer. Those of processors are for 1e6 and 1e7, those of CuPy for 1e8.
 * @typedef {{ cpp?: number, pyopencl?: number, numpy?: number, numpyLarge?: number, cupy?: number }} Limits
 */

const sizes = ["1e3", "1e4", "1e5", "1e6", "1e7", "1e8"];

/**
 * @param {string} name
 * @param {readonly string[]} peers besides ours
 * @param {Limits} [limits]
 * @param {Record<string, { peer: string, job: string }>} [more] sides by their fields, without the size
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
    // The same number of elements between two finishes would be too long at 1e7 for the slower ones.
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
