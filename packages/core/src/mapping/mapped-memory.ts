/**
 * Mapped memory. Unmapping detaches the ArrayBuffer, so that views of it become empty instead of stale. The memory
 * stays mapped while a view of it is reachable, even if the wrapper itself has been collected.
 */
import { byteLengthOf, checkOptions } from "@cl/base";

import { type Handle, native } from "../binding/native.js";
import { forget, handleOf, Resource } from "../binding/resource.js";
import { type CommandEvent, eventOf, type WaitFor, waitHandles } from "../event/event.js";
import type { QueueBase } from "../queue/queue-base.js";
import { notePinned } from "../queue/staging.js";

/** Options for unmapping. */
export interface UnmapOptions {
  /** Events that the unmap waits for. */
  readonly waitFor?: WaitFor;
}

/** Base class of mapped buffers and mapped images: memory that the host can access until it is unmapped. */
export abstract class MappedMemory extends Resource {
  readonly #queue: QueueBase;
  readonly #memory: ArrayBuffer;

  /** @internal `map` must have completed. */
  constructor(map: Handle, queue: QueueBase, label: string | undefined) {
    super(map, label);
    this.#queue = queue;
    // Node.js already marks external memory as untransferable; marking it again would prevent detaching.
    this.#memory = native.mapMemory(map);
    notePinned(this.#memory);
  }

  /** The mapped bytes; empty after unmapping. */
  protected get memory(): ArrayBuffer {
    return this.#memory;
  }

  /** Enqueues the unmap. Every view of the memory becomes empty immediately; the event completes when the unmap has. */
  unmap(options?: UnmapOptions): CommandEvent {
    const { waitFor } = checkOptions(options, ["waitFor"]);
    return eventOf(this.#unmap(waitHandles(waitFor)), this.#queue);
  }

  #unmap(waits?: Int32Array): Handle {
    const handle = handleOf(this);
    try {
      return native.unmap(handle, this.#memory, waits);
    } finally {
      // The native side has released the map, unless it rejected an argument before detaching.
      if (byteLengthOf(this.#memory) === 0) forget(this);
    }
  }

  /** Unmaps without waiting. Does nothing when called again. */
  override release(): void {
    if (!this.released) native.recycle(this.#unmap());
  }

  /** Unmaps and waits for completion; for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.released) await this.unmap().wait();
  }
}
