/** Splits templates into text and placeholders, and composes them while tracking the origin of each line. */
import { commentPattern, literalPattern, withoutComments } from "@cl/base";

/** A piece of a template: literal text or a placeholder. */
export interface Piece {
  readonly text: string;
  /** The placeholder's name; `undefined` for literal text. */
  readonly placeholder: string | undefined;
  /** The template line on which it begins, counted from 1. */
  readonly line: number;
  /** True inside a `#define` or another directive. */
  readonly inDirective: boolean;
}

/** A text with the origin of its lines. */
export interface Composed {
  readonly text: string;
  /** Origin of each line. */
  readonly lines: readonly Origin[];
}

/** Origin of a line. */
export interface Origin {
  /** The template line, counted from 1. */
  readonly line: number;
  /** The placeholder whose value contains the line, and the line in that value, counted from 1. */
  readonly inside?: { readonly placeholder: string; readonly line: number };
}

/** Splits a template. `$name` and `$(name)` are placeholders, `$$` is a dollar sign. Comments are not changed. */
export function readPieces(source: string, refuse: (line: number, problem: string) => Error): readonly Piece[] {
  const pieces: Piece[] = [];
  let plain = "";
  let line = 1;
  let start = 1;
  let directive = false;
  let atLineStart = true;
  const flush = (): void => {
    if (plain !== "") pieces.push({ text: plain, placeholder: undefined, line: start, inDirective: directive });
    plain = "";
  };
  for (const [word] of source.matchAll(tokens)) {
    if (word.startsWith("$") && word !== "$$") {
      const name = /^\$\(?(\w+)/.exec(word)?.[1];
      if (name === undefined) throw refuse(line, '"$" without a name; write "$$" for a dollar sign');
      flush();
      pieces.push({ text: word, placeholder: name, line, inDirective: directive });
      start = line;
      atLineStart = false;
      continue;
    }
    if (plain === "") start = line;
    if (word === "\n") directive = false;
    if (word === "#" && atLineStart) directive = true;
    if (word.endsWith("\n")) atLineStart = true;
    else if (!/^\s*$/.test(word)) atLineStart = false;
    plain += word === "$$" ? "$" : word;
    line += word.split("\n").length - 1;
  }
  flush();
  return pieces;
}

/** Matches comments, literals, placeholders, line continuations, line breaks, and other text. */
const tokens = new RegExp(
  `${commentPattern.source}|${literalPattern.source}|${/\$\$|\$\(\w+\)|\$[A-Za-z_]\w*|\$|\\\r?\n|\n|#|[^\S\n]+|[^\s"'<$#\\/]+|[^]/.source}`,
  "g",
);

/** Composes the text and records the origin of its lines. */
export function compose(pieces: readonly Piece[], textOf: (placeholder: string) => string): Composed {
  let text = "";
  const lines: Origin[] = [{ line: 1 }];
  for (const piece of pieces) {
    const { placeholder, line } = piece;
    if (placeholder === undefined) {
      text += piece.text;
      const lineBreaks = piece.text.split("\n").length - 1;
      // Text after a placeholder on the same line belongs to the same template line.
      for (let i = 1; i <= lineBreaks; i++) lines.push({ line: line + i });
      continue;
    }
    const indent = /(?:^|\n)([^\S\n]*)$/.exec(text)?.[1] ?? "";
    const value = textOf(placeholder).split(/\r?\n/);
    if (value.length > 1) lines[lines.length - 1] = { line, inside: { placeholder, line: 1 } };
    // Text after the placeholder must not become part of a comment.
    if (!piece.inDirective && value.at(-1)?.includes("//") === true) value.push("");
    text += piece.inDirective ? continued(value) : value.join(`\n${indent}`);
    const lineCount = piece.inDirective ? continued(value).split("\n").length : value.length;
    for (let i = 1; i < lineCount; i++) lines.push({ line, inside: { placeholder, line: i + 1 } });
  }
  return { text, lines };
}

/**
 * Joins lines inside a `#define` with line continuations. Comments are replaced by spaces, since a `//` comment would
 * swallow the following lines, and a multi-line comment must not end the directive.
 */
function continued(value: readonly string[]): string {
  const bare = withoutComments(value.join("\n"))
    .split("\n")
    .map((line) => line.trimEnd().replace(/\\$/, "").trimEnd());
  return bare.join(" \\\n");
}
