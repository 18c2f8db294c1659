/** OpenCL C of user kernels that run an operation for each index. */
import type { KernelTexts } from "./kernel-texts.js";
import { arrayStatements, declared, indexType, placedText, placesType, type TextPlan } from "./places-source.js";
import { programHead } from "./program-head.js";

/** The program, with one kernel. */
export function elementwiseSource(texts: KernelTexts, plan: TextPlan): string {
  const { name, operation, before, after, parameters } = texts;
  const placed = (text: string): string => placedText(text, plan.arrays);
  return `${programHead(texts)}
${placesType(plan)}
__kernel void ${name}(${[...parameters.map((one) => declared(one)), "const Places_ places_"].join(", ")}) {
  const ${indexType(plan)} n_ = (${indexType(plan)})get_global_id(0);
  if (n_ >= places_.size) return;
${arrayStatements(plan)}
${placed(before)}
  do {
${placed(operation)}
  ;
  } while (0);
${placed(after)}
}
`;
}
