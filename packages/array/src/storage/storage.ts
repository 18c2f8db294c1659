/** An allocation that is shared by an array and its views, and released with the last of them. */
import {
  type Allocation,
  type Allocator,
  type CommandEvent,
  type CommandQueue,
  DisposedError,
  type FillOptions,
  memoryRange,
  OutOfMemoryError,
  SvmPointer,
} from "@cl/core";
import {
  atEndOfAttempt,
  forbidDeferral,
  isFirstVisit,
  leavesOut,
  noteChange,
  separately,
  waitingForCompiler,
} from "./attempt.js";
import { goTo, isVisible, nextSerial, returnFrom } from "./moment.js";
import { areOutstanding, computeOutstanding } from "./outstanding-calls.js";
import { Ordering } from "./ordering.js";
import { type Reader, Readers } from "./readers.js";

/** A value that is computed when its memory is needed. */
export interface Pending {
  /** Whether an attempt that leaves out launches looks for the kernels of the value. */
  readonly isSearched: boolean;
  /** The allocator of its memory. */
  readonly allocator: Allocator<Allocation>;
  /** Enqueues the commands that compute the value in the storage's memory. */
  compute(): void;
  /** Releases what the computation needs: it is complete, or no array needs the value. */
  release(): void;
}

/** A call that changes memory later, when its kernels are built. */
export interface Change {
  /** Number in the order of storages and deferred calls. */
  readonly serial: number;
  /** Enqueues it, and removes it from the storages that it changes. */
  compute(): void;
}

/** Memory and the ordering of its commands. An empty storage has no memory: OpenCL has no empty buffers. */
export class Storage {
  readonly bytes: number;
  /** Number in the order of creation. */
  readonly serial: number = nextSerial();
  #ordering: Ordering | undefined;
  #memory: Allocation | null;
  #pending: Pending | undefined;
  /** Changes that are enqueued later, in the order of their calls. */
  #changes: Change[] | undefined;
  /** Computations that read this memory later, after all changes. */
  #readers: Readers | undefined;
  #isComputing = false;
  readonly #adoption: Adoption | undefined;
  /**
   * Number of arrays that are not released. Unreachable arrays are not subtracted; the garbage collector then releases
   * the memory.
   */
  #holders = 0;
  #isShown = false;

