/** A parser of the Python literals in headers of .npy files; nothing is evaluated. */

/** A tuple. Lists are arrays. */
export class Tuple extends Array<Literal> {}

/** What a literal can be: dictionaries are maps, tuples and lists are arrays. */
export type Literal = string | number | boolean | null | readonly Literal[] | ReadonlyMap<string, Literal>;

/** Structs in structs are not deeper. */
const deepest = 32;

/** The value of a literal, with nothing but white space behind it; undefined for all other texts. */
export function parseLiteral(text: string): Literal | undefined {
  try {
    return new Parser(text).whole();
  } catch (error) {
    if (error instanceof NoLiteral) return undefined;
    throw error;
  }
}

class NoLiteral extends Error {}

class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): Literal {
    const value = this.#value(0);
    this.#skip();
    if (this.#at < this.#text.length) throw new NoLiteral();
    return value;
  }

  #value(depth: number): Literal {
    if (depth > deepest) throw new NoLiteral();
    this.#skip();
    const next = this.#text[this.#at];
    if (next === "{") return this.#dictionary(depth);
    if (next === "(") return this.#list(")", depth);
    if (next === "[") return this.#list("]", depth);
    if (next === "'" || next === '"') return this.#string();
    const word = this.#match(/[A-Za-z]+/y);
    if (word !== undefined) {
      const value = { True: true, False: false, None: null }[word];
      if (value === undefined) throw new NoLiteral();
      return value;
    }
    // Python 2 wrote an L behind long integers.
    const digits = this.#match(/-?\d{1,16}L?/y);
    const value = Number(digits?.replace("L", ""));
    if (digits === undefined || !Number.isSafeInteger(value)) throw new NoLiteral();
    return value;
  }

  #dictionary(depth: number): ReadonlyMap<string, Literal> {
    const entries = new Map<string, Literal>();
    this.#take("{");
    while (!this.#takes("}")) {
      this.#skip();
      const key = this.#string();
      this.#take(":");
      if (entries.has(key)) throw new NoLiteral();
      entries.set(key, this.#value(depth + 1));
      if (this.#takes("}")) return entries;
      this.#take(",");
    }
    return entries;
  }

  /** A tuple or a list; brackets around one value without a comma are nothing. */
  #list(end: string, depth: number): Literal {
    const values: Literal[] = [];
    this.#at++;
    while (!this.#takes(end)) {
      values.push(this.#value(depth + 1));
      if (this.#takes(end)) {
        if (end === "]") return values;
        return values.length === 1 ? (values[0] as Literal) : Tuple.from(values);
      }
      this.#take(",");
    }
    return end === "]" ? values : Tuple.from(values);
  }

  #string(): string {
    const text = this.#match(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/y);
    if (text === undefined) throw new NoLiteral();
    return text.slice(1, -1).replaceAll(/\\(x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|.)/g, (_, code: string) => {
      if (code.length > 1) return String.fromCodePoint(Number.parseInt(code.slice(1), 16));
      const known = { n: "\n", t: "\t", r: "\r" }[code];
      return known ?? code;
    });
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #skip(): void {
    this.#match(/\s*/y);
  }

  #takes(sign: string): boolean {
    this.#skip();
    if (this.#text[this.#at] !== sign) return false;
    this.#at++;
    return true;
  }

  #take(sign: string): void {
    if (!this.#takes(sign)) throw new NoLiteral();
  }
}
