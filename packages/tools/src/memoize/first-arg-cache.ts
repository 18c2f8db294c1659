/** Results that are kept for as long as an OpenCL object lives. */
import { checkFunction, typeError } from "@cl/base";
import { Resource } from "@cl/core";

import { type Identity, identityOf } from "./identity.js";
import { memoKey } from "./memo-key.js";

/**
 * Keeps results by an OpenCL object (a context, a device, a queue, a program …) and further values. What a result was
 * computed for is computed once; the results of an object end with it, and never keep it alive.
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
  /** Stands for this cache in {@link kept}; another one forgets everything. */
  #token: object = {};

  /**
   * The result for an object and further values; `compute` makes it if it is not there. Numbers, strings, booleans,
   * bigints, DTypes and OpenCL objects may be values, and arrays and plain objects of these.
   *
   * What throws or rejects is not kept, and what has been released is computed again. A promise is kept at once: who asks
   * while it is pending gets the same one.
   */
  get(first: Resource, values: readonly unknown[], compute: () => T): T {
    checkFirst(first);
    if (!Array.isArray(values)) throw typeError("values", "an array", values);
    checkFunction(compute, "compute");
    const results = this.#resultsOf(identityOf(first));
    const key = memoKey(values, "values");
    const found = results.get(key);
    if (found === computing) {
      throw new Error(`the result for ${first.toString()} and (${key}) is being computed, and needs itself`);
    }
    if (found !== undefined && !isReleased(found)) return found.result as T;
    return this.#compute(results, key, compute);
  }

  /** Forgets all results of this cache. */
  clear(): void {
    this.#token = {};
  }

  #resultsOf(identity: Identity): Results {
    let caches = kept.get(identity);
    if (caches === undefined) kept.set(identity, (caches = new WeakMap()));
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
          // By now it may have been forgotten and computed anew.
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
 * Forgets the results of every {@link FirstArgCache} and of every function that `memoizeByFirstArg` made. They never keep
 * an OpenCL object alive; this is for results that themselves hold much.
 */
export function clearFirstArgCaches(): void {
  kept = new WeakMap();
}

function checkFirst(first: unknown): void {
  if (first instanceof Resource) return;
  throw typeError("first", "an OpenCL object, such as a Context or a Device", first);
}

interface Entry {
  readonly result: unknown;
  /** What a promise became; until then the promise. */
  settled: unknown;
}

type Results = Map<string, Entry | typeof computing>;

const computing = Symbol("computing");

/** The results by object and by cache. */
let kept = new WeakMap<Identity, WeakMap<object, Results>>();

function isReleased({ settled }: Entry): boolean {
  return settled instanceof Resource && settled.released;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function";
}
