/** A ring allocator, for short-lived memory that is released in about the order of allocation. */
import { type Allocator, type Context, DeviceBuffer, OutOfMemoryError } from "@cl/core";

/** An allocated part of the ring. */
interface Block {
  readonly start: number;
  readonly end: number;
  live: boolean;
}

/**
 * Allocates consecutive parts of one buffer and wraps around at its end. A part is reused when it and all older parts are
 * released, so one long-lived part blocks the ring, unlike a pool. In return, allocation needs no search, and the memory
 * never grows.
 *
 * Pending commands may still use released memory, so commands of its next owner must run after them, as on an in-order queue.
 */
export class RingAllocator implements Allocator {
  readonly context: Context;
  readonly #buffer: DeviceBuffer;
  readonly #alignment: number;
  /** Blocks that are not free, the oldest first. */
  readonly #blocks: Block[] = [];

  constructor(context: Context, bytes: number) {
    this.context = context;
    this.#buffer = new DeviceBuffer(context, bytes);
    // Sub-buffers must start at a multiple of memBaseAddrAlign, which is in bits.
    this.#alignment = Math.max(...context.devices.map((device) => device.memBaseAddrAlign)) / 8;
  }

  /** Bytes that are not free, including released blocks behind an older live one. */
  get usedBytes(): number {
    return this.#blocks.reduce((sum, { start, end }) => sum + end - start, 0);
  }

  allocate(bytes: number): DeviceBuffer | null {
    // OpenCL's error would name a routine that the user did not call.
    if (typeof bytes !== "number") throw new TypeError(`bytes must be a number, received ${typeof bytes}`);
    if (!Number.isSafeInteger(bytes) || bytes < 0) {
      throw new RangeError(`bytes must be a non-negative integer, received ${bytes}`);
    }
    if (bytes === 0) return null; // OpenCL has no empty buffers
    const size = Math.ceil(bytes / this.#alignment) * this.#alignment;
    const start = this.#findSpace(size);
    if (start === undefined) {
      // Adaptors such as FallbackAdaptor handle this class of error.
      throw new OutOfMemoryError("ERR_RING_FULL", 0, "allocate", `the ring has no ${bytes} contiguous bytes left`);
    }
    const memory = this.#buffer.subBuffer(start, bytes);
    const block: Block = { start, end: start + size, live: true };
    this.#blocks.push(block);
    // Called after release() or garbage collection. The callback must not reference `memory`, or it is never collected.
    memory.onReleased(() => {
      block.live = false;
      while (this.#blocks[0]?.live === false) this.#blocks.shift();
    });
    return memory;
  }

  #findSpace(size: number): number | undefined {
    const [oldest, newest] = [this.#blocks[0], this.#blocks.at(-1)];
    if (oldest === undefined || newest === undefined) return size <= this.#buffer.size ? 0 : undefined;
    // Wrapped around: the free space is between the newest and the oldest block.
    if (newest.start < oldest.start) return newest.end + size <= oldest.start ? newest.end : undefined;
    // Otherwise it is after the newest and before the oldest block.
    if (newest.end + size <= this.#buffer.size) return newest.end;
    return size <= oldest.start ? 0 : undefined;
  }
}
