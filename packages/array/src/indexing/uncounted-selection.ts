/**
 * Elements of an array where a mask is true, on GPUs: they are written before the host knows how many there are, so that the device does
 * not wait for the host meanwhile.
 */
import { contiguousLayout } from "@cl/base";
import { OutOfMemoryError } from "@cl/core";
import type { TotalRead } from "../scan/total.js";
import { divideInParts } from "../scan/parts.js";
import type { AnyArray, ArrayRef } from "../storage/array-ref.js";
import { checkFilled, leavesOut } from "../storage/attempt.js";
import { Storage } from "../storage/storage.js";
import type { DTypeName } from "../types/dtype-name.js";
import { CountedMask } from "./counted-mask.js";
import { firstElements } from "./first-elements.js";

/** Part of the device's memory that one selection may take before it is counted. */
const maxShare = 1 / 64;

/** Selected elements, whose number the host does not know yet. */
export class UncountedSelection<D extends DTypeName> implements Disposable {
  readonly #array: ArrayRef<D>;
  readonly #storage: Storage;
  readonly #counted: CountedMask;
  readonly #total: TotalRead | undefined;
  readonly #unlock: readonly (() => void)[];

  /** Enqueues the counts, the read of their sum, and the writes. */
  private constructor(array: ArrayRef<D>, mask: AnyArray, storage: Storage) {
    this.#array = array;
    this.#storage = storage;
    storage.retain();
    let counted: CountedMask | undefined;
    try {
      const source = array.operand();
      this.#counted = counted = new CountedMask(mask, { source });
      this.#total = leavesOut() ? undefined : counted.total();
      const target = { storage, dtype: source.dtype, layout: contiguousLayout([array.size], array.itemSize) };
      counted.write({ kind: "values", source, target }, array.size);
    } catch (error) {
      counted?.[Symbol.dispose]();
      storage.release();
      throw error;
    }
    this.#unlock = [array, mask].map((one) => one.operand().storage.ordering.promise());
  }

  /** Returns a selection by a mask of the array's shape. Undefined if elements should be counted before memory is allocated for them. */
  static of<D extends DTypeName>(array: ArrayRef<D>, mask: AnyArray): UncountedSelection<D> | undefined {
    const { xp, nbytes, size } = array;
    const { device } = xp.queue;
    if (nbytes > device.globalMemSize * maxShare || divideInParts(device, size).parts === "chunks") return undefined;
    try {
      return new UncountedSelection(array, mask, new Storage(xp.allocator, nbytes));
    } catch (error) {
      if (error instanceof OutOfMemoryError) return undefined;
      throw error;
    }
  }

  /** Resolves to the elements. */
  async result(signal: AbortSignal | undefined): Promise<ArrayRef<D>> {
    return firstElements(this.#array, this.#storage, await this.#read.value(signal));
  }

  /** Returns the elements; blocks. */
  resultSync(): ArrayRef<D> {
    return firstElements(this.#array, this.#storage, this.#read.valueSync());
  }

  [Symbol.dispose](): void {
    for (const unlock of this.#unlock) unlock();
    this.#counted[Symbol.dispose]();
    this.#storage.release();
  }

  /** The read of their number. Throws if the counts were left out. */
  get #read(): TotalRead {
    checkFilled(this.#storage.serial);
    return this.#total as TotalRead;
  }
}
