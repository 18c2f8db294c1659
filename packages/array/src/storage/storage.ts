/** One allocation, shared by the arrays that are views of it, and given back with the last of them. */
import {
  type Allocation,
  type Allocator,
  type CommandEvent,
  type CommandQueue,
  DisposedError,
  type FillOptions,
  memoryRange,
  SvmPointer,
} from "@cl/core";
import { Ordering } from "./ordering.js";

/** Memory with the order of its commands. There is none for no bytes: OpenCL has no empty buffers. */
export class Storage {
  readonly bytes: number;
  readonly ordering: Ordering;
  readonly #memory: Allocation | null;
  readonly #adoption: Adoption | undefined;
  /** Arrays that were not released. Those that are dropped are not counted: then nobody reaches the memory at last. */
  #holders = 0;
  #isShown = false;

  constructor(allocator: Pick<Allocator<Allocation>, "allocate">, bytes: number, adoption?: Adoption) {
    this.bytes = bytes;
    this.ordering = adoption?.ordering ?? new Ordering();
    this.#adoption = adoption;
    this.#memory = allocator.allocate(bytes);
  }

  /**
   * Memory that others made and give back; the same for the same memory. Parts of one memory are storages with one order of
   * their commands.
   */
  static over(memory: Allocation): Storage {
    let storage = adopted.get(memory);
    if (storage !== undefined) return storage;
    const { store, start } = memoryRange(memory);
    let ordering = orderings.get(store);
    if (ordering === undefined) orderings.set(store, (ordering = new Ordering()));
    const plain = plainBytes(memory);
    storage = new Storage({ allocate: () => plain }, memory.size, { ordering, start, of: memory });
    adopted.set(memory, storage);
    return storage;
  }

  /** The memory; throws for none and once it was given back. */
  get memory(): Allocation {
    const memory = this.#memory;
    if (memory === null || memory.released || this.#adoption?.of.released === true) {
      throw new DisposedError("the memory of this array");
    }
    return memory;
  }

  /**
   * The memory for others, as they know it. Arrays that they make over it, or over parts of it, are ordered with those that
   * are.
   */
  show(): Allocation {
    const { memory } = this;
    if (this.#adoption !== undefined) return this.#adoption.of;
    if (this.#isShown) return memory;
    this.#isShown = true;
    adopted.set(memory, this);
    const { store } = memoryRange(memory);
    if (!orderings.has(store)) orderings.set(store, this.ordering);
    return memory;
  }

  /** Where it starts, in bytes, in the memory that it may be a part of. */
  get start(): number {
    return this.#adoption?.start ?? 0;
  }

  /** True if both may have bytes in common: they are the same, or parts of the same memory. */
  meets(other: Storage): boolean {
    return this.ordering === other.ordering;
  }

  /** One array more. */
  hold(): void {
    this.#holders++;
  }

  /** One array less. */
  letGo(): void {
    if (--this.#holders === 0 && this.#adoption === undefined) this.#memory?.release();
  }
}

/** What is known of memory that others give back. */
interface Adoption {
  /** That of all storages over parts of the same memory. */
  readonly ordering: Ordering;
  readonly start: number;
  /** What the others have, and release. */
  readonly of: Allocation;
}

const adopted = new WeakMap<Allocation, Storage>();
/** By what buffers and parts of one memory have in common. */
const orderings = new WeakMap<object, Ordering>();

/** Memory whose elements have no type: arrays say themselves what they take the bytes for. */
function plainBytes(memory: Allocation): Allocation {
  if (memory.type === undefined) return memory;
  if (memory instanceof SvmPointer) return memory.part(0, undefined, null);
  const plain = memory.as(null);
  // Else it would keep the memory from being given back until it is collected.
  memory.onReleased(() => plain.release());
  return plain;
}

/** Repeats a pattern through the memory, of whichever kind it is. */
export function enqueueFill(
  queue: CommandQueue,
  { memory }: Storage,
  pattern: Uint8Array,
  options: FillOptions,
): CommandEvent {
  return memory instanceof SvmPointer
    ? queue.enqueueSvmFill(memory, pattern, options)
    : queue.enqueueFill(memory, pattern, options);
}

/**
 * Enqueues a command that reads some memory and writes other. It gets what it must wait for, and gives an event back if it
 * is asked for one.
 */
export function ordered(
  queue: CommandQueue,
  reads: readonly Storage[],
  writes: readonly Storage[],
  command: (waitFor: readonly CommandEvent[], wantEvent: boolean) => CommandEvent | undefined,
): CommandEvent | undefined {
  const waitFor: CommandEvent[] = [];
  for (const storage of reads) storage.ordering.waits(queue, false, waitFor);
  for (const storage of writes) storage.ordering.waits(queue, true, waitFor);
  const event = command(waitFor, queue.outOfOrder);
  const kept = queue.outOfOrder ? event : undefined;
  for (const storage of reads) storage.ordering.enqueued(queue, false, kept);
  for (const storage of writes) storage.ordering.enqueued(queue, true, kept);
  return event;
}
