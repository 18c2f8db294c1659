/** The kernel that runs operations element by element, one after the other. */
import type { Operation } from "./operation.js";
import type { Operand } from "./signature.js";

/** An argument of the generated kernel. */
export interface FusedArgument {
  readonly name: string;
  readonly type: string;
  readonly array: boolean;
  /** True if no operation writes the array. */
  readonly constant: boolean;
  /** True if operations use its element i, which then stays in a register from the first to the last. */
  readonly element: boolean;
}

/** An operation, and which arguments its operands are. */
export interface FusedOperation {
  readonly operation: Operation;
  readonly label: string;
  readonly argumentOf: (operand: Operand) => FusedArgument;
}

/** The name of the generated kernel. */
export const kernelName = "elementwise";

/** The last argument: how many elements there are. */
export const lengthName = "fused_n";

/**
 * Contraction is off: whether a product and a sum become one rounding or two would depend on what else is in the kernel, and
 * then fused operations would give other results than single ones.
 *
 * `exact` says that there are no work-items beyond the last element: on a CPU a kernel without a condition takes half the time.
 */
export function elementwiseSource(
  args: readonly FusedArgument[],
  operations: readonly FusedOperation[],
  exact: boolean,
): string {
  const preambles = new Set(operations.map(({ operation }) => operation.preamble.text));
  const types = args.map(({ type }) => type);
  const elements = args.filter(({ element }) => element);
  return lines(
    types.some((type) => type.startsWith("half")) && "#pragma OPENCL EXTENSION cl_khr_fp16 : enable",
    "#pragma OPENCL FP_CONTRACT OFF",
    ...preambles,
    `__kernel void ${kernelName}(`,
    ...args.map((argument) => `    ${parameter(argument)},`),
    `    const uint ${lengthName}) {`,
    "  const size_t i = get_global_id(0);",
    `  const size_t n = ${lengthName};`,
    !exact && "  if (i >= n) return;",
    ...elements.map(
      (argument) =>
        `  ${argument.constant ? "const " : ""}${argument.type} ${elementName(argument)} = ${argument.name}[i];`,
    ),
    ...operations.map(block),
    ...elements
      .filter(({ constant }) => !constant)
      .map((argument) => `  ${argument.name}[i] = ${elementName(argument)};`),
    "}",
  );
}

function parameter({ name, type, array, constant }: FusedArgument): string {
  if (!array) return `const ${type} ${name}`;
  return `__global ${constant ? "const " : ""}${type} *${name}`;
}

/** The register that an array's element is in. */
function elementName({ name }: FusedArgument): string {
  return `fused_element_of_${name}`;
}

/** One operation; its operands have the names that it gave them. */
function block({ operation, label, argumentOf }: FusedOperation): string {
  const operands = operation.operands.filter(({ name, array }) => !(array && operation.elementwise.has(name)));
  const declarations = operands
    .map((operand) => ({ operand, argument: argumentOf(operand) }))
    .filter(({ operand, argument }) => argument.name !== operand.name)
    .map(({ operand, argument }) => {
      const { name, type, array, constant } = operand;
      if (!array) return `    const ${type} ${name} = ${argument.name};`;
      return `    __global ${constant ? "const " : ""}${type} *const ${name} = ${argument.name};`;
    });
  const named = new Map(operation.operands.map((operand) => [operand.name, operand]));
  const body = operation.withElements((name) => elementName(argumentOf(named.get(name) as Operand)));
  return lines(
    `  { // ${label.replace(/[^\w .+-]/g, "_")}`,
    ...declarations,
    "    {",
    body.trim().replace(/;?$/, ";"),
    "    }",
    "  }",
  );
}

function lines(...parts: readonly (string | false)[]): string {
  return parts.filter((part) => part !== false && part !== "").join("\n");
}
