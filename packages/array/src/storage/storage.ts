/** One allocation, shared by the arrays that are views of it, and given back with the last of them. */
import type { Allocator, CommandEvent, CommandQueue, DeviceBuffer } from "@cl/core";
import { DisposedError } from "@cl/core";
import { Ordering } from "./ordering.js";

/** Memory with the order of its commands. There is none for no bytes: OpenCL has no empty buffers. */
export class Storage {
  readonly bytes: number;
  readonly ordering: Ordering = new Ordering();
  readonly #memory: DeviceBuffer | null;
  /** Arrays that were not released. Those that are dropped are not counted: then nobody reaches the memory at last. */
  #holders = 0;

  constructor(allocator: Allocator, bytes: number) {
    this.bytes = bytes;
    this.#memory = allocator.allocate(bytes);
  }

  /** The memory; throws for none and once it was given back. */
  get memory(): DeviceBuffer {
    if (this.#memory === null || this.#memory.released) throw new DisposedError("the memory of this array");
    return this.#memory;
  }

  /** One array more. */
  hold(): void {
    this.#holders++;
  }

  /** One array less. */
  letGo(): void {
    if (--this.#holders === 0) this.#memory?.release();
  }
}

/**
 * Enqueues a command that reads some memory and writes other. It gets what it must wait for, and gives an event back if it
 * is asked for one.
 */
export function ordered(
  queue: CommandQueue,
  reads: readonly Storage[],
  write: Storage | undefined,
  command: (waitFor: readonly CommandEvent[], wantEvent: boolean) => CommandEvent | undefined,
): CommandEvent | undefined {
  const waitFor: CommandEvent[] = [];
  for (const storage of reads) storage.ordering.waits(queue, false, waitFor);
  write?.ordering.waits(queue, true, waitFor);
  const event = command(waitFor, queue.outOfOrder);
  const kept = queue.outOfOrder ? event : undefined;
  for (const storage of reads) storage.ordering.enqueued(queue, false, kept);
  write?.ordering.enqueued(queue, true, kept);
  return event;
}
