/** A heap of integers, of which the one with the smallest key is always at hand. */
export class MinHeap {
  readonly #key: (item: number) => number;
  readonly #items: number[] = [];

  /** The key of an item must not change while it is in the heap. */
  constructor(key: (item: number) => number) {
    this.#key = key;
  }

  /** How many there are. */
  get size(): number {
    return this.#items.length;
  }

  /** The one with the smallest key. There must be one. */
  get first(): number {
    return this.#items[0] as number;
  }

  /** Adds one. */
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

  /** Takes the one with the smallest key out. There must be one. */
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

  #keyAt(place: number): number {
    return this.#key(this.#items[place] as number);
  }
}
