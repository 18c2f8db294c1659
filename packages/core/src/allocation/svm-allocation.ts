/** Shared virtual memory of our own. */
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

/** How to allocate shared virtual memory. */
export interface SvmOptions {
  /** `"coarse"` if not said. */
  readonly kind?: Exclude<SvmKind, "fine-system">;
  /** Whether host and devices may use atomics on it at the same time; for `"fine-buffer"`. */
  readonly atomics?: boolean;
  /** What kernels may do with it; `"read-write"` if not said. */
  readonly access?: BufferAccess;
  /** Its address is a multiple of this power of two; if not said, of the largest OpenCL type. */
  readonly alignment?: number;
  /** The queue that frees it; see {@link SvmAllocation.bindToQueue}. */
  readonly queue?: CommandQueue;
  /** Flags of `SvmMemFlags`, vendors' own included; the other options add theirs. */
  readonly flags?: number;
  /** A name of yours, shown in errors and traces. */
  readonly label?: string;
}

/** The names of {@link SvmOptions}. */
export const svmNames = ["kind", "atomics", "access", "alignment", "queue", "flags", "label"] as const;

/** How to enqueue a release. */
export interface SvmReleaseOptions {
  /** What it waits for. */
  readonly waitFor?: WaitFor;
}

const accessFlags: Readonly<Record<string, number>> = {
  "read-write": SvmMemFlags.READ_WRITE,
  "read-only": SvmMemFlags.READ_ONLY,
  "write-only": SvmMemFlags.WRITE_ONLY,
};

