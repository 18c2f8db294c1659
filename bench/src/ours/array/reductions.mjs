// Reductions; results stay on the device.
import { sized } from "./rig.mjs";

const rows = 1000;

/** @param {import("./rig.mjs").Rig} rig */
export function reductionJobs(rig) {
  /** @param {0 | 1} axis */
  const overAxis = (axis) => (/** @type {number} */ size) => {
    const { a } = rig.operands(size);
    const matrix = a.reshape([rows, size / rows]);
    return () => matrix.sum({ axis }).release();
  };

  return {
    ...sized(rig, "sum", (size) => {
      const { a } = rig.operands(size);
      return () => a.sum().release();
    }),

    ...sized(rig, "dot", (size) => {
      const { a, b } = rig.operands(size);
      return () => a.dot(b).release();
    }),

    ...sized(rig, "mul-sum", (size) => {
      const { a, b } = rig.operands(size);
      return () => rig.xp.scope(() => a.mul(b).sum()).release();
    }),

    ...sized(rig, "max", (size) => {
      const { a } = rig.operands(size);
      return () => a.max().release();
    }),

    ...sized(rig, "sum-axis0", overAxis(0)),
    ...sized(rig, "sum-axis1", overAxis(1)),
  };
}
