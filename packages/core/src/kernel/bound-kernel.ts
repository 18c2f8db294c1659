/** A kernel with its sizes and arguments fixed: launching it passes two integers. */
import { checkOptions, type ScalarType, typeError, wrongValue } from "@cl/base";

import type { Context } from "../platform/context.js";
import { type CommandEvent, eventOf, type WaitFor, waitHandles } from "../event/event.js";
import { DisposedError, errorPosition, OpenCLError } from "../binding/errors.js";
import type { KernelParameters } from "./kernel-parameters.js";
import { type LaunchSizes, writeSizes } from "./kernel-sizes.js";
import type { KernelObject } from "./kernel-object.js";
import { explained, explainLaunch, type LaunchShape, scratchShape } from "./launch-error.js";
import { type Handle, native } from "../binding/native.js";
import { CommandQueue } from "../command-queue/command-queue.js";
import { rowColumns, throwMistake } from "./row-scalars.js";
import { boundHandle, handleOf, queueHandle, Resource } from "../binding/resource.js";
import { type CommandStatistics, statisticsHandle } from "../profile/command-statistics.js";
import { launchFlags, setLaunch } from "../binding/scratch.js";

/** How to enqueue something that is already bound. */
export interface EnqueueOptions {
  /** What it waits for. */
  readonly waitFor?: WaitFor;
}

// Taken out once: the addon's exports are a dictionary, and a look-up at each launch costs 4 ns.
const { launch, launchBound } = native;

type Explain = (kernel: BoundKernel, error: unknown, queue: CommandQueue) => unknown;
type ScalarOf = (
  kernel: BoundKernel,
  parameter: number | string,
  name: string,
) => { readonly index: number; readonly scalar: ScalarType; readonly words: string };

/** Functions of this package that reach private fields. */
let inside: { readonly explainBound: Explain; readonly scalarOf: ScalarOf };

