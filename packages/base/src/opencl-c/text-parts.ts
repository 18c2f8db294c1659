/** Separates the code of a text from its macros without evaluating conditions. */
import { nextLine, type Token, tokenize } from "./tokens.js";

/** The code and the macros of a text. */
export interface TextParts {
  /** All tokens outside directives. */
  readonly code: readonly Token[];
  /** Parameters and body of each macro, from all branches of conditions. */
  readonly macros: ReadonlyMap<string, readonly Token[]>;
}

/** Separates the code of a text from its directives. */
export function textParts(text: string): TextParts {
  const tokens = tokenize(text);
  const code: Token[] = [];
  const macros = new Map<string, readonly Token[]>();
  for (let at = 0; at < tokens.length;) {
    const token = tokens[at] as Token;
    if (!(token.startsLine && token.text === "#")) {
      code.push(token);
      at++;
      continue;
    }
    const end = nextLine(tokens, at);
    const [keyword, name, ...rest] = tokens.slice(at + 1, end);
    if (keyword?.text === "define" && name !== undefined) {
      macros.set(name.text, [...(macros.get(name.text) ?? []), ...rest]);
    }
    at = end;
  }
  return { code, macros };
}
