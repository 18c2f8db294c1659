/**
 * The types that a source declares: what a runtime reports as `real` is `float` where the source says `typedef float real;`.
 * A name that the source defines in several ways, or in a way that is not understood, stays unknown.
 */
import { readDeclaration } from "./declaration.js";
import { DeclarationSplitter } from "./declaration-splitter.js";
import { Preprocessor, type SourceContext } from "./preprocessor.js";
import type { Token } from "./tokens.js";
import type { RecordNode, TypeNode } from "./type-node.js";
import { bytesByName, isImageType, scalarByName } from "./scalar-types.js";

/** What a name of a source stands for. */
export type SourceType =
  /** A built-in type: a scalar, a vector, an image, a sampler or another opaque type. */
  | { readonly kind: "builtin"; readonly name: string }
  /** A struct or a union; its size is undefined if a member's is not known. */
  | { readonly kind: "record"; readonly bytes: number | undefined }
  | { readonly kind: "pointer" };

/** A definition of a name. */
interface Definition {
  readonly type: TypeNode | undefined;
  /** False if it is inside of a condition that could not be evaluated. */
  readonly isCertain: boolean;
}

/** The typedefs, structs, unions and enums of one source. */
export class SourceTypes {
  readonly #definitions = new Map<string, Definition[]>();
  /** Undefined also while a name or a struct is looked at, so that none contains itself. */
  readonly #names = new Map<string, SourceType | undefined>();
  readonly #layouts = new Map<RecordNode, Size | undefined>();
  #hasUnknownHeader = false;
  #hasUnknownPacking = false;

  constructor(source: string, context: SourceContext) {
    const splitter = new DeclarationSplitter({
      declaration: (tokens, isMixed) => this.#add(tokens, preprocessor, isMixed, !splitter.isConditional),
    });
    const preprocessor: Preprocessor = new Preprocessor(context, {
      token: (token) => splitter.token(token),
      branch: (what) => splitter.branch(what),
      unknown: (what) => {
        if (what === "header") this.#hasUnknownHeader = true;
        else this.#hasUnknownPacking = true;
      },
    });
    preprocessor.read(source);
    splitter.finish();
  }

  /** Returns what a name stands for: `real`, or `struct particle`. Undefined if that is not certain. */
  resolve(name: string): SourceType | undefined {
    return this.#resolve({ kind: "name", name }, 0);
  }

