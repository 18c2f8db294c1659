/** User-defined scans of arrays. */
import { checkBoolean, checkIdentifier, checkOptions, checkString, OwnerCache, wrongValue } from "@cl/base";
import { type CommandEvent, type CompilerOptions, type DType, type DTypeLike, StructType } from "@cl/core";
import type { ProgramCache } from "../kernels/kernel-cache.js";
import { launchScan } from "../scan/launch-scan.js";
import { shareBytes } from "../storage/overlap.js";
import type { UserArguments } from "./argument-types.js";
import { type ElementwiseLaunchOptions, waits } from "./elementwise-kernel.js";
import { computedType } from "./computed-type.js";
import { checkArguments, checkDevice, placeOf } from "./kernel-arguments.js";
import { complexNames, type KernelParameter, type Parameter, readParameters } from "./kernel-parameter.js";
import { checkTypes } from "./kernel-types.js";
import { type ArrayArgument, planLaunch } from "./launch-plan.js";
import { type TextUse, usesOf } from "./operation-text.js";
import { placeNumbers, planKey } from "./places-source.js";
import { userScanTexts, type UserScan } from "./user-scan-texts.js";

/** Options of {@link ScanKernel}. All code is OpenCL C. */
export interface ScanKernelOptions {
  /** Type of the accumulator: a number, a vector or a struct. */
  readonly dtype: DTypeLike;
  /**
   * Expression that combines two values, such as `"a + b"`; `a` precedes `b`. It must be associative, but need not be
   * commutative.
   */
  readonly scan: string;
  /** Identity element of the scan, such as `"0"`. */
  readonly identity: string;
  /**
   * Expression of the value at index `i`. It may use other indices, as `x[i] - x[i - 1]` does.
   * @defaultValue `x[i]` of the first array
   */
  readonly input?: string;
  /**
   * Condition under which a new segment starts at `i`, where `value` is the input: preceding values do not count from
   * there on.
   */
  readonly segmentStart?: string;
  /**
   * Statement for each index `i` of `n`: `item` is the scan up to and including `i`, `prev` the scan up to `i - 1`,
   * which is the identity at the start of a segment, and `last` the scan of all values.
   * @defaultValue `out[i] = item`, where `out` is the last array that is not const
   */
  readonly output?: string;
  /**
   * If true, the default output is `out[i] = prev`.
   * @defaultValue false
   */
  readonly exclusive?: boolean;
  /** OpenCL C before the kernels: functions, macros, includes. */
  readonly preamble?: string;
  /** The name shown in errors. */
  readonly name?: string;
  /** Compiler options. */
  readonly options?: CompilerOptions;
  /** Structs whose names the parameters use. */
  readonly types?: readonly StructType[];
}

/** Names that are defined in the user's code. */
const given: ReadonlySet<string> = new Set(["n", "item", "prev", "last", "value"]);

/**
 * A user-defined scan over arrays of any layout: cumulative sums, compaction offsets, or any other associative
 * operation.
 *
 * @example
 * ```ts
 * const xp = arrays(queue);
 * // Removes consecutive duplicates.
 * const unique = new ScanKernel("const int *x, int *out, int *count", {
 *   dtype: "int32",
 *   input: "i == 0 || x[i] != x[i - 1] ? 1 : 0",
 *   scan: "a + b",
 *   identity: "0",
 *   output: "if (prev != item) out[prev] = x[i]; if (i == n - 1) count[0] = item;",
 * });
 * const x = xp.array([1, 1, 2, 5, 5, 5, 7], { dtype: "int32" });
 * const [out, count] = [xp.zeros([7], { dtype: "int32" }), xp.zeros([1], { dtype: "int32" })];
 * unique.enqueue({ range: 7 }, x, out, count);
 * console.log(await count.item(), await out.slice(":4").toNested()); // 4 [ 1, 2, 5, 7 ]
 * ```
 */
export class ScanKernel<const P extends string | readonly KernelParameter[] = string> {
  /** The scan's name. */
  readonly name: string;
  /** Type of the accumulator. */
  readonly dtype: DType;
  readonly #scan: UserScan;
  readonly #use: TextUse;
  /** Arrays that the input looks at elsewhere than at the index, and those that the output knows. */
  readonly #far: ReadonlySet<string>;
  readonly #output: ReadonlySet<string>;
  readonly #programs: ProgramCache = new OwnerCache();

