/** Command buffers: many commands, recorded once by the driver and enqueued by one call. */
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

/** How to make a command buffer. */
export interface CommandBufferOptions {
  /** It may be enqueued again before its last run has ended. */
  readonly simultaneousUse?: boolean;
  /** A name of yours, shown in errors and traces. */
  readonly label?: string;
}

const extension = "cl_khr_command_buffer";
const create = "clCreateCommandBufferKHR";

/**
 * Commands that the driver records once: bound kernels, copies, fills and barriers, on one queue. Needs
 * `cl_khr_command_buffer`; a {@link LaunchList} does the same on every device.
 *
 * Kernels are recorded with the arguments that they have then. What is recorded stays alive until the command buffer is
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
  readonly #simultaneous: boolean;
  #length = 0;
  #finalized = false;

  constructor(queue: CommandQueue, options?: CommandBufferOptions) {
    checkInstance(queue, CommandQueue, "queue");
    const { simultaneousUse, label } = checkOptions(options, ["simultaneousUse", "label"]);
    const simultaneous = checkBoolean(simultaneousUse, "options.simultaneousUse", false);
    const name = label === undefined ? undefined : checkString(label, "options.label");
    const target = handleOf(queue);
    checkDevice(queue, simultaneous);
    super(native.createCommandBuffer(target, simultaneous), name);
    this.#queue = queue;
    this.#simultaneous = simultaneous;
  }

  /** The queue that it records for and runs on. */
  get queue(): CommandQueue {
    return this.#queue;
  }

  /** The context it belongs to. */
  get context(): Context {
    return this.#queue.context;
  }

  /** How many commands it has. */
  get length(): number {
    return this.#length;
  }

  /** True once nothing can be added any more, and it can be enqueued. */
  get finalized(): boolean {
    return this.#finalized;
  }

  /** How far it is, of `CommandBufferState`. */
  get state(): number {
    return infoOf(this, commandBufferQueries, "state");
  }

  /** The property list that it was made with, with its closing 0; empty if there was none. */
  get properties(): readonly bigint[] {
    return infoOf(this, commandBufferQueries, "properties");
  }

  /** References that the driver counts. */
  get referenceCount(): number {
    return infoOf(this, commandBufferQueries, "referenceCount");
  }

  /** Records a bound kernel; one with an empty range is left out. */
  push(kernel: BoundKernel): this {
    const self = this.#recording();
    checkMember(kernel, BoundKernel, "kernel", this.context, "command buffer");
    const handle = handleOf(kernel);
    if (kernel.empty) return this;
    return this.#record(() => native.recordKernel(self, handle));
  }

  /** Records a copy between buffers. */
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

  /** Records a fill. The pattern is taken at once. */
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

  /** Records a barrier: on an out-of-order queue, what follows waits for what came before. */
  pushBarrier(): this {
    const self = this.#recording();
    return this.#record(() => native.recordBarrier(self));
  }

  /** Ends the recording. Only then can it be enqueued. */
  finalize(): this {
    native.finalizeCommandBuffer(this.#recording());
    this.#finalized = true;
    return this;
  }

  /** Runs all commands once. */
  enqueue(options?: EnqueueOptions): CommandEvent {
    const self = handleOf(this);
    const waits = waitHandles(checkOptions(options, ["waitFor"]).waitFor, "options.waitFor");
    handleOf(this.#queue);
    if (!this.#finalized) throw wrongState(`${this.#words} is still being recorded: finalize() it first`);
    if (!this.#simultaneous && native.commandBufferRuns(self)) {
      throw wrongState(
        `${this.#words} is still running: wait for its last event, or make it with { simultaneousUse: true }`,
      );
    }
    return eventOf(native.enqueueCommandBuffer(self, waits), this.#queue);
  }

  get #words(): string {
    return this.label === undefined ? "this command buffer" : `command buffer "${this.label}"`;
  }

  #recording(): Handle {
    const self = handleOf(this);
    if (this.#finalized) throw wrongState(`${this.#words} has been finalized: nothing can be added to it any more`);
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
  requireExtension([device], extension, create);
  checkVersion(device);
  const capabilities = device.commandBufferCapabilitiesKhr;
  if (simultaneous && (capabilities & CommandBufferCapabilities.SIMULTANEOUS_USE_KHR) === 0) {
    throw new NotSupportedError(create, `device '${device.name}' has no command buffers for simultaneous use`);
  }
  if (queue.outOfOrder && (capabilities & CommandBufferCapabilities.OUT_OF_ORDER_KHR) === 0) {
    throw new NotSupportedError(create, `device '${device.name}' has no command buffers for out-of-order queues`);
  }
}

/** Version 0.9.5 gave its functions another argument. Called with the wrong number of them, a driver ends the process. */
function checkVersion(device: Device): void {
  const version = extensionVersion(device, extension);
  if (version !== undefined && /^0\.9\.[0-4]$/.test(version)) return;
  throw new NotSupportedError(
    create,
    `device '${device.name}' has ${version === undefined ? "an unknown version" : `version ${version}`} of ${extension}; versions 0.9.0 to 0.9.4 are known here (a LaunchList works everywhere)`,
  );
}