  /** Without an allocator, it has no memory yet. */
  constructor(
    allocator: { allocate(bytes: number): Allocation | null } | undefined,
    bytes: number,
    adoption?: Adoption,
  ) {
    this.bytes = bytes;
    this.#ordering = adoption?.ordering;
    this.#adoption = adoption;
    this.#memory = allocator === undefined ? null : allocated(allocator, bytes);
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

  /** Returns the storage of a value that is computed later. */
  static pending(bytes: number, pending: Pending): Storage {
    const storage = new Storage(undefined, bytes);
    storage.#pending = pending;
    return storage;
  }

  /** The ordering of the commands that use the memory. */
  get ordering(): Ordering {
    return (this.#ordering ??= new Ordering());
  }

  /** The value that has not been computed yet, or the last change that has not been enqueued, if any. */
  get pending(): Pending | Change | undefined {
    return this.#changes?.findLast(({ serial }) => isVisible(serial)) ?? this.#pending;
  }

  /** Computes a pending value, and enqueues outstanding changes. It stays pending in attempts that leave out launches. */
  compute(): void {
    if (this.#pending !== undefined) this.#computePending(this.#pending);
    if (this.#changes !== undefined) this.#computeChanges();
  }

  #computePending(pending: Pending): void {
    if (this.#isComputing) return;
    if (leavesOut() && !(pending.isSearched && isFirstVisit(this))) return;
    this.#isComputing = true;
    const outer = goTo(this.serial);
    try {
      separately(false, () => {
        pending.compute();
      });
    } catch (error) {
      this.#dropMemory();
      throw error;
    } finally {
      returnFrom(outer);
      this.#isComputing = false;
    }
    if (leavesOut()) {
      this.#dropMemory();
      return;
    }
    this.#pending = undefined;
    pending.release();
  }

  /** Enqueues the changes of calls that were made before the current computation. */
  #computeChanges(): void {
    for (let last: Change | undefined; !leavesOut();) {
      const change = this.#changes?.[0];
      if (change === undefined || change === last || !isVisible(change.serial)) return;
      change.compute();
      last = change;
    }
  }

  /** Adds a change that is enqueued later. Returns the computations that must read the memory before. */
  addChange(change: Change): Readers | undefined {
    (this.#changes ??= []).push(change);
    const readers = this.#readers;
    this.#readers = undefined;
    return readers;
  }

  /** Removes a change that has been enqueued. */
  removeChange(change: Change): void {
    const others = this.#changes?.filter((one) => one !== change);
    this.#changes = others?.length === 0 ? undefined : others;
  }

  /** Makes the value of a storage that an attempt created pending. */
  defer(pending: Pending): void {
    this.#dropMemory();
    this.#pending?.release();
    this.#pending = pending;
  }

  /** Takes the memory of another storage of the same size, which has been computed and has the value of this one. */
  take(other: Storage): void {
    this.#dropMemory();
    this.#memory = other.#memory;
    other.#memory = null;
    this.ordering.takeAccesses(other.ordering);
    this.#pending = undefined;
  }

  #dropMemory(): void {
    this.#memory?.release();
    this.#memory = null;
  }

  /**
   * Whether others can change the memory at any time: it is theirs, or they were given it. Values that depend on it
   * cannot be computed later.
   */
  get isShared(): boolean {
    return this.#isShown || this.#adoption !== undefined;
  }

  /** Registers a computation that reads this memory later. It is held weakly from the end of the current job. */
  addReader(reader: Reader): void {
    (this.#readers ??= new Readers()).add(reader);
  }

  /** Computes all pending values that depend on the memory, before it is changed. */
  computeReaders(): void {
    // A deferred change has the readers that come before it; these are those after it.
    if (this.#isComputing || this.#changes?.some(({ serial }) => !isVisible(serial)) === true) return;
    noteChange(this);
    const readers = this.#readers;
    if (readers === undefined) return;
    this.#readers = undefined;
    const remaining = readers.compute();
    if (remaining.some(({ isAwaited }) => isAwaited === true)) forbidDeferral();
    if (leavesOut()) for (const reader of remaining) this.addReader(reader);
  }

  /** The memory. Computes a pending value and outstanding changes. Throws if the storage is empty or released. */
  get memory(): Allocation {
    if (this.#changes !== undefined) this.compute();
    if (this.#pending !== undefined && this.#memory === null) this.#provideMemory(this.#pending);
    const memory = this.#memory;
    if (memory === null || memory.released || this.#adoption?.of.released === true) {
      throw new DisposedError("the memory of this array");
    }
    return memory;
  }

  /** Computes a pending value, or allocates memory for it: while it is being computed, or while launches are left out. */
  #provideMemory({ allocator }: Pending): void {
    if (!this.#isComputing) this.compute();
    if (this.#pending === undefined) return;
    this.#memory = allocated(allocator, this.bytes);
    if (this.#isComputing) return;
    atEndOfAttempt(() => {
      if (this.#pending !== undefined) this.#dropMemory();
    });
  }

  /**
   * Returns the memory as its owner knows it. Arrays that are made over it, or over parts of it, share the ordering.
   */
  show(): Allocation {
    const { memory } = this;
    if (this.#adoption !== undefined) return this.#adoption.of;
    if (this.#isShown) return memory;
    this.computeReaders();
    this.#isShown = true;
    adopted.set(memory, this);
    const { store } = memoryRange(memory);
    if (!orderings.has(store)) orderings.set(store, this.ordering);
    return memory;
  }

  /** Returns the memory for a kernel of the user, which may change it. Computes what depends on the current elements. */
  lend(): Allocation {
    const { memory } = this;
    if (!this.isShared) this.show();
    this.computeReaders();
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
    if (--this.#holders > 0 || this.#adoption !== undefined) return;
    const pending = this.#pending;
    this.#pending = undefined;
    pending?.release();
    this.#memory?.release();
  }
}

/** Allocates memory. If it has run out, outstanding calls are enqueued first, since they hold the memory of their arguments. */
function allocated(allocator: { allocate(bytes: number): Allocation | null }, bytes: number): Allocation | null {
  try {
    return allocator.allocate(bytes);
  } catch (error) {
    if (!(error instanceof OutOfMemoryError) || !areOutstanding()) throw error;
    waitingForCompiler(computeOutstanding);
    return allocator.allocate(bytes);
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
  for (const storage of reads) storage.compute();
  for (const storage of writes) {
    storage.compute();
    storage.computeReaders();
  }
  const waitFor: CommandEvent[] = [];
  for (const storage of reads) storage.ordering.waits(queue, false, waitFor);
  for (const storage of writes) storage.ordering.waits(queue, true, waitFor);
  const event = command(waitFor, queue.outOfOrder);
  if (leavesOut()) return event;
  const kept = queue.outOfOrder ? event : undefined;
  for (const storage of reads) storage.ordering.enqueued(queue, false, kept);
  for (const storage of writes) storage.ordering.enqueued(queue, true, kept);
  return event;
}
