/**
 * Calls whose kernels are not built yet. Their results are pending arrays, and the arrays that they change have a pending change;
 * the kernels are built asynchronously, and then the call is repeated. So the first use of a function does not block the event loop.
 */
import type { Allocation, Allocator } from "@cl/core";
import {
  attempt,
  type Buildable,
  isAttempt,
  isPreparing,
  leaveOutUnbuilt,
  leavesOut,
  separately,
  waitingForCompiler,
  whenBuilt,
} from "../storage/attempt.js";
import type { AnyArray, ArraySource } from "../storage/array-ref.js";
import { goTo, isPast, nextSerial, returnFrom } from "../storage/moment.js";
import { addOutstanding, areTooMany } from "../storage/outstanding-calls.js";
import type { Reader, Readers } from "../storage/readers.js";
import type { Change, Pending, Storage } from "../storage/storage.js";
import { arraysIn, releaseArraysIn } from "./arrays-in.js";
import { KeptArguments } from "./kept-arguments.js";

/** Calls a function. If kernels are missing, their builds begin, and the results are arrays that are computed later. */
export function callOrDefer(xp: ArraySource, args: readonly unknown[], call: Call): unknown {
  if ((xp.eager && !isPreparing()) || isAttempt() || isPast()) return call(args);
  // Functions of the user must not be called twice; the calls within them are deferred.
  if (args.some(isOrHasFunction)) return call(args);
  if (areTooMany() && !isPreparing()) return waitingForCompiler(() => call(args));
  const { result, missing, start, changed, canBeDeferred } = attempt(() => outcomeOf(call, args));
  const { value, error } = result;
  if (missing.size === 0) {
    if (error !== undefined) throw error;
    return value;
  }
  const isNew = (array: AnyArray): boolean => array.operand().storage.serial >= start;
  const results = arraysIn(value) ?? [];
  const kept = error === undefined && canBeDeferred ? keptOf(args, changed) : undefined;
  if (kept !== undefined && !(value instanceof Promise) && (changed.size > 0 || results.some(isNew))) {
    const deferral = { xp, args: kept, call, changed: kept.storagesIn(changed), missing };
    void new DeferredCall(deferral, results.filter(isNew), results).finish();
    return value;
  }
  if (value instanceof Promise) abandon(value);
  for (const array of results) if (isNew(array)) array.release();
  if (kept !== undefined && value instanceof Promise && changed.size === 0) {
    return new AwaitedCall(kept, call).result(missing);
  }
  return waitingForCompiler(() => call(args));
}

/** Returns copied arguments; `undefined` if the call cannot be repeated with them later. */
function keptOf(args: readonly unknown[], changed: ReadonlySet<object>): KeptArguments | undefined {
  const kept = KeptArguments.of(args);
  if (kept === undefined || kept.areShared) return undefined;
  return kept.storagesIn(changed).size === changed.size ? kept : undefined;
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
  readonly isAwaited = true;
  readonly #args: KeptArguments;
  readonly #call: Call;
  readonly #serial = nextSerial();
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
    const outer = goTo(this.#serial);
    const { value, error } = outcomeOf(this.#call, args);
    returnFrom(outer);
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

/** What a deferred call consists of. */
interface Deferral {
  readonly xp: ArraySource;
  readonly args: KeptArguments;
  readonly call: Call;
  /** Storages of arguments whose elements it changes. */
  readonly changed: ReadonlySet<Storage>;
  /** Programs that the attempt needed. */
  readonly missing: ReadonlySet<Buildable>;
}

/** A call that is repeated when its kernels are built. */
class DeferredCall implements Pending, Change, Reader {
  // The call looks for its kernels itself.
  readonly isSearched = false;
  readonly xp: ArraySource;
  readonly serial: number = nextSerial();
  /** Undefined when it has been repeated, so that its arguments can be collected. */
  #deferral: Deferral | undefined;
  readonly #places: readonly Place[];
  /** Computations that read the changed arrays before. */
  readonly #readers: readonly Readers[];
  #isComputing = false;

  /** `results` are those of the attempt. Those that are new are computed later. */
  constructor(deferral: Deferral, fresh: readonly AnyArray[], results: readonly AnyArray[]) {
    const { xp, args, changed } = deferral;
    this.xp = xp;
    this.#deferral = deferral;
    const places = new Map<Storage, Place>();
    for (const array of fresh) {
      const { storage } = array.operand();
      if (storage.bytes > 0 && !places.has(storage)) places.set(storage, { storage, index: results.indexOf(array) });
    }
    this.#places = [...places.values()];
    args.retain();
    for (const { storage } of this.#places) {
      storage.defer(this);
      args.addReader(storage);
    }
    this.#readers = Array.from(changed, (storage) => storage.addChange(this)).filter((one) => one !== undefined);
    // The factory holds the call until it is repeated. Its own changes come after what it reads.
    if (changed.size > 0) args.addReader(this, changed);
  }

  get allocator(): Allocator<Allocation> {
    return this.xp.allocator;
  }

  get pending(): Deferral | undefined {
    return this.#deferral;
  }

  /** Computes the results as soon as their kernels are built. */
  async finish(): Promise<void> {
    const remove = addOutstanding(this);
    try {
      await whenBuilt(this.#deferral?.missing ?? [], () => {
        this.compute();
      });
    } catch {
      // Reading the results repeats the call, which throws again.
    } finally {
      remove();
    }
  }

  compute(): void {
    if (this.#deferral === undefined || this.#isComputing) return;
    leaveOutUnbuilt(this.#deferral.missing);
    if (leavesOut()) return;
    this.#isComputing = true;
    const outer = goTo(this.serial);
    try {
      this.#computeEarlier(this.#deferral);
      if (!leavesOut()) this.#repeat(this.#deferral);
    } finally {
      returnFrom(outer);
      this.#isComputing = false;
    }
  }

  /** Enqueues what comes before the changes: earlier ones, and computations that read the elements. */
  #computeEarlier({ changed }: Deferral): void {
    separately(false, () => {
      for (const storage of changed) storage.compute();
      for (const readers of this.#readers) readers.compute();
    });
  }

  #repeat({ args: kept, call, changed }: Deferral): void {
    const { args, release } = kept.views();
    try {
      separately(changed.size > 0, () => {
        const results = arraysIn(call(args)) ?? [];
        try {
          for (const { index } of this.#places) results[index]?.operand().storage.compute();
          if (leavesOut()) return;
          for (const { storage, index } of this.#places) {
            if (storage.pending === this) storage.take((results[index] as AnyArray).operand().storage);
          }
          this.#deferral = undefined;
          for (const storage of changed) storage.removeChange(this);
          kept.release();
        } finally {
          for (const array of results) array.release();
        }
      });
    } finally {
      release();
    }
  }

  release(): void {
    // The call is repeated in any case: it may find errors in the values of its arguments.
  }
}
