// Functions of elements in [0, 1).
import { sized } from "../array/rig.mjs";

/** @param {import("../array/rig.mjs").Rig} rig */
export function functionJobs(rig) {
  return {
    ...sized(rig, "sin", (size) => {
      const { a, out } = rig.operands(size);
      return () => a.sin({ out });
    }),

    ...sized(rig, "exp", (size) => {
      const { a, out } = rig.operands(size);
      return () => a.exp({ out });
    }),

    ...sized(rig, "log", (size) => {
      const { a, out } = rig.operands(size);
      return () => a.log({ out });
    }),

    ...sized(rig, "pow", (size) => {
      const { a, b, out } = rig.operands(size);
      return () => a.power(b, { out });
    }),
  };
}
