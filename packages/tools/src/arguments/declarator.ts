/** Parses an argument's declaration and rejects what kernels do not take. */
import { type ParameterDeclaration, readParameter, tokenize } from "@cl/base";

import type { AddressSpace } from "./vector-argument.js";
import type { ImageAccess } from "./opaque-argument.js";

/** A parsed argument declaration. */
export interface Declarator {
  readonly name: string;
  /** Short name of the type, without qualifiers and `struct`. */
  readonly type: string;
  /** `struct` if it precedes the type. */
  readonly tag: ParameterDeclaration["tag"];
  readonly isPointer: boolean;
  readonly isPipe: boolean;
  readonly addressSpace: AddressSpace | "private" | undefined;
  readonly access: ImageAccess | undefined;
  /** `const`, `volatile` and `restrict`. */
  readonly qualifiers: readonly string[];
}

/** Parses a declaration. Throws the error that `refuse` makes if it cannot declare a kernel argument. */
export function readDeclarator(text: string, refuse: (expected: string) => TypeError): Declarator {
  const tokens = tokenize(text);
  const has = (punctuation: string): boolean => tokens.some((token) => token.text === punctuation);
  if (tokens.length === 0) throw refuse("a declaration such as float a");
  if (has("[")) throw refuse("a pointer such as float *x instead of an array");
  if (has("(")) throw refuse("a declaration without parentheses: attributes and function pointers are not supported");
  const unexpected = tokens.find((token) => token.kind !== "word" && token.text !== "*");
  if (unexpected !== undefined) throw refuse(`a single declaration such as float a, without "${unexpected.text}"`);
  const parameter = readParameter(text);
  if (tokens[0]?.text === "*" || (parameter !== undefined && parameter.name === undefined)) {
    throw refuse("a type and a name such as float a");
  }
  if (parameter?.name === undefined) throw refuse("a single declaration such as float a");
  const { name, type, tag, pointers, specifiers, isRestrict } = parameter;
  if (pointers > 1) throw refuse("a value or a single pointer: kernels cannot take pointers to pointers");
  if (specifiers.has("restrict")) throw refuse('a declaration with "restrict" after the "*"');
  if (tag === "union" || tag === "enum") throw refuse(`a scalar, vector or struct: ${tag} types are not supported`);
  const [addressSpace, ...spaces] = addressSpaces.filter((word) => specifiers.has(word));
  if (spaces.length > 0 || specifiers.has("generic")) throw refuse("a declaration in one address space");
  const [access, ...accesses] = accessQualifiers.filter((word) => specifiers.has(word));
  if (accesses.length > 0) throw refuse("a declaration with one access qualifier");
  const qualifiers = typeQualifiers.filter((word) => specifiers.has(word));
  return {
    name,
    type,
    tag,
    isPointer: pointers === 1,
    isPipe: specifiers.has("pipe"),
    addressSpace,
    access,
    qualifiers: isRestrict ? [...qualifiers, "restrict"] : qualifiers,
  };
}

const addressSpaces = ["global", "constant", "local", "private"] as const;
const accessQualifiers = ["read_only", "write_only", "read_write"] as const;
const typeQualifiers = ["const", "volatile"] as const;
