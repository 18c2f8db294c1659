/** Parses function parameters and types without names. */
import { withoutComments } from "./comments.js";
import { readParts } from "./declaration.js";
import type { Specifier } from "./specifiers.js";
import { splitTokens, tokenize } from "./tokens.js";

/** A parameter: a value, a pointer, or an array, which C passes as a pointer. */
export interface ParameterDeclaration {
  /** `undefined` for a type without a name. */
  readonly name: string | undefined;
  /** Type of the value or pointee in its short form: `uint`, `float4`, `particle`. */
  readonly type: string;
  /** Keyword before the type. */
  readonly tag: "struct" | "union" | "enum" | undefined;
  /** Number of pointer levels. */
  readonly pointers: number;
  /** True for a parameter with array brackets after its name. */
  readonly isArray: boolean;
  /** Specifiers before the first `*`. */
  readonly specifiers: ReadonlySet<Specifier>;
  /** True for a `restrict` pointer. */
  readonly isRestrict: boolean;
}

/** Splits a parameter list at its commas and removes comments; returns an empty array for an empty list. */
export function splitParameters(list: string): string[] {
  const text = withoutComments(list);
  const tokens = tokenize(text);
  if (tokens.length === 0) return [];
  return splitTokens(tokens, ",").map((part) => text.slice(part[0]?.start ?? 0, part.at(-1)?.end ?? 0));
}

/**
 * Parses a parameter or a type; returns `undefined` for other text and for types that no kernel takes, such as
 * functions.
 */
export function readParameter(text: string): ParameterDeclaration | undefined {
  const tokens = tokenize(text);
  const plain = tokens.filter((token) => token.text !== "pipe" && token.text !== "__pipe");
  const { base, specifiers, declarators } = readParts(plain);
  const [declarator = bare] = declarators;
  const isPlain = !declarator.hasMore && declarator.extents <= 1 && !tokens.some((token) => token.text === ",");
  if (!isPlain || ![...declarator.specifiers].every(isOfPointers)) return undefined;
  if (base?.kind !== "name" && base?.kind !== "tag") return undefined;
  const [type, tag] = base.kind === "name" ? [base.name] : base.tag.split(" ").toReversed();
  const { name, pointers, extents } = declarator;
  return {
    name,
    type: type as string,
    tag: tag as ParameterDeclaration["tag"],
    pointers,
    isArray: extents > 0,
    specifiers: plain.length < tokens.length ? new Set([...specifiers, "pipe"]) : specifiers,
    isRestrict: declarator.specifiers.has("restrict"),
  };
}

const bare: ReturnType<typeof readParts>["declarators"][number] = {
  name: undefined,
  type: undefined,
  pointers: 0,
  extents: 0,
  specifiers: new Set(),
  hasMore: false,
};

function isOfPointers(specifier: Specifier): boolean {
  return specifier === "const" || specifier === "volatile" || specifier === "restrict";
}
