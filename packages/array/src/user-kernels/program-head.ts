/** The preamble of user kernels: types, functions of complex numbers if they are used, and the user's preamble. */
import { StructType } from "@cl/core";
import { complexFunctions } from "./complex-functions.js";
import type { KernelTexts } from "./kernel-texts.js";

/** The text. */
export function programHead({ parameters, types, preamble, ...texts }: Omit<KernelTexts, "name">): string {
  const structs = new Set(
    [...types, ...parameters.map(({ dtype }) => dtype)].filter((type) => type instanceof StructType),
  );
  const all = [preamble, texts.operation, texts.before, texts.after, ...parameters.map(({ cType }) => cType)].join(
    "\n",
  );
  return `#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#endif
${/\bcfloat_/u.test(all) ? complexFunctions("float") : ""}
${/\bcdouble_/u.test(all) ? complexFunctions("double") : ""}
${[...structs].map(({ cDeclaration }) => cDeclaration).join("\n")}
${preamble}
`;
}
