/** Command buffers: commands that the driver records once and that are enqueued by one call. */
import { checkBoolean, checkInstance, checkOptions, checkString, wrongState } from "@cl/base";

import { type Handle, native } from "../binding/native.js";
import { QueriedResource } from "../binding/queried-resource.js";
import { handleOf } from "../binding/resource.js";
import { CommandBufferCapabilities } from "../binding/constants.js";
import { NotSupportedError } from "../binding/errors.js";
import { type CommandEvent, eventOf, waitHandles } from "../event/event.js";
import { infoOf } from "../info/query.js";
import { commandBufferQueries } from "../info/semaphore-info.js";
import { extensionVersion, requireExtension } from "../interop/extension.js";
import { BoundKernel, type EnqueueOptions } from "../kernel/bound-kernel.js";
import { DeviceBuffer } from "../memory/buffer.js";
import { checkMember, type Context } from "../platform/context.js";
import type { Device } from "../platform/device.js";
import { CommandQueue } from "../command-queue/command-queue.js";
import { type CopyRange, copyRange } from "../transfer/copy.js";
import { rangeNames } from "../transfer/copy-options.js";
import { type FillPattern, fillRange } from "../transfer/fill.js";

/** Options of a {@link CommandBuffer}. */
export interface CommandBufferOptions {
  /**
   * Whether the command buffer can be enqueued again before its last run has completed.
   *
   * @defaultValue `false`
   */
  readonly simultaneousUse?: boolean;
  /** A name shown in errors and traces. */
  readonly label?: string;
}

const extension = "cl_khr_command_buffer";
const routine = "clCreateCommandBufferKHR";

/**
 * A list of commands that the driver records once: bound kernels, copies, fills and barriers, for one queue. Requires
 * `cl_khr_command_buffer`; a {@link LaunchList} does the same on any device.
 *
 * Kernels are recorded with their current arguments. Recorded kernels and memory stay alive until the command buffer is
 * released.
 *
 * @example
 * ```ts no-run
 * const step = new CommandBuffer(queue).push(advect.bind(sizes, u, v)).push(diffuse.bind(sizes, v, u)).finalize();
 * for (let t = 0; t < steps; t++) await step.enqueue().wait();
 * ```
 */
export class CommandBuffer extends QueriedResource {
  readonly #queue: CommandQueue;
  readonly #simultaneousUse: boolean;
  #length = 0;
  #finalized = false;

  constructor(queue: CommandQueue, options?: CommandBufferOptions) {
    checkInstance(queue, CommandQueue, "queue");
    const { simultaneousUse, label } = checkOptions(options, ["simultaneousUse", "label"]);
    const simultaneous = checkBoolean(simultaneousUse, "options.simultaneousUse", false);
    const name = label === undefined ? undefined : checkString(label, "options.label");
    const target = handleOf(queue);
    checkDevice(queue, simultaneous);
    super(native.createCommandBuffer(target, simultaneous, takesProperties(queue.device)), name);
    this.#queue = queue;
    this.#simultaneousUse = simultaneous;
  }

  /** The queue that the commands run on. */
  get queue(): CommandQueue {
    return this.#queue;
  }

  /** The context of the queue. */
  get context(): Context {
    return this.#queue.context;
  }

  /** Number of recorded commands. */
  get length(): number {
    return this.#length;
  }

  /** Whether recording has ended, so that the command buffer can be enqueued but no longer extended. */
  get finalized(): boolean {
    return this.#finalized;
  }

  /** The state, a value of `CommandBufferState`. */
  get state(): number {
    return infoOf(this, commandBufferQueries, "state");
  }

  /** The property list that it was created with, including the terminating 0; empty if there was none. */
  get properties(): readonly bigint[] {
    return infoOf(this, commandBufferQueries, "properties");
  }

  /** The driver's reference count. */
  get referenceCount(): number {
    return infoOf(this, commandBufferQueries, "referenceCount");
  }

  /** Records a bound kernel. Does nothing if its global size is 0. */
  push(kernel: BoundKernel): this {
    const self = this.#recording();
    checkMember(kernel, BoundKernel, "kernel", this.context, "command buffer");
    const handle = handleOf(kernel);
    if (kernel.empty) return this;
    return this.#record(() => native.recordKernel(self, handle));
  }

