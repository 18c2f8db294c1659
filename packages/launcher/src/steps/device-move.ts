/** Copies and fills of device memory in the form of a kernel's loop. */
import type { StridedCopy } from "@cl/base";
import { DeviceBuffer, MemFlags, type SvmPointer } from "@cl/core";

/** A copy between device memory that does not overlap, or a fill. */
export interface DeviceMove {
  readonly target: DeviceBuffer | SvmPointer;
  /** Source, or the pattern that is repeated along each run. */
  readonly source: DeviceBuffer | SvmPointer | Uint8Array;
  /** Bytes that it moves; `from` is unused by a fill. */
  readonly copy: StridedCopy;
}

/** Returns a move, or why a kernel cannot do it. */
export function deviceMove(
  target: DeviceMove["target"],
  source: DeviceMove["source"],
  copy: StridedCopy,
): DeviceMove | string {
  if (copy.run === 0 || copy.shape.includes(0)) return "it moves no bytes";
  if (source instanceof Uint8Array && source.length > maxPattern) {
    return `it fills elements of more than ${maxPattern} bytes`;
  }
  // Drivers do not enforce these flags, which are for kernels only.
  if (hasFlag(target, MemFlags.READ_ONLY)) return "its target is read-only for kernels";
  if (!(source instanceof Uint8Array) && hasFlag(source, MemFlags.WRITE_ONLY)) {
    return "its source is write-only for kernels";
  }
  return { target, source, copy };
}

/** Size of the longest pattern of OpenCL. */
const maxPattern = 128;

function hasFlag(memory: DeviceMove["target"], flag: number): boolean {
  return memory instanceof DeviceBuffer && (memory.flags & flag) !== 0;
}

/** Returns consecutive bytes as a copy. */
export function runOfBytes({
  bytes,
  sourceOffset = 0,
  targetOffset = 0,
}: {
  readonly bytes: number;
  readonly sourceOffset?: number;
  readonly targetOffset?: number;
}): StridedCopy {
  return {
    run: bytes,
    shape: [],
    from: { offset: sourceOffset, strides: [] },
    to: { offset: targetOffset, strides: [] },
  };
}
