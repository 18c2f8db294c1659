/** Reads one declaration: the words before the names, and each name with its stars, extents and attributes. */
import { evaluate } from "./condition.js";
import type { Token } from "./tokens.js";

/** A type as it is written. Undefined stands for one that is not understood. */
export type TypeNode =
  /** A built-in type in its short form, such as `uint`, or a name that a typedef gives. */
  | { readonly kind: "name"; readonly name: string }
  /** `struct particle`, `union word` or `enum mode`, declared elsewhere. */
  | { readonly kind: "tag"; readonly tag: string }
  | RecordNode
  | { readonly kind: "enum"; readonly type: "int" | "uint" }
  | { readonly kind: "vector"; readonly of: TypeNode; readonly width: number }
  | { readonly kind: "array"; readonly of: TypeNode; readonly length: number }
  | { readonly kind: "pointer" };

/** A struct or a union with its members. */
export interface RecordNode {
  readonly kind: "record";
  readonly isUnion: boolean;
  readonly isPacked: boolean;
  /** The types of the members; undefined if one of them is not understood. */
  readonly members: readonly TypeNode[] | undefined;
}

/** A name that a declaration declares. */
export interface Declarator {
  readonly name: string;
  readonly type: TypeNode | undefined;
}

/** A declaration, read. */
export interface Declaration {
  readonly isTypedef: boolean;
  readonly declarators: readonly Declarator[];
  /** Structs, unions and enums that are declared in it, by their tags: `struct particle`. */
  readonly tags: readonly { readonly tag: string; readonly type: TypeNode | undefined }[];
}

/** Reads the tokens of a declaration without its semicolon; macros in it are expanded. */
export function readDeclaration(tokens: readonly Token[]): Declaration {
  const tags: { tag: string; type: TypeNode | undefined }[] = [];
  const start = tokens.findIndex(({ text }) => text === "typedef");
  const declarators = new DeclarationReader(tokens.slice(start + 1), tags).read();
  return { isTypedef: start >= 0, declarators, tags };
}

/** Words that say nothing about the type. */
const qualifiers = new Set(
  [
    "const volatile restrict __restrict __restrict__ __const __volatile__ inline static extern register typedef",
    "global __global local __local constant __constant private __private generic __generic",
    "read_only __read_only write_only __write_only read_write __read_write kernel __kernel",
  ].flatMap((words) => words.split(" ")),
);

const arithmetic = new Set(
  "char short int long float double half signed unsigned __signed __signed__ bool _Bool void".split(" "),
);

/** Attributes that change neither the size nor the kind of a type. */
const harmless = /^(?:__)?(?:unused|deprecated|may_alias|used|visibility|noinline|always_inline|nosvm)(?:__)?$/;

/** Nested deeper, structs are not understood. */
const deepest = 50;

/** What attributes say about a type. */
interface Attributes {
  readonly isPacked: boolean;
  /** Components of a vector that an attribute makes of a scalar. */
  readonly width: number | undefined;
  /** False if there are others that matter. */
  readonly known: boolean;
}

class DeclarationReader {
  readonly #tokens: readonly Token[];
  readonly #tags: { tag: string; type: TypeNode | undefined }[];
  readonly #depth: number;
  #at = 0;

  constructor(tokens: readonly Token[], tags: { tag: string; type: TypeNode | undefined }[], depth = 0) {
    this.#tokens = tokens;
    this.#tags = tags;
    this.#depth = depth;
  }

  read(): Declarator[] {
    const base = this.#specifiers();
    const declarators: Declarator[] = [];
    while (this.#at < this.#tokens.length) {
      const declarator = this.#declarator(base);
      if (declarator !== undefined) declarators.push(declarator);
    }
    return declarators;
  }

