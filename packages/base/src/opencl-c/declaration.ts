/**
 * Parses a declaration: its type and specifiers, and each declarator with its pointers, array extents and attributes.
 */
import { evaluate } from "./condition.js";
import { enumType } from "./enum-type.js";
import { arithmeticName, isArithmetic, type Specifier, specifierOf } from "./specifiers.js";
import { splitTokens, type Token } from "./tokens.js";
import type { TypeNode } from "./type-node.js";

/** A declared name with its type. */
export interface Declarator {
  readonly name: string;
  readonly type: TypeNode | undefined;
}

/** A parsed declaration. */
export interface Declaration {
  readonly isTypedef: boolean;
  readonly declarators: readonly Declarator[];
  /** Structs, unions and enums that it defines, with tags such as `struct particle`. */
  readonly tags: readonly Tag[];
}

/** A struct, union or enum with its tag. */
export interface Tag {
  readonly tag: string;
  readonly type: TypeNode | undefined;
}

/** The syntactic parts of a declaration. */
export interface DeclarationParts {
  /** The type before the declarators. */
  readonly base: TypeNode | undefined;
  readonly specifiers: ReadonlySet<Specifier>;
  readonly declarators: readonly DeclaratorParts[];
}

/** The syntactic parts of one declarator. */
export interface DeclaratorParts {
  /** `undefined` for a parameter without a name. */
  readonly name: string | undefined;
  readonly type: TypeNode | undefined;
  /** Number of pointer levels. */
  readonly pointers: number;
  /** Number of array extents. */
  readonly extents: number;
  /** Qualifiers of the pointer itself, after the first `*`. */
  readonly specifiers: ReadonlySet<Specifier>;
  /** True if the declarator has other tokens than `*`, array extents, one name and qualifiers. */
  readonly hasMore: boolean;
}

/** Parses the macro-expanded tokens of a declaration without its semicolon. */
export function readDeclaration(tokens: readonly Token[]): Declaration {
  const tags: Tag[] = [];
  const start = tokens.findIndex(({ text }) => text === "typedef");
  const { declarators } = readParts(tokens.slice(start + 1), tags);
  return { isTypedef: start >= 0, declarators: named(declarators), tags };
}

/** Parses the parts of a declaration and adds its structs, unions and enums to `tags`. */
export function readParts(tokens: readonly Token[], tags: Tag[] = []): DeclarationParts {
  return new DeclarationReader(tokens, tags).read();
}

function named(declarators: readonly DeclaratorParts[]): Declarator[] {
  return declarators.flatMap(({ name, type }) => (name === undefined ? [] : [{ name, type }]));
}

/** Attributes that do not change a type's size or kind. */
const harmless = /^(?:__)?(?:unused|deprecated|may_alias|used|visibility|noinline|always_inline|nosvm)(?:__)?$/;

/** Maximum nesting depth of structs; deeper ones are unknown types. */
const maxDepth = 50;

/** Effects of a type's attributes. */
interface Attributes {
  readonly isPacked: boolean;
  /** Vector width set by an `ext_vector_type` attribute. */
  readonly width: number | undefined;
  /** False if an attribute with unknown effects is present. */
  readonly known: boolean;
}

class DeclarationReader {
  readonly #tokens: readonly Token[];
  readonly #tags: Tag[];
  readonly #depth: number;
  readonly #specifiers = new Set<Specifier>();
  #at = 0;

  constructor(tokens: readonly Token[], tags: Tag[], depth = 0) {
    this.#tokens = tokens;
    this.#tags = tags;
    this.#depth = depth;
  }

  read(): DeclarationParts {
    const base = this.#base();
    const declarators: DeclaratorParts[] = [];
    while (this.#at < this.#tokens.length) declarators.push(this.#declarator(base));
    return { base, specifiers: this.#specifiers, declarators };
  }

  /**
   * Parses the type and specifiers. The first word that is not a specifier is the type, so a later word can be a
   * declared name.
   */
  #base(): TypeNode | undefined {
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
      } else if (takeSpecifier(text, this.#specifiers)) {
        this.#at++;
      } else if (isArithmetic(text) && !hasType && arithmeticName([...words, text]) !== undefined) {
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
    if (words.length > 0) type = { kind: "name", name: arithmeticName(words) as string };
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
    if (this.#depth >= maxDepth) return undefined;
    const members: TypeNode[] = [];
    let known = true;
    for (const member of splitTokens(body, ";")) {
      if (member.length === 0) continue;
      const declarators = named(new DeclarationReader(member, this.#tags, this.#depth + 1).read().declarators);
      // An unnamed member or a bit-field.
      if (declarators.length === 0) known = false;
      for (const { type } of declarators) {
        if (type === undefined) known = false;
        else members.push(type);
      }
    }
    return known ? members : undefined;
  }

  #declarator(base: TypeNode | undefined): DeclaratorParts {
    let name: string | undefined;
    let type = base;
    let [pointers, hasMore] = [0, false];
    const specifiers = new Set<Specifier>();
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
        // A function or a function pointer, whose name may be inside the first parentheses.
        const inside = this.#group();
        name ??= inside.find((token) => token.kind === "word" && specifierOf(token.text) === undefined)?.text;
        type = undefined;
        hasMore = true;
      } else if (kind === "word" && isAttribute(text)) {
        const { known, isPacked, width } = this.#attributes();
        if (!known || isPacked) type = undefined;
        else if (width !== undefined && type !== undefined) type = { kind: "vector", of: type, width };
        hasMore ||= !known || isPacked || width !== undefined;
      } else {
        this.#at++;
        if (text === "*") {
          type = { kind: "pointer" };
          pointers++;
        } else if (kind !== "word" || (!takeSpecifier(text, specifiers) && name !== undefined)) {
          type = undefined;
          hasMore = true;
        } else if (specifierOf(text) === undefined) {
          name = text;
        }
      }
    }
    for (const length of extents.toReversed()) {
      if (length === undefined) type = undefined;
      if (type !== undefined) type = { kind: "array", of: type, length: length ?? 0 };
    }
    return { name, type, pointers, extents: extents.length, specifiers, hasMore };
  }

  /** Parses the attributes at the current position, if any. */
  #attributes(): Attributes {
    let [isPacked, known] = [false, true];
    let width: number | undefined;
    while (isAttribute(this.#tokens[this.#at]?.text ?? "")) {
      this.#at++;
      if (this.#tokens[this.#at]?.text !== "(") return { isPacked, width, known: false };
      const inside = this.#group().filter((_, i, all) => i > 0 && i < all.length - 1);
      for (const [name, ...rest] of splitTokens(inside, ",")) {
        const word = name?.text ?? "";
        if (/^(?:__)?packed(?:__)?$/.test(word)) isPacked = true;
        else if (/^(?:__)?ext_vector_type(?:__)?$/.test(word)) width = vectorWidth(rest);
        else if (word !== "" && !harmless.test(word)) known = false;
        if (word.includes("ext_vector_type") && width === undefined) known = false;
      }
    }
    return { isPacked, width, known };
  }

  /** Returns the tokens inside the bracket at the current position and moves past its end. */
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

/** Adds the specifier that a word stands for to the set. Returns false if the word is not a specifier. */
function takeSpecifier(word: string, specifiers: Set<Specifier>): boolean {
  const specifier = specifierOf(word);
  if (specifier !== undefined && specifier !== "none") specifiers.add(specifier);
  return specifier !== undefined;
}

function isAttribute(word: string): boolean {
  return word === "__attribute__" || word === "__attribute";
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
