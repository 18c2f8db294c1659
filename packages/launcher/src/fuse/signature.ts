/** Parses an operation's signature: arrays and scalars, as OpenCL C parameters. */
import { checkString, readParameter, type Specifier, splitParameters, wrongValue } from "@cl/base";

/** An array or a scalar. */
export interface Operand {
  readonly name: string;
  /** Type of the scalar or of the array's elements, in short form: `uint`, `float4`. */
  readonly type: string;
  readonly array: boolean;
  /** Whether it is a read-only array. */
  readonly constant: boolean;
}

/** Parses `"float *u, const float *v, float dt"`. */
export function parseSignature(signature: string): readonly Operand[] {
  const operands = splitParameters(checkString(signature, "options.signature")).map(operandOf);
  for (const [i, { name }] of operands.entries()) {
    if (reserved.test(name)) {
      throw wrongValue(`options.signature must not use the reserved name ${name}`);
    }
    if (operands.findIndex((other) => other.name === name) < i) {
      throw wrongValue(`options.signature must not declare ${name} twice`);
    }
  }
  if (!operands.some(({ array }) => array)) throw wrongValue("options.signature must declare at least one array");
  return operands;
}

/** Reserved names: the index, the number of elements, and those of generated code. */
export const reserved: RegExp = /^(?:i|n|fused_\w*)$/;

function operandOf(text: string): Operand {
  const parameter = readParameter(text);
  const array = parameter?.pointers === 1;
  if (
    parameter?.name === undefined ||
    parameter.isArray ||
    parameter.pointers > 1 ||
    !isGlobalOrConst(parameter.specifiers)
  ) {
    throw wrongValue(
      `options.signature must be declarations such as "float *u, const float *v, float dt", received "${text}"`,
    );
  }
  const { name, tag, type, specifiers } = parameter;
  return {
    name,
    type: tag === undefined ? type : `${tag} ${type}`,
    array,
    constant: array && specifiers.has("const"),
  };
}

function isGlobalOrConst(specifiers: ReadonlySet<Specifier>): boolean {
  return [...specifiers].every((specifier) => specifier === "global" || specifier === "const");
}
