/** The blocks that a pool holds for later, by their bins. */

/** Blocks of one size; the last in is the first out, since it is most likely still in a cache. */
export interface Bin<B> {
  /** The bytes of each block. */
  readonly size: number;
  readonly held: B[];
}

/** Below this, bins are found by their index in an array; binnings of few bits have no other numbers. */
const nearest = 4096;

/** The bins that a pool has made blocks for. */
export class BinTable<B> {
  readonly #bins = new Map<number, Bin<B>>();
  /**
   * The same, where the numbers are small. To look into the map at each request and each release costs 11 of 126 ns if it
   * is always the same bin, and 40 of 200 if it is not (bench: pool-4KiB, pool-mixed).
   */
  readonly #near: (Bin<B> | undefined)[] = [];
  #count = 0;
  #bytes = 0;

  /** How many blocks are held. */
  get count(): number {
    return this.#count;
  }

  /** The bytes of them. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The bin of a number, if there is one. */
  get(number: number): Bin<B> | undefined {
    // What a user's binning gives may be anything, of which an array would take a name for an index.
    return typeof number === "number" && number < this.#near.length ? this.#near[number] : this.#bins.get(number);
  }

  /** Makes the bin of a number. */
  make(number: number, size: number): Bin<B> {
    const bin: Bin<B> = { size, held: [] };
    this.#bins.set(number, bin);
    if (number < nearest) {
      while (this.#near.length < number) this.#near.push(undefined);
      this.#near[number] = bin;
    }
    return bin;
  }

  /** Holds a block. */
  put(bin: Bin<B>, block: B): void {
    bin.held.push(block);
    this.#count++;
    this.#bytes += bin.size;
  }

  /** A block of the bin, which is no longer held then. */
  take(bin: Bin<B>): B | undefined {
    const block = bin.held.pop();
    if (block === undefined) return undefined;
    this.#count--;
    this.#bytes -= bin.size;
    return block;
  }

  /** The bin with the largest blocks that are held. */
  largest(): Bin<B> | undefined {
    let largest: Bin<B> | undefined;
    for (const bin of this.#bins.values()) {
      if (bin.held.length > 0 && (largest === undefined || bin.size > largest.size)) largest = bin;
    }
    return largest;
  }
}
