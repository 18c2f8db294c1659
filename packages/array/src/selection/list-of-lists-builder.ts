/**
 * Builds lists of lists, to which a user's OpenCL C appends values for each of many objects; the lists are stored
 * contiguously.
 */
import {
  checkIdentifier,
  checkInstance,
  checkInteger,
  checkObject,
  checkOptions,
  checkSignal,
  checkString,
  OwnerCache,
  typeError,
  wrongValue,
} from "@cl/base";
import { CommandQueue, type CompilerOptions, type Context, type StructType } from "@cl/core";
import { type GeneratedKernel, GeneratedProgram } from "../kernels/generated-program.js";
import { launchOrdered, wholeGroups } from "../kernels/launch.js";
import { checkComputable } from "../types/capabilities.js";
import { checkArrayType, type DTypeName } from "../types/dtype-name.js";
import type { UserArguments } from "../user-kernels/argument-types.js";
import { arraysOf, checkArguments, checkDevice } from "../user-kernels/kernel-arguments.js";
import { type KernelParameter, readParameters } from "../user-kernels/kernel-parameter.js";
import type { KernelTexts } from "../user-kernels/kernel-texts.js";
import { checkTypes } from "../user-kernels/kernel-types.js";
import { planLaunch } from "../user-kernels/launch-plan.js";
import { type TextUse, usesOf } from "../user-kernels/operation-text.js";
import { placeNumbers, planKey } from "../user-kernels/places-source.js";
import type { BuiltList } from "../array/built-list.js";
import { buildLists, type ListsRun } from "./build-lists.js";
import { countListsSource, type ListPlan, writeListsSource } from "./list-source.js";
import type { ArrayRef, ArraySource } from "../storage/array-ref.js";
import { Arrays } from "../array/arrays.js";

/** The lists of a builder: dtypes of their values, by name. */
export type ListTypes = Readonly<Record<string, DTypeName>>;

/** Options of {@link ListOfListsBuilder}. */
export interface ListOfListsOptions<L extends ListTypes> {
  /**
   * Lists that have the same counts, and so the same starts, as another: `{ child: "parent" }`. Each object appends to
   * the parent first, then to the child.
   */
  readonly countSharing?: { readonly [K in keyof L]?: Exclude<keyof L, K> };
  /** Lists of which only the nonempty ones are kept. */
  readonly eliminateEmpty?: readonly (keyof L)[];
  /** The builder's name, shown in errors. */
  readonly name?: string;
  /** OpenCL C before the kernels: functions, macros, includes. */
  readonly preamble?: string;
  /** Compiler options. */
  readonly options?: CompilerOptions;
  /** Structs whose names the parameters use. */
  readonly types?: readonly StructType[];
}

/** Options of {@link ListOfListsBuilder.build}. */
export interface ListBuildOptions<O extends string = string> {
  /** The number of objects. */
  readonly objects: number;
  /** Lists that are not built this time. */
  readonly omit?: readonly O[];
  /**
   * The factory of the results.
   * @defaultValue that of the first array argument
   */
  readonly xp?: ArraySource;
  /**
   * The queue.
   * @defaultValue the queue of `xp`
   */
  readonly queue?: CommandQueue;
  /** Signal that ends the wait, but not the computation. */
  readonly signal?: AbortSignal;
}

/** The built lists by name, without those that were omitted. */
export type BuiltLists<L extends ListTypes, O extends string = never> = {
  readonly [K in Exclude<keyof L, O>]: BuiltList<L[K]>;
};

/**
 * A builder of lists of lists: OpenCL C that runs for each object `i` and appends values to lists with `APPEND_name(value)`.
 * It runs twice, to count and to write, so it must append the same both times. Arrays are read as `x[i]` or at any
 * other index.
 *
 * Functions in the preamble can append too, if `LIST_PARAMETERS` are their first parameters and `LIST_ARGUMENTS` the
 * first arguments of their calls.
 *
 * @example
 * ```ts
 * const xp = arrays(queue);
 * const divisors = new ListOfListsBuilder("int limit", { found: "int32" }, `
 *   for (int k = 1; k <= limit; k++) if ((i + 1) % k == 0) APPEND_found(k);
 * `);
 * const { found } = await divisors.build({ objects: 6, xp }, 3);
 * console.log(await found.starts.data()); // Int32Array(7) [0, 1, 3, 5, 7, 8, 11]
 * console.log(await found.values.data()); // Int32Array(11) [1, 1, 2, 1, 3, 1, 2, 1, 1, 2, 3]
 * ```
 */
