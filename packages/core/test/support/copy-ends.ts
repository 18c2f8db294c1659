/** What bytes are copied between: host memory, buffers and shared virtual memory. */
import { type CopyEnd, DeviceBuffer, SvmAllocation, SvmPointer } from "@cl/core";

import { hasSvm } from "@cl/testing/svm";
import { context, queue } from "./kernels.js";

export type Side = "host" | "buffer" | "svm";

/** The kinds of device memory. */
export const kinds: readonly Side[] = hasSvm("COARSE_GRAIN_BUFFER") ? ["buffer", "svm"] : ["buffer"];
const sides: readonly Side[] = ["host", ...kinds];

/** Every target and source, except two host arrays. */
export const pairs: readonly (readonly [target: Side, source: Side])[] = sides.flatMap((target) =>
  sides.filter((source) => target !== "host" || source !== "host").map((source) => [target, source] as const),
);

/** Creates memory with these bytes. */
export function end(side: Side, bytes: Uint8Array): Exclude<CopyEnd, ArrayBufferLike> {
  if (side === "host") return bytes.slice();
  const memory = side === "svm" ? new SvmAllocation(context, bytes.length) : new DeviceBuffer(context, bytes.length);
  queue.writeSync(memory, bytes);
  return memory;
}

export function bytesOf(memory: CopyEnd): Uint8Array {
  return memory instanceof DeviceBuffer || memory instanceof SvmPointer
    ? queue.readSync(memory, Uint8Array)
    : (memory as Uint8Array);
}

/** Returns bytes that count from a number. */
export const countingBytes = (length: number, from = 0): Uint8Array => Uint8Array.from({ length }, (_, i) => i + from);
