/** User-defined reductions of arrays to one value. */
import {
  checkIdentifier,
  checkInstance,
  checkOptions,
  checkString,
  OwnerCache,
  sizeOf,
  typeError,
  wrongType,
  wrongValue,
} from "@cl/base";
import { CommandQueue, type CompilerOptions, type Context, type DType, type DTypeLike, StructType } from "@cl/core";
import { Arrays, type DeviceArray } from "../array/arrays.js";
import { checkWritable } from "../storage/check-array.js";
import { RecordArray, emptyRecords } from "../array/record-array.js";
import { TextReduction } from "../reductions/text-reduction.js";
import type { DTypeName } from "../types/dtype-name.js";
import type { UserArguments } from "./argument-types.js";
import { computedType } from "./computed-type.js";
import { arraysOf, checkArguments, checkDevice, placed } from "./kernel-arguments.js";
import { complexNames, type KernelParameter, type Parameter, readParameters } from "./kernel-parameter.js";
import { checkTypes } from "./kernel-types.js";
import { type IndexOptions, type LaunchPlan, planLaunch } from "./launch-plan.js";
import { type TextUse, usesOf } from "./operation-text.js";
import { placeNumbers, planKey } from "./places-source.js";
import { reductionTexts, type UserReduction } from "./reduction-texts.js";
import type { AnyArray, ArraySource } from "../storage/array-ref.js";

/** Options of {@link ReductionKernel}. All code is OpenCL C. */
export interface ReductionKernelOptions<D extends DTypeLike> {
  /** Type of the accumulator and of the result: a number or a struct. */
  readonly dtype: D;
  /** Expression that combines two values `a` and `b`, such as `"a + b"`. It must be associative and commutative. */
  readonly reduce: string;
  /** Identity element of the reduction, such as `"0"`. */
  readonly identity: string;
  /**
   * Expression of the value at index `i`.
   * @defaultValue `x[i]` of the first array
   */
  readonly map?: string;
  /** OpenCL C before the kernels: functions, macros, includes. */
  readonly preamble?: string;
  /** The name shown in errors. */
  readonly name?: string;
  /** Compiler options. */
  readonly options?: CompilerOptions;
  /** Structs whose names the parameters use. */
  readonly types?: readonly StructType[];
}

/** Options of `runWith`: indices, queue and output. */
export interface ReductionRunOptions extends IndexOptions {
  /**
   * An existing array of one element, of the result's type, to store the result in.
   * @defaultValue a new array
   */
  readonly out?: AnyArray | RecordArray;
  /**
   * The factory of the result.
   * @defaultValue that of the first array argument
   */
  readonly xp?: Arrays;
  /**
   * The queue.
   * @defaultValue the queue of `xp`
   */
  readonly queue?: CommandQueue;
}

/** The result: a `DeviceArray`, or a `RecordArray` for structs and vectors. */
export type ReductionResult<D> = D extends DTypeName ? DeviceArray<D> : D extends DType ? RecordArray : DeviceArray;

/**
 * A user-defined reduction: computes one value from the elements of arrays of any layout.
 *
 * @example
 * ```ts
 * const xp = arrays(queue);
 * const dot = new ReductionKernel("const float *x, const float *y", {
 *   dtype: "float32",
 *   map: "x[i] * y[i]",
 *   reduce: "a + b",
 *   identity: "0",
 * });
 * const x = xp.arange(6, { dtype: "float32" }).reshape([2, 3]);
 * console.log(await dot.run(x, x.slice("::-1")).item()); // 28
 * ```
 */
export class ReductionKernel<
  const P extends string | readonly KernelParameter[] = string,
  const D extends DTypeLike = DTypeLike,
