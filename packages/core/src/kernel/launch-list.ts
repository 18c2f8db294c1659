/** Launch lists: commands recorded once and enqueued by one call. */
import { checkBoolean, checkInstance, checkInteger, checkOptions, checkString, typeError } from "@cl/base";

import { BoundKernel, type EnqueueOptions, explainBound } from "./bound-kernel.js";
import { DeviceBuffer } from "../memory/buffer.js";
import { checkMember, Context } from "../platform/context.js";
import { type CopyRange, copyRange } from "../transfer/copy.js";
import { rangeNames } from "../transfer/copy-options.js";
import { errorPosition } from "../binding/errors.js";
import { type CommandEvent, eventOf, waitHandles } from "../event/event.js";
import { type FillPattern, fillRange } from "../transfer/fill.js";
import { type Handle, native } from "../binding/native.js";
import { type ListScalarMap, ListScalars, type ListValues } from "./list-scalars.js";
import { type CommandStatistics, statisticsHandle } from "../profile/command-statistics.js";
import { CommandQueue } from "../command-queue/command-queue.js";
import { handleOf, Resource } from "../binding/resource.js";

// Destructured once: the addon's exports are in dictionary mode, and a lookup at each launch costs 4 ns.
const { launchList } = native;

/** One command, and the objects it uses, kept alive here. */
interface Command {
  readonly displayName: string;
  readonly kernel?: BoundKernel;
  readonly uses?: readonly DeviceBuffer[];
}

/** Options for creating a list. */
export interface LaunchListOptions {
  /** Label shown in errors. */
  readonly label?: string;
  /**
   * Whether the list starts after all earlier commands on the queue have ended, also on an out-of-order queue. Does not
   * order commands after the list, as `pushBarrier` does. Cheaper than a barrier between consecutive lists.
   * @defaultValue false
   */
  readonly waitForPrevious?: boolean;
}

/** Options of a command in a list. */
export interface LaunchListCommandOptions {
  /** Label shown in errors. */
  readonly label?: string;
  /** Positions of commands in the list that must end before this one starts, on an out-of-order queue. */
  readonly after?: readonly number[];
  /**
   * Statistics to record into, on queues with profiling.
   * @defaultValue the kernel's own
   */
  readonly statistics?: CommandStatistics;
}

/** Options of a kernel in a list. */
export interface LaunchListKernelOptions extends LaunchListCommandOptions {
  /** Arguments that each launch sets: by name or position, with the index of the value in the launch's `values`. */
  readonly scalars?: ListScalarMap;
}

/** Options for enqueueing a list. */
export interface LaunchListEnqueueOptions extends EnqueueOptions {
  /** Values of the arguments that were pushed as `scalars`; without them the arguments keep their values. */
  readonly values?: ListValues;
}

/**
 * A list of bound kernels, copies and fills.
 *
 * @example
 * ```ts
 * const step = new LaunchList(context).push(advect.bind(sizes, u, v)).push(diffuse.bind(sizes, v, u));
 * for (let t = 0; t < steps; t++) step.launch(queue);
 * ```
 *
 * On an in-order queue the commands run one after the other. On an out-of-order queue they may overlap unless `after`
 * or barriers order them.
 *
 * @example Numbers that change with each launch
 * ```ts
 * const saxpy = program.kernel("saxpy").bind(sizes, 2, x, y);
 * const step = new LaunchList(context).push(saxpy, { scalars: { a: 0 } });
 * step.launch(queue, [0.1]);
 * ```
 */
export class LaunchList extends Resource {
  readonly #context: Context;
  readonly #commands: Command[] = [];
  readonly #scalars = new ListScalars();

  constructor(context: Context, options?: LaunchListOptions) {
    // Checked before the handle exists, which an error would leak.
    const { label, waitForPrevious } = checkOptions(options, ["label", "waitForPrevious"]);
    const waits = checkBoolean(waitForPrevious, "options.waitForPrevious", false);
    super(native.createList(handleOf(checkInstance(context, Context, "context")), waits), label);
    this.#context = context;
  }

  /** The context. */
  get context(): Context {
    return this.#context;
  }

  /** Number of commands. */
  get length(): number {
    return this.#commands.length;
  }

  /**
   * Appends a bound kernel, unless its global size is empty. Changes of its arguments affect later launches of the
   * list.
   */
  push(kernel: BoundKernel, options?: LaunchListKernelOptions): this {
    const list = handleOf(this);
    checkMember(kernel, BoundKernel, "kernel", this.context, "list");
    const handle = handleOf(kernel);
    const given = checkOptions(options, [...commandNames, "scalars"]);
    const displayName = commandName(`kernel "${kernel.name}"`, given);
    const after = this.#after(given);
    const [uses, scalars] = this.#scalars.plan(kernel, given.scalars);
    if (!kernel.empty) {
      this.#push({ displayName, kernel }, () => native.pushKernel(list, handle, after, scalars), given.statistics);
    }
    this.#scalars.add(uses);
    return this;
  }

