/** Bound kernels: sizes and arguments are set in advance, so that a launch passes two integers. */
import { checkOptions, type ScalarType, typeError, wrongValue } from "@cl/base";

import type { Context } from "../platform/context.js";
import { type CommandEvent, eventOf, type WaitFor, waitHandles } from "../event/event.js";
import { DisposedError, errorPosition, OpenCLError } from "../binding/errors.js";
import type { KernelParameters } from "./kernel-parameters.js";
import { type LaunchSizes, writeSizes } from "./kernel-sizes.js";
import type { KernelObject } from "./kernel-object.js";
import { explainLaunch, type LaunchShape, scratchShape, withArgumentName } from "./launch-error.js";
import { type Handle, native } from "../binding/native.js";
import { CommandQueue } from "../command-queue/command-queue.js";
import { rowColumns, throwUnlessFitting } from "./row-scalars.js";
import { boundHandle, handleOf, queueHandle, Resource } from "../binding/resource.js";
import { type CommandStatistics, statisticsHandle } from "../profile/command-statistics.js";
import { launchFlags, setLaunch } from "../binding/scratch.js";

/** Options for enqueueing a bound kernel or a list. */
export interface EnqueueOptions {
  /** Events to wait for. */
  readonly waitFor?: WaitFor;
}

// Destructured once: the addon's exports are in dictionary mode, and a lookup at each launch costs 4 ns.
const { launch, launchBound } = native;

type Explain = (kernel: BoundKernel, error: unknown, queue: CommandQueue) => unknown;
type ScalarOf = (
  kernel: BoundKernel,
  parameter: number | string,
  name: string,
) => { readonly index: number; readonly scalar: ScalarType; readonly displayName: string };

/** Package-internal functions that access private fields. */
let inside: { readonly explainBound: Explain; readonly scalarOf: ScalarOf };

/** A kernel with fixed sizes and arguments, created by `kernel.bind(sizes, ...args)`; independent of that kernel. */
export class BoundKernel extends Resource {
  readonly #context: Context;
  readonly #name: string;
  readonly #parameters: KernelParameters;
  /** Kept alive here, because OpenCL does not guarantee it. */
  readonly #args: unknown[];
  /** The arguments after conversion. */
  readonly #resolved: unknown[];
  readonly #shape: LaunchShape;
  readonly #empty: boolean;
  #statistics: CommandStatistics | undefined;

