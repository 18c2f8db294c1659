/**
 * Elements of a small array where a mask is true, on CPUs: one work-item copies and counts them in one launch. Larger arrays are counted
 * first, then memory is allocated, and then elements are copied, which takes three launches.
 */
import { contiguousLayout } from "@cl/base";
import type { CommandEvent } from "@cl/core";
import { kernelOf } from "../kernels/kernel-cache.js";
import { launchOrdered } from "../kernels/launch.js";
import { divideInParts } from "../scan/parts.js";
import { totalOf, totalOfSync } from "../scan/total.js";
import type { AnyArray, ArrayRef } from "../storage/array-ref.js";
import { filled } from "../storage/filled.js";
import { ordered, Storage } from "../storage/storage.js";
import type { DTypeName } from "../types/dtype-name.js";
import { type CompactPlan, writeSource } from "./compact-source.js";

/** Maximum number of elements. One work-item copies them in less time than two further launches take. */
const maxElements = 2 ** 14;

/** Returns whether {@link SmallSelection} can read an array where a mask is true. */
export function isSmallMask(array: AnyArray, mask: AnyArray): boolean {
  return (
    array.size > 0 &&
    array.size <= maxElements &&
    array.isDense &&
    mask.isDense &&
    array.ndim === mask.ndim &&
    array.shape.every((extent, axis) => extent === mask.shape[axis]) &&
    mask.xp === array.xp &&
    divideInParts(array.xp.queue.device, array.size).parts === "chunks"
  );
}

/** Selected elements, whose number the host does not know yet. */
export class SmallSelection<D extends DTypeName> implements Disposable {
  readonly #array: ArrayRef<D>;
  /** The elements, and then their number. */
  readonly #storage: Storage;
  /** The position of their number, in words. */
  readonly #totalAt: number;
  readonly #unlock: readonly (() => void)[];

  /** Enqueues the copy. */
  constructor(array: ArrayRef<D>, mask: AnyArray) {
    this.#array = array;
    this.#totalAt = Math.ceil(array.nbytes / 4);
    this.#storage = new Storage(array.xp.allocator, 4 * (this.#totalAt + 1));
    this.#storage.retain();
    try {
      this.#enqueue(array, mask);
    } catch (error) {
      this.#storage.release();
      throw error;
    }
    this.#unlock = [array, mask].map((one) => one.operand().storage.ordering.promise());
  }

  /** Resolves to the elements. */
  async result(signal: AbortSignal | undefined): Promise<ArrayRef<D>> {
    return this.#first(await totalOf(this.#array.xp.queue, this.#words, this.#totalAt, signal));
  }

  /** Returns the elements; blocks. */
  resultSync(): ArrayRef<D> {
    return this.#first(totalOfSync(this.#array.xp.queue, this.#words, this.#totalAt));
  }

  [Symbol.dispose](): void {
    for (const unlock of this.#unlock) unlock();
    this.#storage.release();
  }

  #enqueue({ xp, size, itemSize }: AnyArray, mask: AnyArray): void {
    const { queue } = xp;
    const kernel = kernelOf(queue.context, `write alone ${itemSize}`, "write", () => writeSource(planOf(itemSize)));
    const [flags, source] = [mask, this.#array].map((one) => one.operand().storage) as [Storage, Storage];
    const { memory } = this.#storage;
    // The kernel's `Parts`: one part with all elements, of which none is left out.
    const parts = Int32Array.of(size, size, 0, size, 0, 0, 0, 0, 0);
    const args = [flags.memory, memory, source.memory, memory, this.#totalAt, parts];
    launchOrdered(queue, kernel, { global: 1, local: 1 }, args, [flags, source], [this.#storage]);
  }

  get #words(): { readonly storage: Storage; readonly dtype: "int32" } {
    return { storage: this.#storage, dtype: "int32" };
  }

  /** Returns the first elements: in the memory that they are in, unless most of it would be wasted. */
  #first(count: number): ArrayRef<D> {
    const { xp, dtype, itemSize, size } = this.#array;
    if (4 * count >= size) return xp.wrap(this.#storage, dtype, contiguousLayout([count], itemSize));
    return filled(xp.empty([count], { dtype }), (result) => {
      if (count === 0) return;
      const { storage } = result.operand();
      ordered(xp.queue, [this.#storage], [storage], (waitFor): CommandEvent =>
        xp.queue.enqueueCopy(storage.memory, this.#storage.memory, { bytes: count * itemSize, waitFor }),
      );
    });
  }
}

function planOf(itemSize: number): CompactPlan {
  return {
    parts: "chunks",
    kind: "values",
    itemSize,
    rank: 0,
    exact: false,
    short: true,
    aligned: true,
    countsItself: true,
  };
}
