/** User kernels over the elements of arrays. */
import { checkIdentifier, checkInstance, checkOptions, checkString, OwnerCache, typeError, wrongValue } from "@cl/base";
import {
  CommandEvent,
  type CommandQueue,
  type CompilerOptions,
  type Context,
  Kernel,
  NotSupportedError,
  Program,
  type StructType,
  type WaitFor,
} from "@cl/core";
import { wholeGroups } from "../kernels/launch.js";
import { ordered } from "../storage/storage.js";
import type { UserArguments } from "./argument-types.js";
import { elementwiseSource } from "./elementwise-source.js";
import { checkArguments, checkDevice, placeOf } from "./kernel-arguments.js";
import { type KernelParameter, readParameters } from "./kernel-parameter.js";
import type { KernelTexts } from "./kernel-texts.js";
import { checkTypes } from "./kernel-types.js";
import { type IndexOptions, type LaunchPlan, planLaunch } from "./launch-plan.js";
import { type TextUse, usesOf } from "./operation-text.js";
import { placeNumbers, planKey } from "./places-source.js";

/** Options of {@link ElementwiseKernel}. */
export interface ElementwiseKernelOptions {
  /** The kernel's name, shown in profiles and errors. */
  readonly name?: string;
  /** OpenCL C before the kernel: functions, macros, includes. */
  readonly preamble?: string;
  /** Statements before the operation, for each index. */
  readonly before?: string;
  /** Statements after the operation; they also run if the operation executes `continue`. */
  readonly after?: string;
  /** Compiler options. */
  readonly options?: CompilerOptions;
  /** Structs whose names the parameters use. */
  readonly types?: readonly StructType[];
}

/** Options of `enqueue`: indices, queue and events. */
export interface ElementwiseLaunchOptions extends IndexOptions {
  /**
   * The queue.
   * @defaultValue the queue of the first array argument
   */
  readonly queue?: CommandQueue;
  /** Additional events to wait for; commands of the arrays are waited for automatically. */
  readonly waitFor?: WaitFor;
}

/**
 * A user kernel that runs for each element of arrays: `i` is the index, `x[i]` the element of an array of any layout.
 * Arrays that are declared const are only read, and are broadcast to the shape of the others; all others may be
 * written.
 *
 * @example
 * ```ts
 * const xp = arrays(queue);
 * const axpy = new ElementwiseKernel("float a, const float *x, float *z", "z[i] = a * x[i] + z[i]");
 * const x = xp.array([[1, 2], [3, 4]], { dtype: "float32" });
 * const z = xp.ones([2, 2], { dtype: "float32" });
 * axpy.launch(10, x.T, z);
 * console.log(await z.toNested()); // [ [ 11, 31 ], [ 21, 41 ] ]
 * ```
 */
export class ElementwiseKernel<const P extends string | readonly KernelParameter[] = string> {
  /** The kernel's name. */
  readonly name: string;
  readonly #texts: KernelTexts;
  readonly #use: TextUse;
  readonly #options: CompilerOptions | undefined;
  readonly #kernels = new OwnerCache<Context, Kernel>({ isUsable: ({ released }) => !released });

  constructor(parameters: P, operation: string, options?: ElementwiseKernelOptions) {
    const given = checkOptions(options, ["name", "preamble", "before", "after", "options", "types"]);
    const text = (value: unknown, name: string): string => (value === undefined ? "" : checkString(value, name));
    this.name = given.name === undefined ? "elementwise" : checkIdentifier(given.name, "options.name");
    const types = checkTypes(given.types);
    this.#texts = {
      name: this.name,
      parameters: readParameters(parameters, types),
      operation: checkString(operation, "operation"),
      before: text(given.before, "options.before"),
      after: text(given.after, "options.after"),
      preamble: text(given.preamble, "options.preamble"),
      types,
    };
    if (!this.#texts.parameters.some(({ isArray }) => isArray)) {
      throw wrongValue("parameters must have at least one array");
    }
    const { before, after, preamble } = this.#texts;
    const arrays = this.#texts.parameters.filter(({ isArray }) => isArray).map(({ name }) => name);
    this.#use = usesOf([before, operation, after], preamble, new Set(arrays));
    this.#options = given.options;
  }

  /** Enqueues the kernel over all elements, on the queue of the first array. */
  launch(...args: UserArguments<P>): void {
    this.#run({}, args, false);
  }

  /** Enqueues the kernel over the given indices, on a queue. Returns the event. */
  enqueue(options: ElementwiseLaunchOptions | undefined, ...args: UserArguments<P>): CommandEvent {
    return this.#run(checkOptions(options, ["queue", "waitFor", "slice", "range"]), args, true) as CommandEvent;
  }

  #run(options: ElementwiseLaunchOptions, args: readonly unknown[], wanted: boolean): CommandEvent | undefined {
    const { parameters } = this.#texts;
    const { xp, queue } = placeOf(parameters, args, options.queue);
    const { arrays, values } = checkArguments(parameters, args, xp, this.#owner);
    checkDevice(queue, parameters, this.#owner);
    const plan = planLaunch(arrays, this.#use, options);
    const own = waits(options.waitFor);
    if (plan.size === 0) return wanted ? queue.enqueueMarker(own) : undefined;
    const kernel = this.#kernel(queue, plan);
    const numbers = placeNumbers(plan);
    const places = plan.short ? Int32Array.from(numbers) : BigInt64Array.from(numbers, BigInt);
    checkRoom(queue, places.byteLength, this.#owner);
    const memory = new Map(arrays.map((one) => [one.parameter, one.storage.bytes === 0 ? null : one.storage.memory]));
    const given = parameters.map((one) => (one.isArray ? memory.get(one) : values.get(one)));
    const sizes = wholeGroups(queue.device, plan.size);
    const written = new Set(arrays.filter(({ parameter }) => parameter.writes).map(({ storage }) => storage));
    const read = new Set(arrays.map(({ storage }) => storage).filter((storage) => !written.has(storage)));
    return ordered(queue, [...read], [...written], (waitFor, wantEvent) => {
      const all = [...waitFor, ...own];
      if (!wantEvent && !wanted && all.length === 0) {
        kernel.launch(queue, sizes, ...given, places);
        return undefined;
      }
      return kernel.enqueue(queue, { ...sizes, waitFor: all }, ...given, places);
    });
  }

  #kernel(queue: CommandQueue, plan: LaunchPlan): Kernel {
    const { context } = queue;
    return this.#kernels.get(context, planKey(plan), () => {
      const source = elementwiseSource(this.#texts, plan);
      const options = this.#options;
      const program = new Program(context, source, { label: this.#owner });
      return new Kernel(program.buildSync(options === undefined ? {} : { options }), this.name);
    });
  }

  get #owner(): string {
    return `the kernel "${this.name}"`;
  }
}

/** The events of an argument. */
export function waits(waitFor: WaitFor): readonly CommandEvent[] {
  if (waitFor === undefined || waitFor === null) return [];
  if (waitFor instanceof CommandEvent) return [waitFor];
  if (!Array.isArray(waitFor)) throw typeError("options.waitFor", "an event or a list of events", waitFor);
  return waitFor.map((one: unknown, i) => checkInstance(one, CommandEvent, `options.waitFor[${i}]`));
}

function checkRoom({ device }: CommandQueue, bytes: number, owner: string): void {
  if (bytes <= device.maxParameterSize - 256) return;
  throw new NotSupportedError(
    "@cl/array",
    `the array layouts of ${owner} take ${bytes} bytes of kernel arguments, more than '${device.name}' supports; copy() arrays that are not contiguous`,
  );
}
