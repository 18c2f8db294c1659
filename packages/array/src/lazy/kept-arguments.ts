/** Arguments of calls that are repeated later: the memory of arrays is kept, and lists are copied. */
import { DType } from "@cl/core";
import type { AnyArray, ArraySource } from "../storage/array-ref.js";
import { isArray } from "../storage/check-array.js";
import type { Operand } from "../storage/operand.js";
import type { Reader } from "../storage/readers.js";
import type { Storage } from "../storage/storage.js";
import { isTypedArray } from "../types/default-type.js";
import { typeNamed } from "../types/dtype-name.js";

/** Copied arguments. */
export class KeptArguments {
  readonly #kept: readonly KeptArray[];
  readonly #copies: unknown;

  private constructor(kept: readonly KeptArray[], copies: unknown) {
    this.#kept = kept;
    this.#copies = copies;
  }

  /** Returns copied arguments; `undefined` if some are functions, objects of other classes or very long lists. */
  static of(args: readonly unknown[]): KeptArguments | undefined {
    const kept: KeptArray[] = [];
    let areComplete = true;
    const copies = mapped(args, (value) => {
      if (isArray(value)) {
        const one = new KeptArray(value);
        kept.push(one);
        return one;
      }
      if (isTypedArray(value)) return value.slice();
      if (!isConstant(value)) areComplete = false;
      return value;
    });
    return areComplete ? new KeptArguments(kept, copies) : undefined;
  }

  /** Whether others can change the memory of an array at any time. */
  get areShared(): boolean {
    return this.#kept.some(({ storage }) => storage.isShared);
  }

  /** Returns the storages of arrays that are in a set. */
  storagesIn(set: ReadonlySet<object>): ReadonlySet<Storage> {
    return new Set(this.#kept.map(({ storage }) => storage).filter((storage) => set.has(storage)));
  }

  /** Keeps the memory until it is released. */
  retain(): void {
    for (const { storage } of this.#kept) storage.retain();
  }

  release(): void {
    for (const { storage } of this.#kept) storage.release();
  }

  /** Registers a computation that reads the arrays later, except those in some storages. */
  addReader(reader: Reader, except?: ReadonlySet<Storage>): void {
    for (const { storage } of this.#kept) if (except?.has(storage) !== true) storage.addReader(reader);
  }

  /** Returns the arguments, with views that must be released. */
  views(): { readonly args: readonly unknown[]; readonly release: () => void } {
    const views: AnyArray[] = [];
    const args = mapped(this.#copies, (value) => {
      if (!(value instanceof KeptArray)) return value;
      const view = value.view();
      views.push(view);
      return view;
    });
    return {
      args: args as readonly unknown[],
      release: () => {
        for (const view of views) view.release();
      },
    };
  }
}

/** Returns whether a value that is not copied is the same later. */
function isConstant(value: unknown): boolean {
  if (typeof value === "object") return value === null || value instanceof DType || value instanceof AbortSignal;
  return typeof value !== "function";
}

/** What an array consists of. */
class KeptArray {
  readonly #xp: ArraySource;
  readonly #operand: Operand;

  constructor(array: AnyArray) {
    this.#xp = array.xp;
    this.#operand = array.operand();
  }

  get storage(): Storage {
    return this.#operand.storage;
  }

  view(): AnyArray {
    const { storage, dtype, layout } = this.#operand;
    return this.#xp.wrap(storage, typeNamed(dtype), layout);
  }
}

/** Maximum length of lists that are copied. */
const maxLength = 2 ** 20;

/** Returns a copy of nested lists and plain objects in which `change` replaces the other values. */
function mapped(value: unknown, change: (value: unknown) => unknown): unknown {
  if (Array.isArray(value) && value.length <= maxLength) return value.map((one) => mapped(one, change));
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) {
    return change(value);
  }
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mapped(one, change)]));
}
