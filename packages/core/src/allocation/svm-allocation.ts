/** Shared virtual memory allocated by this package. */
import {
  byteLengthOf,
  checkBoolean,
  checkFlags,
  checkInstance,
  checkInteger,
  checkOptions,
  checkString,
  outOfRange,
  rangeError,
  typeError,
  wrongState,
  wrongType,
  wrongValue,
} from "@cl/base";

import { CommandType, SvmMemFlags } from "../binding/constants.js";
import { Context } from "../platform/context.js";
import { type Handle, native } from "../binding/native.js";
import { forget, handleOf } from "../binding/resource.js";
import { type CommandEvent, eventOf, type WaitFor, waitHandles, type WaitOptions } from "../event/event.js";
import { limitsOf } from "../memory/buffer-limits.js";
import type { BufferAccess } from "../memory/buffer-options.js";
import type { ElementRangeOptions } from "../memory/element-range.js";
import type { ArrayOf, ElementType } from "../dtype/host-array.js";
import { checkQueue } from "../queue/check-queue.js";
import type { CommandQueue } from "../command-queue/command-queue.js";
import type { TypedArray } from "../typed/index.js";
import { fineArray, memoryOver } from "../svm/fine-array.js";
import { SvmPointer } from "../svm/svm-pointer.js";
import { listenForReleases } from "../memory/svm-reaper.js";
import { requireSvm, type SvmKind } from "../platform/svm-support.js";
import { partFrom, type Svm } from "../svm/svm.js";

/** Options for allocating shared virtual memory. */
export interface SvmOptions {
  /**
   * Whether the memory is mapped for host access (`"coarse"`) or accessed directly (`"fine-buffer"`).
   *
   * @defaultValue `"coarse"`
   */
  readonly kind?: Exclude<SvmKind, "fine-system">;
  /**
   * Whether host and devices may use atomics on the memory at the same time. Requires `"fine-buffer"`.
   *
   * @defaultValue `false`
   */
  readonly atomics?: boolean;
  /**
   * How kernels may access the memory.
   *
   * @defaultValue `"read-write"`
   */
  readonly access?: BufferAccess;
  /** Alignment of the address in bytes, a power of two. Defaults to the size of the largest OpenCL type. */
  readonly alignment?: number;
  /** The queue that frees the memory; see {@link SvmAllocation.bindToQueue}. */
  readonly queue?: CommandQueue;
  /** Flags of `SvmMemFlags`, including vendor flags. They are combined with the flags of the other options. */
  readonly flags?: number;
  /** A name shown in errors and traces. */
  readonly label?: string;
}

/** The names of {@link SvmOptions}. */
export const svmOptionNames = ["kind", "atomics", "access", "alignment", "queue", "flags", "label"] as const;

/** Options of {@link SvmAllocation.enqueueRelease}. */
export interface SvmReleaseOptions {
  /** Events that the release waits for. */
  readonly waitFor?: WaitFor;
}

const accessFlags: Readonly<Record<string, number>> = {
  "read-write": SvmMemFlags.READ_WRITE,
  "read-only": SvmMemFlags.READ_ONLY,
  "write-only": SvmMemFlags.WRITE_ONLY,
};

/**
 * An allocation of shared virtual memory. After release or garbage collection, the memory is freed once no command
 * enqueued by this package uses it. A kernel that still has it as an argument can then no longer be launched.
 *
 * @example
 * ```ts
 * using memory = new SvmAllocation(context, 4096);
 * using shared = new SvmAllocation(context, 4096, { kind: "fine-buffer", queue });
 * ```
 */
export class SvmAllocation<T extends TypedArray = TypedArray> extends SvmPointer<T> {
  readonly #flags: number;
  #queue: CommandQueue | undefined;
  /** The `ArrayBuffer` over the whole allocation; created on first use. */
  #memory: ArrayBuffer | undefined;

