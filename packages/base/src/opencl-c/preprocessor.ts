/**
 * Preprocesses a source: conditions, macros and includes. If a condition's value is unknown, all its branches are kept
 * and reported to the listener.
 */
import { evaluate } from "./condition.js";
import { MacroTable } from "./macros.js";
import { nextLine, syntheticToken, type Token, tokenize } from "./tokens.js";

/** Compilation settings of a source. */
export interface SourceContext {
  /** Compiler options, one word each; `-D`, `-U` and `-include` have an effect. */
  readonly options: readonly string[];
  /** Returns whether the implementation defines a macro such as `cl_khr_fp64`; `undefined` if unknown. */
  readonly isPredefined: (name: string) => boolean | undefined;
  /** Returns the text of an included header; `undefined` if unknown. */
  readonly header: (name: string) => string | undefined;
}

/** Receives the preprocessed tokens. */
export interface TokenListener {
  /** Receives a token outside directives. */
  token(token: Token): void;
  /**
   * Called for a condition that cannot be evaluated when its first branch begins, another branch begins, or the last
   * one ends.
   */
  branch(what: "begin" | "next" | "end"): void;
  /** Called for an included header with unknown text and for a pragma that changes the packing of structs. */
  unknown(what: "header" | "packing"): void;
}

/** An enclosing condition of the current line. */
interface Condition {
  /** True if a condition up to the current branch could not be evaluated, so that several branches are kept. */
  isOpen: boolean;
  /** True if a branch is certainly taken, so that all later branches are skipped. */
  isDone: boolean;
}

/** Maximum number of headers; further ones count as unknown. */
const maxIncludes = 200;

/** A preprocessor for one source. */
export class Preprocessor {
  /** The macros defined at the current position. */
  readonly macros: MacroTable = new MacroTable();
  readonly #context: SourceContext;
  readonly #listener: TokenListener;
  #includes = 0;
  #hasUnknownHeader = false;

  constructor(context: SourceContext, listener: TokenListener) {
    this.#context = context;
    this.#listener = listener;
    for (const option of context.options) {
      if (option.startsWith("-D")) this.macros.defineOption(option.slice(2));
      else if (option.startsWith("-U")) this.macros.undefine(option.slice(2));
      else if (option.startsWith("-include")) this.#noteUnknownHeader();
    }
  }

  /** Preprocesses a text. */
  read(text: string): void {
    const conditions: Condition[] = [];
    const tokens = tokenize(text);
    let end = 0;
    for (let at = 0; at < tokens.length; at = end) {
      const token = tokens[at] as Token;
      end = at + 1;
      if (!(token.startsLine && token.text === "#")) {
        this.#listener.token(token);
        continue;
      }
      end = nextLine(tokens, at);
      const keepsNext = this.#directive(tokens.slice(at + 1, end), conditions);
      if (!keepsNext) end = skipBranch(tokens, end);
    }
    // The compiler reports unclosed conditions.
    for (const condition of conditions.toReversed()) if (condition.isOpen) this.#endBranches(condition);
  }