  /** The first word that is no qualifier is the type, so that a later one may be a name that looks like a type. */
  #specifiers(): TypeNode | undefined {
    const words: string[] = [];
    let type: TypeNode | undefined;
    let hasType = false;
    let known = true;
    let width: number | undefined;
    for (; this.#at < this.#tokens.length;) {
      const { kind, text } = this.#tokens[this.#at] as Token;
      if (kind !== "word") break;
      if (isAttribute(text)) {
        const attributes = this.#attributes();
        known &&= attributes.known && !attributes.isPacked;
        width ??= attributes.width;
      } else if (qualifiers.has(text)) {
        this.#at++;
      } else if (arithmetic.has(text) && !hasType) {
        words.push(text);
        this.#at++;
      } else if (hasType || words.length > 0) {
        break;
      } else if (text === "struct" || text === "union" || text === "enum") {
        type = this.#tagged(text);
        hasType = true;
      } else {
        type = { kind: "name", name: text };
        hasType = true;
        this.#at++;
      }
    }
    if (words.length > 0) type = arithmeticType(words);
    if (!known || type === undefined) return undefined;
    return width === undefined ? type : { kind: "vector", of: type, width };
  }

  /** `struct tag`, `struct { … }` or `struct tag { … }`. */
  #tagged(keyword: "struct" | "union" | "enum"): TypeNode | undefined {
    this.#at++;
    const before = this.#attributes();
    const next = this.#tokens[this.#at];
    const tag = next?.kind === "word" ? `${keyword} ${next.text}` : undefined;
    if (tag !== undefined) this.#at++;
    if (this.#tokens[this.#at]?.text !== "{") return tag === undefined ? undefined : { kind: "tag", tag };
    const body = this.#group();
    const after = this.#attributes();
    const known = before.known && after.known && before.width === undefined;
    const isPacked = before.isPacked || after.isPacked;
    let type: TypeNode | undefined;
    if (keyword !== "enum") {
      const members = this.#members(body);
      if (known) type = { kind: "record", isUnion: keyword === "union", isPacked, members };
    } else if (known && !isPacked) {
      type = enumType(body);
    }
    if (tag !== undefined) this.#tags.push({ tag, type });
    return type;
  }

  #members(body: readonly Token[]): TypeNode[] | undefined {
    if (this.#depth >= deepest) return undefined;
    const members: TypeNode[] = [];
    let known = true;
    for (const member of split(body, ";")) {
      if (member.length === 0) continue;
      const declarators = new DeclarationReader(member, this.#tags, this.#depth + 1).read();
      // A member without a name, or a bit-field.
      if (declarators.length === 0) known = false;
      for (const { type } of declarators) {
        if (type === undefined) known = false;
        else members.push(type);
      }
    }
    return known ? members : undefined;
  }

  #declarator(base: TypeNode | undefined): Declarator | undefined {
    let name: string | undefined;
    let type = base;
    const extents: (number | undefined)[] = [];
    for (; this.#at < this.#tokens.length;) {
      const { kind, text } = this.#tokens[this.#at] as Token;
      if (text === ",") {
        this.#at++;
        break;
      }
      if (text === "[") {
        extents.push(extentOf(this.#group()));
      } else if (text === "(" || text === "{") {
        // A function, or a pointer to one: the first brackets hold its name if that is not in front of them.
        const inside = this.#group();
        name ??= inside.find((one) => one.kind === "word" && !qualifiers.has(one.text))?.text;
        type = undefined;
      } else if (kind === "word" && isAttribute(text)) {
        const { known, isPacked, width } = this.#attributes();
        if (!known || isPacked) type = undefined;
        else if (width !== undefined && type !== undefined) type = { kind: "vector", of: type, width };
      } else {
        this.#at++;
        if (text === "*") type = { kind: "pointer" };
        else if (kind !== "word") type = undefined;
        else if (!qualifiers.has(text)) {
          if (name !== undefined) type = undefined;
          name = text;
        }
      }
    }
    for (const length of extents.toReversed()) {
      if (length === undefined) type = undefined;
      if (type !== undefined) type = { kind: "array", of: type, length: length ?? 0 };
    }
    return name === undefined ? undefined : { name, type };
  }

  /** Reads the attributes that begin here, if any. */
  #attributes(): Attributes {
    let [isPacked, known] = [false, true];
    let width: number | undefined;
    while (isAttribute(this.#tokens[this.#at]?.text ?? "")) {
      this.#at++;
      if (this.#tokens[this.#at]?.text !== "(") return { isPacked, width, known: false };
      const inside = this.#group().filter((_, i, all) => i > 0 && i < all.length - 1);
      for (const [name, ...rest] of split(inside, ",")) {
        const word = name?.text ?? "";
        if (/^(?:__)?packed(?:__)?$/.test(word)) isPacked = true;
        else if (/^(?:__)?ext_vector_type(?:__)?$/.test(word)) width = vectorWidth(rest);
        else if (word !== "" && !harmless.test(word)) known = false;
        if (word.includes("ext_vector_type") && width === undefined) known = false;
      }
    }
    return { isPacked, width, known };
  }

  /** The tokens inside of the bracket that opens here; the place is behind it afterwards. */
  #group(): readonly Token[] {
    const start = this.#at + 1;
    let depth = 0;
    for (; this.#at < this.#tokens.length; this.#at++) {
      const text = this.#tokens[this.#at]?.text ?? "";
      if (/^[([{]$/.test(text)) depth++;
      else if (/^[)\]}]$/.test(text) && --depth === 0) break;
    }
    return this.#tokens.slice(start, this.#at++);
  }
}

function isAttribute(word: string): boolean {
  return word === "__attribute__" || word === "__attribute";
}

/** The parts between separators outside of brackets. */
function split(tokens: readonly Token[], separator: string): Token[][] {
  const parts: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (/^[([{]$/.test(token.text)) depth++;
    else if (/^[)\]}]$/.test(token.text)) depth--;
    if (depth === 0 && token.text === separator) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}

/** `unsigned long int` is `ulong`; undefined for what OpenCL C does not have. */
function arithmeticType(words: readonly string[]): TypeNode | undefined {
  const isUnsigned = words.includes("unsigned");
  const rest = words.filter((word) => !/signed/.test(word));
  const [first = "int", second] = rest.filter((word, _, all) => word !== "int" || all.length === 1);
  if (second !== undefined) return undefined;
  const name = first === "_Bool" ? "bool" : first;
  if (!isUnsigned) return { kind: "name", name };
  return /^(?:char|short|int|long)$/.test(name) ? { kind: "name", name: `u${name}` } : undefined;
}

function vectorWidth(inside: readonly Token[]): number | undefined {
  const [open, width, close, ...rest] = inside;
  if (open?.text !== "(" || close?.text !== ")" || rest.length > 0) return undefined;
  return /^(?:2|3|4|8|16)$/.test(width?.text ?? "") ? Number(width?.text) : undefined;
}

function extentOf(tokens: readonly Token[]): number | undefined {
  const length = evaluate(tokens, () => undefined);
  return length !== undefined && length > 0n && length < 2n ** 31n ? Number(length) : undefined;
}

/** Compilers take `uint` unless a value is negative. Values of 64 bits, and those that are no constants, are not understood. */
function enumType(body: readonly Token[]): TypeNode | undefined {
  const values = new Map<string, bigint>();
  let next = 0n;
  for (const [name, equals, ...expression] of split(body, ",")) {
    if (name === undefined) continue;
    const value = equals === undefined ? next : evaluate(expression, (word) => values.get(word));
    if (value === undefined) return undefined;
    values.set(name.text, value);
    next = value + 1n;
  }
  const all = [...values.values()];
  const isSigned = all.some((value) => value < 0n);
  const [least, most] = isSigned ? [-(2n ** 31n), 2n ** 31n - 1n] : [0n, 2n ** 32n - 1n];
  return all.every((value) => value >= least && value <= most)
    ? { kind: "enum", type: isSigned ? "int" : "uint" }
    : undefined;
}
