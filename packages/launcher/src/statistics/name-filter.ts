/** Which launchers are meant, by their names. */
import { typeError } from "@cl/base";

/** A part of the name, a pattern, several of these, or a function that says so. */
export type NameFilter = string | RegExp | readonly (string | RegExp)[] | ((name: string) => boolean);

/** The filter as a function; all names pass if there is none. */
export function nameFilter(filter: NameFilter | undefined, words: string): (name: string) => boolean {
  if (filter === undefined) return () => true;
  if (typeof filter === "function") return (name) => filter(name);
  const parts: readonly unknown[] = Array.isArray(filter) ? filter : [filter];
  const tests = parts.map((part): ((name: string) => boolean) => {
    if (typeof part === "string") return (name) => name.includes(part);
    // A pattern with the flag g or y would remember where it was.
    if (part instanceof RegExp) return (name) => name.search(part) >= 0;
    throw typeError(words, "a string, a RegExp, an array of these, or a function", filter);
  });
  return (name) => tests.some((test) => test(name));
}
