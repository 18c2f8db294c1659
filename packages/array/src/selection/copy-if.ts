/** Selection by a predicate in OpenCL C. */
import { checkInteger, checkOptions, checkSignal, checkString, typeError, wrongValue } from "@cl/base";
import type { StructType } from "@cl/core";
import { runWhenBuilt } from "../lazy/run-when-built.js";
import { checkArray } from "../storage/check-array.js";
import type { SizeOrWaitOptions, WaitOptions } from "../indexing/index-types.js";
import type { DTypeName, FillValue } from "../types/dtype-name.js";
import type { UserArguments } from "../user-kernels/argument-types.js";
import { checkArguments, checkDevice } from "../user-kernels/kernel-arguments.js";
import {
  complexNames,
  type KernelParameter,
  type Parameter,
  readParameters,
} from "../user-kernels/kernel-parameter.js";
import { checkTypes } from "../user-kernels/kernel-types.js";
import { keptValues, sizedValues, stored, targetOf } from "./kept-values.js";
import { PredicateRead } from "./predicate-read.js";
import { type ReadPredicate, tracePredicate } from "./traced-predicate.js";
import type { PredicateEmission } from "./predicate-source.js";
import type { AnyArray, ArrayRef, ArraySource } from "../storage/array-ref.js";

/** Options of predicates: additional parameters and declarations. */
export interface PredicateOptions<P extends string | readonly KernelParameter[] = string> {
  /** Declarations of additional values and arrays, as for user kernels: `"float limit, const int *keys"`. */
  readonly parameters?: P;
  /** The arguments of the parameters. */
  readonly args?: Readonly<UserArguments<P>>;
  /** OpenCL C before the kernels: functions, macros, includes. */
  readonly preamble?: string;
  /** Structs whose names the parameters use. */
  readonly types?: readonly StructType[];
}

/** The elements for which a predicate is true, and the others. */
type Parts<D extends DTypeName> = [kept: ArrayRef<D>, others: ArrayRef<D>];

/** An array with a predicate, counted. */
class Selection<D extends DTypeName> implements Disposable {
  readonly #array: ArrayRef<D>;
  readonly #item: Parameter;
  readonly #read: PredicateRead;

  /** `negate` is for what is removed. */
  constructor(
    xp: ArraySource,
    array: ArrayRef<D>,
    predicate: unknown,
    options: PredicateOptions<never>,
    negate = false,
  ) {
    checkArray(array, xp, "array");
    const { texts, checked, item } = this.#readOf(xp, array, predicate, options, negate);
    this.#array = array;
    this.#item = item;
    this.#read = new PredicateRead(xp, texts, checked);
  }

