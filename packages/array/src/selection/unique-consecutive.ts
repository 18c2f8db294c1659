/** Removal of consecutive duplicates, as UNIX's `uniq`: the first element of each run is kept. */
import { checkInteger, checkOptions, checkSignal, checkString, wrongValue } from "@cl/base";
import { runWhenBuilt } from "../lazy/run-when-built.js";
import { checkArray } from "../storage/check-array.js";
import type { SizeOrWaitOptions } from "../indexing/index-types.js";
import type { DTypeName, FillValue } from "../types/dtype-name.js";
import type { KernelParameter, Parameter } from "../user-kernels/kernel-parameter.js";
import { later, type PredicateOptions, readPredicate } from "./copy-if.js";
import { keptValues, sizedValues } from "./kept-values.js";
import { equality, startsRun } from "./adjacent-elements.js";
import { PredicateRead } from "./predicate-read.js";
import type { ArrayRef, ArraySource } from "../storage/array-ref.js";

/** Options of `uniqueConsecutive`. */
export interface ConsecutiveOptions<
  P extends string | readonly KernelParameter[] = string,
> extends PredicateOptions<P> {
  /**
   * OpenCL C condition under which adjacent elements `a` and `b` are equal.
   * @defaultValue "a == b"
   */
  readonly equal?: string;
}

/** Returns the first element of each run, as a promise or as an array if the size is given. */
export function uniqueConsecutive<D extends DTypeName>(
  xp: ArraySource,
  array: ArrayRef<D>,
  options: (ConsecutiveOptions<never> & SizeOrWaitOptions<D>) | undefined,
): ArrayRef<D> | Promise<ArrayRef<D>> {
  const { size, fill, signal } = checkOptions(options, [
    "equal",
    "parameters",
    "args",
    "preamble",
    "types",
    "size",
    "fill",
    "signal",
  ]);
  checkSignal(signal);
  const start = (): RunsRead<D> => new RunsRead(xp, array, options ?? {});
  if (size === undefined) return later(start, signal, (read) => read.values(signal));
  checkInteger(size, "options.size");
  using read = start();
  return read.valuesOf(size, fill);
}

/** The same, blocking. */
export function uniqueConsecutiveSync<D extends DTypeName>(
  xp: ArraySource,
  array: ArrayRef<D>,
  options: ConsecutiveOptions<never> | undefined,
): ArrayRef<D> {
  using read = new RunsRead(xp, array, checkOptions(options, ["equal", "parameters", "args", "preamble", "types"]));
  return read.valuesSync();
}

/** An array with its runs counted. */
class RunsRead<D extends DTypeName> implements Disposable {
  readonly #array: ArrayRef<D>;
  readonly #item: Parameter;
  readonly #read: PredicateRead;

  constructor(xp: ArraySource, array: ArrayRef<D>, options: ConsecutiveOptions<never>) {
    checkArray(array, xp, "array");
    const equal = options.equal === undefined ? undefined : checkString(options.equal, "options.equal");
    const { texts, checked, item } = readPredicate(xp, array, "1", options, "items_");
    if (texts.parameters.some(({ name }) => name === "a" || name === "b")) {
      throw wrongValue('options.parameters must not use the names "a" and "b", which are the adjacent elements');
    }
    const own = startsRun(item, equal ?? equality(array.dtype.name, false));
    this.#array = array;
    this.#item = item;
    this.#read = new PredicateRead(xp, { ...texts, ...own }, checked);
  }

  async values(signal: AbortSignal | undefined): Promise<ArrayRef<D>> {
    const count = await this.#read.total().value(signal);
    return runWhenBuilt(() => keptValues(this.#read, this.#item, this.#array.dtype, count));
  }

  valuesSync(): ArrayRef<D> {
    return keptValues(this.#read, this.#item, this.#array.dtype, this.#read.total().valueSync());
  }

  valuesOf(size: number, fill: FillValue<D> | undefined): ArrayRef<D> {
    return sizedValues(this.#read, this.#item, this.#array.dtype, size, fill);
  }

  [Symbol.dispose](): void {
    this.#read[Symbol.dispose]();
  }
}
