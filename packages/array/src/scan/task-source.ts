/** OpenCL C of scans of arrays: the preamble of all kernels, and the loads and stores of elements. */
import { type Expression, nodesOf } from "../expression/expression.js";
import { computeType, converted, loaded, stored, storedType } from "../kernels/compute-type.js";
import { expressionHead, expressionStatements } from "../kernels/expression-code.js";
import type { Reduction } from "../expression/reduction.js";
import type { DTypeName } from "../types/dtype-name.js";
import type { ScanTask, ScanTypes } from "./scan-task.js";

/** Types and functions: `scan_map` makes an item of elements, and `scan_finish` a result of an item. */
export function taskHead({ reduction, value }: ScanTask, types: ScanTypes, parameters: readonly string[]): string {
  const expressions: readonly Expression[] = [value];
  const { lines, results } = expressionStatements(expressions, (k) => `x${k}`);
  const elements = types.inputs.map((type, k) => `const ${computeType(type)} x${k}`);
  const all = new Set([...nodesOf(expressions)].map(({ dtype }) => dtype).concat(types.target, reduction.result));
  const doubles = all.has("float64") || all.has("complex128") || reduction.doubles;
  return `${doubles ? "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" : ""}${expressionHead(expressions)}
${reduction.functions}
${reduction.accumulator} scan_map(${[...elements, ...parameters].join(", ")}) {
${lines.map((line) => `  ${line}`).join("\n")}
  return ${reduction.lift(results[0] as string, "0")};
}
${computeType(types.target)} scan_finish(const ${reduction.accumulator} item) {
${finish(reduction, types.target)}
}
`;
}

function finish(reduction: Reduction, target: DTypeName): string {
  const own = `  const ${computeType(reduction.result)} result = ${reduction.finish("item", "0")};`;
  if (reduction.result === target || target === "float16") return `${own}\n  return result;`;
  return `${own}\n  return ${converted(reduction.result, target, "result")};`;
}

/** Parameters of memory: the inputs, the result, and values of the host. */
export function memoryParameters(types: ScanTypes, scalars: readonly string[]): readonly string[] {
  return [
    ...types.inputs.map((type, k) => `__global const ${storedType(type)} *const in${k}`),
    `__global ${storedType(types.target)} *const out`,
    ...scalars,
  ];
}

/** The item of elements at these places. */
export function itemAt(types: ScanTypes, names: readonly string[], at: (input: number) => string): string {
  return `scan_map(${[...types.inputs.map((type, k) => loaded(type, `in${k}`, at(k))), ...names].join(", ")})`;
}

/** The statement that stores a result. */
export function storeAt({ target }: ScanTypes, item: string, at: string): string {
  return stored(target, "out", at, `scan_finish(${item})`);
}
