// Overhead per operation.
import { DeviceBuffer } from "@cl/core";

import { fusedFormula } from "./elementwise.mjs";
import { timed } from "./rig.mjs";
import { now } from "../serve.mjs";

/** Operations between two finishes, as for the peers. */
const depth = 500;

/** Adds an array 100 times. */
function addedRepeatedly(a, b) {
  let sum = a;
  for (let k = 0; k < 100; k++) sum = sum.add(b);
  return sum;
}

/** @param {import("./rig.mjs").Rig} rig */
export function dispatchJobs(rig) {
  const small = () => rig.operands(64);
  /** @type {ReturnType<typeof fusedFormula>} */
  let fused;

  return {
    "dispatch-add"(count) {
      const { a, b } = small();
      return timed(rig, count, () => a.add(b).eval().release(), depth);
    },

    "dispatch-fused"(count) {
      const { a, b, c } = small();
      fused ??= fusedFormula();
      return timed(rig, count, () => fused(a, b, c).release(), depth);
    },

    "chain-5"(count) {
      const { a, b } = rig.operands(5);
      return timed(rig, count, () => rig.xp.scope(() => addedRepeatedly(a, b).dataSync()));
    },

    views(count) {
      const { a } = small();
      const start = now();
      for (let i = 0; i < count; i++) a.slice("10:20").release();
      return (now() - start) / count;
    },

    "small-add"(count) {
      const { a, b } = rig.operands(1000);
      return timed(rig, count, () => a.add(b).eval().release(), 1);
    },
  };
}

/**
 * Launches of a kernel of one's own with arrays, and the same with buffers.
 * @param {import("./rig.mjs").Rig} rig
 * @param {import("./rig.mjs").Scale} scale
 */
export function argumentJobs(rig, scale) {
  const [from, to] = [1, 2].map(() => DeviceBuffer.from(rig.context, new Float32Array(64)));
  // One argument changes each time, because unchanged arguments are not set again.
  const launches = (count, a, b) => {
    let i = 0;
    return timed(rig, count, () => scale(a, b, i++ & 1), depth);
  };

  return {
    "array-argument"(count) {
      const { a, out } = rig.operands(64);
      return launches(count, a, out);
    },

    "buffer-argument"(count) {
      return launches(count, from, to);
    },
  };
}
