/** Several neighbours loaded at once, which GPUs need for all of their memory's speed. */
import { storedType } from "../kernels/compute-type.js";
import type { ReductionPlan } from "./reduction-plan.js";

/** Statements that load, and the names of what they load; inputs that do not lie side by side have none. */
export interface VectorElements {
  readonly loads: string;
  readonly element: (input: number, v: number) => string | undefined;
}

/** Vectors of the inputs that lie side by side, from these places on, which are multiples of the vector's length. */
export function vectorElements(plan: ReductionPlan, at: (input: number) => string): VectorElements {
  const { inputs, vector, steps } = plan;
  // Complex numbers are vectors already.
  const whole = (k: number): boolean =>
    vector > 1 && steps[k] === 1 && inputs[k] !== "float16" && inputs[k]?.startsWith("complex") === false;
  const loads = inputs.flatMap((type, k) => {
    const name = `${storedType(type)}${vector}`;
    return whole(k) ? [`const ${name} q${k} = *(__global const ${name} *)(in${k} + ${at(k)});`] : [];
  });
  return {
    loads: loads.join("\n        "),
    element: (k, v) => {
      if (!whole(k)) return undefined;
      return inputs[k] === "bool" ? `(uchar)(q${k}.s${v} != 0)` : `q${k}.s${v}`;
    },
  };
}
