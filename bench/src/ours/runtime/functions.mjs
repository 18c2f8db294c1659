// Functions of elements in [0, 1).
import { sized } from "../array/rig.mjs";

/** @param {import("../array/rig.mjs").Rig} rig */
export function functionJobs(rig) {
  const unary = /** @type {const} */ (["sin", "exp", "log"]).map((name) =>
    sized(rig, name, (size) => {
      const { a, out } = rig.operands(size);
      return () => a[name]({ out });
    }),
  );
  return {
    ...Object.assign({}, ...unary),
    ...sized(rig, "pow", (size) => {
      const { a, b, out } = rig.operands(size);
      return () => a.power(b, { out });
    }),
  };
}
