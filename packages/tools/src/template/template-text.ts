/** The text of a template: its pieces, and how they are put together so that each line's origin stays known. */
import { commentPattern, literalPattern, withoutComments } from "@cl/base";

/** A piece of a template: text as it is, or a placeholder. */
export interface Piece {
  readonly text: string;
  /** The placeholder's name; undefined for text as it is. */
  readonly placeholder: string | undefined;
  /** The template's line on which it begins, from 1. */
  readonly line: number;
  /** True inside a `#define` or another directive. */
  readonly inDirective: boolean;
}

/** A text and where each of its lines comes from. */
export interface Composed {
  readonly text: string;
  /** For each line, the template's line and the placeholder that it came through. */
  readonly lines: readonly Origin[];
}

/** Where a line comes from. */
export interface Origin {
  /** The template's line, from 1. */
  readonly line: number;
  /** The placeholder whose text it is, and the line in that, from 1. */
  readonly inside?: { readonly placeholder: string; readonly line: number };
}

/** Takes a template apart. `$name` and `$(name)` are placeholders, `$$` is a dollar; comments are left as they are. */
export function readPieces(source: string, refuse: (line: number, what: string) => Error): readonly Piece[] {
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
      if (name === undefined) throw refuse(line, 'a "$" is followed by no name (write "$$" for the character)');
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

/** Comments, literals, placeholders, continued lines, line ends, and what is between. */
const tokens = new RegExp(
  `${commentPattern.source}|${literalPattern.source}|${/\$\$|\$\(\w+\)|\$[A-Za-z_]\w*|\$|\\\r?\n|\n|#|[^\S\n]+|[^\s"'<$#\\/]+|[^]/.source}`,
  "g",
);

/** Puts the pieces together. */
export function compose(pieces: readonly Piece[], textOf: (placeholder: string) => string): Composed {
  let text = "";
  const lines: Origin[] = [{ line: 1 }];
  for (const piece of pieces) {
    const { placeholder, line } = piece;
    if (placeholder === undefined) {
      text += piece.text;
      const more = piece.text.split("\n").length - 1;
      // What follows a placeholder on its line still belongs to the template's line.
      for (let i = 1; i <= more; i++) lines.push({ line: line + i });
      continue;
    }
    const indent = /(?:^|\n)([^\S\n]*)$/.exec(text)?.[1] ?? "";
    const value = textOf(placeholder).split(/\r?\n/);
    if (value.length > 1) lines[lines.length - 1] = { line, inside: { placeholder, line: 1 } };
    // What follows on the template's line must not become a part of a comment.
    if (!piece.inDirective && value.at(-1)?.includes("//") === true) value.push("");
    text += piece.inDirective ? continued(value) : value.join(`\n${indent}`);
    const rest = piece.inDirective ? continued(value).split("\n").length : value.length;
    for (let i = 1; i < rest; i++) lines.push({ line, inside: { placeholder, line: i + 1 } });
  }
  return { text, lines };
}

/**
 * Lines inside a `#define`: one line for the preprocessor. A `//` comment would take all that follows with it, and a
 * comment over several lines must not end the directive, so that comments become blanks.
 */
function continued(value: readonly string[]): string {
  const bare = withoutComments(value.join("\n"))
    .split("\n")
    .map((line) => line.trimEnd().replace(/\\$/, "").trimEnd());
  return bare.join(" \\\n");
}
