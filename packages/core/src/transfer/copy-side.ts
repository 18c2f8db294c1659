/** The two sides of a copy. */
import { byteLengthOf, typeError, wrongValue } from "@cl/base";

import { DeviceBuffer } from "../memory/buffer.js";
import { hostBytes, type HostMemory, isHostMemory } from "../dtype/host-array.js";
import { SvmPointer } from "../svm/svm-pointer.js";
import type { TypedArray } from "../typed/index.js";

/** Source or target of a copy: a buffer, shared virtual memory or host memory. */
export type CopyEnd = DeviceBuffer | SvmPointer | HostMemory;

/** One side of a copy: exactly one of `buffer`, `svm` and `host` is defined. */
export interface CopySide {
  readonly buffer: DeviceBuffer | undefined;
  readonly svm: SvmPointer | undefined;
  readonly host: TypedArray | undefined;
  readonly size: number;
  /** Name in errors. */
  readonly name: "target" | "source";
}

/** Hint for errors that may be caused by swapped arguments. */
export const orderHint = "the target comes first, then the source";

/** Returns the checked sides. Throws if both are host memory. */
export function copySides(target: CopyEnd, source: CopyEnd, blocking: boolean): [target: CopySide, source: CopySide] {
  const sides: [CopySide, CopySide] = [side(target, "target", blocking), side(source, "source", blocking)];
  if (sides[0].host !== undefined && sides[1].host !== undefined) {
    throw wrongValue("target and source cannot both be host memory; use target.set(source)");
  }
  return sides;
}

function side(value: CopyEnd, name: "target" | "source", blocking: boolean): CopySide {
  if (value instanceof DeviceBuffer) {
    return { buffer: value, svm: undefined, host: undefined, size: value.size, name };
  }
  if (value instanceof SvmPointer) return { buffer: undefined, svm: value, host: undefined, size: value.size, name };
  if (!isHostMemory(value)) throw typeError(name, `a DeviceBuffer or host memory (${orderHint})`, value);
  const host = hostBytes(value, name, blocking);
  return { buffer: undefined, svm: undefined, host, size: byteLengthOf(host), name };
}
