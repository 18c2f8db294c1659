/** Vector loads of adjacent elements, which GPUs need to reach full memory bandwidth. */
import { storedType } from "../kernels/compute-type.js";
import type { ReductionPlan } from "./reduction-plan.js";

/** Load statements, and the names of the loaded values; inputs that are not contiguous have none. */
export interface VectorElements {
  readonly loads: string;
  readonly element: (input: number, v: number) => string | undefined;
}

/** Loads vectors of the contiguous inputs from the given offsets, which are multiples of the vector length. */
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