  /** Appends a copy between buffers. */
  pushCopy(target: DeviceBuffer, source: DeviceBuffer, range?: CopyRange & LaunchListCommandOptions): this {
    const list = handleOf(this);
    checkMember(target, DeviceBuffer, "target", this.context, "list");
    checkMember(source, DeviceBuffer, "source", this.context, "list");
    const to = handleOf(target);
    const from = handleOf(source);
    const given = checkOptions(range, [...rangeNames, ...commandNames], "range");
    const { sourceOffset, targetOffset, bytes } = copyRange(target, source, given);
    const displayName = commandName("copy", given);
    const after = this.#after(given);
    if (bytes === 0) return this;
    return this.#push(
      { displayName, uses: [target, source] },
      () => native.pushCopy(list, from, to, sourceOffset, targetOffset, bytes, after),
      given.statistics,
    );
  }

  /** Appends a fill. The pattern is copied immediately. */
  pushFill(
    target: DeviceBuffer,
    pattern: FillPattern,
    range?: LaunchListCommandOptions & { readonly offset?: number; readonly bytes?: number },
  ): this {
    const list = handleOf(this);
    checkMember(target, DeviceBuffer, "target", this.context, "list");
    const to = handleOf(target);
    const given = checkOptions(range, ["offset", "bytes", ...commandNames], "range");
    const { bytes, offset, patternBytes } = fillRange(target, pattern, given);
    const displayName = commandName("fill", given);
    const after = this.#after(given);
    if (bytes === 0) return this;
    return this.#push(
      { displayName, uses: [target] },
      () => native.pushFill(list, to, patternBytes, offset, bytes, after),
      given.statistics,
    );
  }

  /** Appends a barrier: on an out-of-order queue, later commands wait for earlier ones. */
  pushBarrier(): this {
    const list = handleOf(this);
    return this.#push({ displayName: "barrier" }, () => native.pushBarrier(list, noPositions));
  }

  /** Returns the checked positions in `after`. */
  #after({ after }: LaunchListCommandOptions): Int32Array {
    if (after === undefined) return noPositions;
    if (!Array.isArray(after)) throw typeError("options.after", "an array of positions in the list", after);
    const last = this.#commands.length - 1;
    return Int32Array.from(after, (position, i) => checkInteger(position, `options.after[${i}]`, 0, last));
  }

  #push(command: Command, push: () => void, statistics?: CommandStatistics): this {
    // Checked before anything is pushed.
    const target = statisticsHandle(statistics);
    push();
    if (target !== 0) native.countLastCommand(handleOf(this), target);
    this.#commands.push(command);
    return this;
  }

  /** Number of values that a launch takes, from the `scalars` of {@link push}; further values are ignored. */
  get valueCount(): number {
    return this.#scalars.count;
  }

  /**
   * Enqueues all commands without creating an event. If the driver rejects a command, the commands before it have been
   * enqueued. `values` are the values of arguments that were pushed as `scalars`; without them the arguments keep their
   * values.
   */
  launch(queue: CommandQueue, values?: ListValues): void {
    this.#launch(queue, false, undefined, values);
  }

  /** Enqueues all commands and a marker, and returns the marker's event, which completes after them. */
  enqueue(queue: CommandQueue, options?: LaunchListEnqueueOptions): CommandEvent {
    const { waitFor, values } = checkOptions(options, ["values", "waitFor"]);
    return eventOf(this.#launch(queue, true, waitHandles(waitFor), values) as Handle, queue);
  }

  #launch(
    queue: CommandQueue,
    wantEvent: boolean,
    waits: Int32Array | undefined,
    values: ListValues | undefined,
  ): Handle | undefined {
    if (!(queue instanceof CommandQueue)) throw typeError("queue", "a CommandQueue", queue);
    const target = handleOf(queue);
    const list = handleOf(this);
    let flags = wantEvent ? 1 : 0;
    if (values !== undefined) {
      if (!(values instanceof Float64Array) && !Array.isArray(values)) {
        throw typeError("values", "a Float64Array or an array of numbers", values);
      }
      flags += 2 * this.#scalars.write(values);
    }
    try {
      return waits === undefined ? launchList(target, list, flags) : launchList(target, list, flags, waits);
    } catch (error) {
      throw (values === undefined ? undefined : this.#scalars.findError(values)) ?? this.#explain(error, queue);
    }
  }

  #explain(error: unknown, queue: CommandQueue): unknown {
    const position = errorPosition(error);
    const command = this.#commands[position];
    if (!(error instanceof Error) || command === undefined) return error;
    if (command.kernel !== undefined) explainBound(command.kernel, error, queue);
    error.message = `command ${position} (${command.displayName}): ${error.message}`;
    return error;
  }

  protected override summary(): string {
    return this.#commands.map(({ displayName }) => displayName).join(", ");
  }
}

const noPositions = new Int32Array();
const commandNames = ["label", "after", "statistics"] as const;

/** Returns a command's name for errors. */
function commandName(what: string, { label }: LaunchListCommandOptions): string {
  return label === undefined ? what : `"${checkString(label, "options.label")}", ${what}`;
}
