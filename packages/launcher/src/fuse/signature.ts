/** What an operation works on: arrays and scalars, as OpenCL C declares parameters. */
import { checkString, wrongValue } from "@cl/base";

import { withoutComments } from "./tokens.js";

/** An array or a scalar. */
export interface Operand {
  readonly name: string;
  /** Of the scalar, or of the array's elements, in one word: `uint`, `float4`. */
  readonly type: string;
  readonly array: boolean;
  /** True for an array that is only read. */
  readonly constant: boolean;
}

const declaration =
  /^(?:(?:__)?global\s+)?(?:(const)\s+)?([A-Za-z_]\w*(?:\s+(?:char|short|int|long))?)(?:\s+(const))?(?:\s*(\*)\s*(?:(?:__)?restrict\s+)?|\s+)([A-Za-z_]\w*)$/;

/** Reads `"float *u, const float *v, float dt"`. */
export function parseSignature(signature: string): readonly Operand[] {
  const text = withoutComments(checkString(signature, "options.signature")).trim();
  if (text === "") throw wrongValue("options.signature must declare an array at least");
  const operands = text.split(",").map((part) => operandOf(part.trim().replace(/\s+/g, " ")));
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

function operandOf(part: string): Operand {
  const match = declaration.exec(part);
  if (match === null) {
    throw wrongValue(
      `options.signature must be declarations such as "float *u, const float *v, float dt", but has "${part}"`,
    );
  }
  const [, before, type, behind, star, name] = match;
  const array = star !== undefined;
  return {
    name: name as string,
    type: plainType(type as string),
    array,
    constant: array && (before ?? behind) !== undefined,
  };
}

/** One word for types that C writes with two. */
function plainType(type: string): string {
  const plain = type.replace(/^signed (?=char|short|int|long)/, "").replace(/^unsigned (?=char|short|int|long)/, "u");
  return plain === "unsigned" ? "uint" : plain === "signed" ? "int" : plain;
}

const scalarBytes: Readonly<Record<string, number>> = {
  char: 1,
  uchar: 1,
  short: 2,
  ushort: 2,
  half: 2,
  int: 4,
  uint: 4,
  float: 4,
  long: 8,
  ulong: 8,
  double: 8,
};

/** Bytes of a scalar or vector type; undefined for what is neither. */
export function bytesOfType(type: string): number | undefined {
  const [, scalar, width] = /^([a-z]+?)(2|3|4|8|16)?$/.exec(type) ?? [];
  const bytes = scalar === undefined ? undefined : scalarBytes[scalar];
  if (bytes === undefined) return undefined;
  return bytes * (width === undefined ? 1 : width === "3" ? 4 : Number(width));
}
