/** Sorting by a user-defined key: an expression of the elements. */
import {
  checkBoolean,
  checkIdentifier,
  checkInteger,
  checkOptions,
  checkString,
  outOfRange,
  typeError,
  wrongType,
  wrongValue,
} from "@cl/base";
import { type CompilerOptions, dtype, type DTypeLike, type StructType } from "@cl/core";
import { withViews } from "../storage/filled.js";
import { checkArrayType, type DTypeName } from "../types/dtype-name.js";
import type { UserArgument, UserArguments } from "./argument-types.js";
import { ElementwiseKernel } from "./elementwise-kernel.js";
import { arraysOf, checkArguments } from "./kernel-arguments.js";
import { type KernelParameter, type Parameter, readParameters } from "./kernel-parameter.js";
import { checkTypes } from "./kernel-types.js";
import { sortPairs } from "../sorting/sort-pairs.js";
import type { AnyArray, ArraySource } from "../storage/array-ref.js";

/** Options of {@link RadixSort}. */
export interface RadixSortOptions<N extends string = string> {
  /** OpenCL C of the key at index `i`: \`keys[i]\`, \`cell_of(x[i], y[i])\`. */
  readonly key: string;
  /**
   * Dtype of the key. Signed and floating-point keys are ordered as numbers.
   * @defaultValue "uint32"
   */
  readonly dtype?: DTypeLike;
  /**
   * Number of low bits of an unsigned key to sort by.
   * @defaultValue all bits
   */
  readonly bits?: number;
  /**
   * Names of the arrays to sort.
   * @defaultValue all arrays
   */
  readonly sorts?: readonly N[];
  /**
   * If true, sorts in descending order.
   * @defaultValue false
   */
  readonly descending?: boolean;
  /** OpenCL C before the kernel: functions, macros, includes. */
  readonly preamble?: string;
  /** The name shown in errors. */
  readonly name?: string;
  /** Compiler options. */
  readonly options?: CompilerOptions;
  /** Structs whose names the parameters use. */
  readonly types?: readonly StructType[];
}

/**
 * A sort by a user-defined key. It returns new arrays, by name, and does not change its arguments. The sort is stable.
 *
 * @example
 * ```ts
 * const xp = arrays(queue);
 * const sort = new RadixSort("const float *x, const int *id, float width", {
 *   key: "(uint)(x[i] / width)",
 * });
 * const x = xp.array([2.5, 0.1, 2.1, 1.7], { dtype: "float32" });
 * const { id } = sort.run(x, xp.arange(4, { dtype: "int32" }), 1);
 * console.log(await id?.data()); // Int32Array(4) [ 1, 3, 0, 2 ]
 * ```
 */
export class RadixSort<const P extends string | readonly KernelParameter[] = string, const N extends string = string> {
  /** The sort's name. */
  readonly name: string;
  /** Dtype of the keys. */
  readonly dtype: DTypeName;
  readonly #parameters: readonly Parameter[];
  readonly #sorts: readonly string[];
  readonly #descending: boolean;
  readonly #keys: ElementwiseKernel<readonly KernelParameter[]>;

