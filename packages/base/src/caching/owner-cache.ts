/** Caches whose entries belong to an owner object, such as an OpenCL context, and are collected with it. */

/** Limits and validity check of a cache. */
export interface OwnerCacheOptions<Value> {
  /** Returns false for a cached value that must be replaced. @defaultValue all values are usable */
  readonly isUsable?: (value: Value) => boolean;
  /** Maximum number of values per owner; the owner's values are cleared when full. @defaultValue no limit */
  readonly capacity?: number;
  /** Maximum total size of an owner's values; the least recently used are evicted. @defaultValue no limit */
  readonly size?: SizeLimit<Value>;
}

/** A limit on the total size of an owner's values. A single value may exceed it. */
interface SizeLimit<Value> {
  readonly max: number;
  readonly of: (value: Value) => number;
  /** Releases an evicted value. */
  readonly drop: (value: Value) => void;
}

/** A cache of values by owner and key. */
export class OwnerCache<Owner extends object, Value> {
  readonly #valuesOf = memoizePerObject<Owner, Map<string, Value>>(() => new Map());
  readonly #options: OwnerCacheOptions<Value>;

  constructor(options: OwnerCacheOptions<Value> = {}) {
    this.#options = options;
  }

  /** Returns the cached value, or the result of `make`, which is cached unless it throws. */
  get(owner: Owner, key: string, make: () => Value): Value {
    const values = this.#valuesOf(owner);
    const { isUsable, capacity, size } = this.#options;
    const found = values.get(key);
    if (found !== undefined && (isUsable === undefined || isUsable(found))) {
      if (size !== undefined) {
        // A map iterates in insertion order; reinserting keeps the least recently used value first.
        values.delete(key);
        values.set(key, found);
      }
      return found;
    }
    const made = make();
    if (capacity !== undefined && values.size >= capacity) values.clear();
    values.set(key, made);
    if (size !== undefined) shrink(values, key, size);
    return made;
  }
}

/** Returns a function that calls `make` once per object and returns the cached result afterwards. */
export function memoizePerObject<Owner extends object, Value>(make: (owner: Owner) => Value): (owner: Owner) => Value {
  const values = new WeakMap<Owner, Value>();
  return (owner) => {
    let value = values.get(owner);
    if (value === undefined) values.set(owner, (value = make(owner)));
    return value;
  };
}

function shrink<Value>(values: Map<string, Value>, newest: string, { max, of, drop }: SizeLimit<Value>): void {
  let total = [...values.values()].reduce((sum, value) => sum + of(value), 0);
  for (const [key, value] of values) {
    if (total <= max || key === newest) return;
    total -= of(value);
    drop(value);
    values.delete(key);
  }
}