/** Made by `kernel.bind(sizes, ...args)`; independent of the kernel from then on. */
export class BoundKernel extends Resource {
  readonly #context: Context;
  readonly #name: string;
  readonly #parameters: KernelParameters;
  /** Kept alive here, since OpenCL does not promise to. */
  readonly #args: unknown[];
  /** What stands in for them. */
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
        const words = kernel.#parameters.nameOf(index);
        if (scalar !== undefined) return { index, scalar, words };
        throw wrongValue(`${name} names ${words}, but only integers, float and double can come with launches`);
      },
    };
  }

  /** @internal `handle` is a clone of the kernel's. */
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
    const full = writeSizes(sizes, parameters, args);
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

  /** The context it belongs to. */
  get context(): Context {
    return this.#context;
  }

  /** The arguments as they are now, with the numbers that launches of lists brought. */
  get args(): readonly unknown[] {
    return this.#args.map((value, i) => {
      const isNumber = typeof value === "number" || typeof value === "bigint";
      const scalar = isNumber && !this.released ? this.#parameters.numberType(i) : undefined;
      if (scalar === undefined) return value;
      const now = this.#parameters.read(handleOf(this), i, scalar);
      if (typeof now === "bigint") return typeof value === "number" ? Number(now) : now;
      // Not rounded to a float if that is all that happened to it.
      return scalar.name === "float" && Math.fround(value as number) === now ? value : now;
    });
  }

  /** True if an argument takes a number that each launch of a list can bring (`scalars` of `LaunchList.push`). */
  takesNumber(parameter: number | string): boolean {
    return this.#parameters.numberType(this.#parameters.indexOf(parameter)) !== undefined;
  }

  /** True if its range is empty: launching it does nothing. */
  get empty(): boolean {
    return this.#empty;
  }

  /** What its launches on queues with profiling are counted in, those by launch lists too; nothing if undefined. */
  get statistics(): CommandStatistics | undefined {
    return this.#statistics;
  }

  set statistics(value: CommandStatistics | undefined) {
    native.setKernelStatistics(handleOf(this), statisticsHandle(value));
    this.#statistics = value;
  }

  /** Enqueues the kernel; makes no event and returns nothing. */
  launch(queue: CommandQueue): void {
    if (!(queue instanceof CommandQueue)) throw typeError("queue", "a CommandQueue", queue);
    if (this.#empty) return;
    try {
      setLaunch(queueHandle(queue), boundHandle(this), 0);
      launchBound();
    } catch (error) {
      throw explainLaunch(explained(error, this.#parameters), this.#shape, boundHandle(this), queue.device);
    }
  }

  /**
   * Launches once for each row of numbers, in one native call: `parameters` are the positions or names of the scalar
   * arguments that a row brings, `rows` the numbers, row after row. Nothing is enqueued unless all of them fit. If the
   * driver refuses one, the error has the number of launches before it as `launched`. The last row's numbers stay.
   */
  launchRows(queue: CommandQueue, parameters: readonly (number | string)[], rows: Float64Array): void {
    this.#withRows(queue, parameters, rows, (...launch) => native.launchRows(...launch));
  }

  /**
   * Launches once for each row like {@link launchRows}, and returns the event of the last launch. On an out-of-order queue
   * too, each launch begins when the one before it has ended, and the first one when `waitFor` has.
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

  /** Checks the rows, and calls `launch` with them unless there is nothing to launch. */
  #withRows<T>(
    queue: CommandQueue,
    parameters: readonly (number | string)[],
    rows: Float64Array,
    launch: (queue: Handle, kernel: Handle, scalars: Int32Array, rows: Float64Array) => T,
  ): T | undefined {
    if (!(queue instanceof CommandQueue)) throw typeError("queue", "a CommandQueue", queue);
    const columns = rowColumns(parameters, rows, (one, name) => scalarOf(this, one, name));
    const scalars = Int32Array.from(columns.flatMap(({ index, scalar }) => [index, scalar.code]));
    const target = queueHandle(queue);
    const handle = handleOf(this);
    if (this.#empty || rows.length === 0) {
      throwMistake(columns, rows);
      return undefined;
    }
    try {
      return launch(target, handle, scalars, rows);
    } catch (error) {
      throwMistake(columns, rows);
      throw this.#ofRow(error, queue);
    }
  }

  /** A driver's failure says the row; others are about an argument. */
  #ofRow(error: unknown, queue: CommandQueue): unknown {
    const row = errorPosition(error);
    if (!(error instanceof OpenCLError) || error.status === 0 || row < 0) {
      return explainLaunch(explained(error, this.#parameters), this.#shape, boundHandle(this), queue.device);
    }
    explainLaunch(error, this.#shape, boundHandle(this), queue.device);
    error.message = `row ${row}: ${error.message}`;
    return Object.assign(error, { launched: row });
  }

  /** Like {@link launch}, with an event. */
  enqueue(queue: CommandQueue, options?: EnqueueOptions): CommandEvent {
    const flags = launchFlags.wantEvent | (this.#empty ? launchFlags.empty : 0);
    const waitFor = options === undefined ? undefined : checkOptions(options, ["waitFor"]).waitFor;
    return eventOf(this.#launch(queue, flags, waitFor) as Handle, queue);
  }

  /** Launches and blocks the event loop until everything on the queue has completed, in one native call. */
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
      throw explainLaunch(explained(error, this.#parameters), this.#shape, boundHandle(this), queue.device);
    }
  }

  /** Changes one argument, by position or name. Launches that are already enqueued keep what they had. */
  setArg(parameter: number | string, value: unknown): this {
    const i = this.#parameters.indexOf(parameter);
    const handle = handleOf(this);
    const resolved = this.#parameters.resolve(value, i);
    this.#parameters.write(handle, i, resolved);
    try {
      native.setKernelArgument(handle, i);
    } catch (error) {
      throw explained(error, this.#parameters);
    }
    this.#args[i] = value;
    this.#resolved[i] = resolved;
    return this;
  }

  /** The address of the kernel object. After this, arguments may be set elsewhere, so each setArg reaches the driver. */
  override get pointer(): bigint {
    native.shareKernel(handleOf(this));
    return super.pointer;
  }

  protected override summary(): string {
    return this.#name;
  }
}

/** @internal Adds to an error of a bound kernel's launch which argument or which size is to blame. */
export const explainBound: Explain = inside.explainBound;
/** @internal A scalar argument that takes a number: its position, its type, and words for errors. */
export const scalarOf: ScalarOf = inside.scalarOf;
