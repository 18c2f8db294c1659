/** An allocation that is shared by an array and its views, and released with the last of them. */
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

/** Memory and the ordering of its commands. An empty storage has no memory: OpenCL has no empty buffers. */
export class Storage {
  readonly bytes: number;
  readonly ordering: Ordering;
  readonly #memory: Allocation | null;
  readonly #adoption: Adoption | undefined;
  /**
   * Number of arrays that are not released. Unreachable arrays are not subtracted; the garbage collector then releases
   * the memory.
   */
  #holders = 0;
  #isShown = false;

  constructor(allocator: Pick<Allocator<Allocation>, "allocate">, bytes: number, adoption?: Adoption) {
    this.bytes = bytes;
    this.ordering = adoption?.ordering ?? new Ordering();
    this.#adoption = adoption;
    this.#memory = allocator.allocate(bytes);
  }

  /**
   * Returns the storage over memory that others own; the same one for the same memory. Parts of one memory are separate
   * storages with one ordering.
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

  /** The memory. Throws if the storage is empty or released. */
  get memory(): Allocation {
    const memory = this.#memory;
    if (memory === null || memory.released || this.#adoption?.of.released === true) {
      throw new DisposedError("the memory of this array");
    }
    return memory;
  }

  /**
   * Returns the memory as its owner knows it. Arrays that are made over it, or over parts of it, share the ordering.
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

  /** Offset in bytes within the memory that it may be a part of. */
  get start(): number {
    return this.#adoption?.start ?? 0;
  }

  /** Returns whether both may overlap: they are the same, or parts of the same memory. */
  meets(other: Storage): boolean {
    return this.ordering === other.ordering;
  }

  /** Adds an array. */
  retain(): void {
    this.#holders++;
  }

  /** Removes an array. */
  release(): void {
    if (--this.#holders === 0 && this.#adoption === undefined) this.#memory?.release();
  }
}

/** Data about memory that others own. */
interface Adoption {
  /** The ordering shared by all storages over parts of the same memory. */
  readonly ordering: Ordering;
  readonly start: number;
  /** The object that others own and release. */
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
