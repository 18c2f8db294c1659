/** The blocks that a pool holds for later, by their bins. */

/** Blocks of one size; the last in is the first out, since it is most likely still in a cache. */
export interface Bin<B> {
  /** The bytes of each block. */
  readonly size: number;
  readonly held: B[];
}

/** The bins that a pool has made blocks for. */
export class BinTable<B> {
  readonly #bins = new Map<number, Bin<B>>();
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
    return this.#bins.get(number);
  }

  /** Makes the bin of a number. */
  make(number: number, size: number): Bin<B> {
    const bin: Bin<B> = { size, held: [] };
    this.#bins.set(number, bin);
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
