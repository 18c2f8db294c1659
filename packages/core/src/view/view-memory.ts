/** What views know of the memory that they are over. */
import { byteRange, isContiguous, outOfRange, wrongValue } from "@cl/base";

import type { DType } from "../dtype/dtype.js";
import type { DeviceBuffer } from "../memory/buffer.js";
import { limitsOf } from "../memory/buffer-limits.js";
import type { DevicePart } from "./device-part.js";

/**
 * What a kernel gets for a view: the memory itself where the view starts with it, else a part that starts where the
 * view does. What a device cannot express, or what a kernel would misread, throws.
 */
export function argumentMemory({ buffer, layout, type, itemSize }: DevicePart): DeviceBuffer {
  if (layout.shape.includes(0)) {
    throw wrongValue("a view without elements cannot be a kernel's argument: OpenCL has no empty buffers (pass null)");
  }
  if (!isContiguous(layout, itemSize) && !isContiguous(layout, itemSize, "F")) {
    throw wrongValue(
      `a kernel would take the gaps of this view (strides [${layout.strides.join()}]) for elements: pass a copy, made by copy(queue), or view.memory to a kernel that takes the strides, too`,
    );
  }
  const [start, end] = byteRange(layout, itemSize);
  const { alignment } = limitsOf(buffer.context);
  if (start === 0) return typed(buffer, type);
  const base = buffer.base === undefined ? 0 : buffer.offset;
  if ((base + start) % alignment !== 0) {
    throw outOfRange(
      `this view starts at byte ${start} of its memory, and the context's devices take parts of memory only from multiples of ${alignment}: pass a copy, made by copy(queue), or view.memory to a kernel that takes the offset, too`,
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

/** The buffer, or its bytes where the part does not consist of the buffer's elements. */
function inWholeElements(buffer: DeviceBuffer, start: number, end: number): DeviceBuffer {
  const width = buffer.type?.BYTES_PER_ELEMENT ?? 1;
  return start % width === 0 && end % width === 0 ? buffer : buffer.as(Uint8Array);
}

/** The buffer with the view's elements; kernels check them. */
function typed(buffer: DeviceBuffer, type: DType): DeviceBuffer {
  if (buffer.type === undefined || buffer.type === type.arrayType) return buffer;
  return buffer.size % type.arrayType.BYTES_PER_ELEMENT === 0 ? buffer.as(type.arrayType) : buffer.as(Uint8Array);
}