  static {
    inside = {
      explainBound: (kernel: BoundKernel, error: unknown, queue: CommandQueue): unknown => {
        const released = kernel.#resolved.findIndex((value) => value instanceof Resource && value.released);
        if (error instanceof DisposedError && released >= 0 && !kernel.released) {
          error.message = `${kernel.#parameters.nameOf(released)}: ${error.message}`;
          return error;
        }
        return kernel.released ? error : explainLaunch(error, kernel.#shape, handleOf(kernel), queue.device);
      },
      scalarOf: (kernel: BoundKernel, parameter: number | string, name: string): ReturnType<ScalarOf> => {
        const index = kernel.#parameters.indexOf(parameter);
        const scalar = kernel.#parameters.numberType(index);
        const displayName = kernel.#parameters.nameOf(index);
        if (scalar !== undefined) return { index, scalar, displayName };
        throw wrongValue(
          `${name} names ${displayName}; only integer, float and double arguments can be set per launch`,
        );
      },
    };
  }

  /** @internal `handle` is that of a clone of the kernel. */
  constructor(
    handle: Handle,
    kernel: KernelObject,
    parameters: KernelParameters,
    sizes: LaunchSizes,
    args: readonly unknown[],
  ) {
    const resolved = args.map((value, i) => parameters.resolve(value, i));
    parameters.writeResolved(handle, resolved);
    native.setKernelArguments(handle);
    const full = writeSizes(sizes, parameters.names, args);
    const shape = scratchShape();
    native.fixKernel(handle);
    super(handle, kernel.label);
    this.#context = kernel.context;
    this.#name = kernel.name;
    this.#parameters = parameters;
    this.#args = [...args];
    this.#resolved = resolved;
    this.#shape = shape;
    this.#empty = !full;
  }

  /** The kernel function's name. */
  get name(): string {
    return this.#name;
  }

  /** The context. */
  get context(): Context {
    return this.#context;
  }

  /** The current arguments, including numbers set by launches of lists and rows. */
  get args(): readonly unknown[] {
    return this.#args.map((value, i) => {
      const isNumber = typeof value === "number" || typeof value === "bigint";
      const scalar = isNumber && !this.released ? this.#parameters.numberType(i) : undefined;
      if (scalar === undefined) return value;
      const now = this.#parameters.read(handleOf(this), i, scalar);
      if (typeof now === "bigint") return typeof value === "number" ? Number(now) : now;
      // Return the original number if only float rounding changed it.
      return scalar.name === "float" && Math.fround(value as number) === now ? value : now;
    });
  }

  /** Returns whether an argument can be set by each launch of a list (`scalars` of `LaunchList.push`). */
  takesNumber(parameter: number | string): boolean {
    return this.#parameters.numberType(this.#parameters.indexOf(parameter)) !== undefined;
  }

  /** Whether the global size is empty: launches then do nothing. */
  get empty(): boolean {
    return this.#empty;
  }

  /** Statistics that record launches on profiling queues, including those by launch lists; `undefined` for none. */
  get statistics(): CommandStatistics | undefined {
    return this.#statistics;
  }

  set statistics(value: CommandStatistics | undefined) {
    native.setKernelStatistics(handleOf(this), statisticsHandle(value));
    this.#statistics = value;
  }

  /** Enqueues the kernel without creating an event. */
  launch(queue: CommandQueue): void {
    if (!(queue instanceof CommandQueue)) throw typeError("queue", "a CommandQueue", queue);
    if (this.#empty) return;
    try {
      setLaunch(queueHandle(queue), boundHandle(this), 0);
      launchBound();
    } catch (error) {
      throw explainLaunch(withArgumentName(error, this.#parameters), this.#shape, boundHandle(this), queue.device);
    }
  }

  /**
   * Launches the kernel once per row of numbers, in one native call. `parameters` are the positions or names of the
   * scalar arguments that a row sets, `rows` the numbers, row by row. Enqueues nothing unless every number fits its
   * argument. If the driver rejects a launch, the error's `launched` is the number of launches before it. The arguments
   * keep the values of the last row.
   */
  launchRows(queue: CommandQueue, parameters: readonly (number | string)[], rows: Float64Array): void {
    this.#withRows(queue, parameters, rows, (...launch) => native.launchRows(...launch));
  }

  /**
   * Like {@link launchRows}, and returns the event of the last launch. Also on an out-of-order queue, each launch
   * starts when the previous one has ended, and the first one when `waitFor` has completed.
   */
  enqueueRows(
    queue: CommandQueue,
    parameters: readonly (number | string)[],
    rows: Float64Array,
    options?: EnqueueOptions,
  ): CommandEvent {
    const { waitFor } = checkOptions(options, ["waitFor"]);
    const waits = waitHandles(waitFor, "options.waitFor");
    const last = this.#withRows(queue, parameters, rows, (...launch) =>
      waits === undefined ? native.enqueueRows(...launch) : native.enqueueRows(...launch, waits),
    );
    return last === undefined ? queue.enqueueMarker(waitFor) : eventOf(last, queue);
  }

  /** Checks the rows and calls `launch` with them unless there is nothing to launch. */
  #withRows<T>(
    queue: CommandQueue,
    parameters: readonly (number | string)[],
    rows: Float64Array,
    launch: (queue: Handle, kernel: Handle, scalars: Int32Array, rows: Float64Array) => T,
  ): T | undefined {
    if (!(queue instanceof CommandQueue)) throw typeError("queue", "a CommandQueue", queue);
    const columns = rowColumns(parameters, rows, (parameter, name) => scalarOf(this, parameter, name));
    const scalars = Int32Array.from(columns.flatMap(({ index, scalar }) => [index, scalar.code]));
    const target = queueHandle(queue);
    const handle = handleOf(this);
    if (this.#empty || rows.length === 0) {
      throwUnlessFitting(columns, rows);
      return undefined;
    }
    try {
      return launch(target, handle, scalars, rows);
    } catch (error) {
      throwUnlessFitting(columns, rows);
      throw this.#explainRow(error, queue);
    }
  }

  /** Adds the row to a driver's error, and the argument's name to other errors. */
  #explainRow(error: unknown, queue: CommandQueue): unknown {
    const row = errorPosition(error);
    if (!(error instanceof OpenCLError) || error.status === 0 || row < 0) {
      return explainLaunch(withArgumentName(error, this.#parameters), this.#shape, boundHandle(this), queue.device);
    }
    explainLaunch(error, this.#shape, boundHandle(this), queue.device);
    error.message = `row ${row}: ${error.message}`;
    return Object.assign(error, { launched: row });
  }

  /** Like {@link launch}, and returns an event. */
  enqueue(queue: CommandQueue, options?: EnqueueOptions): CommandEvent {
    const flags = launchFlags.wantEvent | (this.#empty ? launchFlags.empty : 0);
    const waitFor = options === undefined ? undefined : checkOptions(options, ["waitFor"]).waitFor;
    return eventOf(this.#launch(queue, flags, waitFor) as Handle, queue);
  }

  /** Launches and blocks the event loop until all commands on the queue have completed, in one native call. */
  launchAndFinishSync(queue: CommandQueue): void {
    this.#launch(queue, launchFlags.thenFinish | (this.#empty ? launchFlags.empty : 0), undefined);
  }

  #launch(queue: CommandQueue, flags: number, waitFor: WaitFor): Handle | undefined {
    if (!(queue instanceof CommandQueue)) throw typeError("queue", "a CommandQueue", queue);
    const waits = waitHandles(waitFor);
    try {
      setLaunch(queueHandle(queue), boundHandle(this), flags);
      return waits === undefined ? launch() : launch(waits);
    } catch (error) {
      throw explainLaunch(withArgumentName(error, this.#parameters), this.#shape, boundHandle(this), queue.device);
    }
  }

  /** Sets one argument, by position or name. Launches already enqueued keep the previous value. */
  setArg(parameter: number | string, value: unknown): this {
    const i = this.#parameters.indexOf(parameter);
    const handle = handleOf(this);
    const resolved = this.#parameters.resolve(value, i);
    this.#parameters.write(handle, i, resolved);
    try {
      native.setKernelArgument(handle, i);
    } catch (error) {
      throw withArgumentName(error, this.#parameters);
    }
    this.#args[i] = value;
    this.#resolved[i] = resolved;
    return this;
  }

  /** The address of the `cl_kernel`. Once read, other code may set arguments, so every `setArg` calls the driver. */
  override get pointer(): bigint {
    native.shareKernel(handleOf(this));
    return super.pointer;
  }

  protected override summary(): string {
    return this.#name;
  }
}

/** @internal Adds the argument or size that caused it to the error of a bound kernel's launch. */
export const explainBound: Explain = inside.explainBound;
/** @internal Returns the position, type and display name of a scalar argument; throws for other arguments. */
export const scalarOf: ScalarOf = inside.scalarOf;
