/** What an operation's preamble can hide from a look at its statements: macros, and variables that all kernels of it share. */
import { DeclarationSplitter, isFunction, readDeclaration, textParts, type TextParts, type Token } from "@cl/base";

/** The preamble of an operation. */
export class Preamble {
  readonly text: string;
  readonly #parts: TextParts;

  constructor(text: string) {
    this.text = text.trim();
    this.#parts = textParts(text);
  }

  /** What the macros among these tokens are replaced with, and the macros in there. */
  expansionOf(tokens: readonly Token[]): readonly Token[] {
    const seen = new Set<string>();
    const open = tokens.map(({ text }) => text);
    const all: Token[] = [];
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      const replacement = this.#parts.macros.get(name);
      if (replacement === undefined || seen.has(name)) continue;
      seen.add(name);
      all.push(...replacement);
      open.push(...replacement.map(({ text }) => text));
    }
    return all;
  }

  /** True if it may declare variables: each kernel of another program has its own. */
  get hasVariables(): boolean {
    let found = false;
    const splitter = new DeclarationSplitter({
      declaration: (tokens) => {
        found ||= declaresVariable(tokens);
      },
    });
    for (const token of this.#parts.code) splitter.token(token);
    splitter.finish();
    return found;
  }
}

/** True unless this is surely something else than a variable that can change. */
function declaresVariable(tokens: readonly Token[]): boolean {
  if (isFunction(tokens) || /^(?:constant|__constant|const)$/.test(tokens[0]?.text ?? "")) return false;
  const { isTypedef, declarators } = readDeclaration(tokens);
  return !isTypedef && declarators.length > 0;
}
