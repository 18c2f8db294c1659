/** Selects launchers by name. */
import { typeError } from "@cl/base";

/** A substring of the name, a pattern, several of these, or a predicate. */
export type NameFilter = string | RegExp | readonly (string | RegExp)[] | ((name: string) => boolean);

/** Returns the filter as a function. Without a filter, all names match. */
export function nameFilter(filter: NameFilter | undefined, argument: string): (name: string) => boolean {
  if (filter === undefined) return () => true;
  if (typeof filter === "function") return (name) => filter(name);
  const parts: readonly unknown[] = Array.isArray(filter) ? filter : [filter];
  const tests = parts.map((part): ((name: string) => boolean) => {
    if (typeof part === "string") return (name) => name.includes(part);
    // `search` ignores the state of patterns with the flag g or y.
    if (part instanceof RegExp) return (name) => name.search(part) >= 0;
    throw typeError(argument, "a string, a RegExp, an array of these, or a function", filter);
  });
  return (name) => tests.some((test) => test(name));
}