> {
  /** The reduction's name. */
  readonly name: string;
  /** Type of the result. */
  readonly dtype: DType;
  readonly #reduction: UserReduction;
  readonly #parameters: readonly Parameter[];
  readonly #use: TextUse;
  readonly #known = new OwnerCache<Context, TextReduction>();

  constructor(parameters: P, options: ReductionKernelOptions<D>) {
    const given = checkOptions(options, ["dtype", "reduce", "identity", "map", "preamble", "name", "options", "types"]);
    const text = (value: unknown, name: string): string => (value === undefined ? "" : checkString(value, name));
    this.name = given.name === undefined ? "reduction" : checkIdentifier(given.name, "options.name");
    this.dtype = computedType(given.dtype);
    const types = checkTypes(given.types);
    // A reduction reads, so that a pointer need not say const.
    this.#parameters = readParameters(parameters, types).map((one) => ({ ...one, writes: false }));
    const [first] = this.#parameters.filter(({ isArray }) => isArray);
    if (given.map === undefined && first === undefined) {
      throw wrongValue("options.map is required because no parameter is an array");
    }
    this.#reduction = {
      name: this.name,
      dtype: this.dtype,
      cType: complexNames[this.dtype.name] ?? this.dtype.cName,
      parameters: this.#parameters,
      map: given.map === undefined ? `${first?.name}[i]` : checkString(given.map, "options.map"),
      reduce: checkString(given.reduce, "options.reduce"),
      identity: checkString(given.identity, "options.identity"),
      preamble: text(given.preamble, "options.preamble"),
      types: this.dtype instanceof StructType ? [this.dtype, ...types] : types,
      options: given.options,
    };
    const names = new Set(this.#parameters.filter(({ isArray }) => isArray).map(({ name }) => name));
    this.#use = usesOf([this.#reduction.map], this.#reduction.preamble, names);
  }

  /** Enqueues the reduction over all elements. Returns the result, an array without axes. */
  run(...args: UserArguments<P>): ReductionResult<D> {
    return this.#run({}, args);
  }

  /** Enqueues the reduction over the given indices, on a queue, or into an existing array. */
  runWith(options: ReductionRunOptions | undefined, ...args: UserArguments<P>): ReductionResult<D> {
    return this.#run(checkOptions(options, ["out", "xp", "queue", "slice", "range"]), args);
  }

  #run(options: ReductionRunOptions, args: readonly unknown[]): ReductionResult<D> {
    const xp = options.xp === undefined ? arraysOf(args) : checkInstance(options.xp, Arrays, "options.xp");
    if (xp === undefined) {
      const [first] = this.#parameters.filter(({ isArray }) => isArray);
      if (first === undefined) {
        throw wrongValue("options.xp is required because no parameter is an array");
      }
      throw typeError(`argument "${first.name}"`, "a DeviceArray", args[this.#parameters.indexOf(first)]);
    }
    const queue = options.queue === undefined ? xp.queue : checkInstance(options.queue, CommandQueue, "options.queue");
    if (!queue.context.equals(xp.queue.context)) {
      throw wrongValue("options.queue must belong to the context of the arrays");
    }
    const owner = `the kernel "${this.name}"`;
    const { arrays, values } = checkArguments(this.#parameters, args, xp, owner);
    checkDevice(queue, [...this.#parameters, { ...resultParameter, dtype: this.dtype }], owner);
    const plan = planLaunch(arrays, this.#use, options);
    if (arrays.length === 0 && options.range === undefined) {
      throw wrongValue("options.range is required because no parameter is an array");
    }
    const { out } = options;
    const target = out === undefined ? undefined : this.#checkOut(out, xp);
    const memory = new Map(arrays.map((one) => [one.parameter, one.storage.bytes === 0 ? null : one.storage.memory]));
    const numbers = placeNumbers(plan);
    const run = {
      size: plan.size,
      values: [
        ...this.#parameters.map((one) => (one.isArray ? memory.get(one) : values.get(one))),
        plan.short ? Int32Array.from(numbers) : BigInt64Array.from(numbers, BigInt),
      ],
      reads: [...new Set(arrays.map(({ storage }) => storage))],
    };
    const result = target ?? this.#newResult(xp);
    try {
      const { storage, layout } = placed(result, xp, "options.out");
      const targetIndex = layout.offset / this.dtype.itemSize;
      const reduction = this.#reductionFor(queue.context, plan);
      reduction.run({ queue, allocator: xp.allocator }, { ...run, target: storage, targetIndex });
    } catch (error) {
      if (target === undefined) result.release();
      throw error;
    }
    return result as ReductionResult<D>;
  }

  #newResult(xp: ArraySource): AnyArray | RecordArray {
    const { kind } = this.dtype;
    if (kind !== "struct" && kind !== "vector") return xp.empty([], { dtype: this.dtype.name as DTypeName });
    return emptyRecords(xp, this.dtype, []);
  }

  #checkOut(out: AnyArray | RecordArray, xp: ArraySource): AnyArray | RecordArray {
    const { dtype: type, layout } = placed(out, xp, "options.out");
    checkWritable(out instanceof RecordArray ? out.units : out);
    if (sizeOf(layout.shape) !== 1) {
      throw wrongValue(`options.out must have one element, received shape [${layout.shape.join()}]`);
    }
    if (type.equals(this.dtype)) return out;
    throw wrongType(`options.out must be ${this.dtype.name} as the result of ${this.name}, received ${type.name}`);
  }

  #reductionFor(context: Context, plan: LaunchPlan): TextReduction {
    return this.#known.get(context, planKey(plan), () => new TextReduction(reductionTexts(this.#reduction, plan)));
  }
}

/** For checks of what the device can do. */
const resultParameter = { name: "the result", cType: "", isArray: false, writes: false };
