/**
 * A cache of call plans by a string key, for calls with arrays of a layout seen before. A hit skips all checks,
 * comparisons and collapsing.
 */
import type { ArrayLayout } from "../storage/array-layout.js";
import { Storage } from "../storage/storage.js";
import type { DTypeName, TypedDType } from "../types/dtype-name.js";
import type { AnyArray, ArrayRef, ArraySource } from "../storage/array-ref.js";

/** A call's launch plan, and the dtype, layout and size of its result. */
export interface KnownCall<P> {
  readonly prepared: P;
  readonly dtype: TypedDType<DTypeName>;
  readonly layout: ArrayLayout;
  readonly bytes: number;
}

/** Calls of one kind. */
export class KnownCalls<P> {
  readonly #most: number;
  readonly #calls = new WeakMap<ArraySource, Map<string, KnownCall<P>>>();

  /** Capacity; the cache is cleared when full. */
  constructor(most: number) {
    this.#most = most;
  }

  find(xp: ArraySource, key: string): KnownCall<P> | undefined {
    return this.#calls.get(xp)?.get(key);
  }

  /** Stores the plan of the call that returned `result`. */
  note(key: string, result: AnyArray, prepared: P): void {
    const { xp, dtype, nbytes } = result;
    let own = this.#calls.get(xp);
    if (own === undefined) this.#calls.set(xp, (own = new Map<string, KnownCall<P>>()));
    if (own.size >= this.#most) own.clear();
    own.set(key, { prepared, dtype, layout: result.operand().layout as ArrayLayout, bytes: nbytes });
  }
}

/** New memory for the result of such a call. */
export function resultOf(xp: ArraySource, { bytes, dtype, layout }: KnownCall<unknown>): ArrayRef {
  return xp.wrap(new Storage(xp.allocator, bytes), dtype, layout);
}
