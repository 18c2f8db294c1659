/** OpenCL C as tokens: as much of the language as is needed to find where a name is used. */
import { wrongValue } from "@cl/base";

/** A name, a number, or punctuation, with where it stands in the text. */
export interface Token {
  readonly text: string;
  readonly isName: boolean;
  readonly start: number;
  readonly end: number;
}

const pattern = /([A-Za-z_]\w*)|\.?\d(?:[eEpP][+-]|[\w.])*|->|\+\+|--|<<=|>>=|[-+*/%&|^=!<>]=|&&|\|\||<<|>>|\S/y;

/** The text with blanks in place of comments. */
export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, (comment) => comment.replace(/[^\n]/g, " "));
}

/** The tokens of a text without comments. `name` is the text's, for errors. */
export function tokensOf(text: string, name: string): readonly Token[] {
  const odd = /["'#\\@`$]|%:|\?\?/.exec(text);
  if (odd !== null) {
    throw wrongValue(
      `${name} must be plain statements, but has ${odd[0]}: strings and directives go to options.preamble`,
    );
  }
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    if (/\s/.test(text[at] as string)) {
      at++;
      continue;
    }
    pattern.lastIndex = at;
    const match = pattern.exec(text) as RegExpExecArray;
    tokens.push({ text: match[0], isName: match[1] !== undefined, start: at, end: pattern.lastIndex });
    at = pattern.lastIndex;
  }
  return tokens;
}

const closing: ReadonlyMap<string, string> = new Map([
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
]);
const closes: ReadonlySet<string> = new Set(closing.values());

/** Throws unless every bracket is closed: what follows the text must not become a part of it, nor the other way. */
export function checkBrackets(tokens: readonly Token[], name: string): void {
  const open: string[] = [];
  for (const { text } of tokens) {
    const closer = closing.get(text);
    if (closer !== undefined) open.push(closer);
    else if (closes.has(text) && open.pop() !== text) {
      throw wrongValue(`${name} must have a bracket that opens for each ${text}`);
    }
  }
  if (open.length > 0) throw wrongValue(`${name} must close its brackets: ${open.at(-1)} is missing`);
}
