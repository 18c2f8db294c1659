/** Map stages and operations on vectors of floats, for CPUs: as wide as a cache line. */
import { type Expression, nodesOf } from "../expression/expression.js";
import type { OperatorName } from "../expression/operators.js";
import { computeType, storedType } from "../kernels/compute-type.js";
import type { DTypeName } from "../types/dtype-name.js";
import { kindOf } from "../types/promote.js";
import type { Reduction } from "../expression/reduction.js";
import type { MapStage, ReductionPlan, Step } from "./reduction-plan.js";
import { along } from "./source-parts.js";

/** What is the same text for vectors as for floats. */
const signs: Readonly<Partial<Record<OperatorName, string>>> = { add: "+", subtract: "-", multiply: "*", divide: "/" };

/** How many elements vectors have: 1 where a stage, a reduction or distances are not for vectors. */
export function wideOf(
  reduction: Reduction,
  { value, where }: MapStage,
  inputs: readonly DTypeName[],
  steps: readonly Step[],
): number {
  if (!reduction.vectors || where !== undefined || steps.includes("any")) return 1;
  if (inputs.some((type) => type === "bool" || kindOf(type) === 4)) return 1;
  for (const node of nodesOf([value])) {
    if (node.kind === "cast" && (kindOf(node.dtype) !== 3 || node.dtype === "float16")) return 1;
    if (node.kind !== "operation") continue;
    if (signs[node.operator] === undefined || kindOf(node.dtype) !== 3 || node.dtype === "float16") return 1;
  }
  return 64 / reduction.accumulatorBytes;
}

/** Returns the number of adjacent results of a work-item: in vector registers, or as many as fit into the L1 cache. */
export function tileOf({ accumulatorBytes }: Reduction, wide: number, adjacent: number): number {
  const vectors = [16, 8, 4, 2, 1].find((count) => count * wide <= adjacent);
  if (wide > 1 && vectors !== undefined) return vectors * wide;
  return accumulatorBytes <= 4 ? 1024 : accumulatorBytes <= 8 ? 512 : 128;
}

/** The functions `wide_map` and `wide_combine`. */
export function wideFunctions({ wide, reduction, stage, inputs, parameters }: ReductionPlan): string {
  if (wide === 1 || "text" in stage) return "";
  const typeOf = (type: DTypeName): string => `${computeType(type)}${wide}`;
  const lines: string[] = [];
  const names = new Map<Expression, string>();
  for (const node of nodesOf([stage.value])) {
    const name =
      node.kind === "input" ? `x${node.index}` : node.kind === "scalar" ? `s${node.index}` : `v${names.size}`;
    names.set(node, name);
    if (node.kind === "cast") {
      const operand = names.get(node.operand) as string;
      const value =
        node.operand.kind === "scalar"
          ? `(${computeType(node.dtype)})${operand}`
          : `convert_${typeOf(node.dtype)}(${operand})`;
      lines.push(`const ${typeOf(node.dtype)} ${name} = ${value};`);
    } else if (node.kind === "operation") {
      const [a, b] = node.operands.map((operand) => names.get(operand) as string);
      lines.push(`const ${typeOf(node.dtype)} ${name} = ${a} ${signs[node.operator]} ${b};`);
    }
  }
  const elements = inputs.map((type, k) => `const ${typeOf(type)} x${k}`);
  lines.push(`return ${reduction.lift(names.get(stage.value) as string, "0")};`);
  return `
typedef ${reduction.accumulator}${wide} Wide;

Wide wide_combine(const Wide a, const Wide b) { return ${reduction.combine("a", "b")}; }

Wide wide_map(${[...elements, ...parameters].join(", ")}) {
${lines.map((line) => `  ${line}`).join("\n")}
}
`;
}

/** The elements from these places on as a vector. */
export function wideMapped(plan: ReductionPlan, at: (input: number) => string, i: string): string {
  const { inputs, names, steps, wide } = plan;
  const elements = inputs.map((type, k) => {
    const place = `${at(k)}${along(plan, k, i)}`;
    const half = type === "float16";
    if (steps[k] === 1) return half ? `vload_half${wide}(0, in${k} + ${place})` : `vload${wide}(0, in${k} + ${place})`;
    const value = half ? `vload_half(${place}, in${k})` : `in${k}[${place}]`;
    return `(${half ? "float" : storedType(type)}${wide})(${value})`;
  });
  return `wide_map(${[...elements, ...names].join(", ")})`;
}
