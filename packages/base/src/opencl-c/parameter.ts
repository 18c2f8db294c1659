/** Reads the parameters of functions, and types without names. */
import { withoutComments } from "./comments.js";
import { readParts } from "./declaration.js";
import type { Specifier } from "./specifiers.js";
import { splitTokens, tokenize } from "./tokens.js";

/** One parameter: a value, a pointer to one, or an array, which C takes as a pointer. */
export interface ParameterDeclaration {
  /** Undefined for a type without a name. */
  readonly name: string | undefined;
  /** The type of the value or of what it points to, in its short form: `uint`, `float4`, `particle`. */
  readonly type: string;
  /** The keyword in front of that. */
  readonly tag: "struct" | "union" | "enum" | undefined;
  /** Number of stars. */
  readonly pointers: number;
  /** True for one with brackets behind its name. */
  readonly isArray: boolean;
  /** What stands in front of the star. */
  readonly specifiers: ReadonlySet<Specifier>;
  /** True for a pointer that is `restrict`. */
  readonly isRestrict: boolean;
}

/** Returns the texts between the commas of a list, without comments; none for an empty list. */
export function splitParameters(list: string): string[] {
  const text = withoutComments(list);
  const tokens = tokenize(text);
  if (tokens.length === 0) return [];
  return splitTokens(tokens, ",").map((part) => text.slice(part[0]?.start ?? 0, part.at(-1)?.end ?? 0));
}

/** Reads one parameter or a type alone; undefined for what is neither, and for what no kernel takes, such as a function. */
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
