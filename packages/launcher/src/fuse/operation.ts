/**
 * An element-wise operation: statements for element i, and how they access their arrays.
 *
 * If the statements access an array only as `u[i]`, the array is element-wise, and operations on it can run one after the other
 * per element. Any access that is not certainly of this form counts as arbitrary.
 */
import { checkString, type Token, withoutComments, wrongValue } from "@cl/base";

import { Preamble } from "./preamble.js";
import { type Operand, parseSignature, reserved } from "./signature.js";
import { statementTokens } from "./statement-tokens.js";

/** Parsed statements. */
export class Operation {
  readonly operands: readonly Operand[];
  readonly preamble: Preamble;
  /** Arrays that are only accessed at element i. */
  readonly elementwise: ReadonlySet<string>;
  /** Whether it contains labels, which must be unique in a function. */
  readonly jumps: boolean;
  readonly #text: string;
  readonly #tokens: readonly Token[];

  constructor(signature: string, body: string, preamble: string) {
    this.operands = parseSignature(signature);
    this.preamble = new Preamble(preamble);
    this.#text = withoutComments(checkString(body, "options.body"));
    this.#tokens = statementTokens(this.#text, "options.body");
    checkStatements(this.#tokens);
    const expansion = this.preamble.expansionOf(this.#tokens);
    checkMacros(expansion);
    this.jumps = [...this.#tokens, ...expansion].some(({ text }) => text === "goto");
    const arrays = this.operands.filter(({ array }) => array).map(({ name }) => name);
    const addresses =
      expansion.some(({ text }) => /[&#]/.test(text) || text === "i" || arrays.includes(text)) ||
      this.#tokens.some(({ text }, at) => text === "(" && this.#takesAddress(at));
    this.elementwise = new Set(
      addresses ? [] : arrays.filter((name) => this.#uses(name).every((at) => this.#isElement(at))),
    );
  }

  /** Returns the token positions at which a name refers to the operand, and not to a struct member. */
  #uses(name: string): readonly number[] {
    return this.#tokens.flatMap(({ text }, at) =>
      text === name && ![".", "->"].includes(this.#tokens[at - 1]?.text ?? "") ? [at] : [],
    );
  }

  /** Whether the token starts `u[i]` whose address is not taken. */
  #isElement(at: number): boolean {
    const [bracket, index, end] = [1, 2, 3].map((ahead) => this.#tokens[at + ahead]?.text);
    if (bracket !== "[" || index !== "i" || end !== "]") return false;
    return !this.#takesAddress(at);
  }

  /** Whether the token before is `&` as address-of operator. */
  #takesAddress(at: number): boolean {
    return this.#tokens[at - 1]?.text === "&" && !this.#endsOperand(at - 2);
  }

  /** Whether the token ends a value, so that a following `&` is a binary operator. */
  #endsOperand(at: number): boolean {
    const token = this.#tokens[at];
    if (token === undefined) return false;
    if (token.kind === "word") return !["return", "case", "sizeof"].includes(token.text);
    // A closing parenthesis may end a cast.
    return /^[\d.\]]/.test(token.text) && token.text !== ".";
  }

  /** Returns the statements with the elements of element-wise arrays replaced. */
  replaceElements(replacement: (name: string) => string): string {
    const edits = [...this.elementwise].flatMap((name) =>
      this.#uses(name).map((at) => ({ at, replacement: replacement(name) })),
    );
    let text = "";
    let from = 0;
    for (const edit of edits.toSorted((a, b) => a.at - b.at)) {
      const [first, last] = [this.#tokens[edit.at] as Token, this.#tokens[edit.at + 3] as Token];
      text += this.#text.slice(from, first.start) + edit.replacement;
      from = last.end;
    }
    return text + this.#text.slice(from);
  }
}

const collective =
  /^(?:barrier|(?:work|sub)_group_\w+|async_work_group_\w+|(?:__)?local|get_(?:local|group|sub_group)_\w+)$/;

/** Checks that macros do not introduce forbidden tokens. */
function checkMacros(expansion: readonly Token[]): void {
  const wrong = expansion.find(({ text }) => text === "return" || collective.test(text));
  if (wrong !== undefined) {
    throw wrongValue(`options.body must not contain ${wrong.text}, which one of its macros does`);
  }
}

function checkStatements(tokens: readonly Token[]): void {
  if (tokens.length === 0) throw wrongValue("options.body must not be empty");
  for (const [at, { text, kind }] of tokens.entries()) {
    const before = tokens[at - 1]?.text;
    if (kind !== "word" || before === "." || before === "->") continue;
    if (text === "return") {
      throw wrongValue("options.body must not return, since other operations may follow in the kernel");
    }
    if (collective.test(text)) {
      throw wrongValue(`options.body must only process element i, but uses ${text}, which is for work-groups`);
    }
    if (text === "i" ? declaresIndex(tokens, at) : text !== "n" && reserved.test(text)) {
      throw wrongValue(`options.body must not ${text === "i" ? "declare another i" : `use the name ${text}`}`);
    }
  }
}

const statementKeywords = new Set(["return", "case", "sizeof", "else", "do", "goto"]);

/** Whether this `i` may be declared here. Ambiguous cases would not be valid expressions either. */
function declaresIndex(tokens: readonly Token[], at: number): boolean {
  const [before, after] = [tokens[at - 1], tokens[at + 1]?.text ?? ";"];
  if (before === undefined) return false;
  if (before.kind === "word") return !statementKeywords.has(before.text);
  // `int k = 0, i = 1;` and `int k, i;`, also in a loop head, but not `f(k, i)`.
  if (before.text === ",") return after === "=" || after === ";" || (after === "," && !inCall(tokens, at));
  // `float *i;` at the start of a statement or in a loop head.
  if (before.text !== "*" || tokens[at - 2]?.kind !== "word") return false;
  const start = tokens[at - 3]?.text ?? ";";
  if (start === "(") return tokens[at - 4]?.text === "for";
  return start === ";" || start === "}" || (start === "{" && !isList(tokens, at - 3));
}

/** Whether the token is in parentheses other than a loop head. */
function inCall(tokens: readonly Token[], at: number): boolean {
  let depth = 0;
  for (let k = at - 1; k >= 0; k--) {
    const { text } = tokens[k] as Token;
    if (text === ";" && depth === 0) return false;
    if ([")", "]", "}"].includes(text)) depth++;
    if (!["(", "[", "{"].includes(text)) continue;
    if (depth === 0) return text === "{" ? isList(tokens, k) : tokens[k - 1]?.text !== "for";
    depth--;
  }
  return false;
}

/** Whether this brace opens an initializer list. */
function isList(tokens: readonly Token[], at: number): boolean {
  return ["=", ",", "{", ")"].includes(tokens[at - 1]?.text ?? "");
}
