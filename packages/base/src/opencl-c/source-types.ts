/**
 * Resolves the types that a source declares: a runtime reports `real` for an argument where the source has
 * `typedef float real;`. Names with conflicting or unsupported definitions are unknown.
 */
import { readDeclaration } from "./declaration.js";
import { DeclarationSplitter } from "./declaration-splitter.js";
import { Preprocessor, type SourceContext } from "./preprocessor.js";
import type { Token } from "./tokens.js";
import type { RecordNode, TypeNode } from "./type-node.js";
import { bytesByName, isImageType, scalarByName } from "./scalar-types.js";

/** A resolved type. */
export type SourceType =
  /** A built-in type: scalar, vector, image, sampler or another opaque type. */
  | { readonly kind: "builtin"; readonly name: string }
  /** A struct or union; `bytes` is `undefined` if a member's size is unknown. */
  | { readonly kind: "record"; readonly bytes: number | undefined }
  | { readonly kind: "pointer" };

/** One definition of a name. */
interface Definition {
  readonly type: TypeNode | undefined;
  /** False inside a condition that could not be evaluated. */
  readonly isCertain: boolean;
}

/** The typedefs, structs, unions and enums of one source. */
export class SourceTypes {
  readonly #definitions = new Map<string, Definition[]>();
  /**
   * Resolved names; `undefined` also while a name is being resolved, which stops cycles. The same holds for the
   * layouts.
   */
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

  /** Returns the type of a name such as `real` or `struct particle`; `undefined` if it is uncertain. */
  resolve(name: string): SourceType | undefined {
    return this.#resolve({ kind: "name", name }, 0);
  }

  #add(tokens: readonly Token[], preprocessor: Preprocessor, isMixed: boolean, isCertain: boolean): void {
    const expanded = preprocessor.macros.expand(tokens);
    if (expanded !== undefined && expanded !== tokens) {
      // A macro may expand to several declarations.
      const nested = new DeclarationSplitter({
        declaration: (part) => this.#read(part, isMixed, isCertain),
      });
      for (const token of expanded) nested.token(token);
      nested.finish();
      return;
    }
    this.#read(tokens, isMixed || expanded === undefined, isCertain);
  }

  #read(tokens: readonly Token[], isMixed: boolean, isCertain: boolean): void {
    if (!tokens.some(({ text }) => typeKeywords.has(text))) return;
    const { isTypedef, declarators, tags } = readDeclaration(tokens);
    const define = (name: string, type: TypeNode | undefined): void => {
      const definitions = this.#definitions.get(name);
      const definition = { type: isMixed ? undefined : type, isCertain };
      if (definitions === undefined) this.#definitions.set(name, [definition]);
      else definitions.push(definition);
    };
    for (const { tag, type } of tags) define(tag, type);
    if (isTypedef) for (const { name, type } of declarators) define(name, type);
  }

  #resolve(node: TypeNode, depth: number): SourceType | undefined {
    if (depth > maxDepth) return undefined;
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
    const isCertain = definitions.some((definition) => definition.isCertain) || !this.#hasUnknownHeader;
    if (definitions.length === 0 || !isCertain) return undefined;
    const [first, ...others] = definitions.map(({ type }) => type && this.#resolve(type, depth + 1));
    const text = JSON.stringify(first);
    return others.every((other) => JSON.stringify(other) === text) ? first : undefined;
  }

  /** Returns the size and alignment of a type by C's rules; `undefined` if unknown. */
  #sizeOf(node: TypeNode, depth: number): Size | undefined {
    if (depth > maxDepth) return undefined;
    if (node.kind === "array") {
      const element = this.#sizeOf(node.of, depth + 1);
      return element && { bytes: element.bytes * node.length, alignment: element.alignment };
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

  /** Returns the struct or union that a name or tag refers to. */
  #recordOf(node: TypeNode, depth: number): RecordNode | undefined {
    if (depth > maxDepth) return undefined;
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

/** Maximum length of a typedef chain and maximum nesting depth of structs. */
const maxDepth = 64;

const typeKeywords = new Set(["typedef", "struct", "union", "enum"]);

const opaque = /^(?:sampler_t|queue_t|event_t|reserve_id_t|clk_event_t|size_t|ptrdiff_t|intptr_t|uintptr_t|bool|void)$/;

function isBuiltin(name: string): boolean {
  return bytesByName(name) !== undefined || isImageType(name) || opaque.test(name);
}
