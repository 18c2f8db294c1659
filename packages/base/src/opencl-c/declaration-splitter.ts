/** Splits a token stream into file-level declarations; function bodies are skipped. */
import type { Token } from "./tokens.js";

/** Receives the declarations. */
export interface DeclarationListener {
  /**
   * Receives the tokens of a declaration without its semicolon or body. `isMixed` is true if an open condition begins
   * or ends within it, so that its tokens belong to one of several branches.
   */
  declaration(tokens: readonly Token[], isMixed: boolean): void;
}

/** The splitter's state at the beginning of an open condition. */
interface Branch {
  /** The incomplete declaration; its first `length` tokens precede the condition. */
  readonly tokens: Token[];
  readonly length: number;
  readonly depth: number;
  readonly inBody: boolean;
}

/** A splitter of a token stream into declarations. */
export class DeclarationSplitter {
  readonly #listener: DeclarationListener;
  readonly #branches: Branch[] = [];
  #tokens: Token[] = [];
  /** Nesting depth of braces. */
  #depth = 0;
  /** True inside a function body. */
  #inBody = false;
  #isMixed = false;

  constructor(listener: DeclarationListener) {
    this.#listener = listener;
  }

  /** True inside an open condition. */
  get isConditional(): boolean {
    return this.#branches.length > 0;
  }

  /** Processes the next token. */
  token(token: Token): void {
    const { text } = token;
    if (text === "{") {
      if (this.#depth++ === 0 && isFunction(this.#tokens)) this.#inBody = true;
    } else if (text === "}" && this.#depth > 0 && --this.#depth === 0 && this.#inBody) {
      this.#inBody = false;
      this.#end();
      return;
    }
    if (this.#inBody) return;
    if (text === ";" && this.#depth === 0) this.#end();
    else this.#tokens.push(token);
  }

  /**
   * Processes the beginning or end of a branch of an open condition. Each branch continues the tokens before the
   * condition.
   */
  branch(what: "begin" | "next" | "end"): void {
    if (what === "begin") {
      this.#branches.push({
        tokens: this.#tokens,
        length: this.#tokens.length,
        depth: this.#depth,
        inBody: this.#inBody,
      });
      return;
    }
    const before = this.#branches.at(-1);
    if (before === undefined) return;
    const isBetween = before.length === 0 && this.#tokens.length === 0;
    if (!isBetween) this.#isMixed = true;
    if (what === "end") {
      this.#branches.pop();
      return;
    }
    this.#tokens = before.tokens;
    this.#tokens.length = before.length;
    this.#depth = before.depth;
    this.#inBody = before.inBody;
  }

  /** Reports the last declaration at the end of the text. */
  finish(): void {
    if (this.#tokens.length > 0) this.#end();
  }

  #end(): void {
    if (this.#tokens.length > 0) this.#listener.declaration(this.#tokens, this.#isMixed);
    this.#tokens = [];
    this.#isMixed = false;
  }
}

/** Returns true if a brace after these tokens opens a function body, not a struct or an initializer. */
export function isFunction(tokens: readonly Token[]): boolean {
  let depth = 0;
  let hasParameters = false;
  for (const [i, { text }] of tokens.entries()) {
    if (text === "(") {
      // The parentheses of an attribute are not a parameter list.
      if (depth++ === 0 && !/^__attribute(?:__)?$/.test(tokens[i - 1]?.text ?? "")) hasParameters = true;
    } else if (text === ")") depth--;
    else if (depth === 0 && text === "=") return false;
  }
  return hasParameters;
}