export class ListOfListsBuilder<
  const P extends string | readonly KernelParameter[] = string,
  const L extends ListTypes = ListTypes,
> {
  /** The builder's name. */
  readonly name: string;
  readonly #texts: KernelTexts;
  readonly #lists: readonly ListPlan[];
  readonly #sparse: ReadonlySet<string>;
  readonly #use: TextUse;
  readonly #options: CompilerOptions | undefined;
  readonly #kernels = new OwnerCache<Context, GeneratedKernel>();

  constructor(parameters: P, lists: L, generate: string, options?: ListOfListsOptions<L>) {
    const given = checkOptions(options, ["countSharing", "eliminateEmpty", "name", "preamble", "options", "types"]);
    this.name = given.name === undefined ? "lists" : checkIdentifier(given.name, "options.name");
    const types = checkTypes(given.types);
    this.#texts = {
      name: this.name,
      // A builder reads, so that a pointer need not say const.
      parameters: readParameters(parameters, types).map((one) => ({ ...one, writes: false })),
      operation: checkString(generate, "generate"),
      before: "",
      after: "",
      preamble: given.preamble === undefined ? "" : checkString(given.preamble, "options.preamble"),
      types,
    };
    this.#lists = readLists(lists, given.countSharing);
    this.#sparse = checkNames(given.eliminateEmpty, this.#lists, "options.eliminateEmpty");
    for (const name of this.#sparse) {
      const mother = this.#lists.find((one) => one.name === name)?.mother;
      if (mother === undefined) continue;
      throw wrongValue(
        `options.eliminateEmpty must name "${mother}", whose starts "${name}" shares, received "${name}"`,
      );
    }
    const arrays = this.#texts.parameters.filter(({ isArray }) => isArray).map(({ name }) => name);
    this.#use = usesOf([generate], this.#texts.preamble, new Set(arrays));
    this.#options = given.options;
  }

  /** Resolves to the lists; their lengths are computed on the device. */
  async build<const O extends keyof L & string = never>(
    options: ListBuildOptions<O>,
    ...args: UserArguments<P>
  ): Promise<BuiltLists<L, O>> {
    const signal = checkSignal(checkOptions(options, ["objects", "omit", "xp", "queue", "signal"]).signal);
    signal?.throwIfAborted();
    using building = this.#start(options, args);
    return (await building.finish(signal)) as BuiltLists<L, O>;
  }

  /** Returns the lists as {@link build} does; blocks the event loop. */
  buildSync<const O extends keyof L & string = never>(
    options: ListBuildOptions<O>,
    ...args: UserArguments<P>
  ): BuiltLists<L, O> {
    using building = this.#start(checkOptions(options, ["objects", "omit", "xp", "queue", "signal"]), args);
    return building.finishSync() as BuiltLists<L, O>;
  }

  #start(options: ListBuildOptions, args: readonly unknown[]): ReturnType<typeof buildLists> {
    const owner = `the builder "${this.name}"`;
    const objects = checkInteger(options.objects, "options.objects");
    const made: ArraySource | undefined =
      options.xp === undefined ? arraysOf(args) : checkInstance(options.xp, Arrays, "options.xp");
    if (made === undefined) {
      throw wrongValue("options.xp is required because no argument is an array");
    }
    const xp =
      options.queue === undefined ? made : made.withQueue(checkInstance(options.queue, CommandQueue, "options.queue"));
    const { queue } = xp;
    const { parameters } = this.#texts;
    const { arrays, values } = checkArguments(parameters, args, xp, owner);
    checkDevice(queue, parameters, owner);
    for (const { dtype, name } of this.#lists) checkComputable(queue.device, dtype, `the list "${name}"`);
    const omitted = checkNames(options.omit, this.#lists, "options.omit");
    for (const { name, mother } of this.#lists) {
      if (mother === undefined || !omitted.has(mother) || omitted.has(name)) continue;
      throw wrongValue(`options.omit cannot have "${mother}" without "${name}", which shares its starts`);
    }
    const plan = planLaunch(arrays, this.#use, { range: objects });
    const numbers = placeNumbers(plan);
    const places = plan.short ? Int32Array.from(numbers) : BigInt64Array.from(numbers, BigInt);
    const memory = new Map(arrays.map((one) => [one.parameter, one.storage.bytes === 0 ? null : one.storage.memory]));
    const given = [...parameters.map((one) => (one.isArray ? memory.get(one) : values.get(one))), places];
    const reads = [...new Set(arrays.map(({ storage }) => storage))];
    const sizes = wholeGroups(queue.device, Math.max(1, objects));
    const key = planKey(plan);
    const run: ListsRun = {
      xp,
      objects,
      lists: this.#lists.filter(({ name }) => !omitted.has(name)),
      sparse: this.#sparse,
      reads,
      count: (counts) => {
        const kernel = this.#kernel(queue.context, `count ${key}`, "count_lists_", () =>
          countListsSource(this.#texts, this.#lists, plan),
        );
        const own = this.#lists.filter(({ mother }) => mother === undefined).map(({ name }) => counts.get(name));
        launchOrdered(queue, kernel, sizes, [...given, ...memoryOf(own)], reads, storagesOf(own));
      },
      write: (starts, results) => {
        const types = new Map([...starts].map(([name, { dtype }]) => [name, dtype.name]));
        const kernel = this.#kernel(queue.context, `write ${key} ${[...types].join()}`, "write_lists_", () =>
          writeListsSource(this.#texts, this.#lists, plan, types),
        );
        const own = this.#lists.filter(({ mother }) => mother === undefined).map(({ name }) => starts.get(name));
        const all = this.#lists.map(({ name }) => results.get(name));
        const from = [...reads, ...storagesOf(own)];
        launchOrdered(queue, kernel, sizes, [...given, ...memoryOf(own), ...memoryOf(all)], from, storagesOf(all));
      },
    };
    return buildLists(run);
  }

  #kernel(context: Context, key: string, name: string, source: () => string): GeneratedKernel {
    return this.#kernels.get(context, key, () => {
      const text = { source, label: `the builder "${this.name}"`, options: this.#options, warns: true };
      return new GeneratedProgram(context, text).kernel(name);
    });
  }
}

