/** Tokenizes statements that are inserted into a kernel. */
import { type Token, tokenize, wrongValue } from "@cl/base";

/** Returns the tokens of a text without comments. `name` names the text in errors. */
export function statementTokens(text: string, name: string): readonly Token[] {
  const forbidden = /["'#\\@`$]|%:|\?\?/.exec(text);
  if (forbidden !== null) {
    throw wrongValue(
      `${name} must be plain statements, but contains ${forbidden[0]}; move strings and directives to options.preamble`,
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

/** Checks that brackets are balanced, so that the text cannot end the enclosing block. */
function checkBrackets(tokens: readonly Token[], name: string): void {
  const open: string[] = [];
  for (const { text } of tokens) {
    const closer = closing.get(text);
    if (closer !== undefined) open.push(closer);
    else if (closes.has(text) && open.pop() !== text) {
      throw wrongValue(`${name} must have balanced brackets, but ${text} is never opened`);
    }
  }
  if (open.length > 0) throw wrongValue(`${name} must have balanced brackets, but ${open.at(-1)} is missing`);
}
