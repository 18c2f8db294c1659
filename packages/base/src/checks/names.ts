/** Errors for names that do not exist: they say which do, and which was probably meant. */
import { outOfRange } from "./check.js";

/** A RangeError that lists the known names and the nearest one. */
export function unknownName(what: string, name: string, known: readonly string[]): RangeError {
  return outOfRange(`no ${what} is called "${name}": ${whatThereIs(name, known)}`);
}

/** The same for a name in an object, such as an option. */
export function unknownField(object: string, name: string, known: readonly string[]): RangeError {
  return outOfRange(`${object} has no "${name}": ${whatThereIs(name, known)}`);
}

function whatThereIs(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  const hint = nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
  const list = known.length === 0 ? "there is none" : `there ${known.length === 1 ? "is" : "are"} ${shortList(known)}`;
  return `${list}.${hint}`;
}

/** The known name that differs least, if it differs little. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Math.max(2, Math.floor(name.length / 3)) + 1;
  for (const candidate of known) {
    const changes = distance(name.toLowerCase(), candidate.toLowerCase());
    if (changes < least) [best, least] = [candidate, changes];
  }
  return best;
}

const mostListed = 20;

function shortList(names: readonly string[]): string {
  const more = names.length - mostListed;
  return [...names.slice(0, mostListed), ...(more > 0 ? [`${more} more`] : [])].join(", ");
}

/** Insertions, deletions and replacements that make one of the other. */
function distance(from: string, to: string): number {
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
