/** Splits OpenCL C into tokens. Comments and line continuations are white space, as after C's first translation phases. */

/** A word, a number, a literal or punctuation, with its place in the text. */
export interface Token {
  readonly kind: "word" | "number" | "literal" | "punctuation";
  readonly text: string;
  readonly start: number;
  /** True for the first token of a line: a `#` there starts a directive. */
  readonly startsLine: boolean;
}

/** Returns the tokens of a text. Takes time in proportion to its length; an unclosed comment or literal ends the text or line. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let startsLine = true;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [all, blank, newline, word, number, literal] = match;
    if (newline !== undefined) startsLine = true;
    if (blank !== undefined || newline !== undefined) continue;
    const kind = word !== undefined ? "word" : number !== undefined ? "number" : literal ? "literal" : "punctuation";
    tokens.push({ kind, text: kind === "punctuation" ? (digraphs[all] ?? all) : all, start: match.index, startsLine });
    startsLine = false;
  }
  return tokens;
}

/** Returns a token that stands in no text. */
export function syntheticToken(kind: Token["kind"], text: string): Token {
  return { kind, text, start: -1, startsLine: false };
}

const blank = /((?:[^\S\n]|\\[^\S\n]*\r?\n|\/\/(?:\\\r?\n|[^\n])*|\/\*[\s\S]*?(?:\*\/|$))+)/;
const word = /([A-Za-z_$\u0080-\uffff](?:[\w$\u0080-\uffff]|\\\r?\n(?=\w))*)/;
const number = /(\.?\d(?:[eEpP][+-]|[\w.])*)/;
const literal = /("(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?)/;
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
