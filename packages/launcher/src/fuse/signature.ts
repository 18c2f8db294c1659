/** What an operation works on: arrays and scalars, as OpenCL C declares parameters. */
import { checkString, readParameter, type Specifier, splitParameters, wrongValue } from "@cl/base";

/** An array or a scalar. */
export interface Operand {
  readonly name: string;
  /** Of the scalar, or of the array's elements, in its short form: `uint`, `float4`. */
  readonly type: string;
  readonly array: boolean;
  /** True for an array that is only read. */
  readonly constant: boolean;
}

/** Reads `"float *u, const float *v, float dt"`. */
export function parseSignature(signature: string): readonly Operand[] {
  const operands = splitParameters(checkString(signature, "options.signature")).map(operandOf);
  for (const [i, { name }] of operands.entries()) {
    if (reserved.test(name)) {
      throw wrongValue(`options.signature must not use the name ${name}, which has a meaning here`);
    }
    if (operands.findIndex((other) => other.name === name) < i) {
      throw wrongValue(`options.signature declares ${name} twice`);
    }
  }
  if (!operands.some(({ array }) => array)) throw wrongValue("options.signature must declare an array at least");
  return operands;
}

/** The index, the number of elements, and the names of generated source. */
export const reserved: RegExp = /^(?:i|n|fused_\w*)$/;

function operandOf(text: string): Operand {
  const parameter = readParameter(text);
  const array = parameter?.pointers === 1;
  if (parameter?.name === undefined || parameter.isArray || parameter.pointers > 1 || !isPlain(parameter.specifiers)) {
    throw wrongValue(
      `options.signature must be declarations such as "float *u, const float *v, float dt", but has "${text}"`,
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

function isPlain(specifiers: ReadonlySet<Specifier>): boolean {
  return [...specifiers].every((one) => one === "global" || one === "const");
}
