/**
 * Calls whose kernels are not built yet. Their results are pending arrays; the kernels are built asynchronously, and then the
 * call is repeated. So the first use of a function does not block the event loop.
 */
import type { Allocation, Allocator } from "@cl/core";
import { attempt, type Buildable, isAttempt, leavesOut, waitingForCompiler, whenBuilt } from "../storage/attempt.js";
import type { AnyArray, ArraySource } from "../storage/array-ref.js";
import { addOutstanding, areTooMany } from "../storage/outstanding-calls.js";
import type { Pending, Storage } from "../storage/storage.js";
import type { Reader } from "../storage/weak-readers.js";
import { arraysIn, releaseArraysIn } from "./arrays-in.js";
import { KeptArguments } from "./kept-arguments.js";

/** Calls a function. If kernels are missing, their builds begin, and the results are arrays that are computed later. */
export function callOrDefer(xp: ArraySource, args: readonly unknown[], call: Call): unknown {
  // Functions of the user must not be called twice; the calls within them are deferred.
  if (xp.eager || isAttempt() || args.some(isOrHasFunction)) return call(args);
  if (areTooMany()) return waitingForCompiler(() => call(args));
  const { result, missing, start, changes } = attempt(() => outcomeOf(call, args));
  const { value, error } = result;
  if (missing.size === 0) {
    if (error !== undefined) throw error;
    return value;
  }
  const isNew = (array: AnyArray): boolean => array.operand().storage.serial >= start;
  const results = arraysIn(value);
  const kept = changes ? undefined : KeptArguments.of(args);
  if (kept !== undefined && results?.some(isNew) === true) {
    void new DeferredCall(xp, kept, call, results, isNew).finish(missing);
    return value;
  }
  if (value instanceof Promise) abandon(value);
  for (const array of results ?? []) if (isNew(array)) array.release();
  if (kept !== undefined && value instanceof Promise) return new AwaitedCall(kept, call).result(missing);
  return waitingForCompiler(() => call(args));
}

/** Lists of functions are short; others may have any length. */
function isOrHasFunction(value: unknown): boolean {
  if (typeof value === "function") return true;
  return Array.isArray(value) && value.length < 1000 && value.some((one) => typeof one === "function");
}

/** A function that enqueues kernels. */
type Call = (args: readonly unknown[]) => unknown;

/** What a function returned or threw. */
interface Outcome {
  readonly value?: unknown;
  readonly error?: Error;
}

function outcomeOf(call: Call, args: readonly unknown[]): Outcome {
  try {
    return { value: call(args) };
  } catch (error) {
    return { error: error as Error };
  }
}

/** Ignores the result of a call that left out launches. It usually rejects, since it cannot read its results. */
function abandon(promise: Promise<unknown>): void {
  promise.then(releaseArraysIn, () => undefined);
}

/** A call that returns a promise. It starts when its kernels are built, or before its arguments change. */
class AwaitedCall implements Reader {
  readonly #args: KeptArguments;
  readonly #call: Call;
  #started: Promise<unknown> | undefined;

  constructor(args: KeptArguments, call: Call) {
    this.#args = args;
    this.#call = call;
  }

  get pending(): this | undefined {
    return this.#started === undefined ? this : undefined;
  }

  compute(): void {
    if (this.#started !== undefined) return;
    const { args, release } = this.#args.views();
    const { value, error } = outcomeOf(this.#call, args);
    const promise = error === undefined ? (value as Promise<unknown>) : Promise.reject(error);
    const released = promise.finally(release);
    if (leavesOut()) {
      abandon(released);
      return;
    }
    // It may reject while its kernels are still being awaited; Node.js would then report an unhandled rejection.
    released.catch(() => undefined);
    this.#started = released;
  }

  async result(missing: Iterable<Buildable>): Promise<unknown> {
    this.#args.retain();
    this.#args.addReader(this);
    try {
      await whenBuilt(missing, () => {
        this.compute();
      });
    } finally {
      this.#args.release();
    }
    return this.#started;
  }
}

/** Memory of a result, and its position among the results. */
interface Place {
  readonly storage: Storage;
  readonly index: number;
}

/** A call that is repeated when its kernels are built. */
class DeferredCall implements Pending {
  // The call looks for its kernels itself.
  readonly isSearched = false;
  readonly xp: ArraySource;
  /** Undefined when it has been repeated, so that its arguments can be collected. */
  #call: { readonly run: Call; readonly args: KeptArguments } | undefined;
  readonly #places: readonly Place[];

  /** `results` are those of the attempt. Those that are new are computed later. */
  constructor(
    xp: ArraySource,
    args: KeptArguments,
    call: Call,
    results: readonly AnyArray[],
    isNew: (array: AnyArray) => boolean,
  ) {
    this.xp = xp;
    this.#call = { run: call, args };
    const places = new Map<Storage, Place>();
    for (const [index, array] of results.entries()) {
      const { storage } = array.operand();
      if (isNew(array) && storage.bytes > 0 && !places.has(storage)) places.set(storage, { storage, index });
    }
    this.#places = [...places.values()];
    args.retain();
    for (const { storage } of this.#places) {
      storage.defer(this);
      args.addReader(storage);
    }
  }

  get allocator(): Allocator<Allocation> {
    return this.xp.allocator;
  }

  /** Computes the results as soon as their kernels are built. */
  async finish(missing: Iterable<Buildable>): Promise<void> {
    const remove = addOutstanding(this);
    try {
      await whenBuilt(missing, () => {
        this.compute();
      });
    } catch {
      // Reading the results repeats the call, which throws again.
    } finally {
      remove();
    }
  }

  compute(): void {
    const call = this.#call;
    if (call === undefined) return;
    const { args, release } = call.args.views();
    try {
      const results = arraysIn(call.run(args)) ?? [];
      try {
        for (const { index } of this.#places) results[index]?.operand().storage.compute();
        if (leavesOut()) return;
        for (const { storage, index } of this.#places) {
          if (storage.pending === this) storage.take((results[index] as AnyArray).operand().storage);
        }
        this.#call = undefined;
        call.args.release();
      } finally {
        for (const array of results) array.release();
      }
    } finally {
      release();
    }
  }

  release(): void {
    // The call is repeated in any case: it may find errors in the values of its arguments.
  }
}
