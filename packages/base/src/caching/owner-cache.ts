/** Caches whose values belong to an object, such as an OpenCL context, and are collected with it. */

/** A cache's limits, and which of its values it must replace. */
export interface OwnerCacheOptions<Value> {
  /** Whether a cached value can still be used. @defaultValue all can */
  readonly isUsable?: (value: Value) => boolean;
  /** Maximum number of values of an owner; they are all dropped when there are more. @defaultValue no limit */
  readonly capacity?: number;
  /** Maximum size of an owner's values; the least recently used are dropped. @defaultValue no limit */
  readonly size?: SizeLimit<Value>;
}

/** A limit on the values of an owner. One value may be larger. */
interface SizeLimit<Value> {
  readonly max: number;
  readonly of: (value: Value) => number;
  /** Releases a value that leaves the cache. */
  readonly drop: (value: Value) => void;
}

/** Values by their owner and a key. */
export class OwnerCache<Owner extends object, Value> {
  readonly #valuesOf = oncePer<Owner, Map<string, Value>>(() => new Map());
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
        // The order of a map is that of insertion: the least recently used stays first.
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

/** Makes a function that calls `make` once for each object and returns that result from then on. */
export function oncePer<Owner extends object, Value>(make: (owner: Owner) => Value): (owner: Owner) => Value {
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
