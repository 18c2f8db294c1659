/** An allocator of one's own: a ring, for what is needed for a short while and given back in about the same order. */
import { type Allocator, type Context, DeviceBuffer, OutOfMemoryError } from "@cl/core";

/** A part of the ring that somebody has had. */
interface Block {
  readonly start: number;
  readonly end: number;
  live: boolean;
}

/**
 * Gives parts of one buffer, one behind the other, and goes on at the beginning when it comes to the end. A part can be used
 * again when it and all older ones are back; so one that is kept for long stops the ring, which a pool would not mind. In
 * return there is nothing to search, and never more memory than at the beginning.
 *
 * What is given back may still be used by commands: the next owner's must come after them. One in-order queue sees to that.
 */
export class RingAllocator implements Allocator {
  readonly context: Context;
  readonly #whole: DeviceBuffer;
  readonly #alignment: number;
  /** What is not free, the oldest first. */
  readonly #blocks: Block[] = [];

  constructor(context: Context, bytes: number) {
    this.context = context;
    this.#whole = new DeviceBuffer(context, bytes);
    // Devices want parts of buffers to begin at multiples of this; they say it in bits.
    this.#alignment = Math.max(...context.devices.map((device) => device.memBaseAddrAlign)) / 8;
  }

  /** How many bytes are not free: those of older parts that are back and must wait count, too. */
  get usedBytes(): number {
    return this.#blocks.reduce((sum, { start, end }) => sum + end - start, 0);
  }

  allocate(bytes: number): DeviceBuffer | null {
    // OpenCL's own error would name a call that the user has not made.
    if (typeof bytes !== "number") throw new TypeError(`bytes must be a number, but got ${typeof bytes}`);
    if (!Number.isSafeInteger(bytes) || bytes < 0) {
      throw new RangeError(`bytes must be a whole number, but got ${bytes}`);
    }
    if (bytes === 0) return null; // there are no empty buffers
    const size = Math.ceil(bytes / this.#alignment) * this.#alignment;
    const start = this.#placeFor(size);
    if (start === undefined) {
      // This class of error is what adaptors such as FallbackAdaptor act on.
      throw new OutOfMemoryError("ERR_RING_FULL", 0, "allocate", `the ring has no ${bytes} bytes in a row left`);
    }
    const memory = this.#whole.subBuffer(start, bytes);
    const block: Block = { start, end: start + size, live: true };
    this.#blocks.push(block);
    // By hand or by the garbage collector. The function must not know `memory`, or it would never be collected.
    memory.onReleased(() => {
      block.live = false;
      while (this.#blocks[0]?.live === false) this.#blocks.shift();
    });
    return memory;
  }

  #placeFor(size: number): number | undefined {
    const [oldest, newest] = [this.#blocks[0], this.#blocks.at(-1)];
    if (oldest === undefined || newest === undefined) return size <= this.#whole.size ? 0 : undefined;
    // Gone round: what is free lies between the newest and the oldest.
    if (newest.start < oldest.start) return newest.end + size <= oldest.start ? newest.end : undefined;
    // Else it lies behind the newest and before the oldest.
    if (newest.end + size <= this.#whole.size) return newest.end;
    return size <= oldest.start ? 0 : undefined;
  }
}
