/**
 * Analysis of how user code accesses arrays: at the index itself, at other indices, or as a pointer. For arrays that
 * are not contiguous, the index expressions are rewritten.
 */

import { textParts, type Token, tokenize } from "@cl/base";

/** How the code uses arrays and the index. */
export interface TextUse {
  /** Arrays used as `x[i]`. */
  readonly atIndex: ReadonlySet<string>;
  /** Arrays used as `x[…]` with any other index. */
  readonly elsewhere: ReadonlySet<string>;
  /** Arrays used without brackets, as pointers. */
  readonly asPointer: ReadonlySet<string>;
  /** Whether the index is used other than in `x[i]`. */
  readonly index: boolean;
}

/** Looks through texts that run where `i` is the index; `preamble` may have macros that use it, too. */
export function usesOf(texts: readonly string[], preamble: string, arrays: ReadonlySet<string>): TextUse {
  const use = { atIndex: new Set<string>(), elsewhere: new Set<string>(), asPointer: new Set<string>(), index: false };
  const look = (tokens: readonly Token[]): void => {
    for (const access of accessesOf(tokens, arrays, () => (use.index = true))) {
      if (access.inside === undefined) use.asPointer.add(access.name);
      else if (isIndex(access.inside)) use.atIndex.add(access.name);
      else {
        use.elsewhere.add(access.name);
        look(access.inside);
      }
    }
  };
  for (const text of texts) look(tokenize(text));
  for (const replacement of textParts(preamble).macros.values()) {
    for (const { text } of replacement) {
      if (text === "i") use.index = true;
      if (arrays.has(text)) use.asPointer.add(text);
    }
  }
  return use;
}

/**
 * Returns the code with rewritten indices; `placeOf` returns the offset in memory for an index expression, where
 * undefined is `i`, or keeps the expression.
 */
export function withPlaces(
  text: string,
  arrays: ReadonlySet<string>,
  placeOf: (name: string, index: string | undefined) => string | undefined,
): string {
  return rewritten(tokenize(text), 0, text.length);

  function rewritten(tokens: readonly Token[], from: number, to: number): string {
    let out = "";
    let done = from;
    for (const { name, start, open, close, end, inside } of accessesOf(tokens, arrays, () => undefined)) {
      if (inside === undefined) continue;
      const index = isIndex(inside) ? undefined : rewritten(inside, open, close);
      const place = placeOf(name, index);
      out += text.slice(done, place === undefined ? open : start) + (place ?? index ?? text.slice(open, close));
      done = place === undefined ? close : end;
    }
    return out + text.slice(done, to);
  }
}

interface Access {
  readonly name: string;
  /** Positions in the text: of the name, after the opening bracket, of the closing bracket, and after it. */
  readonly start: number;
  readonly open: number;
  readonly close: number;
  readonly end: number;
  /** The tokens in the brackets; undefined if there are no brackets. */
  readonly inside: readonly Token[] | undefined;
}

function isIndex(inside: readonly Token[]): boolean {
  return inside.length === 1 && inside[0]?.text === "i";
}

/** Yields each use of an array in order, except for uses within the brackets of another; the caller searches those. */
function* accessesOf(tokens: readonly Token[], arrays: ReadonlySet<string>, sawIndex: () => void): Generator<Access> {
  for (let at = 0; at < tokens.length; at++) {
    const { text: name, start, end: open } = tokens[at] as Token;
    const isField = [".", "->"].includes(tokens[at - 1]?.text ?? "");
    if (isField) continue;
    if (name === "i") sawIndex();
    if (!arrays.has(name)) continue;
    const bracket = tokens[at + 1];
    if (bracket?.text !== "[") {
      yield { name, start, open, close: open, end: open, inside: undefined };
      continue;
    }
    const last = closing(tokens, at + 1);
    const { start: close, end } = tokens[last] ?? { start: Infinity, end: Infinity };
    yield { name, start, open: bracket.end, close, end, inside: tokens.slice(at + 2, last) };
    at = last;
  }
}

/** Returns the position of the bracket that matches the one at `open`. */
function closing(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at++) {
    const { text } = tokens[at] as Token;
    if (text === "[") depth++;
    if (text === "]" && --depth === 0) return at;
  }
  return tokens.length;
}
