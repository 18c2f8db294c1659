// Sorting random 32-bit integers and floating-point numbers, and argsort.
import { sized } from "../array/rig.mjs";

/** @param {import("../array/rig.mjs").Rig} rig */
export function sortJobs(rig) {
  const { xp } = rig;
  return {
    ...sized(rig, "sort-u32", (size) => {
      const host = randomKeys(size);
      const keys = xp.fromHost(host);
      const out = xp.empty([size], { dtype: "uint32" });
      keys.sort({ out });
      expectSame(out.dataSync(), host.toSorted(), "sort-u32");
      return () => keys.sort({ out });
    }),

    ...sized(rig, "sort-f32", (size) => {
      const host = Float32Array.from(randomKeys(size), (key) => key / 2 ** 32);
      const values = xp.fromHost(host);
      const out = xp.empty([size], { dtype: "float32" });
      values.sort({ out });
      expectSame(out.dataSync(), host.toSorted(), "sort-f32");
      return () => values.sort({ out });
    }),

    ...sized(rig, "argsort", (size) => {
      const host = randomKeys(size);
      const keys = xp.fromHost(host);
      const indices = keys.argsort().dataSync();
      expectSame(
        Uint32Array.from(indices, (index) => host[Number(index)]),
        host.toSorted(),
        "argsort",
      );
      return () => keys.argsort().release();
    }),
  };
}

/**
 * Returns the same keys as native/algorithms/sort.cc.
 * @param {number} size
 */
function randomKeys(size) {
  const keys = new Uint32Array(size);
  for (let i = 0; i < size; i++) {
    let key = (Math.imul(i, 2654435761) + 1) >>> 0;
    key = Math.imul(key ^ (key >>> 16), 2246822519) >>> 0;
    key = Math.imul(key ^ (key >>> 13), 3266489917) >>> 0;
    keys[i] = key ^ (key >>> 16);
  }
  return keys;
}

/**
 * @template {Uint32Array | Float32Array} T
 * @param {T} found
 * @param {T} expected
 * @param {string} job
 */
function expectSame(found, expected, job) {
  const wrong = found.findIndex((value, i) => value !== expected[i]);
  if (wrong >= 0) throw new Error(`${job}: expected ${expected[wrong]} at ${wrong}, received ${found[wrong]}`);
}
