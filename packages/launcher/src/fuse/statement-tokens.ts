/** The tokens of statements that become a part of a kernel. */
import { type Token, tokenize, wrongValue } from "@cl/base";

/** The tokens of a text without comments. `name` is the text's, for errors. */
export function statementTokens(text: string, name: string): readonly Token[] {
  const odd = /["'#\\@`$]|%:|\?\?/.exec(text);
  if (odd !== null) {
    throw wrongValue(
      `${name} must be plain statements, but has ${odd[0]}: strings and directives go to options.preamble`,
    );
  }
  const tokens = tokenize(text);
  checkBrackets(tokens, name);
  return tokens;
}

const closing: ReadonlyMap<string, string> = new Map([
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
]);
const closes: ReadonlySet<string> = new Set(closing.values());

/** Throws unless every bracket is closed: what follows the text must not become a part of it, nor the other way. */
function checkBrackets(tokens: readonly Token[], name: string): void {
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
