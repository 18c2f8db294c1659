/**
 * The array factory, bound to a queue and an allocator. Its functions come from a chain of classes, one for each
 * family.
 */
import { checkInstance, checkOptions, type Layout, typeError, wrongValue } from "@cl/base";
import { type Allocation, type Allocator, CommandQueue, DeviceBuffer } from "@cl/core";
import type { Storage } from "../storage/storage.js";
import type { DTypeName, TypedDType } from "../types/dtype-name.js";
import { ArraysFiles } from "../files/arrays-files.js";
import { DeviceArray } from "./device-array.js";

/** Options of an array factory. */
export interface ArraysOptions {
  /**
   * Allocator of buffers or shared virtual memory, such as a pool of `@cl/tools`.
   * @defaultValue buffers of the context
   */
  readonly allocator?: Allocator<Allocation>;
}

/**
 * Returns an array factory bound to a queue, on which all commands are enqueued.
 *
 * @example
 * ```ts
 * const xp = arrays(queue);
 * const a = xp.arange(6, { dtype: "float32" }).reshape([2, 3]);
 * console.log(await a.add(a.slice(0)).data()); // Float32Array(6) [0, 2, 4, 3, 5, 7]
 * ```
 */
export function arrays(queue: CommandQueue, options?: ArraysOptions): Arrays {
  return new Arrays(queue, options);
}

/** A factory of arrays bound to a queue; see {@link arrays}. */
export class Arrays extends ArraysFiles {
  /** The queue of all commands. */
  override readonly queue: CommandQueue;
  /** The allocator of device memory. */
  override readonly allocator: Allocator<Allocation>;

  constructor(queue: CommandQueue, options?: ArraysOptions) {
    super();
    this.queue = checkInstance(queue, CommandQueue, "queue");
    const { allocator } = checkOptions(options, ["allocator"]);
    this.allocator = allocator === undefined ? plainAllocator(queue) : checkAllocator(allocator, queue);
  }

  /**
   * Returns a factory that enqueues on another queue of the context and shares this one's allocator. Commands wait on
   * the device for commands of other queues that they depend on.
   */
  override withQueue(queue: CommandQueue): Arrays {
    checkInstance(queue, CommandQueue, "queue");
    if (queue === this.queue) return this;
    if (!queue.context.equals(this.queue.context)) throw wrongValue("queue must belong to the context of this factory");
    const family = families.get(this) ?? new WeakMap<CommandQueue, Arrays>([[this.queue, this]]);
    families.set(this, family);
    const other = family.get(queue) ?? new Arrays(queue, { allocator: this.allocator });
    family.set(queue, other);
    families.set(other, family);
    return other;
  }

  /** @internal */
  override wrap<D extends DTypeName>(storage: Storage, dtype: TypedDType<D>, layout: Layout): DeviceArray<D> {
    return new DeviceArray(this, storage, dtype, layout);
  }
}

/** Those of the same memory for other queues. */
const families = new WeakMap<Arrays, WeakMap<CommandQueue, Arrays>>();

function plainAllocator({ context }: CommandQueue): Allocator<Allocation> {
  return { context, allocate: (bytes) => (bytes === 0 ? null : new DeviceBuffer(context, bytes)) };
}

function checkAllocator(allocator: Allocator<Allocation>, queue: CommandQueue): Allocator<Allocation> {
  if (typeof (allocator as Partial<Allocator<Allocation>> | null)?.allocate !== "function") {
    throw typeError("options.allocator", "an object with allocate()", allocator);
  }
  if (allocator.context.equals(queue.context)) return allocator;
  throw wrongValue("options.allocator must allocate in the queue's context");
}
