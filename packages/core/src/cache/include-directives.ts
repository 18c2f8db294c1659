/**
 * Finds the includes of OpenCL C source without running the preprocessor.
 *
 * Conditions are not evaluated, so a header inside `#if 0` counts; this costs at most an unnecessary rebuild. Anything
 * that could hide an include makes the source `uncacheable`.
 */
import { withoutComments } from "@cl/base";

/** An `#include`: the name, and whether it is in quotes (searched in the directory of the including file first). */
export interface IncludeDirective {
  readonly name: string;
  readonly quoted: boolean;
}

/** The directives of a source, or the reason why its binaries cannot be cached. */
export type DirectiveScan = { readonly includes: readonly IncludeDirective[] } | { readonly uncacheable: string };

/** Returns the `#include` directives of a source. */
export function scanDirectives(source: string): DirectiveScan {
  // Lines are joined first, as in the preprocessor, because a directive may be split anywhere, even inside a word. Most
  // sources then contain none of the words, and the rest is skipped.
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

// Macros that depend on the build time or on which files exist, and trigraphs for # or \ (unused in practice, so they
// are not decoded).
const VOLATILE = /\b__(?:DATE|TIME|TIMESTAMP)__\b|\b__has_(?:include|embed)\w*|\?\?[=/]/;

// The word can be on a later line than the # if there is a multi-line comment between them. [^\S\n] includes a byte
// order mark.
const DIRECTIVE = /^[^\S\n]*(?:#|%:)\s*(include_next|include|import|embed)\b([^\n]*)/gm;
