/**
 * Rewrites a program so that other kernels can call its kernels, for any work-group: kernels become functions, names of the
 * file get a prefix, and work-item functions ask the parameter `item_` instead of the device.
 *
 * Only the text is read, with both branches of each condition. What is misread does not compile, and then nothing is merged.
 */
import { isFunction, isImageType, nextLine, readDeclaration, splitTokens, type Token, tokenize } from "@cl/base";

/** A parameter of a kernel. */
export interface CallableParameter {
  /** Returns its declaration with this name. */
  readonly declare: (name: string) => string;
}

/** A kernel as a function. */
export interface CallableKernel {
  /** The function's name. */
  readonly name: string;
  readonly parameters: readonly CallableParameter[];
  /** Types of its variables in local memory, pointers to which precede the parameters. */
  readonly locals: readonly string[];
  /** Whether work-items of a group wait for each other or share local memory. */
  readonly isCollective: boolean;
}

/** A rewritten program. */
export interface CallableProgram {
  readonly text: string;
  /** Returns a kernel, or why other kernels cannot call it. */
  readonly kernel: (name: string) => CallableKernel | string;
}

/** Type of the parameter that has the position of a work-item; resident.cl declares it and the functions of it. */
const itemType = "const resident_item* const";

/** Functions that ask for the position of a work-item. */
const positions =
  /^get_(?:global_id|local_id|group_id|global_size|local_size|enqueued_local_size|num_groups|global_offset|work_dim|global_linear_id|local_linear_id)$/;
/** What needs all work-items of a group. */
const collective =
  /^(?:barrier|(?:work|sub)_group_\w+|async_work_group_\w+|wait_group_events|get_(?:sub_group|num_sub_groups|max_sub_group|enqueued_num_sub_groups)\w*|(?:__)?local)$/;
/** What cannot be part of another kernel, with the reason. */
const excluded: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^printf$/, "it prints"],
  [/^(?:read|write)_image\w*$/, "it uses images, whose caches other work-groups do not share"],
  [/^(?:\w+_pipe|reserve_\w+_pipe)$/, "it uses pipes"],
  [/^(?:enqueue_kernel|enqueue_marker|get_default_queue)$/, "it enqueues commands"],
];

/** A function of the file. */
interface FunctionText {
  readonly name: string;
  readonly isKernel: boolean;
  /** Positions of tokens: the parentheses of the parameters, and the braces of the body, if there is one. */
  readonly open: number;
  readonly close: number;
  readonly begin: number;
  readonly end: number;
}

/** A change of the text. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Rewrites a program; `defines` are the macros of its compiler options, such as `N=4`. Returns a reason if that fails. */
export function callableProgram(source: string, defines: readonly string[], prefix: string): CallableProgram | string {
  const reader = new Reader(source, defines, prefix);
  return reader.reason ?? { text: reader.text(), kernel: (name) => reader.kernel(name) };
}

class Reader {
  readonly reason: string | undefined;
  readonly #source: string;
  readonly #tokens: readonly Token[];
  readonly #prefix: string;
  readonly #defines: readonly (readonly [name: string, value: string])[];
  /** Names of the file. */
  readonly #names = new Set<string>();
  readonly #functions: FunctionText[] = [];
  /** Words in the definitions of functions and macros. */
  readonly #words = new Map<string, Set<string>>();
  /** For each token, whether it belongs to a directive, and whether it is in the body of a function. */
  readonly #inDirective: boolean[] = [];
  readonly #bodyOf: (FunctionText | undefined)[] = [];
  readonly #locals = new Map<FunctionText, { names: Set<string>; types: string[]; edits: Edit[]; typedefs: string }>();

