/** A cache of results with the lifetime of an OpenCL object. */
import { checkFunction, typeError, wrongState } from "@cl/base";
import { Resource } from "@cl/core";

import { type Identity, identityOf } from "./identity.js";
import { memoKey } from "./memo-key.js";

/**
 * A cache of results by an OpenCL object (a context, device, queue, program …) and further values. Each result is
 * computed once. The results of an object are collected with it and never keep it alive.
 *
 * @example
 * ```ts
 * const kernels = new FirstArgCache<Promise<Program>>();
 * const scale = (factor: number) =>
 *   kernels.get(context, [factor], () =>
 *     new Program(context, `__kernel void scale(__global float *x) { x[get_global_id(0)] *= ${factor}; }`).build(),
 *   );
 * console.log((await scale(2)) === (await scale(2))); // true
 * ```
 */
export class FirstArgCache<T> {
  /** The key of this cache in {@link cachedResults}; replacing it clears the cache. */
  #token: object = {};

  /**
   * Returns the cached result for an object and further values, or calls `compute` and caches its result. The values
   * can be numbers, strings, booleans, bigints, DTypes and OpenCL objects, and arrays and plain objects of these.
   *
   * Errors and rejected promises are not cached, and a released result is computed again. A pending promise is cached,
   * so concurrent calls share it. Throws if `compute` asks for the result that it computes.
   */
  get(first: Resource, values: readonly unknown[], compute: () => T): T {
    checkFirst(first);
    if (!Array.isArray(values)) throw typeError("values", "an array", values);
    checkFunction(compute, "compute");
    const results = this.#resultsOf(identityOf(first));
    const key = memoKey(values, "values");
    const found = results.get(key);
    if (found === computing) {
      throw wrongState(`the result for ${first.toString()} and (${key}) cannot depend on itself`);
    }
    if (found !== undefined && !isReleased(found)) return found.result as T;
    return this.#compute(results, key, compute);
  }

  /** Clears this cache. */
  clear(): void {
    this.#token = {};
  }

  #resultsOf(identity: Identity): Results {
    let caches = cachedResults.get(identity);
    if (caches === undefined) cachedResults.set(identity, (caches = new WeakMap()));
    let results = caches.get(this.#token);
    if (results === undefined) caches.set(this.#token, (results = new Map()));
    return results;
  }

  #compute(results: Results, key: string, compute: () => T): T {
    results.set(key, computing);
    try {
      const result = compute();
      const entry: Entry = { result, settled: result };
      results.set(key, entry);
      if (isThenable(result)) {
        result.then(
          (settled) => (entry.settled = settled),
          // The entry may have been replaced in the meantime.
          () => results.get(key) === entry && results.delete(key),
        );
      }
      return result;
    } finally {
      if (results.get(key) === computing) results.delete(key);
    }
  }
}

/**
 * Clears every {@link FirstArgCache} and every function that `memoizeByFirstArg` returned. Use this to free memory that
 * the results hold; the caches never keep an OpenCL object alive.
 */
export function clearFirstArgCaches(): void {
  cachedResults = new WeakMap();
}

function checkFirst(first: unknown): void {
  if (first instanceof Resource) return;
  throw typeError("first", "an OpenCL object, such as a Context or a Device", first);
}

interface Entry {
  readonly result: unknown;
  /** The value of a fulfilled promise; the result itself otherwise. */
  settled: unknown;
}

type Results = Map<string, Entry | typeof computing>;

const computing = Symbol("computing");

/** The results by object and cache. */
let cachedResults = new WeakMap<Identity, WeakMap<object, Results>>();

function isReleased({ settled }: Entry): boolean {
  return settled instanceof Resource && settled.released;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function";
}
