import { checkObject } from "./check.js";
import { unknownField } from "./names.js";

/** Every name of an options type; of alternatives, those of each. */
type NamesOf<T> = T extends unknown ? keyof T & string : never;

/** The list itself if it has the names of the options, all and no others; else what it should have been. */
type Complete<T, K extends readonly string[]> = [
  Exclude<NamesOf<T>, K[number]>,
  Exclude<K[number], NamesOf<T>>,
] extends readonly [never, never]
  ? K
  : readonly NamesOf<T>[] & { readonly missing: Exclude<NamesOf<T>, K[number]> };

/**
 * An options object without names that nothing reads, such as misspelt ones; or nothing. `known` has the names of its type,
 * which TypeScript compares. Arrays and other classes are mistakes, not options.
 */
export function checkOptions<T extends object, const K extends readonly string[]>(
  options: T | undefined,
  known: Complete<T, K> & K,
  name = "options",
): T {
  return options === undefined ? ({} as T) : checkNames(options, known, name);
}

/** Apart, so that a call without options costs nothing. */
function checkNames<T extends object>(options: T, known: readonly string[], name: string): T {
  const given = checkObject(options, name);
  for (const key in given) {
    // What all objects inherit, because somebody added it, is none of the caller's.
    if (!has(known, key) && Object.hasOwn(given, key)) throw unknownField(name, key, known);
  }
  return given;
}

/** In a loop of our own: `includes` takes twice as long for so few names, and each small transfer comes here. */
function has(known: readonly string[], key: string): boolean {
  for (let i = 0; i < known.length; i++) if (known[i] === key) return true;
  return false;
}