  /** Executes a directive; returns false if the lines up to the next branch must be skipped. */
  #directive(line: readonly Token[], conditions: Condition[]): boolean {
    const [first, ...rest] = line;
    const keyword = first?.text ?? "";
    const condition = conditions.at(-1);
    switch (keyword) {
      case "if":
      case "ifdef":
      case "ifndef": {
        const value = this.#value(keyword, rest);
        const isOpen = value === undefined;
        if (isOpen) this.#beginBranches();
        conditions.push({ isOpen, isDone: value === true });
        return value !== false;
      }
      case "elif":
      case "elifdef":
      case "elifndef":
      case "else":
        return condition === undefined || this.#nextBranch(condition, keyword, rest);
      case "endif":
        conditions.pop();
        if (condition?.isOpen) this.#endBranches(condition);
        return true;
      case "define":
        this.macros.define(rest);
        return true;
      case "undef":
        if (rest[0] !== undefined) this.macros.undefine(rest[0].text);
        return true;
      case "pragma":
        if (rest[0]?.text === "pack") this.#listener.unknown("packing");
        return true;
      case "include":
      case "include_next":
      case "import":
        this.#include(rest);
        return true;
      default:
        return true;
    }
  }

  #nextBranch(condition: Condition, keyword: string, rest: readonly Token[]): boolean {
    if (condition.isDone) return false;
    const value = keyword === "else" ? true : this.#value(keyword.slice(2), rest);
    if (value === false) return false;
    if (condition.isOpen) {
      this.macros.nextBranch();
      this.#listener.branch("next");
    } else if (value === undefined) {
      condition.isOpen = true;
      this.#beginBranches();
    }
    condition.isDone = value === true;
    return true;
  }

  #beginBranches(): void {
    this.macros.beginBranches();
    this.#listener.branch("begin");
  }

  #endBranches({ isDone }: Condition): void {
    // Unless a branch is certainly taken, all may be skipped.
    this.macros.endBranches(!isDone);
    this.#listener.branch("end");
  }

  /** Returns the value of a condition; `undefined` if it is uncertain. */
  #value(keyword: string, rest: readonly Token[]): boolean | undefined {
    if (keyword !== "if") {
      const defined = rest[0] && this.#isDefined(rest[0].text);
      return defined === undefined ? undefined : defined === (keyword === "ifdef");
    }
    const expanded = this.macros.expand(this.#withoutDefined(rest));
    if (expanded === undefined) return undefined;
    const value = evaluate(expanded, (word) => (this.#isDefined(word) === false ? 0n : undefined));
    return value === undefined ? undefined : value !== 0n;
  }

  /** Replaces `defined NAME` and `defined(NAME)` by 1 or 0, or by an unknown word. */
  #withoutDefined(tokens: readonly Token[]): Token[] {
    const out: Token[] = [];
    for (let i = 0; i < tokens.length; i++) {
      if (tokens[i]?.text !== "defined") {
        out.push(tokens[i] as Token);
        continue;
      }
      const inBrackets = tokens[i + 1]?.text === "(";
      const name = tokens[i + (inBrackets ? 2 : 1)];
      i += inBrackets ? 3 : 1;
      const defined = name && this.#isDefined(name.text);
      out.push(defined === undefined ? unknownWord : syntheticToken("number", defined ? "1" : "0"));
    }
    return out;
  }

  #isDefined(name: string): boolean | undefined {
    const known = this.macros.has(name);
    if (known !== null) return known;
    return this.#context.isPredefined(name) ?? (this.#hasUnknownHeader || isReserved(name) ? undefined : false);
  }

  #include([name]: readonly Token[]): void {
    const header = name?.kind === "literal" ? this.#context.header(name.text.slice(1, -1)) : undefined;
    if (header === undefined || ++this.#includes > maxIncludes) this.#noteUnknownHeader();
    else this.read(header);
  }

  #noteUnknownHeader(): void {
    this.#hasUnknownHeader = true;
    this.#listener.unknown("header");
  }
}

/** An identifier whose value is always unknown. */
const unknownWord = syntheticToken("word", "__unknown");

/** Returns true for names that implementations may define. */
function isReserved(name: string): boolean {
  return (
    name === unknownWord.text ||
    /^(?:_|(?:cl|CL|cles|CLES|POCL|FP_FAST|M)_|(?:NULL|NAN|INFINITY|MAXFLOAT|HUGE_VALF?|kernel)$|\w+_(?:MAX|MIN|DIG|BIT|EPSILON|MANT_DIG|RADIX)$)/.test(
      name,
    )
  );
}

/** Returns the position of the directive that ends the branch at `at`. */
function skipBranch(tokens: readonly Token[], at: number): number {
  let depth = 0;
  for (let i = at; i < tokens.length; i++) {
    if (!(tokens[i]?.startsLine && tokens[i]?.text === "#")) continue;
    const keyword = tokens[i + 1]?.text ?? "";
    if (/^if(?:n?def)?$/.test(keyword)) depth++;
    else if (keyword === "endif" && depth-- === 0) return i;
    else if (depth === 0 && /^(?:else|elif(?:n?def)?)$/.test(keyword)) return i;
  }
  return tokens.length;
}
