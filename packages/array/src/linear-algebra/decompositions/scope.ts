/** A scope of temporary arrays: all are released at its end, except the results. */
interface Released {
  release(): void;
}

/** For `using`: what is kept in it is released at the end of the block, also when that throws. */
export class Scope {
  readonly #kept = new Set<Released>();

  /** Keeps an array. */
  keep<A extends Released>(array: A): A {
    this.#kept.add(array);
    return array;
  }

  /** Gives arrays to the caller: they are no longer released here. */
  give<A extends Released>(array: A): A {
    this.#kept.delete(array);
    return array;
  }

  [Symbol.dispose](): void {
    for (const array of this.#kept) array.release();
  }
}