  constructor(parameters: P, options: RadixSortOptions<N>) {
    const given = checkOptions(options, [
      "key",
      "dtype",
      "bits",
      "sorts",
      "descending",
      "preamble",
      "name",
      "options",
      "types",
    ]);
    this.name = given.name === undefined ? "sort" : checkIdentifier(given.name, "options.name");
    this.dtype = keyType(given.dtype ?? "uint32");
    this.#descending = checkBoolean(given.descending, "options.descending", false);
    const types = checkTypes(given.types);
    // What is sorted is read, so that a pointer need not say const.
    this.#parameters = readParameters(parameters, types).map((one) => ({ ...one, writes: false }));
    const names = this.#parameters.filter(({ isArray }) => isArray).map(({ name }) => name);
    if (names.length === 0) throw wrongValue("parameters must have at least one array to sort");
    this.#sorts = sortedNames(given.sorts, names);
    const key = checkString(given.key, "options.key");
    const result = `${this.name}_key`;
    if (this.#parameters.some(({ name }) => name === result)) {
      throw wrongValue(`parameters must not use the name "${result}", which is reserved for the key`);
    }
    this.#keys = new ElementwiseKernel(
      [
        ...this.#parameters.map(({ name, dtype: type, isArray }) =>
          isArray ? { array: name, dtype: type, readonly: true } : { value: name, dtype: type },
        ),
        { array: result, dtype: this.dtype },
      ],
      `${result}[i] = ${maskText(given.bits, this.dtype, key)};`,
      {
        name: this.name,
        types,
        ...(given.preamble === undefined ? {} : { preamble: given.preamble }),
        ...(given.options === undefined ? {} : { options: given.options }),
      },
    );
  }

  /** Enqueues the sort for arrays of one axis. Returns the sorted arrays, which the caller releases. */
  run(...args: UserArguments<P>): { readonly [name in N]: AnyArray } {
    const list = args as readonly unknown[];
    const owner = `the sort "${this.name}"`;
    const first = this.#parameters.findIndex(({ isArray }) => isArray);
    const xp = arraysOf(list);
    if (xp === undefined) throw typeError(`argument "${this.#parameters[first]?.name}"`, "a DeviceArray", list[first]);
    checkArguments(this.#parameters, list, xp, owner);
    const lines = this.#sorts.map((name) => lineOf(list[this.#parameters.findIndex((one) => one.name === name)], name));
    const size = lines[0]?.size as number;
    for (const [k, line] of lines.entries()) {
      if (line.size === size) continue;
      throw outOfRange(`"${this.#sorts[k]}" must have ${size} elements as "${this.#sorts[0]}", received ${line.size}`);
    }
    const sorted = this.#sort(xp, list, lines, size);
    return Object.fromEntries(this.#sorts.map((name, k) => [name, sorted[k]])) as { readonly [name in N]: AnyArray };
  }

  #sort(xp: ArraySource, args: readonly unknown[], lines: readonly AnyArray[], size: number): readonly AnyArray[] {
    using keys = xp.empty([size], { dtype: this.dtype });
    this.#keys.launch(...([...args, keys] as UserArgument[]));
    const gapless = lines.map((line) => (line.isContiguous ? line.slice(":") : line.copy()));
    return withViews(gapless, () => sortPairs(keys, gapless, { descending: this.#descending, keepKeys: false }).values);
  }
}

function lineOf(value: unknown, name: string): AnyArray {
  const array = value as AnyArray;
  if (typeof array.operand !== "function") throw typeError(`argument "${name}"`, "a DeviceArray", value);
  if (array.ndim === 1) return array;
  throw outOfRange(`argument "${name}" must have one axis to be sorted, received shape [${array.shape.join()}]`);
}

function keyType(value: unknown): DTypeName {
  let type: ReturnType<typeof dtype>;
  try {
    type = dtype(value as DTypeLike);
  } catch {
    throw typeError("options.dtype", 'an element type, as "uint32"', value);
  }
  const { name } = checkArrayType(type, "options.dtype");
  if (name !== "float16") return name;
  throw wrongType('options.dtype must be a type that kernels compute with, such as "float32", received float16');
}

function sortedNames(value: unknown, names: readonly string[]): readonly string[] {
  if (value === undefined) return names;
  if (!Array.isArray(value)) throw typeError("options.sorts", "a list of names", value);
  const list = value.map((one: unknown, k) => checkString(one, `options.sorts[${k}]`));
  if (list.length === 0) throw outOfRange("options.sorts must have at least one name");
  for (const [k, name] of list.entries()) {
    if (!names.includes(name)) {
      throw outOfRange(
        `options.sorts[${k}] must be one of ${names.map((one) => `"${one}"`).join(", ")}, received "${name}"`,
      );
    }
    if (list.indexOf(name) < k) throw outOfRange(`options.sorts must not repeat a name, received "${name}" twice`);
  }
  return list;
}

/** The key with those bits alone that count. */
function maskText(bits: unknown, type: DTypeName, key: string): string {
  if (bits === undefined) return `(${key})`;
  if (!type.startsWith("uint")) throw wrongType(`options.bits needs an unsigned options.dtype, received ${type}`);
  const most = Number(type.slice(4));
  const count = checkInteger(bits, "options.bits", 1, most);
  return count === most ? `(${key})` : `(${key}) & ${(1n << BigInt(count)) - 1n}ul`;
}
