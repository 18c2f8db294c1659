/** Generates the kernel that runs operations per element, one after the other. */
import type { Operation } from "./operation.js";
import type { Operand } from "./signature.js";

/** An argument of the generated kernel. */
export interface FusedArgument {
  readonly name: string;
  readonly type: string;
  readonly array: boolean;
  /** Whether no operation writes the array. */
  readonly constant: boolean;
  /** Whether operations access its element i, which is then kept in a register. */
  readonly element: boolean;
}

/** An operation, and the arguments of its operands. */
export interface FusedOperation {
  readonly operation: Operation;
  readonly label: string;
  readonly argumentOf: (operand: Operand) => FusedArgument;
}

export const kernelName = "elementwise";

/** Name of the last argument, the number of elements. */
export const lengthName = "fused_n";

/**
 * Generates the source of the kernel. Contraction is disabled: otherwise, whether a multiply-add is rounded once or twice would
 * depend on the rest of the kernel, and fused operations would return different results than separate ones.
 *
 * `exact` means that there are no work-items after the last element: without the condition, a kernel takes half the time on a
 * CPU.
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

/** Returns the name of the variable for an array's element. */
function elementName({ name }: FusedArgument): string {
  return `fused_element_of_${name}`;
}

/** Returns the block of one operation. Its operands have their names from the signature. */
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
  const operandsByName = new Map(operation.operands.map((operand) => [operand.name, operand]));
  const body = operation.replaceElements((name) => elementName(argumentOf(operandsByName.get(name) as Operand)));
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
