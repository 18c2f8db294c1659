/** Many commands, recorded once and enqueued by one call: a timestep. */
import { BoundKernel, type EnqueueOptions } from "./bound-kernel.js";
import { DeviceBuffer } from "./buffer.js";
import { checkInstance, checkOptions, typeError } from "./check.js";
import { Context } from "./context.js";
import { errorPosition } from "./errors.js";
import { type CommandEvent, eventOf, waitHandles } from "./event.js";
import { type FillPattern, fillRange } from "./fill.js";
import { type CopyRange, copyRange } from "./copy.js";
import { type Handle, native } from "./native.js";
import { CommandQueue } from "./queue.js";
import { handleOf, Resource } from "./resource.js";

/**
 * A list of bound kernels, copies and fills.
 *
 * @example
 * ```ts
 * const step = new LaunchList(context).push(advect.bind(sizes, u, v)).push(diffuse.bind(sizes, v, u));
 * for (let t = 0; t < steps; t++) step.launch(queue);
 * ```
 */
export class LaunchList extends Resource {
  readonly #context: Context;
  /** What each command uses, kept alive, and words for errors. */
  readonly #commands: { readonly words: string; readonly uses: readonly unknown[] }[] = [];

  constructor(context: Context, options?: { readonly label?: string }) {
    super(native.createList(handleOf(checkInstance(context, Context, "context"))), checkOptions(options).label);
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

  /** Appends a bound kernel. Its arguments may still be changed; later launches of the list see that. */
  push(kernel: BoundKernel): this {
    checkInstance(kernel, BoundKernel, "kernel");
    if (kernel.empty) return this;
    native.pushKernel(handleOf(this), handleOf(kernel));
    this.#commands.push({ words: `kernel "${kernel.name}"`, uses: [kernel] });
    return this;
  }

  /** Appends a copy between buffers. */
  pushCopy(target: DeviceBuffer, source: DeviceBuffer, range?: CopyRange): this {
    checkInstance(target, DeviceBuffer, "target");
    checkInstance(source, DeviceBuffer, "source");
    const { sourceOffset, targetOffset, bytes } = copyRange(target, source, range);
    if (bytes === 0) return this;
    native.pushCopy(handleOf(this), handleOf(source), handleOf(target), sourceOffset, targetOffset, bytes);
    this.#commands.push({ words: "copy", uses: [target, source] });
    return this;
  }

  /** Appends a fill. */
  pushFill(target: DeviceBuffer, pattern: FillPattern, range?: { readonly offset?: number; readonly bytes?: number }): this {
    checkInstance(target, DeviceBuffer, "target");
    const { bytes, offset, patternBytes } = fillRange(target, pattern, range);
    if (bytes === 0) return this;
    native.pushFill(handleOf(this), handleOf(target), patternBytes, offset, bytes);
    this.#commands.push({ words: "fill", uses: [target] });
    return this;
  }

  /** Appends a barrier: on an out-of-order queue, what follows waits for what came before. */
  pushBarrier(): this {
    native.pushBarrier(handleOf(this));
    this.#commands.push({ words: "barrier", uses: [] });
    return this;
  }

  /** Enqueues all commands; makes no event and returns nothing. */
  launch(queue: CommandQueue): void {
    if (!(queue instanceof CommandQueue)) throw typeError("queue", "a CommandQueue", queue);
    try {
      native.launchList(handleOf(queue), handleOf(this), false);
    } catch (error) {
      throw this.#explained(error);
    }
  }

  /** Enqueues all commands, then a marker whose event completes after them. */
  enqueue(queue: CommandQueue, options?: EnqueueOptions): CommandEvent {
    if (!(queue instanceof CommandQueue)) throw typeError("queue", "a CommandQueue", queue);
    const waits = waitHandles(checkOptions(options).waitFor);
    try {
      const event =
        waits === undefined
          ? native.launchList(handleOf(queue), handleOf(this), true)
          : native.launchList(handleOf(queue), handleOf(this), true, waits);
      return eventOf(event as Handle, queue);
    } catch (error) {
      throw this.#explained(error);
    }
  }

  #explained(error: unknown): unknown {
    const position = errorPosition(error);
    const command = this.#commands[position];
    if (error instanceof Error && command !== undefined) error.message = `command ${position} (${command.words}): ${error.message}`;
    return error;
  }

  protected override summary(): string {
    return this.#commands.map(({ words }) => words).join(", ");
  }
}