  constructor(parameters: P, options: ScanKernelOptions) {
    const said = checkOptions(options, [
      "dtype",
      "scan",
      "identity",
      "input",
      "segmentStart",
      "output",
      "exclusive",
      "preamble",
      "name",
      "options",
      "types",
    ]);
    const text = (value: unknown, name: string): string => (value === undefined ? "" : checkString(value, name));
    this.name = said.name === undefined ? "scan" : checkIdentifier(said.name, "options.name");
    this.dtype = computedType(said.dtype);
    const types = checkTypes(said.types);
    const all = readParameters(parameters, types);
    const taken = all.find(({ name }) => given.has(name));
    if (taken !== undefined) {
      throw wrongValue(`parameters must not use the reserved name "${taken.name}"`);
    }
    const arrays = all.filter(({ isArray }) => isArray);
    const [first] = arrays;
    if (first === undefined) throw wrongValue("parameters must have at least one array");
    const exclusive = checkBoolean(said.exclusive, "options.exclusive", false);
    this.#scan = {
      name: this.name,
      dtype: this.dtype,
      cType: complexNames[this.dtype.name] ?? this.dtype.cName,
      parameters: all,
      input: said.input === undefined ? `${first.name}[i]` : checkString(said.input, "options.input"),
      scan: checkString(said.scan, "options.scan"),
      identity: checkString(said.identity, "options.identity"),
      segmentStart:
        said.segmentStart === undefined ? undefined : checkString(said.segmentStart, "options.segmentStart"),
      output: outputOf(said.output, arrays, exclusive),
      preamble: text(said.preamble, "options.preamble"),
      types: this.dtype instanceof StructType ? [this.dtype, ...types] : types,
      options: said.options,
    };
    const { input, segmentStart = "", output, preamble } = this.#scan;
    const names = new Set(arrays.map(({ name }) => name));
    this.#use = usesOf([input, segmentStart, output], preamble, names);
    const before = usesOf([input, segmentStart], preamble, names);
    this.#far = new Set([...before.elsewhere, ...before.asPointer]);
    const after = usesOf([output], "", names);
    this.#output = new Set([...after.atIndex, ...after.elsewhere, ...after.asPointer]);
  }

  /** Enqueues the scan over all elements, on the queue of the first array. */
  launch(...args: UserArguments<P>): void {
    this.#run({}, args, false);
  }

  /** Enqueues the scan over the given indices, on a queue. Returns the event. */
  enqueue(options: ElementwiseLaunchOptions | undefined, ...args: UserArguments<P>): CommandEvent {
    return this.#run(checkOptions(options, ["queue", "waitFor", "slice", "range"]), args, true) as CommandEvent;
  }

  #run(options: ElementwiseLaunchOptions, args: readonly unknown[], wantEvent: boolean): CommandEvent | undefined {
    const { parameters } = this.#scan;
    const { xp, queue } = placeOf(parameters, args, options.queue);
    const owner = `the kernel "${this.name}"`;
    const { arrays, values } = checkArguments(parameters, args, xp, owner);
    const item = { name: "accumulator", cType: "", isArray: false, writes: false, dtype: this.dtype };
    checkDevice(queue, [...parameters, item], owner);
    this.#checkFar(arrays);
    const plan = planLaunch(arrays, this.#use, options);
    const waitFor = waits(options.waitFor);
    if (plan.size === 0) return wantEvent ? queue.enqueueMarker(waitFor) : undefined;
    const memory = new Map(arrays.map((one) => [one.parameter, one.storage.bytes === 0 ? null : one.storage.memory]));
    const numbers = placeNumbers(plan);
    const written = new Set(arrays.filter(({ parameter }) => parameter.writes).map(({ storage }) => storage));
    const all = [...new Set(arrays.map(({ storage }) => storage))];
    return launchScan(
      { queue, allocator: xp.allocator },
      this.#programs,
      planKey(plan),
      () => userScanTexts(this.#scan, plan),
      { rows: 1, length: plan.size },
      {
        values: [
          ...parameters.map((one) => (one.isArray ? memory.get(one) : values.get(one))),
          plan.short ? Int32Array.from(numbers) : BigInt64Array.from(numbers, BigInt),
        ],
        reads: all,
        writes: [...written],
        waitFor,
        wantEvent,
      },
    );
  }

  /** Parts are scanned at different times, so that what one looks at must not be what another has written. */
  #checkFar(arrays: readonly ArrayArgument[]): void {
    for (const one of arrays) {
      if (!this.#far.has(one.parameter.name)) continue;
      for (const other of arrays) {
        if (!other.parameter.writes || !this.#output.has(other.parameter.name)) continue;
        if (!shareBytes(one, other, Math.max(one.itemSize, other.itemSize))) continue;
        throw wrongValue(
          `"${one.parameter.name}" is read at other indices than i and must not overlap with the output "${other.parameter.name}"; pass a copy of one of them`,
        );
      }
    }
  }
}

function outputOf(value: unknown, arrays: readonly Parameter[], exclusive: boolean): string {
  if (value !== undefined) {
    if (!exclusive) return checkString(value, "options.output");
    throw wrongValue("options.exclusive cannot be combined with options.output; use prev in the output");
  }
  const target = arrays.findLast(({ writes }) => writes);
  if (target === undefined) {
    throw wrongValue("options.output is required because all arrays are const");
  }
  return `${target.name}[i] = ${exclusive ? "prev" : "item"};`;
}
