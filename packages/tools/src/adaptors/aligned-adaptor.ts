/** Sizes and starts that are multiples of something. */
import { checkInteger, rangeError } from "@cl/base";
import { type Allocation, type Allocator, type DeviceBuffer, SvmPointer } from "@cl/core";

import { Adaptor } from "./adaptor.js";
import { allocatorName } from "./upstream.js";

/**
 * Rounds sizes up to a multiple of a power of two, and sees to it that memory starts at one:
 *
 * - Shared virtual memory has an address. One that is no multiple is an error that names the upstream; `SvmAllocator` with
 *   the same `alignment` gives none such.
 * - A part of a larger buffer must start at a multiple within that, or it is an error, too.
 * - A buffer of its own has no address that the host could know. OpenCL aligns it to `device.memBaseAddrAlign` bits and to
 *   the largest type of OpenCL C; nothing more is promised here.
 *
 * So a block divides into parts of `alignment` bytes without a rest, each of which starts as well as the first.
 *
 * @example
 * ```ts
 * const aligned = new AlignedAdaptor(new DeferredAllocator(context), 256);
 * console.log(aligned.allocate(1000)?.size, aligned.allocate(0)); // 1024 null
 * ```
 */
export class AlignedAdaptor<M extends Allocation = DeviceBuffer> extends Adaptor<M> {
  /** What sizes and starts are multiples of. */
  readonly alignment: number;

  constructor(upstream: Allocator<M>, alignment: number) {
    super(upstream);
    this.alignment = checkInteger(alignment, "alignment", 1, 2 ** 31);
    if (!Number.isInteger(Math.log2(alignment))) throw rangeError("alignment", "a power of two", alignment);
  }

  protected override provide(bytes: number): M | null {
    const rounded = Math.ceil(bytes / this.alignment) * this.alignment;
    if (!Number.isSafeInteger(rounded)) {
      throw rangeError("bytes", `a number that can be rounded up to a multiple of ${this.alignment}`, bytes);
    }
    const memory = this.take(rounded);
    if (memory === null) return null;
    const start = startOf(memory);
    if (start % BigInt(this.alignment) === 0n) return memory;
    memory.release();
    throw new TypeError(
      `${allocatorName(this.upstream)} gave memory that starts at ${start}, which is no multiple of ${this.alignment}`,
    );
  }
}

/** The address where it can be known, or where it starts in the buffer that it is a part of. */
function startOf(memory: Allocation): bigint {
  if (memory instanceof SvmPointer) return memory.pointer;
  return memory.base === undefined ? 0n : BigInt(memory.offset);
}
