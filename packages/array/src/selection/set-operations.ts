/** Set operations on the values of arrays. */
import { checkBoolean, checkOptions, checkSignal } from "@cl/base";
import { checkArray } from "../storage/check-array.js";
import type { WaitOptions } from "../indexing/index-types.js";
import { sortedLines } from "../sorting/sort-lines.js";
import { kindOf } from "../types/promote.js";
import { copyIf } from "./copy-if.js";
import { Disposals } from "../storage/disposals.js";
import { searchsorted, type SearchValues, valuesFor } from "./search.js";
import { unique } from "./unique.js";
import type { AnyArray, ArrayRef, ArraySource } from "../storage/array-ref.js";
import { operators } from "../elementwise/operators.js";
import { concatenate } from "../creation/join.js";
import { readMasked } from "../indexing/masks.js";

/** Options of `isin`. */
export interface IsinOptions {
  /**
   * If true, tests for elements that are not among the values.
   * @defaultValue false
   */
  readonly invert?: boolean | undefined;
}

/** Which elements are among some values. Nothing waits. */
export function isin(
  xp: ArraySource,
  elements: AnyArray,
  values: SearchValues,
  options?: IsinOptions,
): ArrayRef<"bool"> {
  const invert = checkBoolean(checkOptions(options, ["invert"]).invert, "options.invert", false);
  const own = checkArray(elements, xp, "elements");
  using all = new Disposals();
  const given = all.use(valuesFor(xp, own.dtype.name, values, "values"));
  const line = all.use(given.ravel());
  const sorted = all.use(sortedLines(all.use(line.copy())));
  const [first, last] = (["left", "right"] as const).map((side) => all.use(searchsorted(xp, sorted, own, { side })));
  const found = all.use(operators.greater(last as ArrayRef, first as ArrayRef));
  // In order all NaN are alike, but none is equal to another.
  const numbers =
    kindOf(own.dtype.name) < 3 ? found.slice() : operators.logicalAnd(found, all.use(operators.equal(own, own)));
  if (!invert) return numbers;
  using positive = numbers;
  return operators.logicalNot(positive);
}

/** The values of one or the other. */
export async function union1d(
  xp: ArraySource,
  one: AnyArray,
  other: AnyArray,
  options?: WaitOptions,
): Promise<ArrayRef> {
  const wait = checkSets(xp, one, other, options);
  using both = joined(xp, one, other);
  return (await unique(xp, both, wait)) as ArrayRef;
}

/** Sorts the unique values of both arrays together, and keeps values by a comparison with the adjacent ones. */
export async function paired(
  xp: ArraySource,
  one: AnyArray,
  other: AnyArray,
  kept: "both" | "single",
  options?: WaitOptions,
): Promise<ArrayRef> {
  const wait = checkSets(xp, one, other, options);
  using all = new Disposals();
  const [first, second] = (await Promise.all([unique(xp, one, wait), unique(xp, other, wait)])) as [ArrayRef, ArrayRef];
  all.use(first);
  all.use(second);
  const sorted = all.use(sortedLines(all.use(joined(xp, first, second))));
  const complex = kindOf(sorted.dtype.name) === 4;
  const same = (i: string, k: string): string =>
    complex ? `(a[${i}].x == a[${k}].x && a[${i}].y == a[${k}].y)` : `a[${i}] == a[${k}]`;
  const next = `(i + 1 < n && ${same("i", "i + 1")})`;
  const predicate = kept === "both" ? next : `!(${next} || (i > 0 && ${same("i", "i - 1")}))`;
  return await copyIf(
    xp,
    sorted,
    predicate,
    { ...wait, parameters: "long n", args: [BigInt(sorted.size)] } as never,
    false,
  );
}

/** The values of one that the other does not have. */
export async function setdiff1d(
  xp: ArraySource,
  one: AnyArray,
  other: AnyArray,
  options?: WaitOptions,
): Promise<ArrayRef> {
  const wait = checkSets(xp, one, other, options);
  // The other is read when the first wait is over.
  using view = other.slice();
  using all = new Disposals();
  all.defer(view.operand().storage.ordering.promise());
  const own = all.use((await unique(xp, one, wait)) as ArrayRef);
  const missing = all.use(isin(xp, own, view, { invert: true }));
  return await readMasked(own, [missing], wait.signal);
}

/** The arrays and the options; what is to be waited with. */
function checkSets(xp: ArraySource, one: AnyArray, other: AnyArray, options: WaitOptions | undefined): WaitOptions {
  const signal = checkSignal(checkOptions(options, ["signal"]).signal);
  checkArray(one, xp, "one");
  checkArray(other, xp, "other");
  return signal === undefined ? {} : { signal };
}

function joined(xp: ArraySource, one: AnyArray, other: AnyArray): ArrayRef {
  using first = one.ravel();
  using second = other.ravel();
  return concatenate(xp, [first, second]);
}
