// Element-wise operations.
import { fuse } from "@cl/array";

import { sized } from "./rig.mjs";

/** 2a + 3b - c, for fuse(). */
export const formula = (a, b, c) => a.mul(2).add(b.mul(3)).sub(c);

/** Returns the fused formula. */
export function fusedFormula() {
  return fuse(formula);
}

/**
 * Evaluates the formula with separate operators. Releases each intermediate array after use.
 * @param {import("@cl/array").DeviceArray} a
 * @param {import("@cl/array").DeviceArray} b
 * @param {import("@cl/array").DeviceArray} c
 */
export function byOperators(a, b, c) {
  const twice = a.mul(2);
  const thrice = b.mul(3);
  const sum = twice.add(thrice);
  twice.release();
  thrice.release();
  const result = sum.sub(c);
  sum.release();
  return result;
}

/** @param {import("./rig.mjs").Rig} rig */
export function elementwiseJobs(rig) {
  const { xp } = rig;
  return {
    ...sized(rig, "add", (size) => {
      const { a, b, out } = rig.operands(size);
      return () => a.add(b, { out });
    }),

    ...sized(rig, "fused", (size) => {
      const { a, b, c, out } = rig.operands(size);
      const fused = fusedFormula();
      return () => fused(a, b, c, { out });
    }),

    ...sized(rig, "fused-operators", (size) => {
      const { a, b, c } = rig.operands(size);
      return () => byOperators(a, b, c).release();
    }),

    ...sized(rig, "where", (size) => {
      const { a, b, c } = rig.operands(size);
      const condition = c.greater(0.5);
      return () => xp.where(condition, a, b).release();
    }),
  };
}
