/** Memory of views as kernel arguments. */
import { byteRange, isContiguous, outOfRange, wrongValue } from "@cl/base";

import type { DType } from "../dtype/dtype.js";
import type { DeviceBuffer } from "../memory/buffer.js";
import { limitsOf } from "../memory/buffer-limits.js";
import type { DevicePart } from "./device-part.js";

/**
 * Returns the kernel argument of a view: its memory if the view starts at offset 0, or else a sub-buffer at the view's
 * offset. Throws for an empty, non-contiguous or misaligned view.
 */
export function argumentMemory({ buffer, layout, type, itemSize }: DevicePart): DeviceBuffer {
  if (layout.shape.includes(0)) {
    throw wrongValue(
      "a view without elements cannot be a kernel argument, because OpenCL has no empty buffers; pass null",
    );
  }
  if (!isContiguous(layout, itemSize) && !isContiguous(layout, itemSize, "F")) {
    throw wrongValue(
      `a view that is not contiguous cannot be a kernel argument (strides [${layout.strides.join()}]); pass a copy(queue), or pass view.memory and the strides`,
    );
  }
  const [start, end] = byteRange(layout, itemSize);
  const { alignment } = limitsOf(buffer.context);
  if (start === 0) return typed(buffer, type);
  const base = buffer.base === undefined ? 0 : buffer.offset;
  if ((base + start) % alignment !== 0) {
    throw outOfRange(
      `a view must start at a multiple of ${alignment} bytes to be a kernel argument on the context's devices, received byte ${start}; pass a copy(queue), or pass view.memory and the offset`,
    );
  }
  const part = inWholeElements(buffer, start, end).subBuffer(start, end - start);
  if (part.type === undefined || part.type === type.arrayType) return part;
  try {
    return part.as(type.arrayType);
  } finally {
    part.release();
  }
}

/** Returns the buffer, or its bytes if the range is not a multiple of the buffer's element size. */
function inWholeElements(buffer: DeviceBuffer, start: number, end: number): DeviceBuffer {
  const width = buffer.type?.BYTES_PER_ELEMENT ?? 1;
  return start % width === 0 && end % width === 0 ? buffer : buffer.as(Uint8Array);
}

/** Returns the buffer with the view's element type, which kernels check. */
function typed(buffer: DeviceBuffer, type: DType): DeviceBuffer {
  if (buffer.type === undefined || buffer.type === type.arrayType) return buffer;
  return buffer.size % type.arrayType.BYTES_PER_ELEMENT === 0 ? buffer.as(type.arrayType) : buffer.as(Uint8Array);
}
