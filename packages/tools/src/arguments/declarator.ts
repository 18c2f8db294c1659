/** What the declaration of an argument says. */
import { type ParameterDeclaration, readParameter, tokenize } from "@cl/base";

import type { AddressSpace } from "./vector-argument.js";
import type { ImageAccess } from "./other-argument.js";

/** The parts of a declaration. */
export interface Declarator {
  readonly name: string;
  /** The type's short name, without qualifiers and `struct`. */
  readonly type: string;
  /** `struct`, if it is in front of the type. */
  readonly tag: ParameterDeclaration["tag"];
  readonly isPointer: boolean;
  readonly isPipe: boolean;
  readonly addressSpace: AddressSpace | "private" | undefined;
  readonly access: ImageAccess | undefined;
  /** `const`, `volatile`, `restrict`. */
  readonly qualifiers: readonly string[];
}

/** The parts; `refuse` makes the error for what is no argument's declaration. */
export function readDeclarator(text: string, refuse: (expected: string) => TypeError): Declarator {
  const tokens = tokenize(text);
  const has = (punctuation: string): boolean => tokens.some((token) => token.text === punctuation);
  if (tokens.length === 0) throw refuse("a declaration, as float a");
  if (has("[")) throw refuse("a pointer instead of an array, as float *x");
  if (has("(")) throw refuse("without parentheses: neither attributes nor pointers to functions can be described");
  const strange = tokens.find((token) => token.kind !== "word" && token.text !== "*");
  if (strange !== undefined) throw refuse(`one declaration, as float a; "${strange.text}" belongs to none`);
  const parameter = readParameter(text);
  if (tokens[0]?.text === "*" || (parameter !== undefined && parameter.name === undefined)) {
    throw refuse("a type and a name, as float a");
  }
  if (parameter?.name === undefined) throw refuse("one declaration, as float a");
  const { name, type, tag, pointers, specifiers, isRestrict } = parameter;
  if (pointers > 1) throw refuse("no pointer to a pointer, which kernels do not take");
  if (specifiers.has("restrict")) throw refuse('"restrict" behind the star');
  if (tag === "union" || tag === "enum") throw refuse(`no ${tag}, which has no element type`);
  const [addressSpace, ...spaces] = spacesOf.filter((one) => specifiers.has(one));
  if (spaces.length > 0 || specifiers.has("generic")) throw refuse("in one address space");
  const [access, ...accesses] = accessesOf.filter((one) => specifiers.has(one));
  if (accesses.length > 0) throw refuse("with one access qualifier");
  const qualifiers = qualifiersOf.filter((one) => specifiers.has(one));
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

const spacesOf = ["global", "constant", "local", "private"] as const;
const accessesOf = ["read_only", "write_only", "read_write"] as const;
const qualifiersOf = ["const", "volatile"] as const;
