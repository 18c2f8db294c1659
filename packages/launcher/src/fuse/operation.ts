/**
 * An element-wise operation: statements for element i, and how they use their arrays.
 *
 * An array of which the statements name nothing but element i, as `u[i]`, is an element-wise one: such operations may run one
 * after the other element by element. All that is not surely of this form counts as free use.
 */
import { checkString, type Token, withoutComments, wrongValue } from "@cl/base";

import { Preamble } from "./preamble.js";
import { type Operand, parseSignature, reserved } from "./signature.js";
import { statementTokens } from "./statement-tokens.js";

/** The statements, taken apart. */
export class Operation {
  readonly operands: readonly Operand[];
  readonly preamble: Preamble;
  /** Arrays that are used at element i only. */
  readonly elementwise: ReadonlySet<string>;
  /** True if it has labels, of which a function has only one of a name. */
  readonly jumps: boolean;
  readonly #text: string;
  readonly #tokens: readonly Token[];

  constructor(signature: string, body: string, preamble: string) {
    this.operands = parseSignature(signature);
    this.preamble = new Preamble(preamble);
    this.#text = withoutComments(checkString(body, "options.body"));
    this.#tokens = statementTokens(this.#text, "options.body");
    checkStatements(this.#tokens);
    const hidden = this.preamble.expansionOf(this.#tokens);
    checkMacros(hidden);
    this.jumps = [...this.#tokens, ...hidden].some(({ text }) => text === "goto");
    const arrays = this.operands.filter(({ array }) => array).map(({ name }) => name);
    const addresses =
      hidden.some(({ text }) => /[&#]/.test(text) || text === "i" || arrays.includes(text)) ||
      this.#tokens.some(({ text }, at) => text === "(" && this.#takesAddress(at));
    this.elementwise = new Set(
      addresses ? [] : arrays.filter((name) => this.#uses(name).every((at) => this.#isElement(at))),
    );
  }

  /** The positions at which a name stands for the operand, and not for a member of a struct. */
  #uses(name: string): readonly number[] {
    return this.#tokens.flatMap(({ text }, at) =>
      text === name && ![".", "->"].includes(this.#tokens[at - 1]?.text ?? "") ? [at] : [],
    );
  }

  /** True for `u[i]` whose address is not taken. */
  #isElement(at: number): boolean {
    const [bracket, index, end] = [1, 2, 3].map((ahead) => this.#tokens[at + ahead]?.text);
    if (bracket !== "[" || index !== "i" || end !== "]") return false;
    return !this.#takesAddress(at);
  }

  /** True if a `&` before this takes an address. */
  #takesAddress(at: number): boolean {
    return this.#tokens[at - 1]?.text === "&" && !this.#endsOperand(at - 2);
  }

  /** True if what stands here is a value, so that `&` behind it is a binary operator. */
  #endsOperand(at: number): boolean {
    const token = this.#tokens[at];
    if (token === undefined) return false;
    if (token.kind === "word") return !["return", "case", "sizeof"].includes(token.text);
    // Behind a parenthesis there may be a cast.
    return /^[\d.\]]/.test(token.text) && token.text !== ".";
  }

  /** The statements with other words for the elements of element-wise arrays. */
  withElements(word: (name: string) => string): string {
    const edits = [...this.elementwise].flatMap((name) => this.#uses(name).map((at) => ({ at, word: word(name) })));
    let text = "";
    let from = 0;
    for (const edit of edits.toSorted((a, b) => a.at - b.at)) {
      const [first, last] = [this.#tokens[edit.at] as Token, this.#tokens[edit.at + 3] as Token];
      text += this.#text.slice(from, first.start) + edit.word;
      from = last.end;
    }
    return text + this.#text.slice(from);
  }
}

const collective =
  /^(?:barrier|(?:work|sub)_group_\w+|async_work_group_\w+|(?:__)?local|get_(?:local|group|sub_group)_\w+)$/;

/** What must not stand in the statements must not come in through macros. */
function checkMacros(hidden: readonly Token[]): void {
  const wrong = hidden.find(({ text }) => text === "return" || collective.test(text));
  if (wrong !== undefined) throw wrongValue(`options.body must not have ${wrong.text}, but has it through a macro`);
}

function checkStatements(tokens: readonly Token[]): void {
  if (tokens.length === 0) throw wrongValue("options.body must not be empty");
  for (const [at, { text, kind }] of tokens.entries()) {
    const before = tokens[at - 1]?.text;
    if (kind !== "word" || before === "." || before === "->") continue;
    if (text === "return") throw wrongValue("options.body must not return: other operations may follow in the kernel");
    if (collective.test(text)) {
      throw wrongValue(`options.body must be about element i alone, but has ${text}, which is about a work-group`);
    }
    if (text === "i" ? declaresIndex(tokens, at) : text !== "n" && reserved.test(text)) {
      throw wrongValue(`options.body must not ${text === "i" ? "declare another i" : `use the name ${text}`}`);
    }
  }
}

const plainWords = new Set(["return", "case", "sizeof", "else", "do", "goto"]);

/** True if this `i` may be the one of a declaration. Where that is uncertain, the expression would make no sense either. */
function declaresIndex(tokens: readonly Token[], at: number): boolean {
  const [before, after] = [tokens[at - 1], tokens[at + 1]?.text ?? ";"];
  if (before === undefined) return false;
  if (before.kind === "word") return !plainWords.has(before.text);
  // `int k = 0, i = 1;` and `int k, i;`, also in the head of a loop; but not `f(k, i)`.
  if (before.text === ",") return after === "=" || after === ";" || (after === "," && !inCall(tokens, at));
  // `float *i;` at the start of a statement or in the head of a loop.
  if (before.text !== "*" || tokens[at - 2]?.kind !== "word") return false;
  const start = tokens[at - 3]?.text ?? ";";
  if (start === "(") return tokens[at - 4]?.text === "for";
  return start === ";" || start === "}" || (start === "{" && !isList(tokens, at - 3));
}

/** True inside the parentheses of anything but a loop's head. */
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

/** True if this brace opens the values of an initializer. */
function isList(tokens: readonly Token[], at: number): boolean {
  return ["=", ",", "{", ")"].includes(tokens[at - 1]?.text ?? "");
}