  #add(tokens: readonly Token[], preprocessor: Preprocessor, isMixed: boolean, isCertain: boolean): void {
    const expanded = preprocessor.macros.expand(tokens);
    if (expanded !== undefined && expanded !== tokens) {
      // A macro may have made several declarations.
      const nested = new DeclarationSplitter({
        declaration: (one) => this.#read(one, isMixed, isCertain),
      });
      for (const token of expanded) nested.token(token);
      nested.finish();
      return;
    }
    this.#read(tokens, isMixed || expanded === undefined, isCertain);
  }

  #read(tokens: readonly Token[], isMixed: boolean, isCertain: boolean): void {
    if (!tokens.some(({ text }) => interesting.has(text))) return;
    const { isTypedef, declarators, tags } = readDeclaration(tokens);
    const define = (name: string, type: TypeNode | undefined): void => {
      const all = this.#definitions.get(name);
      const one = { type: isMixed ? undefined : type, isCertain };
      if (all === undefined) this.#definitions.set(name, [one]);
      else all.push(one);
    };
    for (const { tag, type } of tags) define(tag, type);
    if (isTypedef) for (const { name, type } of declarators) define(name, type);
  }

  #resolve(node: TypeNode, depth: number): SourceType | undefined {
    if (depth > longestChain) return undefined;
    switch (node.kind) {
      case "name":
      case "tag":
        return this.#named(node.kind === "name" ? node.name : node.tag, depth);
      case "record":
        return { kind: "record", bytes: this.#layout(node, depth)?.bytes };
      case "enum":
        return { kind: "builtin", name: node.type };
      case "vector": {
        const of = this.#resolve(node.of, depth + 1);
        const isScalar = of?.kind === "builtin" && scalarByName(of.name) !== undefined;
        return isScalar ? { kind: "builtin", name: `${of.name}${node.width}` } : undefined;
      }
      case "pointer":
        return { kind: "pointer" };
      case "array":
        return undefined;
      default:
        return node satisfies never;
    }
  }

  #named(name: string, depth: number): SourceType | undefined {
    if (isBuiltin(name)) return { kind: "builtin", name };
    if (!this.#names.has(name)) {
      this.#names.set(name, undefined);
      this.#names.set(name, this.#defined(name, depth));
    }
    return this.#names.get(name);
  }

  #defined(name: string, depth: number): SourceType | undefined {
    const definitions = this.#definitions.get(name) ?? [];
    const isCertain = definitions.some((one) => one.isCertain) || !this.#hasUnknownHeader;
    if (definitions.length === 0 || !isCertain) return undefined;
    const [first, ...others] = definitions.map(({ type }) => type && this.#resolve(type, depth + 1));
    const text = JSON.stringify(first);
    return others.every((other) => JSON.stringify(other) === text) ? first : undefined;
  }

  /** Size and alignment of a type by C's rules; undefined if they are not known. */
  #sizeOf(node: TypeNode, depth: number): Size | undefined {
    if (depth > longestChain) return undefined;
    if (node.kind === "array") {
      const one = this.#sizeOf(node.of, depth + 1);
      return one && { bytes: one.bytes * node.length, alignment: one.alignment };
    }
    if (node.kind === "record") return this.#layout(node, depth);
    if (node.kind === "name" && node.name === "bool") return { bytes: 1, alignment: 1 };
    const record = this.#recordOf(node, depth);
    if (record !== undefined) return this.#layout(record, depth + 1);
    const type = this.#resolve(node, depth + 1);
    const bytes = type?.kind === "builtin" ? bytesByName(type.name) : undefined;
    // Scalars and vectors are aligned to their size.
    return bytes === undefined ? undefined : { bytes, alignment: bytes };
  }

  /** The struct that a name or a tag stands for. */
  #recordOf(node: TypeNode, depth: number): RecordNode | undefined {
    if (depth > longestChain) return undefined;
    if (node.kind === "record") return node;
    const name = node.kind === "name" ? node.name : node.kind === "tag" ? node.tag : undefined;
    const definitions = name === undefined ? undefined : this.#definitions.get(name);
    const [definition] = definitions ?? [];
    if (definitions?.length !== 1 || definition?.type === undefined) return undefined;
    return this.#recordOf(definition.type, depth + 1);
  }

  #layout(record: RecordNode, depth: number): Size | undefined {
    if (!this.#layouts.has(record)) {
      this.#layouts.set(record, undefined);
      this.#layouts.set(record, this.#layOut(record, depth));
    }
    return this.#layouts.get(record);
  }

  #layOut({ isUnion, isPacked, members }: RecordNode, depth: number): Size | undefined {
    if (members === undefined || members.length === 0 || this.#hasUnknownPacking) return undefined;
    let [bytes, alignment] = [0, 1];
    for (const member of members) {
      const size = this.#sizeOf(member, depth + 1);
      if (size === undefined) return undefined;
      const step = isPacked ? 1 : size.alignment;
      alignment = Math.max(alignment, step);
      bytes = isUnion ? Math.max(bytes, size.bytes) : Math.ceil(bytes / step) * step + size.bytes;
    }
    return { bytes: Math.ceil(bytes / alignment) * alignment, alignment };
  }
}

interface Size {
  readonly bytes: number;
  readonly alignment: number;
}

/** Longest chain of typedefs, and deepest nesting of structs, that is followed. */
const longestChain = 64;

const interesting = new Set(["typedef", "struct", "union", "enum"]);

const opaque = /^(?:sampler_t|queue_t|event_t|reserve_id_t|clk_event_t|size_t|ptrdiff_t|intptr_t|uintptr_t|bool|void)$/;

function isBuiltin(name: string): boolean {
  return bytesByName(name) !== undefined || isImageType(name) || opaque.test(name);
}
