/**
 * What a text of OpenCL C does with arrays: which of them it takes at the index itself, which elsewhere, and which as a
 * pointer. Where an array has gaps, its elements are found by other text in the same places.
 */

/** How a text uses its arrays and the index. */
export interface TextUse {
  /** Arrays that occur as `x[i]`. */
  readonly atIndex: ReadonlySet<string>;
  /** Arrays that occur as `x[…]` with anything else in brackets. */
  readonly elsewhere: ReadonlySet<string>;
  /** Arrays that occur without brackets, as pointers. */
  readonly asPointer: ReadonlySet<string>;
  /** True if the index is used otherwise than in `x[i]`. */
  readonly index: boolean;
}

/** Looks through texts that run where `i` is the index; `preamble` may have macros that use it, too. */
export function usesOf(texts: readonly string[], preamble: string, arrays: ReadonlySet<string>): TextUse {
  const use = { atIndex: new Set<string>(), elsewhere: new Set<string>(), asPointer: new Set<string>(), index: false };
  const look = (tokens: readonly string[]): void => {
    for (const access of accessesOf(tokens, arrays, () => (use.index = true))) {
      if (access.inside === undefined) use.asPointer.add(access.name);
      else if (isIndex(access.inside)) use.atIndex.add(access.name);
      else {
        use.elsewhere.add(access.name);
        look(access.inside);
      }
    }
  };
  for (const text of texts) look(tokensOf(text));
  for (const macro of preamble.replaceAll("\\\n", " ").matchAll(/^\s*#\s*define\s.*$/gmu)) {
    for (const token of tokensOf(macro[0])) {
      if (token === "i") use.index = true;
      if (arrays.has(token)) use.asPointer.add(token);
    }
  }
  return use;
}

/** The text with other places in it; `placeOf` gives the index in memory, of `i` itself for undefined, or keeps it as it is. */
export function withPlaces(
  text: string,
  arrays: ReadonlySet<string>,
  placeOf: (name: string, index: string | undefined) => string | undefined,
): string {
  return rewritten(tokensOf(text));

  function rewritten(tokens: readonly string[]): string {
    let out = "";
    let done = 0;
    for (const { name, start, open, end, inside } of accessesOf(tokens, arrays, () => undefined)) {
      if (inside === undefined) continue;
      const index = isIndex(inside) ? undefined : rewritten(inside);
      const place = placeOf(name, index);
      out += tokens.slice(done, place === undefined ? open + 1 : start).join("");
      out += place === undefined ? `${index ?? inside.join("")}]` : place;
      done = end + 1;
    }
    return out + tokens.slice(done).join("");
  }
}

interface Access {
  readonly name: string;
  readonly start: number;
  readonly open: number;
  readonly end: number;
  /** What is in the brackets; undefined where there are none. */
  readonly inside: readonly string[] | undefined;
}

/** Blanks and comments, strings, numbers, names, and single characters. */
const token =
  /\s+|\/\*[^]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\.?\d(?:[eEpP][+-]|[\w.])*|[A-Za-z_]\w*|->|[^]/gu;

function tokensOf(text: string): readonly string[] {
  return text.match(token) ?? [];
}

function isBlank(text: string | undefined): boolean {
  return text !== undefined && /^(?:\s|\/\*|\/\/)/u.test(text);
}

function isIndex(inside: readonly string[]): boolean {
  const words = inside.filter((one) => !isBlank(one));
  return words.length === 1 && words[0] === "i";
}

/** Each use of an array in its order; those inside of another's brackets are left to whoever looks there. */
function* accessesOf(tokens: readonly string[], arrays: ReadonlySet<string>, sawIndex: () => void): Generator<Access> {
  for (let at = 0; at < tokens.length; at++) {
    const name = tokens[at] as string;
    const isField = [".", "->"].includes(tokens[previous(at)] ?? "");
    if (isField) continue;
    if (name === "i") sawIndex();
    if (!arrays.has(name)) continue;
    const open = following(at);
    if (tokens[open] !== "[") {
      yield { name, start: at, open, end: at, inside: undefined };
      continue;
    }
    const end = closing(open);
    yield { name, start: at, open, end, inside: tokens.slice(open + 1, end) };
    at = end;
  }

  function previous(from: number): number {
    let at = from - 1;
    while (isBlank(tokens[at])) at--;
    return at;
  }

  function following(from: number): number {
    let at = from + 1;
    while (isBlank(tokens[at])) at++;
    return at;
  }

  function closing(open: number): number {
    let depth = 0;
    for (let at = open; at < tokens.length; at++) {
      if (tokens[at] === "[") depth++;
      if (tokens[at] === "]" && --depth === 0) return at;
    }
    return tokens.length;
  }
}
