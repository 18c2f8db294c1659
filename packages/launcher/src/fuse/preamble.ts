/** Analyzes an operation's preamble for macros and shared variables, which are not visible in its statements. */
import { DeclarationSplitter, isFunction, readDeclaration, textParts, type TextParts, type Token } from "@cl/base";

/** A parsed preamble. */
export class Preamble {
  readonly text: string;
  readonly #parts: TextParts;

  constructor(text: string) {
    this.text = text.trim();
    this.#parts = textParts(text);
  }

  /** Returns the tokens that macros among these tokens expand to, recursively. */
  expansionOf(tokens: readonly Token[]): readonly Token[] {
    const seen = new Set<string>();
    const pending = tokens.map(({ text }) => text);
    const expansion: Token[] = [];
    for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
      const replacement = this.#parts.macros.get(name);
      if (replacement === undefined || seen.has(name)) continue;
      seen.add(name);
      expansion.push(...replacement);
      pending.push(...replacement.map(({ text }) => text));
    }
    return expansion;
  }

  /** Whether it may declare variables, which are not shared between programs. */
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

/** Whether this may declare a mutable variable. */
function declaresVariable(tokens: readonly Token[]): boolean {
  if (isFunction(tokens) || /^(?:constant|__constant|const)$/.test(tokens[0]?.text ?? "")) return false;
  const { isTypedef, declarators } = readDeclaration(tokens);
  return !isTypedef && declarators.length > 0;
}
