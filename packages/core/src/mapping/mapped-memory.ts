/**
 * Mapped memory. Unmapping detaches the ArrayBuffer, so that views over it become empty instead of stale. While views
 * are kept the memory stays mapped, even if the wrapper itself is collected.
 */
import { byteLengthOf, checkOptions } from "@cl/base";

import { type Handle, native } from "../binding/native.js";
import { forget, handleOf, Resource } from "../binding/resource.js";
import { type CommandEvent, eventOf, type WaitFor, waitHandles } from "../event/event.js";
import type { QueueBase } from "../queue/queue-base.js";
import { notePinned } from "../queue/staging.js";

/** How to unmap. */
export interface UnmapOptions {
  /** What the unmapping waits for. */
  readonly waitFor?: WaitFor;
}

/** What mapped buffers and mapped images have in common: memory that the host can touch until it is unmapped. */
export abstract class MappedMemory extends Resource {
  readonly #queue: QueueBase;
  readonly #memory: ArrayBuffer;

  /** @internal Of a map that has completed. */
  constructor(map: Handle, queue: QueueBase, label: string | undefined) {
    super(map, label);
    this.#queue = queue;
    // Node marks external memory as untransferable itself; marking it again would keep it from being detached.
    this.#memory = native.mapMemory(map);
    notePinned(this.#memory);
  }

  /** All that is mapped; empty once it has been unmapped. */
  protected get memory(): ArrayBuffer {
    return this.#memory;
  }

  /** Gives the memory back to the device. Every view over it becomes empty at once; the event tells when it is done. */
  unmap(options?: UnmapOptions): CommandEvent {
    const { waitFor } = checkOptions(options, ["waitFor"]);
    return eventOf(this.#unmap(waitHandles(waitFor)), this.#queue);
  }

  #unmap(waits?: Int32Array): Handle {
    const handle = handleOf(this);
    try {
      return native.unmap(handle, this.#memory, waits);
    } finally {
      // The native side has let go of it, unless it refused an argument before it detached anything.
      if (byteLengthOf(this.#memory) === 0) forget(this);
    }
  }

  /** Unmaps without waiting; calling it again does nothing. */
  override release(): void {
    if (!this.released) native.recycle(this.#unmap());
  }

  /** Unmaps and waits for it; for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.released) await this.unmap().wait();
  }
}
