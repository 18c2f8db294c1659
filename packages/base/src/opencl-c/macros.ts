/**
 * Definition and expansion of OpenCL C macros. Definitions that depend on unknown conditions are marked as uncertain.
 */
import { syntheticToken, type Token, tokenize } from "./tokens.js";

/** A macro definition. `parameters` is `undefined` for an object-like macro. */
interface Macro {
  readonly parameters: readonly string[] | undefined;
  readonly body: readonly Token[];
}

/** A token and the macros whose expansion produced it, which are not expanded again. */
interface Pending {
  readonly token: Token;
  readonly hidden: ReadonlySet<string>;
}

/** A macro; `null` if the name is not defined, `undefined` if that is uncertain. */
type State = Macro | null | undefined;

/** State of a name that no directive has mentioned. */
const absent = Symbol("absent");

/** Macro states around a condition that cannot be evaluated. */
interface Branches {
  /** States before the condition of the names that a branch has changed. */
  readonly before: Map<string, State | typeof absent>;
  /** States after each finished branch of the names that it or an earlier branch has changed. */
  readonly branches: ReadonlyMap<string, State>[];
}

/** Maximum number of tokens after expansion; real declarations have some hundreds. */
const expansionLimit = 100_000;

/** The macros defined at the current position of a source. */
export class MacroTable {
  readonly #macros = new Map<string, State>();
  readonly #conditions: Branches[] = [];

  /** Defines a macro from the tokens after `#define`. */
  define(line: readonly Token[]): void {
    const [name, open] = line;
    if (name?.kind !== "word") return;
    const isFunction = open?.text === "(" && open.start === name.end;
    if (!isFunction) {
      this.#set(name.text, { parameters: undefined, body: line.slice(1) });
      return;
    }
    const close = line.findIndex(({ text }) => text === ")");
    const parameters = line.slice(2, close).flatMap((token) => (token.text === "," ? [] : [token.text]));
    const known = close >= 0 && !parameters.includes("...");
    this.#set(name.text, known ? { parameters, body: line.slice(close + 1) } : undefined);
  }

  /** Defines a macro as the compiler option `-D` does: `NAME`, `NAME=value` or `NAME(x)=value`. */
  defineOption(option: string): void {
    const at = option.indexOf("=");
    this.define(tokenize(at < 0 ? `${option} 1` : `${option.slice(0, at)} ${option.slice(at + 1)}`));
  }

  /** Removes a definition. */
  undefine(name: string): void {
    this.#set(name, null);
  }

  /** Returns whether a macro is defined; `undefined` if that is uncertain, `null` if the source does not mention it. */
  has(name: string): boolean | undefined | null {
    if (!this.#macros.has(name)) return null;
    const macro = this.#macros.get(name);
    return macro === undefined ? undefined : macro !== null;
  }

  /** Begins the first branch of a condition that cannot be evaluated. */
  beginBranches(): void {
    this.#conditions.push({ before: new Map(), branches: [] });
  }

  /** Begins the next branch with the macros defined before the condition. */
  nextBranch(): void {
    const condition = this.#conditions.at(-1);
    if (condition === undefined) return;
    const changes = new Map<string, State>();
    for (const [name, before] of condition.before) {
      changes.set(name, this.#macros.get(name));
      if (before === absent) this.#macros.delete(name);
      else this.#macros.set(name, before);
    }
    condition.branches.push(changes);
  }

  /**
   * Ends the last branch. Macros that differ between branches become uncertain. `mayTakeNone` is true if all may be
   * skipped.
   */
  endBranches(mayTakeNone: boolean): void {
    this.nextBranch();
    const condition = this.#conditions.pop();
    if (condition === undefined) return;
    const { before, branches } = condition;
    for (const [name, old] of before) {
      const unchanged = old === absent ? null : old;
      const states = branches.map((changes) => (changes.has(name) ? changes.get(name) : unchanged));
      if (mayTakeNone) states.push(unchanged);
      const [first, ...others] = states.map(textOf);
      const agree = first !== undefined && others.every((other) => other === first);
      this.#set(name, agree ? states[0] : undefined);
    }
  }

  #set(name: string, state: State): void {
    const before = this.#conditions.at(-1)?.before;
    if (before?.has(name) === false) before.set(name, this.#macros.has(name) ? this.#macros.get(name) : absent);
    this.#macros.set(name, state);
  }

  /** Expands all macros; returns `undefined` if one of them is uncertain or the result exceeds the expansion limit. */
  expand(tokens: readonly Token[]): readonly Token[] | undefined {
    if (!tokens.some(({ kind, text }) => kind === "word" && this.has(text) !== null)) return tokens;
    const out: Token[] = [];
    const pending: Pending[] = tokens.map((token) => ({ token, hidden: none })).toReversed();
    for (let steps = 0, next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (++steps > expansionLimit || pending.length > expansionLimit) return undefined;
      const { token, hidden } = next;
      const name = token.text;
      const isMacro = token.kind === "word" && !hidden.has(name) && this.#macros.has(name);
      const macro = isMacro ? this.#macros.get(name) : null;
      if (macro === undefined) return undefined;
      if (macro === null) {
        out.push(token);
        continue;
      }
      let args: readonly (readonly Token[])[] = [];
      if (macro.parameters !== undefined) {
        if (pending.at(-1)?.token.text !== "(") {
          out.push(token);
          continue;
        }
        const parsed = takeArguments(pending);
        if (parsed?.length !== Math.max(1, macro.parameters.length)) return undefined;
        args = parsed;
      }
      const within = new Set([...hidden, name]);
      const body = substitute(macro, args);
      for (let i = body.length - 1; i >= 0; i--) pending.push({ token: body[i] as Token, hidden: within });
    }
    return out;
  }
}

const none: ReadonlySet<string> = new Set();

/** Returns a text that is equal for equal definitions. */
function textOf(macro: Macro | null | undefined): string | undefined {
  if (macro === undefined) return undefined;
  if (macro === null) return "";
  return [macro.parameters?.join() ?? "", ...macro.body.map(({ text }) => text)].join(" ") + " ";
}

/** Pops a macro call's arguments off the stack; returns `undefined` if the parenthesis is not closed. */
function takeArguments(pending: Pending[]): Token[][] | undefined {
  const args: Token[][] = [[]];
  let depth = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { text } = next.token;
    if (text === "(" && depth++ === 0) continue;
    if (text === ")" && --depth === 0) return args;
    if (text === "," && depth === 1) args.push([]);
    else args.at(-1)?.push(next.token);
  }
  return undefined;
}

/** Returns the macro body with its parameters substituted and the operators `#` and `##` applied. */
function substitute({ parameters = [], body }: Macro, args: readonly (readonly Token[])[]): readonly Token[] {
  const out: Token[] = [];
  for (let i = 0; i < body.length; i++) {
    const token = body[i] as Token;
    const valueOf = (operand: Token | undefined): readonly Token[] => {
      const index = operand === undefined ? -1 : parameters.indexOf(operand.text);
      return index >= 0 ? (args[index] ?? []) : operand === undefined ? [] : [operand];
    };
    if (token.text === "#" && parameters.length > 0) {
      out.push(syntheticToken("literal", '""'));
      i++;
    } else if (token.text === "##") {
      const left = out.pop();
      const [right, ...others] = valueOf(body[++i]);
      out.push(...tokenize(`${left?.text ?? ""}${right?.text ?? ""}`), ...others);
    } else {
      out.push(...valueOf(token));
    }
  }
  return out;
}
