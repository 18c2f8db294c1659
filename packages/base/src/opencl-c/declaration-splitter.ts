/** Finds where each declaration at file level begins and ends; the bodies of functions are left out. */
import type { Token } from "./tokens.js";

/** Receives one declaration at a time. */
export interface DeclarationListener {
  /**
   * The tokens of a declaration without its semicolon or body. `isMixed` is true if an open condition begins or ends in the
   * middle of it, so that its tokens are those of one branch among several.
   */
  declaration(tokens: readonly Token[], isMixed: boolean): void;
}

/** The state at the beginning of an open condition. */
interface Branch {
  /** The declaration that is not complete, of which the first `length` tokens are before the condition. */
  readonly tokens: Token[];
  readonly length: number;
  readonly depth: number;
  readonly inBody: boolean;
}

/** Splits a stream of tokens into declarations. */
export class DeclarationSplitter {
  readonly #listener: DeclarationListener;
  readonly #branches: Branch[] = [];
  #tokens: Token[] = [];
  /** Of curly brackets. */
  #depth = 0;
  /** True in the body of a function. */
  #inBody = false;
  #isMixed = false;

  constructor(listener: DeclarationListener) {
    this.#listener = listener;
  }

  /** True inside of an open condition. */
  get isConditional(): boolean {
    return this.#branches.length > 0;
  }

  /** Takes the next token. */
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

  /** Takes the borders of the branches of an open condition: each continues what was before the first. */
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

  /** Ends the text. */
  finish(): void {
    if (this.#tokens.length > 0) this.#end();
  }

  #end(): void {
    if (this.#tokens.length > 0) this.#listener.declaration(this.#tokens, this.#isMixed);
    this.#tokens = [];
    this.#isMixed = false;
  }
}

/** Returns true if a curly bracket behind these tokens opens the body of a function, not of a struct or an initializer. */
export function isFunction(tokens: readonly Token[]): boolean {
  let depth = 0;
  let hasParameters = false;
  for (const [i, { text }] of tokens.entries()) {
    if (text === "(") {
      // Attributes have brackets as well.
      if (depth++ === 0 && !/^__attribute(?:__)?$/.test(tokens[i - 1]?.text ?? "")) hasParameters = true;
    } else if (text === ")") depth--;
    else if (depth === 0 && text === "=") return false;
  }
  return hasParameters;
}
