/** Translation of user-defined reductions for the engine of all reductions. */
import type { CompilerOptions, DType, StructType } from "@cl/core";
import type { ReductionTexts } from "../reductions/text-reduction.js";
import type { Parameter } from "./kernel-parameter.js";
import { arrayStatements, declared, indexType, placedText, placesType, type TextPlan } from "./places-source.js";
import { programHead } from "./program-head.js";

/** The OpenCL C that the user supplies. */
export interface UserReduction {
  readonly name: string;
  readonly dtype: DType;
  readonly cType: string;
  readonly parameters: readonly Parameter[];
  readonly map: string;
  readonly reduce: string;
  readonly identity: string;
  readonly preamble: string;
  readonly types: readonly StructType[];
  readonly options: CompilerOptions | undefined;
}

/** The map and the other expressions become separate functions, so that the user's names cannot collide with others. */
export function reductionTexts(given: UserReduction, plan: TextPlan): ReductionTexts {
  const { cType, parameters, map, reduce, identity, dtype } = given;
  const operation = [map, reduce, identity, cType].join("\n");
  const names = parameters.map(({ name, isArray }) => (isArray ? `${name}_memory_` : `${name}_value_`));
  const values = parameters.filter(({ isArray }) => !isArray);
  const outside = parameters.map((one) => (one.isArray ? declared(one) : `const ${one.cType} ${one.name}_value_`));
  return {
    name: given.name,
    preamble: `${programHead({ ...given, operation, before: "", after: "" })}
${placesType(plan)}
${cType} user_identity_(void) { return ${identity}; }
${cType} user_reduce_(const ${cType} a, const ${cType} b) { return ${reduce}; }
${cType} user_map_(${[...outside, "const Places_ places_", `const ${indexType(plan)} n_`].join(", ")}) {
${values.map(({ name, cType: type }) => `  const ${type} ${name} = ${name}_value_;`).join("\n")}
${arrayStatements(plan)}
  return ${placedText(map, plan.arrays)};
}
`,
    accumulator: cType,
    accumulatorBytes: dtype.itemSize,
    identity: "user_identity_()",
    map: `user_map_(${[...names, "places_", "i"].join(", ")})`,
    reduce: "user_reduce_(a, b)",
    parameters: [...outside, "const Places_ places_"],
    names: [...names, "places_"],
    options: given.options,
  };
}
