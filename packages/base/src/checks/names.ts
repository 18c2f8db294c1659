/** Errors for unknown names that list the known names and suggest the closest one. */
import { outOfRange } from "./check.js";

/** Returns a RangeError for an unknown name that lists the known names and suggests the closest one. */
export function unknownName(what: string, name: string, known: readonly string[]): RangeError {
  return outOfRange(`no ${what} is called "${name}": ${knownNames(name, known)}`);
}

/** Returns the same error for an unknown property of an object, such as an option. */
export function unknownField(object: string, name: string, known: readonly string[]): RangeError {
  return outOfRange(`${object} has no "${name}": ${knownNames(name, known)}`);
}

function knownNames(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  const hint = nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
  return known.length === 0 ? "no names are known." : `known names are ${shortList(known)}.${hint}`;
}

/** Returns the known name with the smallest edit distance, or `undefined` if none is similar. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let leastDistance = Math.max(2, Math.floor(name.length / 3)) + 1;
  for (const candidate of known) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < leastDistance) [best, leastDistance] = [candidate, distance];
  }
  return best;
}

const maxListed = 20;

function shortList(names: readonly string[]): string {
  const more = names.length - maxListed;
  return [...names.slice(0, maxListed), ...(more > 0 ? [`${more} more`] : [])].join(", ");
}

/** Returns the number of insertions, deletions and replacements that turn `from` into `to`. */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (previous[j - 1] as number) + (from[i - 1] === to[j - 1] ? 0 : 1);
      row.push(Math.min(replaced, (previous[j] as number) + 1, (row[j - 1] as number) + 1));
    }
    previous = row;
  }
  return previous[to.length] as number;
}
