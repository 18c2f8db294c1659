/** A binary heap of integers, ordered by a key. */
export class MinHeap {
  readonly #key: (item: number) => number;
  readonly #items: number[] = [];

  /** @param key - must be constant while an item is in the heap */
  constructor(key: (item: number) => number) {
    this.#key = key;
  }

  /** Number of items. */
  get size(): number {
    return this.#items.length;
  }

  /** Item with the smallest key. The heap must not be empty. */
  get first(): number {
    return this.#items[0] as number;
  }

  /** Adds an item. */
  push(item: number): void {
    const key = this.#key(item);
    let at = this.#items.push(item) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#keyAt(parent) <= key) break;
      this.#items[at] = this.#items[parent] as number;
      at = parent;
    }
    this.#items[at] = item;
  }

  /** Removes and returns the item with the smallest key. The heap must not be empty. */
  pop(): number {
    const { first } = this;
    const item = this.#items.pop() as number;
    const { length } = this.#items;
    if (length === 0) return first;
    const key = this.#key(item);
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= length) break;
      if (child + 1 < length && this.#keyAt(child + 1) < this.#keyAt(child)) child++;
      if (this.#keyAt(child) >= key) break;
      this.#items[at] = this.#items[child] as number;
      at = child;
    }
    this.#items[at] = item;
    return first;
  }

  #keyAt(index: number): number {
    return this.#key(this.#items[index] as number);
  }
}
