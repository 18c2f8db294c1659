/** An allocator adaptor that aligns sizes and start addresses. */
import { checkInteger, rangeError, wrongValue } from "@cl/base";
import { type Allocation, type Allocator, type DeviceBuffer, SvmPointer } from "@cl/core";

import { Adaptor } from "./adaptor.js";
import { allocatorName } from "./upstream.js";

/**
 * Rounds sizes up to a multiple of a power of two and checks that memory starts at such a multiple:
 *
 * - Shared virtual memory: a misaligned address is an error that names the upstream. `SvmAllocator` with the same
 *   `alignment` always returns aligned addresses.
 * - A part of a larger buffer: a misaligned offset in that buffer is an error, too.
 * - Other buffers have no address that the host knows. OpenCL aligns them to `device.memBaseAddrAlign` bits and to the
 *   largest type of OpenCL C; this class guarantees nothing more.
 *
 * So an allocation divides evenly into aligned parts of `alignment` bytes.
 *
 * @example
 * ```ts
 * const aligned = new AlignedAdaptor(new DeferredAllocator(context), 256);
 * console.log(aligned.allocate(1000)?.size, aligned.allocate(0)); // 1024 null
 * ```
 */
export class AlignedAdaptor<M extends Allocation = DeviceBuffer> extends Adaptor<M> {
  /** Alignment in bytes, a power of two. */
  readonly alignment: number;

  constructor(upstream: Allocator<M>, alignment: number) {
    super(upstream);
    this.alignment = checkInteger(alignment, "alignment", 1, 2 ** 31);
    if (!Number.isInteger(Math.log2(alignment))) throw rangeError("alignment", "a power of two", alignment);
  }

  protected override provide(bytes: number): M | null {
    const rounded = Math.ceil(bytes / this.alignment) * this.alignment;
    if (!Number.isSafeInteger(rounded)) {
      throw rangeError("bytes", `at most 2^53 - 1 when rounded up to a multiple of ${this.alignment}`, bytes);
    }
    const memory = this.take(rounded);
    if (memory === null) return null;
    const start = startOf(memory);
    if (start % BigInt(this.alignment) === 0n) return memory;
    memory.release();
    throw wrongValue(
      `${allocatorName(this.upstream)} returned memory that starts at ${start}, which is not a multiple of ${this.alignment}`,
    );
  }
}

/** Returns the address if known, otherwise the offset in the parent buffer, or 0. */
function startOf(memory: Allocation): bigint {
  if (memory instanceof SvmPointer) return memory.pointer;
  return memory.base === undefined ? 0n : BigInt(memory.offset);
}
