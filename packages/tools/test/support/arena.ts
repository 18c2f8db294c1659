/** A user-defined allocator of parts of one buffer, as in the package's README. */
import { checkInteger } from "@cl/base";
import { type Allocator, type Context, DeviceBuffer, OutOfMemoryError } from "@cl/core";

/** Allocates consecutive parts of one buffer, and starts again when all parts are released. */
export class Arena implements Allocator {
  readonly context: Context;
  readonly #whole: DeviceBuffer;
  readonly #alignment: number;
  /** Distance between parts relative to their size; below 1 they overlap. */
  readonly #share: number;
  #next = 0;
  #live = 0;
  #used = 0;

  constructor(context: Context, bytes: number, share = 1) {
    this.context = context;
    this.#whole = new DeviceBuffer(context, bytes);
    this.#alignment = Math.max(...context.devices.map((device) => device.memBaseAddrAlign)) / 8;
    this.#share = share;
  }

  get usedBytes(): number {
    return this.#used;
  }

  allocate(bytes: number): DeviceBuffer | null {
    if (checkInteger(bytes, "bytes") === 0) return null;
    if (this.#next + bytes > this.#whole.size) {
      throw new OutOfMemoryError("ERR_ARENA_FULL", 0, "allocate", `the arena has no ${bytes} bytes left`);
    }
    const part = this.#whole.subBuffer(this.#next, bytes);
    this.#next += Math.ceil((bytes * this.#share) / this.#alignment) * this.#alignment;
    this.#live++;
    this.#used += bytes;
    part.onReleased(() => {
      this.#used -= bytes;
      if (--this.#live === 0) this.#next = 0;
    });
    return part;
  }
}