  constructor(source: string, defines: readonly string[], prefix: string) {
    this.#source = source;
    this.#tokens = tokenize(source);
    this.#prefix = prefix;
    this.#defines = defines.map((define) => {
      const [, name = "", value] = /^([^=]*)(?:=([^]*))?$/.exec(define) ?? [];
      return [name, value ?? "1"];
    });
    for (const [head, value] of this.#defines) {
      const name = head.replace(/\(.*/, "");
      this.#names.add(name);
      this.#words.set(name, new Set(value.match(/\w+/g)));
    }
    this.reason = this.#readDirectives() ?? this.#readDeclarations();
    if (this.reason === undefined) for (const one of this.#functions) this.#locals.set(one, this.#localsOf(one));
  }

  /** Reads macros. */
  #readDirectives(): string | undefined {
    const tokens = this.#tokens;
    for (let at = 0; at < tokens.length; at++) {
      if (tokens[at]?.startsLine !== true || tokens[at]?.text !== "#") continue;
      const end = nextLine(tokens, at);
      for (let k = at; k < end; k++) this.#inDirective[k] = true;
      const [kind, name] = [tokens[at + 1]?.text, tokens[at + 2]?.text ?? ""];
      if (kind === "include") return "its source includes a file";
      if (kind === "define") {
        this.#names.add(name);
        this.#addWords(name, at + 3, end);
      }
      at = end - 1;
    }
    return undefined;
  }

  /** Reads functions, and the names of everything else. */
  #readDeclarations(): string | undefined {
    const tokens = this.#tokens;
    let head: number[] = [];
    for (let at = 0; at < tokens.length; at++) {
      if (this.#inDirective[at] === true) continue;
      const { text } = tokens[at] as Token;
      if (text === "{") {
        const end = this.#matching(at, "{", "}");
        if (end === undefined) return "the braces of its source do not match";
        if (!isFunction(head.map((k) => tokens[k] as Token))) {
          for (let k = at; k <= end; k++) if (this.#inDirective[k] !== true) head.push(k);
          at = end;
          continue;
        }
        this.#addFunction(head, at, end);
        head = [];
        at = end;
      } else if (text === ";") {
        if (isFunction(head.map((k) => tokens[k] as Token))) this.#addFunction(head, -1, -1);
        else this.#addNames(head);
        head = [];
      } else {
        head.push(at);
      }
    }
    return undefined;
  }

  #addFunction(head: readonly number[], begin: number, end: number): void {
    const tokens = this.#tokens;
    let depth = 0;
    for (const [k, at] of head.entries()) {
      const { text } = tokens[at] as Token;
      if (text === ")") depth--;
      if (text !== "(") continue;
      const name = tokens[head[k - 1] ?? -1];
      if (depth++ > 0 || name === undefined || /^__attribute(?:__)?$/.test(name.text)) continue;
      const close = this.#matching(at, "(", ")");
      if (close === undefined) return;
      const isKernel = head.some((one) => /^(?:__)?kernel$/.test(tokens[one]?.text ?? ""));
      const found = { name: name.text, isKernel, open: at, close, begin, end };
      this.#functions.push(found);
      this.#names.add(name.text);
      this.#addWords(name.text, at, end + 1);
      for (let token = begin; token >= 0 && token <= end; token++) this.#bodyOf[token] = found;
      return;
    }
  }

  #addNames(head: readonly number[]): void {
    const tokens = head.map((at) => this.#tokens[at] as Token);
    const { declarators, tags } = readDeclaration(tokens);
    for (const { name } of declarators) this.#names.add(name);
    for (const { tag } of tags) this.#names.add(tag.split(" ").at(-1) as string);
    for (const [k, { text }] of tokens.entries()) {
      if (text !== "enum") continue;
      const open = tokens.findIndex((token, at) => at > k && token.text === "{");
      const end = tokens.findIndex((token, at) => at > open && token.text === "}");
      for (const [at, token] of tokens.entries()) {
        if (at <= open || at >= end || open < 0 || token.kind !== "word") continue;
        if (/^[{,]$/.test(tokens[at - 1]?.text ?? "")) this.#names.add(token.text);
      }
    }
  }

  #addWords(name: string, from: number, to: number): void {
    const words = this.#words.get(name) ?? new Set<string>();
    this.#words.set(name, words);
    for (const { kind, text } of this.#tokens.slice(from, to)) if (kind === "word") words.add(text);
  }

  /** Returns the position of the bracket that closes one; `undefined` without one. */
  #matching(at: number, open: string, close: string): number | undefined {
    let depth = 0;
    for (let k = at; k < this.#tokens.length; k++) {
      if (this.#inDirective[k] === true) continue;
      const { text } = this.#tokens[k] as Token;
      if (text === open) depth++;
      else if (text === close && --depth === 0) return k;
    }
    return undefined;
  }

  /** Finds variables in local memory, which only kernels may have. */
  #localsOf(kernel: FunctionText): { names: Set<string>; types: string[]; edits: Edit[]; typedefs: string } {
    const found = { names: new Set<string>(), types: [] as string[], edits: [] as Edit[], typedefs: "" };
    if (!kernel.isKernel) return found;
    const tokens = this.#tokens;
    for (let at = kernel.begin + 1; at < kernel.end; at++) {
      if (!/^(?:__)?local$/.test(tokens[at]?.text ?? "") || !/^[{};]$/.test(tokens[at - 1]?.text ?? "")) continue;
      let end = at;
      while (end < kernel.end && tokens[end]?.text !== ";") end++;
      const declaration = tokens.slice(at + 1, end);
      // A pointer to local memory is a private variable.
      if (declaration.some(({ text }) => text === "*" || text === "=")) continue;
      const first = declaration.findIndex(({ kind }) => kind !== "word");
      const nameAt = (first < 0 ? declaration.length : first) - 1;
      const type = this.#renamed(declaration.slice(0, nameAt));
      for (const declarator of splitTokens(declaration.slice(nameAt), ",")) {
        const name = declarator[0]?.text ?? "";
        const typeName = `${this.#prefix}${kernel.name}_${name}_local`;
        found.names.add(name);
        found.types.push(typeName);
        found.typedefs += `typedef ${type} ${typeName}${this.#renamed(declarator.slice(1))};\n`;
      }
      found.edits.push({ start: (tokens[at] as Token).start, end: (tokens[end] as Token).end, text: "" });
      at = end;
    }
    return found;
  }

  /** The names of pointers to variables in local memory are those of their types, with an ending. */
  #localName(kernel: FunctionText, name: string): string {
    return `${this.#prefix}${kernel.name}_${name}_local_at`;
  }

  #renamed(tokens: readonly Token[]): string {
    return tokens
      .map(({ kind, text }) => (kind === "word" && this.#names.has(text) ? this.#prefix + text : text))
      .join(" ");
  }

  /** Returns the rewritten text. */
  text(): string {
    const functions = new Set(this.#functions.map(({ name }) => name));
    const edits: Edit[] = [];
    const removed = this.#removed(edits);
    for (const [at, token] of this.#tokens.entries()) {
      if (token.kind !== "word" || removed.has(at)) continue;
      const { start, end, text } = token;
      const before = this.#tokens[at - 1]?.text;
      if (before === "." || before === "->") continue;
      const isCalled = this.#tokens[at + 1]?.text === "(";
      const owner = this.#bodyOf[at];
      if (owner !== undefined && this.#locals.get(owner)?.names.has(text) === true) {
        edits.push({ start, end, text: `(*${this.#localName(owner, text)})` });
      } else if (isCalled && (functions.has(text) || positions.test(text))) {
        const name = functions.has(text) ? this.#prefix + text : `resident_${text}`;
        edits.push({ start, end, text: name }, this.#firstArgument(at + 1, text));
      } else if (this.#names.has(text)) {
        edits.push({ start, end, text: this.#prefix + text });
      }
    }
    const defines = this.#defines.map(
      ([name, value]) => `#define ${this.#prefix}${name} ${this.#renamed(tokenize(value))}\n`,
    );
    return `${defines.join("")}${applied(this.#source, edits)}\n`;
  }

  /** Adds edits that remove what functions do not have, and returns the tokens within them. */
  #removed(edits: Edit[]): ReadonlySet<number> {
    const removed = new Set<number>();
    const remove = (from: number, to: number): void => {
      edits.push({ start: (this.#tokens[from] as Token).start, end: (this.#tokens[to] as Token).end, text: "" });
      for (let at = from; at <= to; at++) removed.add(at);
    };
    for (const [at, { text }] of this.#tokens.entries()) {
      if (this.#inDirective[at] === true || this.#bodyOf[at] !== undefined) continue;
      if (/^(?:__)?kernel$/.test(text) || /^(?:__)?restrict(?:__)?$/.test(text)) remove(at, at);
    }
    for (const one of this.#functions) {
      const { typedefs, edits: locals } = this.#locals.get(one) ?? { typedefs: "", edits: [] };
      edits.push(...locals);
      for (const { start, end } of locals) {
        for (const [at, token] of this.#tokens.entries()) if (token.start >= start && token.end <= end) removed.add(at);
      }
      let at = one.open;
      // From the end of what is before it.
      while (at > 0 && !/^[;}]$/.test(this.#tokens[at - 1]?.text ?? "") && this.#inDirective[at - 1] !== true) at--;
      const { start } = this.#tokens[at] as Token;
      if (typedefs !== "") edits.push({ start, end: start, text: typedefs });
      for (let k = at; k < one.open || (k > one.close && k < one.begin); k++) {
        if (!/^__attribute(?:__)?$/.test(this.#tokens[k]?.text ?? "")) continue;
        const close = this.#matching(k + 1, "(", ")");
        if (close === undefined) break;
        remove(k, close);
        k = close;
      }
    }
    return removed;
  }

  /** Returns the edit that adds the position of the work-item to a parameter list or a call. */
  #firstArgument(open: number, name: string): Edit {
    const isEmpty = this.#tokens[open + 1]?.text === ")";
    const isVoid = this.#tokens[open + 1]?.text === "void" && this.#tokens[open + 2]?.text === ")";
    const { end } = this.#tokens[open] as Token;
    const declared = this.#functions.find((one) => one.open === open);
    const own = declared === undefined ? "item_" : `${itemType} item_${this.#localParameters(declared)}`;
    const stop = isVoid ? (this.#tokens[open + 1] as Token).end : end;
    return { start: end, end: stop, text: isEmpty || isVoid || name === "get_work_dim" ? own : `${own}, ` };
  }

  #localParameters(kernel: FunctionText): string {
    const names = [...(this.#locals.get(kernel)?.names ?? [])];
    const types = this.#locals.get(kernel)?.types ?? [];
    return names.map((name, k) => `, __local ${types[k]}* const ${this.#localName(kernel, name)}`).join("");
  }

  /** Returns a kernel, or why it cannot be called. */
  kernel(name: string): CallableKernel | string {
    const found = this.#functions.find((one) => one.name === name && one.isKernel && one.begin >= 0);
    if (found === undefined) return "its source does not show it";
    const words = this.#wordsOf(name);
    const [, reason] = excluded.find(([pattern]) => [...words].some((word) => pattern.test(word))) ?? [];
    if (reason !== undefined) return reason;
    const list = this.#tokens.slice(found.open + 1, found.close);
    const isNone = list.length === 0 || (list.length === 1 && list[0]?.text === "void");
    const parameters: CallableParameter[] = [];
    for (const tokens of isNone ? [] : splitTokens(list, ",")) {
      const parameter = this.#parameterOf(tokens);
      if (typeof parameter === "string") return parameter;
      parameters.push(parameter);
    }
    return {
      name: this.#prefix + name,
      parameters,
      locals: this.#locals.get(found)?.types ?? [],
      isCollective: [...words].some((word) => collective.test(word)),
    };
  }

  #parameterOf(tokens: readonly Token[]): CallableParameter | string {
    const texts = tokens.map(({ text }) => text);
    if (texts.some((text) => /^(?:__)?local$/.test(text))) return "it takes local memory as an argument";
    if (texts.some((text) => /^(?:__)?constant$/.test(text))) {
      return "it takes constant memory, which other kernels may write";
    }
    if (texts.some((text) => isImageType(text) || /^(?:sampler_t|pipe|queue_t)$/.test(text))) {
      return "it takes an image, a sampler, a pipe or a queue";
    }
    // Others may write it.
    const kept = tokens.filter(({ text }) => !/^(?:const|(?:__)?restrict(?:__)?)$/.test(text));
    const nameAt = kept.findLastIndex(({ kind }) => kind === "word");
    const [before, after] = [this.#renamed(kept.slice(0, nameAt)), this.#renamed(kept.slice(nameAt + 1))];
    return { declare: (name) => `${before} ${name}${after}` };
  }

  /** Returns the words in the definition of a function, and in those of all functions and macros that it uses. */
  #wordsOf(name: string): ReadonlySet<string> {
    const all = new Set<string>();
    const open = [name];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      for (const word of this.#words.get(next) ?? []) {
        if (all.has(word)) continue;
        all.add(word);
        open.push(word);
      }
    }
    return all;
  }
}

/** Applies edits that do not overlap; those at one position in their order. */
function applied(text: string, edits: readonly Edit[]): string {
  let out = "";
  let from = 0;
  for (const { start, end, text: replacement } of edits.toSorted((a, b) => a.start - b.start)) {
    out += text.slice(from, Math.max(from, start)) + replacement;
    from = Math.max(from, end);
  }
  return out + text.slice(from);
}
