/**
 * Runs the directives of a source: conditions, macros and includes. A condition that depends on something unknown keeps all its
 * branches, and the listener is told where they begin and end.
 */
import { evaluate } from "./condition.js";
import { MacroTable } from "./macros.js";
import { nextLine, syntheticToken, type Token, tokenize } from "./tokens.js";

/** What is known about the compilation of a source. */
export interface SourceContext {
  /** Compiler options, one word each: `-D` and `-U` are used. */
  readonly options: readonly string[];
  /** Whether the implementation defines a macro such as `cl_khr_fp64`; undefined if that is not known. */
  readonly isPredefined: (name: string) => boolean | undefined;
  /** The text of an included header; undefined if it is not known. */
  readonly header: (name: string) => string | undefined;
}

/** Receives what the directives leave of a source. */
export interface TokenListener {
  /** A token outside of directives. */
  token(token: Token): void;
  /** The first branch of a condition that cannot be evaluated begins, another branch begins, or the last one ends. */
  branch(what: "begin" | "next" | "end"): void;
  /** A header is included whose text is not known, or a pragma changes the layout of structs. */
  unknown(what: "header" | "packing"): void;
}

/** A condition around the current line. */
interface Condition {
  /** True if no condition up to the current branch could be evaluated, so that several branches are kept. */
  isOpen: boolean;
  /** True if a branch is certainly taken, so that all later ones are skipped. */
  isDone: boolean;
}

const mostIncludes = 200;

/** Runs the directives of one source. */
export class Preprocessor {
  /** The macros at the current place. */
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

  /** Reads a text from beginning to end. */
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
    // Conditions that are not closed are a mistake that the compiler reports.
    for (const condition of conditions.toReversed()) if (condition.isOpen) this.#endBranches(condition);
  }

  /** Runs a directive; returns false if the lines up to the next branch are skipped. */
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
    // Without a branch that is certainly taken, none may be.
    this.macros.endBranches(!isDone);
    this.#listener.branch("end");
  }

  /** The value of a condition; undefined if it is not certain. */
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

  /** Replaces `defined NAME` and `defined(NAME)` by 1 or 0, or by a word without a value. */
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
    if (header === undefined || ++this.#includes > mostIncludes) this.#noteUnknownHeader();
    else this.read(header);
  }

  #noteUnknownHeader(): void {
    this.#hasUnknownHeader = true;
    this.#listener.unknown("header");
  }
}

/** A word that no condition knows. */
const unknownWord = syntheticToken("word", "__unknown");

/** True for names that implementations may define. */
function isReserved(name: string): boolean {
  return (
    name === unknownWord.text ||
    /^(?:_|(?:cl|CL|cles|CLES|POCL|FP_FAST|M)_|(?:NULL|NAN|INFINITY|MAXFLOAT|HUGE_VALF?|kernel)$|\w+_(?:MAX|MIN|DIG|BIT|EPSILON|MANT_DIG|RADIX)$)/.test(
      name,
    )
  );
}

/** The position of the directive that ends a branch, from `at` on. */
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