  /** Allocates `bytes` bytes; 0 is allowed and allocates nothing. */
  constructor(context: Context, bytes: number, options?: SvmOptions);
  /** @internal Allocates memory with an element type. */
  constructor(context: Context, bytes: number, options: SvmOptions | undefined, type: ElementType<T>);
  constructor(context: Context, bytes: number, options?: SvmOptions, type?: ElementType<T>) {
    checkInstance(context, Context, "context");
    checkInteger(bytes, "bytes");
    const checked = checkOptions(options, svmOptionNames);
    const flags = svmFlags(checked);
    const kind = (flags & SvmMemFlags.SVM_FINE_GRAIN_BUFFER) === 0 ? "coarse" : "fine-buffer";
    const alignment = checkAlignment(checked.alignment);
    const label = checked.label === undefined ? undefined : checkString(checked.label, "options.label");
    if (checked.queue !== undefined) checkReleaseQueue(checked.queue, context, "options.queue");
    requireSvm(context, "clSVMAlloc", kind, (flags & SvmMemFlags.SVM_ATOMICS) !== 0);
    super(allocate(context, flags, bytes, alignment), context, kind, bytes, 0, type, label, true);
    this.#flags = flags;
    if (checked.queue !== undefined) this.bindToQueue(checked.queue);
  }

  /** The allocation's flags, a combination of `SvmMemFlags`. */
  get flags(): number {
    return this.#flags;
  }

  /** The queue that frees the memory; `undefined` if it is bound to none. */
  get queue(): CommandQueue | undefined {
    return this.#queue;
  }

  /** @internal */
  get owner(): this {
    return this;
  }

  /**
   * Returns a part of the memory, which does not keep the memory alive: it is released with the allocation.
   *
   * @param bytes - Defaults to all bytes from `byteOffset`.
   */
  part<U extends TypedArray = T>(byteOffset: number, bytes?: number, type?: ElementType<U> | null): Svm<U> {
    return partFrom(this, byteOffset, bytes, type);
  }

