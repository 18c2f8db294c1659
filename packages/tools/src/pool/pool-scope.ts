/** Memory that goes back when a function has ended. */
import { AsyncLocalStorage } from "node:async_hooks";

import { checkFunction } from "@cl/base";
import { type Allocation, DeviceBuffer, kernelArgument, type KernelArgument, SvmPointer } from "@cl/core";

const fewest = 1024;

/** Told of each allocation of a pool while a function runs. */
export class PoolScope {
  readonly #pool: object;
  readonly #outer: PoolScope | undefined;
  #mine = new Set<Allocation>();
  /** How many there are when those that have gone back are forgotten, so that long functions do not gather them. */
  #pruneAt = fewest;
  #open = true;

  /** @internal */
  constructor(pool: object, outer: PoolScope | undefined) {
    this.#pool = pool;
    this.#outer = outer;
  }

  /** Keeps memory beyond the end of the function: of the scope around this one, if there is one. */
  keep<V>(value: V): V {
    for (const memory of memoryIn(value)) {
      if (this.#mine.delete(memory)) this.#outer?.add(memory);
    }
    return value;
  }

  /** @internal The innermost scope of a pool. */
  of(pool: object): PoolScope | undefined {
    if (this.#pool === pool && this.#open) return this;
    return this.#outer?.of(pool);
  }

  /** @internal */
  add(memory: Allocation): void {
    this.#mine.add(memory);
    if (this.#mine.size < this.#pruneAt) return;
    for (const one of this.#mine) {
      if (one.released) this.#mine.delete(one);
    }
    this.#pruneAt = Math.max(fewest, 2 * this.#mine.size);
  }

  /** @internal Gives back what is left. */
  end(): void {
    this.#open = false;
    const all = this.#mine;
    this.#mine = new Set();
    open--;
    for (const memory of all) memory.release();
  }
}

const scopes = new AsyncLocalStorage<PoolScope>();
/** To ask for the current scope costs as much as an allocation, and mostly there is none. */
let open = 0;

/** The innermost scope of a pool in which this code runs. */
export function currentScope(pool: object): PoolScope | undefined {
  return open === 0 ? undefined : scopes.getStore()?.of(pool);
}

/** Runs a function in a scope, which ends with it or with its promise. */
export function runScope<R>(pool: object, run: (scope: PoolScope) => R): R {
  checkFunction(run, "run");
  const scope = new PoolScope(pool, scopes.getStore());
  open++;
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

/** The memory that a value is, has in its arrays and plain objects, or stands for as a kernel's argument. */
function memoryIn(value: unknown, found = new Set<Allocation>(), seen = new Set<object>()): Set<Allocation> {
  if (typeof value !== "object" || value === null || seen.has(value)) return found;
  seen.add(value);
  if (value instanceof DeviceBuffer) {
    found.add(value.loan ?? value);
  } else if (value instanceof SvmPointer) {
    found.add(value.loan ?? value);
  } else if (kernelArgument in value) {
    const given = (value as KernelArgument)[kernelArgument]();
    if ("memory" in given) memoryIn(given.memory, found, seen);
  } else if (Array.isArray(value) || value instanceof Set) {
    for (const one of value as Iterable<unknown>) memoryIn(one, found, seen);
  } else if (value instanceof Map) {
    for (const one of value.values()) memoryIn(one, found, seen);
  } else if (isPlain(value)) {
    for (const one of Object.values(value)) memoryIn(one, found, seen);
  }
  return found;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
