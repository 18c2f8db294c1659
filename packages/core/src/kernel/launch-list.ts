/** Many commands, recorded once and enqueued by one call: a timestep. */
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

// Taken out once: the addon's exports are a dictionary, and a look-up at each launch costs 4 ns.
const { launchList } = native;

/** One command: words for errors, and what it uses, kept alive here. */
interface Command {
  readonly words: string;
  readonly kernel?: BoundKernel;
  readonly uses?: readonly DeviceBuffer[];
}

/** How to make a list. */
export interface LaunchListOptions {
  /** A name of yours. */
  readonly label?: string;
  /**
   * True if, on an out-of-order queue too, the list begins when all that came before it on the queue has ended. It says
   * nothing of what comes after the list, which `pushBarrier` would. Between lists that follow each other this costs less
   * than a barrier.
   */
  readonly follows?: boolean;
}

/** What a command of a list is called, and what it follows. */
export interface LaunchListCommandOptions {
  /** A name of yours, shown in errors. */
  readonly label?: string;
  /** On an out-of-order queue it begins when these commands of the list have ended, by their positions in it. */
  readonly after?: readonly number[];
  /** What it is counted in on queues with profiling; what the kernel says itself if not said. */
  readonly statistics?: CommandStatistics;
}

/** How a kernel is in a list. */
export interface LaunchListKernelOptions extends LaunchListCommandOptions {
  /** Numbers that each launch brings: arguments by name or position, with the positions of their values. */
  readonly scalars?: ListScalarMap;
}

/** How to enqueue a list. */
export interface LaunchListEnqueueOptions extends EnqueueOptions {
  /** Numbers for the arguments that were pushed as `scalars`; without them those stay as they are. */
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
 * On an in-order queue the commands run one after the other. On an out-of-order queue they may overlap, but for what
 * `after` and barriers say.
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
    // Before there is a handle that an error would lose.
    const { label, follows } = checkOptions(options, ["label", "follows"]);
    const all = checkBoolean(follows, "options.follows", false);
    super(native.createList(handleOf(checkInstance(context, Context, "context")), all), label);
    this.#context = context;
  }

  /** The context it belongs to. */
  get context(): Context {
    return this.#context;
  }

  /** How many commands it has. */
  get length(): number {
    return this.#commands.length;
  }

  /**
   * Appends a bound kernel; one with an empty range is left out. Its arguments may still be changed: later launches of
   * the list see that.
   */
  push(kernel: BoundKernel, options?: LaunchListKernelOptions): this {
    const list = handleOf(this);
    checkMember(kernel, BoundKernel, "kernel", this.context, "list");
    const handle = handleOf(kernel);
    const given = checkOptions(options, [...commandNames, "scalars"]);
    const words = wordsFor(`kernel "${kernel.name}"`, given);
    const after = this.#after(given);
    const [uses, scalars] = this.#scalars.plan(kernel, given.scalars);
    if (!kernel.empty) {
      this.#push({ words, kernel }, () => native.pushKernel(list, handle, after, scalars), given.statistics);
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
    const words = wordsFor("copy", given);
    const after = this.#after(given);
    if (bytes === 0) return this;
    return this.#push(
      { words, uses: [target, source] },
      () => native.pushCopy(list, from, to, sourceOffset, targetOffset, bytes, after),
      given.statistics,
    );
  }

  /** Appends a fill. The pattern is taken at once. */
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
    const words = wordsFor("fill", given);
    const after = this.#after(given);
    if (bytes === 0) return this;
    return this.#push(
      { words, uses: [target] },
      () => native.pushFill(list, to, patternBytes, offset, bytes, after),
      given.statistics,
    );
  }

  /** Appends a barrier: on an out-of-order queue, what follows waits for what came before. */
  pushBarrier(): this {
    const list = handleOf(this);
    return this.#push({ words: "barrier" }, () => native.pushBarrier(list, none));
  }

  /** The positions that a command follows. */
  #after({ after }: LaunchListCommandOptions): Int32Array {
    if (after === undefined) return none;
    if (!Array.isArray(after)) throw typeError("options.after", "an array of positions in the list", after);
    const last = this.#commands.length - 1;
    return Int32Array.from(after, (one, i) => checkInteger(one, `options.after[${i}]`, 0, last));
  }

  #push(command: Command, push: () => void, statistics?: CommandStatistics): this {
    // Its mistakes are found before anything is pushed.
    const counted = statisticsHandle(statistics);
    push();
    if (counted !== 0) native.countLastCommand(handleOf(this), counted);
    this.#commands.push(command);
    return this;
  }

  /** How many numbers a launch can bring, as `scalars` of {@link push} named them; it may bring more. */
  get valueCount(): number {
    return this.#scalars.count;
  }

  /**
   * Enqueues all commands; makes no event and returns nothing. If the driver refuses one of them, those before it have
   * been enqueued. `values` are numbers for the arguments that were pushed as `scalars`; without them those stay as they
   * are.
   */
  launch(queue: CommandQueue, values?: ListValues): void {
    this.#launch(queue, false, undefined, values);
  }

  /** Enqueues all commands, then a marker whose event completes after them. */
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
    let what = wantEvent ? 1 : 0;
    if (values !== undefined) {
      if (!(values instanceof Float64Array) && !Array.isArray(values)) {
        throw typeError("values", "a Float64Array or an array of numbers", values);
      }
      what += 2 * this.#scalars.write(values);
    }
    try {
      return waits === undefined ? launchList(target, list, what) : launchList(target, list, what, waits);
    } catch (error) {
      throw (values === undefined ? undefined : this.#scalars.mistake(values)) ?? this.#explained(error, queue);
    }
  }

  #explained(error: unknown, queue: CommandQueue): unknown {
    const position = errorPosition(error);
    const command = this.#commands[position];
    if (!(error instanceof Error) || command === undefined) return error;
    if (command.kernel !== undefined) explainBound(command.kernel, error, queue);
    error.message = `command ${position} (${command.words}): ${error.message}`;
    return error;
  }

  protected override summary(): string {
    return this.#commands.map(({ words }) => words).join(", ");
  }
}

const none = new Int32Array();
const commandNames = ["label", "after", "statistics"] as const;

/** How errors call a command. */
function wordsFor(what: string, { label }: LaunchListCommandOptions): string {
  return label === undefined ? what : `"${checkString(label, "options.label")}", ${what}`;
}
