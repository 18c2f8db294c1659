/** What an operation's preamble can hide from a look at its statements: macros, and variables that all kernels of it share. */
import { withoutComments } from "./tokens.js";

/** The preamble of an operation. */
export class Preamble {
  readonly text: string;
  /** Replacement texts by the macros' names. */
  readonly #macros = new Map<string, string>();
  readonly #code: string;

  constructor(text: string) {
    this.text = text.trim();
    const joined = withoutComments(text.replace(/\\\r?\n/g, " "));
    for (const [, name, replacement] of joined.matchAll(/^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)(.*)$/gm)) {
      // A name may be defined in each branch of a condition.
      this.#macros.set(name as string, `${this.#macros.get(name as string) ?? ""} ${replacement}`);
    }
    this.#code = joined.replace(/^[ \t]*#.*$/gm, "");
  }

  /** What the macros among these names are replaced with, and the macros in there. */
  expansionOf(names: readonly string[]): string {
    const seen = new Set<string>();
    const open = [...names];
    let all = "";
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      const replacement = this.#macros.get(name);
      if (replacement === undefined || seen.has(name)) continue;
      seen.add(name);
      all += ` ${replacement}`;
      open.push(...(replacement.match(/[A-Za-z_]\w*/g) ?? []));
    }
    return all;
  }

  /** True if it may declare variables: each kernel of another program has its own. */
  get hasVariables(): boolean {
    let depth = 0;
    let statement = "";
    for (const token of this.#code.match(/[A-Za-z_]\w*|\S/g) ?? []) {
      if (token === "{" || token === "(") depth++;
      if (depth === 0 && token !== ";") statement += ` ${token}`;
      if (token === "(" && depth === 1) statement += " (";
      if (token === "}" || token === ")") depth--;
      if (depth > 0 || (token !== ";" && token !== "}")) continue;
      // After a body there may be declarators, as in `struct pair { … } both;`.
      if (token === "}" && !/ \(/.test(statement)) continue;
      if (isVariable(statement)) return true;
      statement = "";
    }
    return false;
  }
}

/** True unless this is surely something else than a variable that can change. */
function isVariable(statement: string): boolean {
  if (statement.trim() === "" || / \(/.test(statement)) return false;
  if (/^ (?:typedef|constant|__constant|const)\b/.test(statement)) return false;
  return !/^ (?:struct|union|enum)(?: \w+)?$/.test(statement);
}
