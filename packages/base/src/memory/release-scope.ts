/** Scopes that release what a function makes when the function ends. */
import { AsyncLocalStorage } from "node:async_hooks";

import { checkFunction } from "../checks/check.js";

/** Something that holds memory until it is released. */
export interface Releasable {
  readonly released: boolean;
  release(): void;
}

/** Minimum number of tracked items at which released ones are removed. */
const minPruneSize = 1024;

/** The items that a function makes. */
export class ReleaseScope<T extends Releasable> {
  readonly #owner: object;
  readonly #outer: ReleaseScope<T> | undefined;
  readonly #itemsIn: (value: unknown) => Iterable<T>;
  /** A list, since adding to a set takes five times as long. */
  #items: T[] = [];
  /** Length of the list at which released items are removed, so that it stays short in long functions. */
  #pruneAt = minPruneSize;
  #isOpen = true;

  constructor(owner: object, outer: ReleaseScope<T> | undefined, itemsIn: (value: unknown) => Iterable<T>) {
    this.#owner = owner;
    this.#outer = outer;
    this.#itemsIn = itemsIn;
  }

  /** Keeps the items in a value alive after the function ends. They then belong to the enclosing scope, if any. */
  keep<V>(value: V): V {
    const outer = this.#outer?.of(this.#owner);
    const items = this.#items;
    for (const item of this.#itemsIn(value)) {
      // Items that are kept are mostly new.
      const place = items.lastIndexOf(item);
      if (place < 0) continue;
      const last = items.pop() as T;
      if (last !== item) items[place] = last;
      outer?.add(item);
    }
    return value;
  }

  /** Returns the innermost open scope of an owner. */
  of(owner: object): ReleaseScope<T> | undefined {
    if (this.#owner === owner && this.#isOpen) return this;
    return this.#outer?.of(owner);
  }

  /** Adds an item, to be released at the end. */
  add(item: T): void {
    if (this.#items.push(item) < this.#pruneAt) return;
    this.#items = this.#items.filter(({ released }) => !released);
    this.#pruneAt = Math.max(minPruneSize, 2 * this.#items.length);
  }

  /** Releases the remaining items. */
  end(): void {
    this.#isOpen = false;
    const remaining = this.#items;
    this.#items = [];
    for (const item of remaining) item.release();
  }
}

/** The scopes of one kind of item. Each belongs to an owner, such as a pool, and tracks only the items of that owner. */
export class ReleaseScopes<T extends Releasable> {
  readonly #current = new AsyncLocalStorage<ReleaseScope<T>>();
  readonly #itemsIn: (value: unknown) => Iterable<T>;
  /** Number of open scopes. Looking up the current scope costs as much as a pooled allocation, so it is skipped if this is 0. */
  #open = 0;

  /** `itemsIn` finds the items in what a function returns. */
  constructor(itemsIn: (value: unknown) => Iterable<T>) {
    this.#itemsIn = itemsIn;
  }

  /** Returns the innermost scope of an owner in which the calling code runs. */
  current(owner: object): ReleaseScope<T> | undefined {
    return this.#open === 0 ? undefined : this.#current.getStore()?.of(owner);
  }

  /** Runs a function in a scope, which ends when the function returns or its promise settles. */
  run<R>(owner: object, run: (scope: ReleaseScope<T>) => R): R {
    checkFunction(run, "run");
    const scope = new ReleaseScope(owner, this.#current.getStore(), this.#itemsIn);
    this.#open++;
    let result: R;
    try {
      result = this.#current.run(scope, run, scope);
      if (isPromise(result)) return this.#endWith(result, scope) as R;
      scope.keep(result);
    } catch (error) {
      this.#end(scope);
      throw error;
    }
    this.#end(scope);
    return result;
  }

  async #endWith(promise: PromiseLike<unknown>, scope: ReleaseScope<T>): Promise<unknown> {
    try {
      return scope.keep(await promise);
    } finally {
      this.#end(scope);
    }
  }

  #end(scope: ReleaseScope<T>): void {
    this.#open--;
    scope.end();
  }
}

/**
 * Returns the items in a value: the value itself, and values in arrays, sets, maps and plain objects. `itemsOf` returns the
 * items of any other object.
 */
export function itemsWithin<T>(value: unknown, itemsOf: (value: object) => Iterable<T>): Set<T> {
  const found = new Set<T>();
  const seen = new Set<object>();
  const visit = (one: unknown): void => {
    if (typeof one !== "object" || one === null || seen.has(one)) return;
    seen.add(one);
    if (Array.isArray(one) || one instanceof Set || one instanceof Map) for (const item of one.values()) visit(item);
    else if (isPlain(one)) for (const item of Object.values(one)) visit(item);
    else for (const item of itemsOf(one)) found.add(item);
  };
  visit(value);
  return found;
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && typeof (value as PromiseLike<unknown>).then === "function";
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
