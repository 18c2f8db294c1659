/**
 * A tokenizer of OpenCL C. Comments and line continuations count as white space, as after C's first translation phases.
 */
import { commentPattern, literalPattern } from "./comments.js";

/** A word, number, literal or punctuation with its position in the text. */
export interface Token {
  readonly kind: "word" | "number" | "literal" | "punctuation";
  readonly text: string;
  readonly start: number;
  /** End position, which differs from `start + text.length` for a digraph or a word with a line continuation. */
  readonly end: number;
  /** True for the first token of a line, where `#` starts a directive. */
  readonly startsLine: boolean;
}

/**
 * Returns the tokens of a text in linear time. An unclosed comment extends to the end of the text, an unclosed literal
 * to that of the line.
 */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let startsLine = true;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [all, blank, newline, word, number, literal] = match;
    if (newline !== undefined) startsLine = true;
    if (blank !== undefined || newline !== undefined) continue;
    const kind = word !== undefined ? "word" : number !== undefined ? "number" : literal ? "literal" : "punctuation";
    tokens.push({ kind, text: spelling(kind, all), start: match.index, end: pattern.lastIndex, startsLine });
    startsLine = false;
  }
  return tokens;
}

/** Returns a token without a position in a text. */
export function syntheticToken(kind: Token["kind"], text: string): Token {
  return { kind, text, start: -1, end: -1, startsLine: false };
}

/** Returns the index of the first token of the next line after token `at`. */
export function nextLine(tokens: readonly Token[], at: number): number {
  let next = at + 1;
  while (next < tokens.length && !tokens[next]?.startsLine) next++;
  return next;
}

/** Splits tokens at separators outside brackets. */
export function splitTokens(tokens: readonly Token[], separator: string): Token[][] {
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

function spelling(kind: Token["kind"], text: string): string {
  if (kind === "word" && text.includes("\\")) return text.replace(/\\\r?\n/g, "");
  return kind === "punctuation" ? (digraphs[text] ?? text) : text;
}

const blank = new RegExp(`((?:[^\\S\\n]|\\\\[^\\S\\n]*\\n|${commentPattern.source})+)`);
const word = /([A-Za-z_$\u0080-\uffff](?:[\w$\u0080-\uffff]|\\\r?\n(?=\w))*)/;
const number = /(\.?\d(?:[eEpP][+-]|[\w.])*)/;
const literal = new RegExp(`(${literalPattern.source})`);
const punctuation = /%:%:|<%|%>|<:|:>|%:|##|\.\.\.|->|\+\+|--|<<=|>>=|[-+*/%&|^=!<>]=|&&|\|\||<<|>>|\S/;
const pattern = new RegExp(
  [blank, /(\n)/, word, number, literal, punctuation].map(({ source }) => source).join("|"),
  "g",
);

const digraphs: Readonly<Record<string, string>> = {
  "<%": "{",
  "%>": "}",
  "<:": "[",
  ":>": "]",
  "%:": "#",
  "%:%:": "##",
};