/** Null for what is not there, and for what has no elements. */
function memoryOf(arrays: readonly (ArrayRef | undefined)[]): readonly unknown[] {
  return arrays.map((one) => (one === undefined || one.size === 0 ? null : one.operand().storage.memory));
}

function storagesOf(arrays: readonly (ArrayRef | undefined)[]): ListsRun["reads"] {
  return arrays.flatMap((one) => (one === undefined || one.size === 0 ? [] : [one.operand().storage]));
}

function readLists(value: unknown, sharing: unknown): readonly ListPlan[] {
  const given = checkObject(value as Record<string, DTypeName>, "lists");
  const mothers = checkObject(sharing as Record<string, string> | undefined, "options.countSharing");
  const names = Object.keys(given);
  if (names.length === 0) throw wrongValue("lists must have at least one entry: the name of a list and its dtype");
  for (const [child, mother] of Object.entries(mothers)) {
    for (const name of [child, mother]) {
      if (names.includes(name)) continue;
      throw wrongValue(`options.countSharing must name lists (${names.join(", ")}), received "${name}"`);
    }
    if (child === mother || Object.hasOwn(mothers, mother)) {
      throw wrongValue(
        `options.countSharing must name a list with separate counts for "${child}", received "${mother}", which shares counts itself`,
      );
    }
  }
  return names.map((name) => ({
    name: checkIdentifier(name, `the list "${name}"`),
    dtype: listType(given[name], name),
    mother: mothers[name],
  }));
}

function listType(value: unknown, name: string): DTypeName {
  if (typeof value !== "string") throw typeError(`lists.${name}`, 'an element type, as "int32"', value);
  try {
    return checkArrayType(value, `lists.${name}`).name;
  } catch {
    throw typeError(`lists.${name}`, 'an element type, as "int32"', value);
  }
}

function checkNames(value: unknown, lists: readonly ListPlan[], what: string): ReadonlySet<string> {
  if (value === undefined) return new Set();
  if (!Array.isArray(value)) throw typeError(what, "a list of names", value);
  const names = lists.map(({ name }) => name);
  for (const one of value as readonly unknown[]) {
    if (names.includes(one as string)) continue;
    throw wrongValue(`${what} must name lists (${names.join(", ")}), received "${String(one)}"`);
  }
  return new Set(value as readonly string[]);
}