  /** Records a copy between buffers. Does nothing if the range is empty. */
  pushCopy(target: DeviceBuffer, source: DeviceBuffer, range?: CopyRange): this {
    const self = this.#recording();
    checkMember(target, DeviceBuffer, "target", this.context, "command buffer");
    checkMember(source, DeviceBuffer, "source", this.context, "command buffer");
    const to = handleOf(target);
    const from = handleOf(source);
    const { sourceOffset, targetOffset, bytes } = copyRange(target, source, checkOptions(range, rangeNames, "range"));
    if (bytes === 0) return this;
    return this.#record(() => native.recordCopy(self, from, to, sourceOffset, targetOffset, bytes));
  }

  /** Records a fill. The pattern is copied immediately. Does nothing if the range is empty. */
  pushFill(
    target: DeviceBuffer,
    pattern: FillPattern,
    range?: { readonly offset?: number; readonly bytes?: number },
  ): this {
    const self = this.#recording();
    checkMember(target, DeviceBuffer, "target", this.context, "command buffer");
    const to = handleOf(target);
    const { bytes, offset, patternBytes } = fillRange(
      target,
      pattern,
      checkOptions(range, ["offset", "bytes"], "range"),
    );
    if (bytes === 0) return this;
    return this.#record(() => native.recordFill(self, to, patternBytes, offset, bytes));
  }

  /** Records a barrier: on an out-of-order queue, later commands wait for all earlier ones. */
  pushBarrier(): this {
    const self = this.#recording();
    return this.#record(() => native.recordBarrier(self));
  }

  /** Ends the recording. The command buffer can be enqueued only after this. */
  finalize(): this {
    native.finalizeCommandBuffer(this.#recording());
    this.#finalized = true;
    return this;
  }

  /**
   * Enqueues all commands. Throws if the command buffer is not finalized, or is still running and was created without
   * `simultaneousUse`.
   */
  enqueue(options?: EnqueueOptions): CommandEvent {
    const self = handleOf(this);
    const waits = waitHandles(checkOptions(options, ["waitFor"]).waitFor, "options.waitFor");
    handleOf(this.#queue);
    if (!this.#finalized) throw wrongState(`${this.#displayName()} is still recording: call finalize() first`);
    if (!this.#simultaneousUse && native.commandBufferRuns(self)) {
      throw wrongState(
        `${this.#displayName()} is still running: wait for its last event, or create it with { simultaneousUse: true }`,
      );
    }
    return eventOf(native.enqueueCommandBuffer(self, waits), this.#queue);
  }

  #displayName(): string {
    return this.label === undefined ? "this command buffer" : `command buffer "${this.label}"`;
  }

  #recording(): Handle {
    const self = handleOf(this);
    if (this.#finalized) throw wrongState(`${this.#displayName()} is finalized: commands can no longer be added`);
    handleOf(this.#queue);
    return self;
  }

  #record(record: () => void): this {
    record();
    this.#length++;
    return this;
  }

  protected override summary(): string {
    return `${this.#length} commands, ${this.#finalized ? "finalized" : "recording"}`;
  }
}

function checkDevice(queue: CommandQueue, simultaneous: boolean): void {
  const { device } = queue;
  requireExtension([device], extension, routine);
  const capabilities = device.commandBufferCapabilitiesKhr;
  if (simultaneous && (capabilities & CommandBufferCapabilities.SIMULTANEOUS_USE_KHR) === 0) {
    throw new NotSupportedError(
      routine,
      `device '${device.name}' does not support simultaneous use of command buffers`,
    );
  }
  if (queue.outOfOrder && (capabilities & CommandBufferCapabilities.OUT_OF_ORDER_KHR) === 0) {
    throw new NotSupportedError(
      routine,
      `device '${device.name}' does not support command buffers on out-of-order queues`,
    );
  }
}

/**
 * Returns whether the functions have the parameter that version 0.9.5 added. Throws for versions after 0.9.6, since a
 * call with the wrong parameters crashes the driver.
 */
function takesProperties(device: Device): boolean {
  const version = extensionVersion(device, extension);
  if (version !== undefined && /^0\.9\.[0-6]$/.test(version)) return version >= "0.9.5";
  throw new NotSupportedError(
    routine,
    `device '${device.name}' has ${version === undefined ? "an unknown version" : `version ${version}`} of ${extension}; versions 0.9.0 to 0.9.6 are supported (a LaunchList works on any device)`,
  );
}