  /**
   * Returns a typed array over fine-grained memory, which host and devices may access at any time. The array becomes
   * empty when the allocation is released. Coarse-grained memory must be mapped instead.
   */
  array<U extends TypedArray>(type: ElementType<U>, options?: ElementRangeOptions): ArrayOf<U> {
    const handle = handleOf(this);
    return fineArray(this, type, options, () => (this.#memory ??= memoryOver(this, handle)));
  }

  /**
   * Binds the allocation to an in-order queue, which frees it after the commands enqueued there before its release. If
   * the allocation was bound to another queue, later commands of this one run after all current commands of that one.
   */
  bindToQueue(queue: CommandQueue): void {
    const handle = handleOf(this);
    checkReleaseQueue(queue, this.context, "queue");
    native.bindSvm(handle, handleOf(queue));
    this.#queue = queue;
  }

  /**
   * Waits until the queue that the allocation is bound to has finished, then unbinds it. Throws if it is bound to none.
   */
  async unbindFromQueue(options?: WaitOptions): Promise<void> {
    const queue = this.#boundQueue();
    await queue.finish(checkOptions(options, ["signal"]));
    if (!this.released && this.#queue === queue) this.#unbind();
  }

  /** Blocking version of {@link unbindFromQueue}. */
  unbindFromQueueSync(): void {
    this.#boundQueue().finishSync();
    this.#unbind();
  }

  #boundQueue(): CommandQueue {
    handleOf(this);
    if (this.#queue === undefined) throw wrongState("the allocation is bound to no queue");
    return this.#queue;
  }

  #unbind(): void {
    native.bindSvm(handleOf(this), 0);
    this.#queue = undefined;
  }

  /**
   * Enqueues a command that frees the memory, and releases the allocation. The command waits for `options.waitFor` and
   * for commands of other queues that use the memory. Arrays over the memory become empty immediately.
   *
   * @param queue - Defaults to the queue that the allocation is bound to; required if it is bound to none.
   */
  enqueueRelease(queue?: CommandQueue, options?: SvmReleaseOptions): CommandEvent {
    const handle = handleOf(this);
    const chosen = queue === undefined ? this.#queue : checkQueue(queue);
    if (chosen === undefined) {
      throw wrongType("queue is required because the allocation is not bound to a queue");
    }
    const waits = waitHandles(checkOptions(options, ["waitFor"]).waitFor);
    try {
      return eventOf(
        native.enqueueSvmFree(handle, handleOf(chosen), this.#memory, waits),
        chosen,
        CommandType.SVM_FREE,
      );
    } finally {
      this.#forgetIfReleased(handle);
    }
  }

  /**
   * Releases the allocation. Arrays over it become empty immediately; the memory is freed when no command uses it any
   * more, by the bound queue if there is one. Does nothing if the allocation was already released.
   */
  override release(): void {
    if (this.released) return;
    const handle = handleOf(this);
    try {
      native.releaseSvm(handle, this.#memory);
    } finally {
      this.#forgetIfReleased(handle);
    }
  }

  /** Forgets the handle unless the native call threw before it released it. */
  #forgetIfReleased(handle: Handle): void {
    if (this.size > 0 && this.#memory !== undefined && byteLengthOf(this.#memory) === 0) this.#memory = undefined;
    try {
      native.pointerOf(handle);
    } catch {
      forget(this);
    }
  }
}

function allocate(context: Context, flags: number, bytes: number, alignment: number): Handle {
  const { maxBytes } = limitsOf(context);
  if (bytes > maxBytes) {
    throw outOfRange(
      `bytes must be at most ${maxBytes}, the largest allocation that the context's devices support, received ${bytes}`,
    );
  }
  listenForReleases();
  return native.createSvm(handleOf(context), flags, bytes, alignment);
}

function svmFlags(options: SvmOptions): number {
  let flags = options.flags === undefined ? 0 : checkFlags(options.flags, "options.flags");
  const add = (flag: number): void => {
    if ((flags & flag) === 0) flags += flag;
  };
  const { access, kind } = options;
  if (access !== undefined) {
    const flag = typeof access === "string" && Object.hasOwn(accessFlags, access) ? accessFlags[access] : undefined;
    if (flag === undefined) throw typeError("options.access", '"read-write", "read-only" or "write-only"', access);
    add(flag);
  }
  if (kind !== undefined && kind !== "coarse" && kind !== "fine-buffer") {
    throw typeError("options.kind", '"coarse" or "fine-buffer"', kind);
  }
  if (kind === "fine-buffer") add(SvmMemFlags.SVM_FINE_GRAIN_BUFFER);
  if (checkBoolean(options.atomics, "options.atomics", false)) add(SvmMemFlags.SVM_ATOMICS);
  if (kind === "coarse" && (flags & SvmMemFlags.SVM_FINE_GRAIN_BUFFER) !== 0) {
    throw typeError("options.kind", '"fine-buffer" because options.flags has SVM_FINE_GRAIN_BUFFER', kind);
  }
  if ((flags & SvmMemFlags.SVM_ATOMICS) !== 0 && (flags & SvmMemFlags.SVM_FINE_GRAIN_BUFFER) === 0) {
    throw typeError("options.kind", '"fine-buffer" because atomics require it', kind);
  }
  const chosen = [SvmMemFlags.READ_WRITE, SvmMemFlags.READ_ONLY, SvmMemFlags.WRITE_ONLY].filter(
    (flag) => (flags & flag) !== 0,
  );
  if (chosen.length > 1) {
    throw wrongValue("options.flags and options.access contradict each other: give at most one kind of access");
  }
  if (chosen.length === 0) add(SvmMemFlags.READ_WRITE);
  return flags;
}

function checkAlignment(alignment: unknown): number {
  if (alignment === undefined) return 0;
  const value = checkInteger(alignment, "options.alignment", 1, 2 ** 31);
  if (!Number.isInteger(Math.log2(value))) throw rangeError("options.alignment", "a power of two", alignment);
  return value;
}

function checkReleaseQueue(queue: CommandQueue, context: Context, name: string): void {
  checkQueue(queue, name);
  handleOf(queue);
  if (!queue.context.equals(context)) throw typeError(name, "a queue of the allocation's context", queue);
  if (queue.outOfOrder) {
    throw typeError(name, "an in-order queue, because it frees the memory after its commands", queue);
  }
}
