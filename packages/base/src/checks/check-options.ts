import { checkObject } from "./check.js";
import { unknownField } from "./names.js";

/** The property names of an options type; of a union, those of every member. */
type NamesOf<T> = T extends unknown ? keyof T & string : never;

/** `K` if it lists exactly the property names of `T`; otherwise a type that shows the expected names. */
type Complete<T, K extends readonly string[]> = [
  Exclude<NamesOf<T>, K[number]>,
  Exclude<K[number], NamesOf<T>>,
] extends readonly [never, never]
  ? K
  : readonly NamesOf<T>[] & { readonly missing: Exclude<NamesOf<T>, K[number]> };

/**
 * Returns the options object, or an empty one for `undefined`. Throws for unknown property names, such as misspelled
 * ones, and for arrays and instances of classes. `known` lists the names of the options type; the compiler checks that
 * it is complete.
 */
export function checkOptions<T extends object, const K extends readonly string[]>(
  options: T | undefined,
  known: Complete<T, K> & K,
  name = "options",
): T {
  return options === undefined ? ({} as T) : checkNames(options, known, name);
}

/** A separate function, so that calls without options stay cheap. */
function checkNames<T extends object>(options: T, known: readonly string[], name: string): T {
  const checked = checkObject(options, name);
  for (const key in checked) {
    // Ignores properties inherited from `Object.prototype`.
    if (!has(known, key) && Object.hasOwn(checked, key)) throw unknownField(name, key, known);
  }
  return checked;
}

/** Twice as fast as `includes` for a few names; every small transfer runs it. */
function has(known: readonly string[], key: string): boolean {
  for (let i = 0; i < known.length; i++) if (known[i] === key) return true;
  return false;
}
