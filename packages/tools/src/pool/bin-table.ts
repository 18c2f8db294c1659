/** The free blocks of a pool, by bin. */

/** The free blocks of one size, in last-in, first-out order, which is best for caches. */
export interface Bin<B> {
  /** Size of each block in bytes. */
  readonly size: number;
  readonly freeBlocks: B[];
}

/** Bins with smaller numbers are stored in an array. Binnings of few bits have only such numbers. */
const arrayLimit = 4096;

/** The bins of a pool, with their free blocks. */
export class BinTable<B> {
  readonly #bins = new Map<number, Bin<B>>();
  /**
   * Bins with small numbers, for fast lookup. Map lookups at each request and release cost 11 of 126 ns with a single
   * bin and 40 of 200 ns with several (bench: pool-4KiB, pool-mixed).
   */
  readonly #smallBins: (Bin<B> | undefined)[] = [];
  #count = 0;
  #bytes = 0;

  /** Number of free blocks. */
  get count(): number {
    return this.#count;
  }

  /** Total bytes of the free blocks. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Returns the bin with a number, or `undefined` if it does not exist. */
  get(number: number): Bin<B> | undefined {
    // A user's binning may return any value, and an array would accept a property name as index.
    return typeof number === "number" && number < this.#smallBins.length
      ? this.#smallBins[number]
      : this.#bins.get(number);
  }

  /** Creates the bin with a number. */
  make(number: number, size: number): Bin<B> {
    const bin: Bin<B> = { size, freeBlocks: [] };
    this.#bins.set(number, bin);
    if (number < arrayLimit) {
      while (this.#smallBins.length < number) this.#smallBins.push(undefined);
      this.#smallBins[number] = bin;
    }
    return bin;
  }

  /** Adds a free block. */
  put(bin: Bin<B>, block: B): void {
    bin.freeBlocks.push(block);
    this.#count++;
    this.#bytes += bin.size;
  }

  /** Removes a block from the bin and returns it. */
  take(bin: Bin<B>): B | undefined {
    const block = bin.freeBlocks.pop();
    if (block === undefined) return undefined;
    this.#count--;
    this.#bytes -= bin.size;
    return block;
  }

  /** Returns the bin with the largest free blocks. */
  largest(): Bin<B> | undefined {
    let largest: Bin<B> | undefined;
    for (const bin of this.#bins.values()) {
      if (bin.freeBlocks.length > 0 && (largest === undefined || bin.size > largest.size)) largest = bin;
    }
    return largest;
  }
}
