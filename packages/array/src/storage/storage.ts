/** One allocation, shared by the arrays that are views of it, and given back with the last of them. */
import {
  type Allocation,
  type Allocator,
  type CommandEvent,
  type CommandQueue,
  DisposedError,
  type FillOptions,
  SvmPointer,
} from "@cl/core";
import { Ordering } from "./ordering.js";

/** Memory with the order of its commands. There is none for no bytes: OpenCL has no empty buffers. */
export class Storage {
  readonly bytes: number;
  readonly ordering: Ordering = new Ordering();
  readonly #memory: Allocation | null;
  /** False for memory of others, which they give back. */
  readonly #owned: boolean;
  /** Arrays that were not released. Those that are dropped are not counted: then nobody reaches the memory at last. */
  #holders = 0;
  #promised = 0;

  constructor(allocator: Pick<Allocator<Allocation>, "allocate">, bytes: number, owned = true) {
    this.bytes = bytes;
    this.#owned = owned;
    this.#memory = allocator.allocate(bytes);
  }

  /** Memory that others made and give back; the same for the same memory, so that its commands have one order. */
  static over(memory: Allocation): Storage {
    let storage = adopted.get(memory);
    if (storage === undefined) {
      storage = new Storage({ allocate: () => memory }, memory.size, false);
      adopted.set(memory, storage);
    }
    return storage;
  }

  /** The memory; throws for none and once it was given back. */
  get memory(): Allocation {
    if (this.#memory === null || this.#memory.released) throw new DisposedError("the memory of this array");
    return this.#memory;
  }

  /** One array more. */
  hold(): void {
    this.#holders++;
  }

  /** True while something waits for the host to know more before it can be read: until then nothing may be stored. */
  get isPromised(): boolean {
    return this.#promised > 0;
  }

  /** Keeps what is in it until the function that it gives is called. */
  promise(): () => void {
    this.#promised++;
    return () => {
      this.#promised--;
    };
  }

  /** One array less. */
  letGo(): void {
    if (--this.#holders === 0 && this.#owned) this.#memory?.release();
  }
}

const adopted = new WeakMap<Allocation, Storage>();

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
