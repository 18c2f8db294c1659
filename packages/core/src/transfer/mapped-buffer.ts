/**
 * Mapped memory. Unmapping detaches the ArrayBuffer, so that views over it become empty instead of stale. While views
 * are kept the memory stays mapped, even if the MappedBuffer itself is collected.
 */
import type { DeviceBuffer } from "../memory/buffer.js";
import { checkOptions } from "../check.js";
import { type CommandEvent, eventOf, type WaitFor, waitHandles } from "../event/event.js";
import { type ArrayOf, arrayOver, type ElementType, elementTypeName } from "../memory/host-array.js";
import { type Handle, native } from "../binding/native.js";
import type { CommandQueue } from "../queue/queue.js";
import { forget, handleOf, Resource } from "../binding/resource.js";
import { notePinned } from "./staging.js";
import type { TypedArray } from "../typed/index.js";

/** How to unmap. */
export interface UnmapOptions {
  /** What the unmapping waits for. */
  readonly waitFor?: WaitFor;
}

/**
 * A part of a buffer that the host can touch, until {@link MappedBuffer.unmap}.
 *
 * @example
 * ```ts
 * await using mapped = await queue.map(buffer, Float32Array, { access: "write-invalidate" });
 * mapped.data.fill(1);
 * ```
 */
export class MappedBuffer<T extends TypedArray = TypedArray> extends Resource {
  readonly #queue: CommandQueue;
  readonly #buffer: DeviceBuffer;
  readonly #memory: ArrayBuffer;
  readonly #data: ArrayOf<T>;

  /** @internal Of a map that has completed. */
  constructor(map: Handle, queue: CommandQueue, buffer: DeviceBuffer, type: ElementType<T>, length: number) {
    super(map, buffer.label);
    this.#queue = queue;
    this.#buffer = buffer;
    // Node marks external memory as untransferable itself; marking it again would keep it from being detached.
    this.#memory = native.mapMemory(map);
    notePinned(this.#memory);
    this.#data = arrayOver(type, this.#memory, length);
  }

  /** The buffer. */
  get buffer(): DeviceBuffer {
    return this.#buffer;
  }

  /** The elements. What is written to a map with `access: "read"` is undefined. */
  get data(): ArrayOf<T> {
    handleOf(this);
    return this.#data;
  }

  /** Gives the memory back to the device. Every view over it becomes empty at once; the event tells when it is done. */
  unmap(options?: UnmapOptions): CommandEvent {
    const { waitFor } = checkOptions(options);
    return eventOf(this.#unmap(waitHandles(waitFor)), this.#queue);
  }

  #unmap(waits?: Int32Array): Handle {
    const handle = handleOf(this);
    try {
      return native.unmap(handle, this.#memory, waits);
    } finally {
      // The native side has let go of it, unless it refused an argument before it detached anything.
      if (this.#memory.byteLength === 0) forget(this);
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

  protected override summary(): string {
    return `${elementTypeName(this.#data.constructor as unknown as ElementType)} × ${this.#data.length}`;
  }
}
