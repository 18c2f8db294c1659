/**
 * OpenCL C for an expression: one work-item for each element, without a loop, which is what processors vectorize and what
 * suits GPUs. This is the only place where kernels of arrays are written.
 */
import type { Expression } from "../expression/expression.js";
import type { DTypeName } from "../types/dtype-name.js";
import { kindOf } from "../types/promote.js";
import { computeType, converted, loaded, stored, storedType } from "./compute-type.js";
import { dividingFunctions, mixedComparison, operatorCode } from "./operator-code.js";

/** What the text of a kernel depends on. */
export interface KernelPlan {
  /** The result; its type is the one that is stored. */
  readonly expression: Expression;
  readonly inputs: readonly DTypeName[];
  readonly scalars: readonly DTypeName[];
  /** How many axes there are after collapsing; for one, distances are part of the text. */
  readonly rank: number;
  /** The distances along a single axis where each is 0 or 1, one for each input and then the result's. */
  readonly flat: readonly number[] | undefined;
  /** True if places are counted in 32 bits. */
  readonly short: boolean;
}

/** The program, with one kernel, `elementwise`. */
export function kernelSource(plan: KernelPlan): string {
  const { inputs, scalars, expression, flat } = plan;
  const index = plan.short ? "int" : "long";
  const parameters = [
    ...inputs.map((type, k) => `__global const ${storedType(type)} *const in${k}`),
    `__global ${storedType(expression.dtype)} *const out`,
    ...scalars.map((type, k) => `const ${computeType(type)} s${k}`),
    "const Places places",
  ];
  const places = flat === undefined ? stridedPlaces(plan) : flatPlaces(flat);
  const body = statements(expression);
  return `${head(expression)}
/* Counted in elements, the innermost axis first. The last operand is the result. */
typedef struct {
  ${index} size;
  ${index} offset[${inputs.length + 1}];
  ${index} extent[${Math.max(plan.rank, 1)}];
  ${index} stride[${inputs.length + 1}][${Math.max(plan.rank, 1)}];
} Places;

__kernel void elementwise(${parameters.join(", ")}) {
  const ${index} i = (${index})get_global_id(0);
  if (i >= places.size) return;
${places}
${body.lines.map((line) => `  ${line}`).join("\n")}
  ${stored(expression.dtype, "out", `at${inputs.length}`, body.result)}
}
`;

  function flatPlaces(steps: readonly number[]): string {
    return steps
      .map((step, k) => `  const ${index} at${k} = places.offset[${k}]${step === 0 ? "" : " + i"};`)
      .join("\n");
  }

  /* The axes are known by number, so that the compiler unrolls what would be a loop. */
  function stridedPlaces({ rank }: KernelPlan): string {
    const unsigned = `u${index}`;
    const indices = Array.from({ length: rank }, (_, axis) =>
      axis === rank - 1
        ? `  const ${index} i${axis} = (${index})rest;`
        : `  const ${index} i${axis} = (${index})(rest % (${unsigned})places.extent[${axis}]);\n  rest /= (${unsigned})places.extent[${axis}];`,
    );
    const at = Array.from({ length: inputs.length + 1 }, (_, k) => {
      const terms = Array.from({ length: rank }, (_one, axis) => ` + i${axis} * places.stride[${k}][${axis}]`);
      return `  const ${index} at${k} = places.offset[${k}]${terms.join("")};`;
    });
    return [`  ${unsigned} rest = (${unsigned})i;`, ...indices, ...at].join("\n");
  }
}

/** What the types and operations in an expression need. */
function head(expression: Expression): string {
  const all = [...nodes(expression)];
  const types = new Set(all.map(({ dtype }) => dtype));
  const doubles = types.has("float64") || types.has("complex128");
  const divided = new Set(
    all.flatMap((node) =>
      node.kind === "operation" && (node.operator === "floorDivide" || node.operator === "remainder")
        ? [node.dtype]
        : [],
    ),
  );
  const lines = ["/* Results are those of the operations one by one. */", "#pragma OPENCL FP_CONTRACT OFF"];
  if (doubles) lines.unshift("#pragma OPENCL EXTENSION cl_khr_fp64 : enable");
  if (types.has("float16")) lines.push(roundToHalf);
  // Halves are divided as floats are.
  const computed = new Map([...divided].map((type) => [computeType(type), type]));
  for (const type of computed.values()) lines.push(dividingFunctions(type));
  return lines.join("\n");
}

const roundToHalf = `
float round_to_half(const float x) {
  ushort bits;
  vstore_half_rte(x, 0, (half *)&bits);
  return vload_half(0, (const half *)&bits);
}
`;

/** Each node once. */
function* nodes(expression: Expression, seen: Set<Expression> = new Set()): Generator<Expression> {
  if (seen.has(expression)) return;
  seen.add(expression);
  if (expression.kind === "cast") yield* nodes(expression.operand, seen);
  if (expression.kind === "operation") for (const operand of expression.operands) yield* nodes(operand, seen);
  yield expression;
}

/** One variable for each node that is computed, in an order in which each knows those before it. */
function statements(expression: Expression): { readonly lines: readonly string[]; readonly result: string } {
  const lines: string[] = [];
  const names = new Map<Expression, string>();
  const nameOf = (node: Expression): string => names.get(node) as string;
  for (const node of nodes(expression)) {
    if (node.kind === "scalar") {
      names.set(node, `s${node.index}`);
      continue;
    }
    const name = `v${names.size}`;
    names.set(node, name);
    lines.push(`const ${computeType(node.dtype)} ${name} = ${valueOf(node, nameOf)};`);
  }
  return { lines, result: nameOf(expression) };
}

function valueOf(node: Exclude<Expression, { kind: "scalar" }>, nameOf: (node: Expression) => string): string {
  switch (node.kind) {
    case "input":
      return loaded(node.dtype, `in${node.index}`, `at${node.index}`);
    case "cast":
      return converted(node.operand.dtype, node.dtype, nameOf(node.operand));
    case "operation": {
      const [first, second = first] = node.operands as readonly [Expression, Expression?];
      const [a, b] = [nameOf(first), nameOf(second)];
      if (first.dtype !== second.dtype) return mixedComparison(node.operator, a, b, kindOf(first.dtype) === 2);
      const value = operatorCode(node.operator, first.dtype, a, b);
      return node.dtype === "float16" ? `round_to_half(${value})` : value;
    }
    default:
      return node satisfies never;
  }
}
