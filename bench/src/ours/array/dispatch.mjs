// What an operation costs besides its elements.
import { byOperators, fusedFormula } from "./elementwise.mjs";
import { timed } from "./rig.mjs";
import { now } from "../serve.mjs";

/** As deep as the others' queues get. */
const deep = 500;

/** @param {import("./rig.mjs").Rig} rig */
export function dispatchJobs(rig) {
  const few = () => rig.operands(64);
  /** @type {ReturnType<typeof fusedFormula>} */
  let fused;

  return {
    "dispatch-add"(count) {
      const { a, b } = few();
      return timed(rig, count, () => a.add(b).release(), deep);
    },

    "dispatch-fused"(count) {
      const { a, b, c } = few();
      fused ??= fusedFormula();
      return timed(rig, count, () => fused(a, b, c).release(), deep);
    },

    "dispatch-operators"(count) {
      const { a, b, c } = few();
      return timed(rig, count, () => byOperators(a, b, c).release(), deep);
    },

    views(count) {
      const { a } = few();
      const start = now();
      for (let i = 0; i < count; i++) a.slice("10:20").release();
      return (now() - start) / count;
    },

    "small-add"(count) {
      const { a, b } = rig.operands(1000);
      return timed(rig, count, () => a.add(b).release(), 1);
    },
  };
}
