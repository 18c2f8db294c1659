/** Scopes that release a pool's memory when a function ends. */
import { AsyncLocalStorage } from "node:async_hooks";

import { checkFunction } from "@cl/base";
import { type Allocation, DeviceBuffer, kernelArgument, type KernelArgument, SvmPointer } from "@cl/core";

/** Minimum number of tracked allocations at which released ones are removed. */
const minPruneSize = 1024;

/** The allocations that a function makes from a pool. */
export class PoolScope {
  readonly #pool: object;
  readonly #outer: PoolScope | undefined;
  #allocations = new Set<Allocation>();
  /** Size of the set at which released allocations are removed, so that it stays small in long functions. */
  #pruneAt = minPruneSize;
  #isOpen = true;

  /** @internal */
  constructor(pool: object, outer: PoolScope | undefined) {
    this.#pool = pool;
    this.#outer = outer;
  }

  /** Keeps memory alive after the function ends. It then belongs to the enclosing scope, if any. */
  keep<V>(value: V): V {
    for (const memory of memoryIn(value)) {
      if (this.#allocations.delete(memory)) this.#outer?.add(memory);
    }
    return value;
  }

  /** @internal Returns the innermost scope of a pool. */
  of(pool: object): PoolScope | undefined {
    if (this.#pool === pool && this.#isOpen) return this;
    return this.#outer?.of(pool);
  }

  /** @internal */
  add(memory: Allocation): void {
    this.#allocations.add(memory);
    if (this.#allocations.size < this.#pruneAt) return;
    for (const allocation of this.#allocations) {
      if (allocation.released) this.#allocations.delete(allocation);
    }
    this.#pruneAt = Math.max(minPruneSize, 2 * this.#allocations.size);
  }

  /** @internal Releases the remaining memory. */
  end(): void {
    this.#isOpen = false;
    const remaining = this.#allocations;
    this.#allocations = new Set();
    openScopes--;
    for (const memory of remaining) memory.release();
  }
}

const scopes = new AsyncLocalStorage<PoolScope>();
/**
 * Number of open scopes. Looking up the current scope costs as much as an allocation, so it is skipped if this is 0.
 */
let openScopes = 0;

/** Returns the innermost scope of a pool in which the calling code runs. */
export function currentScope(pool: object): PoolScope | undefined {
  return openScopes === 0 ? undefined : scopes.getStore()?.of(pool);
}

/** Runs a function in a scope, which ends when the function returns or its promise settles. */
export function runScope<R>(pool: object, run: (scope: PoolScope) => R): R {
  checkFunction(run, "run");
  const scope = new PoolScope(pool, scopes.getStore());
  openScopes++;
  let result: R;
  try {
    result = scopes.run(scope, run, scope);
    if (isPromise(result)) return endWith(result, scope) as R;
    scope.keep(result);
  } catch (error) {
    scope.end();
    throw error;
  }
  scope.end();
  return result;
}

async function endWith(promise: PromiseLike<unknown>, scope: PoolScope): Promise<unknown> {
  try {
    return scope.keep(await promise);
  } finally {
    scope.end();
  }
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && typeof (value as PromiseLike<unknown>).then === "function";
}

/**
 * Collects the memory in a value: the value itself, elements of arrays and plain objects, and memory of kernel
 * arguments.
 */
function memoryIn(value: unknown, found = new Set<Allocation>(), seen = new Set<object>()): Set<Allocation> {
  if (typeof value !== "object" || value === null || seen.has(value)) return found;
  seen.add(value);
  if (value instanceof DeviceBuffer) {
    found.add(value.loan ?? value);
  } else if (value instanceof SvmPointer) {
    found.add(value.loan ?? value);
  } else if (kernelArgument in value) {
    const argument = (value as KernelArgument)[kernelArgument]();
    if ("memory" in argument) memoryIn(argument.memory, found, seen);
  } else if (Array.isArray(value) || value instanceof Set) {
    for (const item of value as Iterable<unknown>) memoryIn(item, found, seen);
  } else if (value instanceof Map) {
    for (const item of value.values()) memoryIn(item, found, seen);
  } else if (isPlain(value)) {
    for (const item of Object.values(value)) memoryIn(item, found, seen);
  }
  return found;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