/**
 * Shared virtual memory. A released or collected allocation is given back when no command that we enqueued uses it any
 * more; a kernel that still has it as an argument cannot be launched any more.
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
  /** The ArrayBuffer over all of it, once somebody wanted one. */
  #memory: ArrayBuffer | undefined;

  /** So many bytes; none are legal, and allocate nothing. */
  constructor(context: Context, bytes: number, options?: SvmOptions);
  /** @internal With elements of a type. */
  constructor(context: Context, bytes: number, options: SvmOptions | undefined, type: ElementType<T>);
  constructor(context: Context, bytes: number, options?: SvmOptions, type?: ElementType<T>) {
    checkInstance(context, Context, "context");
    checkInteger(bytes, "bytes");
    const given = checkOptions(options, svmNames);
    const flags = svmFlags(given);
    const kind = (flags & SvmMemFlags.SVM_FINE_GRAIN_BUFFER) === 0 ? "coarse" : "fine-buffer";
    const alignment = checkAlignment(given.alignment);
    const label = given.label === undefined ? undefined : checkString(given.label, "options.label");
    if (given.queue !== undefined) checkOwner(given.queue, context, "options.queue");
    requireSvm(context, "clSVMAlloc", kind, (flags & SvmMemFlags.SVM_ATOMICS) !== 0);
    super(allocate(context, flags, bytes, alignment), context, kind, bytes, 0, type, label, true);
    this.#flags = flags;
    if (given.queue !== undefined) this.bindToQueue(given.queue);
  }

  /** Its flags, of `SvmMemFlags`. */
  get flags(): number {
    return this.#flags;
  }

  /** The queue that frees it. */
  get queue(): CommandQueue | undefined {
    return this.#queue;
  }

  /** @internal */
  get owner(): this {
    return this;
  }

  /** A part of it: `bytes` from `byteOffset`, all that follow if not said. It owns nothing and ends with the allocation. */
  part<U extends TypedArray = T>(byteOffset: number, bytes?: number, type?: ElementType<U> | null): Svm<U> {
    return partFrom(this, byteOffset, bytes, type);
  }

  /**
   * A typed array over fine-grained memory, which host and devices may touch at any time. Once the allocation is released
   * the array is empty. Coarse-grained memory is touched by mapping it.
   */
  array<U extends TypedArray>(type: ElementType<U>, options?: ElementRangeOptions): ArrayOf<U> {
    const handle = handleOf(this);
    return fineArray(this, type, options, () => (this.#memory ??= memoryOver(this, handle)));
  }

  /**
   * From now on this queue frees it, behind what was enqueued there before its release. If another queue did that, what
   * this one gets from now on comes after everything that the other has. The queue must keep its commands in order.
   */
  bindToQueue(queue: CommandQueue): void {
    const handle = handleOf(this);
    checkOwner(queue, this.context, "queue");
    native.bindSvm(handle, handleOf(queue));
    this.#queue = queue;
  }

  /** Waits for everything on its queue; from then on no queue frees it. */
  async unbindFromQueue(options?: WaitOptions): Promise<void> {
    const queue = this.#bound();
    await queue.finish(checkOptions(options, ["signal"]));
    if (!this.released && this.#queue === queue) this.#unbind();
  }

  /** Unbinds as {@link unbindFromQueue} does, and blocks the event loop until it is done. */
  unbindFromQueueSync(): void {
    this.#bound().finishSync();
    this.#unbind();
  }

  #bound(): CommandQueue {
    handleOf(this);
    if (this.#queue === undefined) throw wrongState("the allocation is bound to no queue");
    return this.#queue;
  }

  #unbind(): void {
    native.bindSvm(handleOf(this), 0);
    this.#queue = undefined;
  }

  /**
   * Releases it by a command: of its queue, or of the given one. It waits for the given events, and for the commands of
   * other queues that use the memory. Arrays over it are empty at once.
   */
  enqueueRelease(queue?: CommandQueue, options?: SvmReleaseOptions): CommandEvent {
    const handle = handleOf(this);
    const chosen = queue === undefined ? this.#queue : checkQueue(queue);
    if (chosen === undefined) {
      throw wrongType("queue must be given, since the allocation is bound to none");
    }
    const waits = waitHandles(checkOptions(options, ["waitFor"]).waitFor);
    try {
      return eventOf(
        native.enqueueSvmFree(handle, handleOf(chosen), this.#memory, waits),
        chosen,
        CommandType.SVM_FREE,
      );
    } finally {
      this.#forgetIfGone(handle);
    }
  }

  /**
   * Gives the memory back: at once for JavaScript, whose arrays over it become empty; to the device as soon as no command
   * uses it. If it is bound, its queue does that. Calling it again does nothing.
   */
  override release(): void {
    if (this.released) return;
    const handle = handleOf(this);
    try {
      native.releaseSvm(handle, this.#memory);
    } finally {
      this.#forgetIfGone(handle);
    }
  }

  /** The native side refuses some arguments before it has done anything, and the driver may refuse. */
  #forgetIfGone(handle: Handle): void {
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
    throw outOfRange(`${bytes} bytes are more than the ${maxBytes} that the context's devices can allocate at once`);
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
    throw typeError("options.kind", '"fine-buffer", as options.flags say', kind);
  }
  if ((flags & SvmMemFlags.SVM_ATOMICS) !== 0 && (flags & SvmMemFlags.SVM_FINE_GRAIN_BUFFER) === 0) {
    throw typeError("options.kind", '"fine-buffer", since atomics need it', kind);
  }
  const chosen = [SvmMemFlags.READ_WRITE, SvmMemFlags.READ_ONLY, SvmMemFlags.WRITE_ONLY].filter(
    (flag) => (flags & flag) !== 0,
  );
  if (chosen.length > 1) throw wrongValue("options.flags and options.access say different things");
  if (chosen.length === 0) add(SvmMemFlags.READ_WRITE);
  return flags;
}

function checkAlignment(alignment: unknown): number {
  if (alignment === undefined) return 0;
  const value = checkInteger(alignment, "options.alignment", 1, 2 ** 31);
  if (!Number.isInteger(Math.log2(value))) throw rangeError("options.alignment", "a power of two", alignment);
  return value;
}

function checkOwner(queue: CommandQueue, context: Context, name: string): void {
  checkQueue(queue, name);
  handleOf(queue);
  if (!queue.context.equals(context)) throw typeError(name, "a queue of the allocation's context", queue);
  if (queue.outOfOrder) {
    throw typeError(name, "a queue that keeps its commands in order, since it frees the memory behind them", queue);
  }
}
