/**
 * Finds what a text of OpenCL C includes, without running the preprocessor.
 *
 * Conditions are not evaluated, so more is found than is used: a header behind `#if 0` counts. That costs at most a
 * needless rebuild. Everything that could make it find *less* than is used ends in `uncacheable`.
 */
import { withoutComments } from "@cl/base";

/** One `#include`: the name, and whether it was in quotes (sought beside the including file first). */
export interface IncludeDirective {
  readonly name: string;
  readonly quoted: boolean;
}

/** The directives of a text, or why its result must not be kept. */
export type DirectiveScan = { readonly includes: readonly IncludeDirective[] } | { readonly uncacheable: string };

/** Finds the `#include` directives of a text. */
export function scanDirectives(source: string): DirectiveScan {
  // Joined lines first, as the preprocessor does: a directive may be split anywhere, even inside a word. Most texts
  // then hold none of the words, and the rest of the work is skipped.
  const joined = source.includes("\\") ? source.replace(/\\[ \t]*\r?\n/g, "") : source;
  if (!INTERESTING.test(joined)) return NOTHING;
  const text = withoutComments(joined);

  const volatile = VOLATILE.exec(text);
  if (volatile) return { uncacheable: `it uses ${volatile[0]}` };

  const includes: IncludeDirective[] = [];
  for (const [, word = "", operand = ""] of text.matchAll(DIRECTIVE)) {
    if (word !== "include") return { uncacheable: `it uses #${word}` };
    const name = /^\s*(?:"([^"\n]+)"|<([^>\n]+)>)/.exec(operand);
    if (!name) return { uncacheable: `the name in "#include ${operand.trim()}" is computed` };
    includes.push({ name: name[1] ?? name[2] ?? "", quoted: name[1] !== undefined });
  }
  return { includes };
}

const NOTHING: DirectiveScan = { includes: [] };

const INTERESTING = /include|import|embed|__DATE__|__TIME|\?\?[=/]/;

// A constant that the time of building decides, a question about which files exist, or a trigraph for # or \ (no real
// source has those; that way nothing needs to decode them).
const VOLATILE = /\b__(?:DATE|TIME|TIMESTAMP)__\b|\b__has_(?:include|embed)\w*|\?\?[=/]/;

// The word may come on a later line than the # (a comment with a line break between them). What is not \S includes a
// byte order mark.
const DIRECTIVE = /^[^\S\n]*(?:#|%:)\s*(include_next|include|import|embed)\b([^\n]*)/gm;