  /** Resolves to the elements. */
  async kept(signal: AbortSignal | undefined): Promise<ArrayRef<D>> {
    const count = await this.#read.total().value(signal);
    return runWhenBuilt(() => keptValues(this.#read, this.#item, this.#array.dtype, count));
  }

  /** The same, blocking. */
  keptSync(): ArrayRef<D> {
    return keptValues(this.#read, this.#item, this.#array.dtype, this.#read.total().valueSync());
  }

  /** As many as are asked for. */
  keptOf(size: number, fill: FillValue<D> | undefined): ArrayRef<D> {
    return sizedValues(this.#read, this.#item, this.#array.dtype, size, fill);
  }

  /** Resolves to both. */
  async split(signal: AbortSignal | undefined): Promise<Parts<D>> {
    const count = await this.#read.total().value(signal);
    return runWhenBuilt(() => this.#both(count));
  }

  /** The same, blocking. */
  splitSync(): Parts<D> {
    return this.#both(this.#read.total().valueSync());
  }

  [Symbol.dispose](): void {
    this.#read[Symbol.dispose]();
  }

  #readOf(
    xp: ArraySource,
    array: ArrayRef<D>,
    predicate: unknown,
    options: PredicateOptions<never>,
    negate: boolean,
  ): ReadPredicate {
    if (typeof predicate !== "function") {
      const text = checkString(predicate, "predicate");
      return readPredicate(xp, array, negate ? `!(${text})` : text, options);
    }
    if (["parameters", "args", "preamble", "types"].some((one) => Object.hasOwn(options, one))) {
      throw wrongValue(
        "options.parameters cannot be combined with a predicate function; capture arrays and numbers instead",
      );
    }
    return tracePredicate(xp, array, predicate as (...args: never[]) => unknown, negate);
  }

  #both(count: number): Parts<D> {
    const { dtype, size } = this.#array;
    const { xp } = this.#read;
    // One piece of memory, in two parts.
    using all: ArrayRef<D> = xp.empty([size], { dtype });
    if (size > 0) {
      const { storage } = all.operand();
      const emission: PredicateEmission = {
        parameters: [targetOf(this.#item), "const count_t_ kept_"],
        item: this.#item,
        kept: stored(this.#item, "at"),
        other: stored(this.#item, "kept_ + (n - at)"),
        targets: { kept: "0", others: "kept_" },
      };
      const kept = this.#read.countType === "int32" ? count : BigInt(count);
      this.#read.write(emission, count, [storage.memory, kept], [], [storage]);
    }
    return [all.slice([0, count]), all.slice([count, size])];
  }
}

/** Elements where a predicate is true, or is not. */
export function copyIf<D extends DTypeName>(
  xp: ArraySource,
  array: ArrayRef<D>,
  predicate: unknown,
  options: (PredicateOptions<never> & SizeOrWaitOptions<D>) | undefined,
  negate: boolean,
): ArrayRef<D> | Promise<ArrayRef<D>> {
  const { size, fill, signal } = checkOptions(options, [
    "parameters",
    "args",
    "preamble",
    "types",
    "size",
    "fill",
    "signal",
  ]);
  checkSignal(signal);
  const start = (): Selection<D> => new Selection(xp, array, predicate, options ?? {}, negate);
  if (size === undefined) {
    return later(start, signal, (selection) => selection.kept(signal));
  }
  checkInteger(size, "options.size");
  using selection = start();
  return selection.keptOf(size, fill);
}

/** Both parts. */
export function partitionIf<D extends DTypeName>(
  xp: ArraySource,
  array: ArrayRef<D>,
  predicate: unknown,
  options: (PredicateOptions<never> & WaitOptions) | undefined,
): Promise<Parts<D>> {
  const { signal } = checkOptions(options, ["parameters", "args", "preamble", "types", "signal"]);
  checkSignal(signal);
  const start = (): Selection<D> => new Selection(xp, array, predicate, options ?? {});
  return later(start, signal, (selection) => selection.split(signal));
}

/** {@link copyIf} and {@link partitionIf}, blocking. */
export function copyIfSync<D extends DTypeName>(
  xp: ArraySource,
  array: ArrayRef<D>,
  predicate: unknown,
  options: PredicateOptions<never> | undefined,
  negate: boolean,
): ArrayRef<D> {
  using selection = new Selection(
    xp,
    array,
    predicate,
    checkOptions(options, ["parameters", "args", "preamble", "types"]),
    negate,
  );
  return selection.keptSync();
}

/** See {@link copyIfSync}. */
export function partitionIfSync<D extends DTypeName>(
  xp: ArraySource,
  array: ArrayRef<D>,
  predicate: unknown,
  options: PredicateOptions<never> | undefined,
): Parts<D> {
  using selection = new Selection(
    xp,
    array,
    predicate,
    checkOptions(options, ["parameters", "args", "preamble", "types"]),
  );
  return selection.splitSync();
}

/** Runs with what is given back once the promise is settled. */
export async function later<S extends Disposable, R>(
  start: () => S,
  signal: AbortSignal | undefined,
  run: (selection: S) => Promise<R>,
): Promise<R> {
  signal?.throwIfAborted();
  using selection = start();
  return await run(selection);
}

/** Parses the declarations and arguments of a predicate; the array comes first, named `a` by default. */
export function readPredicate(
  xp: ArraySource,
  array: AnyArray,
  predicate: string,
  options: PredicateOptions<never>,
  name = "a",
): ReadPredicate {
  const types = checkTypes(options.types);
  const preamble = options.preamble === undefined ? "" : checkString(options.preamble, "options.preamble");
  const item = itemParameter(array, name);
  const own = declaredParameters(options.parameters ?? "", types);
  if (own.some(({ name }) => name === item.name)) {
    throw wrongValue(`options.parameters must not use the name "${name}", which is the array itself`);
  }
  const parameters = [item, ...own];
  const given: unknown = options.args ?? [];
  if (!Array.isArray(given)) throw typeError("options.args", "a list of arguments, one for each parameter", given);
  const checked = checkArguments(parameters, [array, ...(given as readonly unknown[])], xp, "the predicate");
  checkDevice(xp.queue, parameters, "the predicate");
  return { texts: { parameters, predicate, preamble, types }, checked, item };
}

/** An array as a parameter of the predicate. */
export function itemParameter({ dtype }: AnyArray, name: string): Parameter {
  const cType = dtype.name === "bool" ? "uchar" : (complexNames[dtype.name] ?? dtype.cName);
  return { name, dtype, cType, isArray: true, writes: false };
}

/** Texts that were read, without structs. */
const known = new Map<string, readonly Parameter[]>();

/** A predicate reads, so that a pointer need not say const. */
function declaredParameters(
  text: string | readonly KernelParameter[],
  types: readonly StructType[],
): readonly Parameter[] {
  const short = typeof text === "string" && types.length === 0 ? text : undefined;
  const again = short === undefined ? undefined : known.get(short);
  if (again !== undefined) return again;
  const read = readParameters(text, types).map((one) => ({ ...one, writes: false }));
  if (short !== undefined) known.set(short, read);
  return read;
}
