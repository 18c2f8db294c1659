/**
 * OpenCL C of reductions: `reduce`, which combines elements, and `finish`, which combines partial results. Its loops
 * are in rows-source.ts and columns-source.ts.
 */
import { computeType } from "../kernels/compute-type.js";
import { expressionHead, expressionStatements } from "../kernels/expression-code.js";
import { macros } from "../kernels/macros.js";
import { columnsOfGroups, columnsOfProcessor } from "./columns-source.js";
import combineGroup from "./combine-group.cl";
import finish from "./finish.cl";
import { keptPlaces, placesType } from "./places-source.js";
import type { ReductionPlan } from "./reduction-plan.js";
import { rowsOfGroups, rowsOfProcessor } from "./rows-source.js";
import { wideFunctions } from "./wide-source.js";
import { resultParameter, storeResult } from "./source-parts.js";

/** The program. */
export function reductionSource(plan: ReductionPlan): string {
  const loops =
    plan.group > 1
      ? { rows: rowsOfGroups, columns: columnsOfGroups }
      : { rows: rowsOfProcessor, columns: columnsOfProcessor };
  const common = macros({ IDENTITY_: plan.reduction.identity, GROUP_: plan.group });
  return `${head(plan)}
${common}${combineGroup}${loops[plan.orientation](plan)}${plan.combining === "kernel" ? finishSource(plan) : ""}`;
}

/** The functions `reduction_map` and `reduction_combine`, and what they need. */
function head(plan: ReductionPlan): string {
  const { reduction, stage, inputs, parameters, target } = plan;
  const expressions = "text" in stage ? [] : [stage.value, ...(stage.where === undefined ? [] : [stage.where])];
  const doubles = reduction.doubles || target === "float64" || target === "complex128";
  const elements = inputs.map((type, k) => `const ${computeType(type)} x${k}`);
  const code = expressionStatements(expressions, (k) => `x${k}`);
  const [value, where] = code.results;
  const lines = [...code.lines];
  if (where !== undefined) lines.push(`if (!${where}) return ${reduction.identity};`);
  lines.push(`return ${"text" in stage ? stage.text : reduction.lift(value as string, "i")};`);
  return `${doubles ? "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" : ""}${expressionHead(expressions)}
${reduction.functions}
typedef ${plan.short ? "int" : "long"} Index;
typedef ${reduction.accumulator} Accumulator;

${placesType(plan)}

Accumulator reduction_combine(const Accumulator a, const Accumulator b) { return ${reduction.combine("a", "b")}; }

Accumulator reduction_map(${[...elements, ...parameters, `const ${"text" in stage ? "long" : "Index"} i`].join(", ")}) {
${lines.map((line) => `  ${line}`).join("\n")}
}
${wideFunctions(plan)}`;
}

/** The second kernel: the parts of a result, combined by one work-item or by a group. */
function finishSource(plan: ReductionPlan): string {
  const parameters = [
    "__global const Accumulator *const partial",
    resultParameter(plan.target),
    ...plan.parameters,
    "const Places places",
  ].join(", ");
  const names = {
    FINISH_PARAMETERS_: parameters,
    "FINISHED_PLACE_(k)": keptPlaces(plan, "k"),
    "STORE_RESULT_(accumulator, at)": storeResult(plan, "accumulator", "at"),
  };
  return `${macros(names)}${finish}`;
}
