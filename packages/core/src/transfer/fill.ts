/** Filling buffers with a repeated pattern. */
import { byteLengthOf, checkInteger, checkOptions, describe, outOfRange, rangeError, typeError } from "@cl/base";

import type { DeviceBuffer } from "../memory/buffer.js";
import { checkBuffer } from "../memory/element-range.js";
import { type CommandEvent, eventOf, type WaitFor, waitHandles } from "../event/event.js";
import { elementCodes, type ElementType, hostBytes, type HostMemory, isHostMemory } from "../dtype/host-array.js";
import { type Handle, native } from "../binding/native.js";
import type { QueueBase } from "../queue/queue-base.js";
import { handleOf } from "../binding/resource.js";
import { nothingTransferred } from "./transfer-end.js";
import type { TypedArray } from "../typed/index.js";

/** Which part of a buffer to fill; in bytes, both multiples of the pattern's size. */
export interface FillOptions {
  /** Where to start. */
  readonly offset?: number;
  /** How many bytes; all that follow if not said. */
  readonly bytes?: number;
  /** What the command waits for. */
  readonly waitFor?: WaitFor;
}

/** What can be repeated: 1, 2, 4 … 128 bytes, or one element of a typed buffer. */
export type FillPattern = HostMemory | number | bigint;

/**
 * Repeats a pattern through a buffer. The pattern is taken at once; the array may be changed afterwards.
 *
 * @example
 * ```ts
 * queue.enqueueFill(buffer, 0);                                   // an element of the buffer's type
 * queue.enqueueFill(buffer, Float32Array.of(1, 2), { bytes: 64 }); // a pattern of 8 bytes
 * ```
 */
export function enqueueFill(
  queue: QueueBase,
  buffer: DeviceBuffer,
  pattern: FillPattern,
  options?: FillOptions,
): CommandEvent {
  const handle = handleOf(checkBuffer(buffer, "buffer"));
  const given = checkOptions(options, ["offset", "bytes", "waitFor"]);
  const { patternBytes, offset, bytes } = fillRange(buffer, pattern, given);
  const waits = waitHandles(given.waitFor);
  const event =
    bytes === 0
      ? nothingTransferred(queue, waits)
      : (native.fillBuffer(handleOf(queue), handle, patternBytes, offset, bytes, waits, true) as Handle);
  return eventOf(event, queue);
}

/** Memory that can be filled, as far as that needs to know it. */
interface Fillable {
  readonly size: number;
  readonly type: ElementType | undefined;
}

/** The pattern's bytes and the part of the memory that they fill, checked; of the range only the names are not. */
export function fillRange(
  buffer: Fillable,
  pattern: FillPattern,
  range: Pick<FillOptions, "offset" | "bytes">,
  what = "buffer",
): { readonly patternBytes: TypedArray; readonly offset: number; readonly bytes: number } {
  const patternBytes = bytesOf(pattern, buffer, what);
  const unit = byteLengthOf(patternBytes);
  const offset = checkInteger(range.offset ?? 0, "options.offset", 0, buffer.size);
  const bytes = checkInteger(range.bytes ?? buffer.size - offset, "options.bytes", 0, buffer.size - offset);
  for (const [name, value] of [
    ["options.offset", offset],
    ["options.bytes", bytes],
  ] as const) {
    if (value % unit !== 0) throw rangeError(name, `a multiple of the pattern's ${unit} bytes`, value);
  }
  return { patternBytes, offset, bytes };
}

function bytesOf(pattern: FillPattern, buffer: Fillable, what: string): TypedArray {
  if (typeof pattern === "number" || typeof pattern === "bigint") return elementBytes(pattern, buffer, what);
  if (!isHostMemory(pattern)) throw typeError("pattern", `a typed array, or a number for a typed ${what}`, pattern);
  const bytes = hostBytes(pattern, "pattern", true);
  const size = byteLengthOf(bytes);
  if (size < 1 || size > 128 || (size & (size - 1)) !== 0) {
    throw rangeError("pattern", "1, 2, 4, 8, 16, 32, 64 or 128 bytes long", pattern);
  }
  return bytes;
}

/** One element; a value that it cannot hold is refused, never wrapped around. */
function elementBytes(value: number | bigint, buffer: Fillable, what: string): TypedArray {
  const { type } = buffer;
  if (type === undefined) {
    throw typeError("pattern", `a typed array, since the ${what} has no element type`, value);
  }
  const code = elementCodes.get(type) ?? 0;
  const wantsBigint = code === 7 || code === 8;
  if (wantsBigint !== (typeof value === "bigint")) {
    throw typeError("pattern", wantsBigint ? "a bigint" : "a number", value);
  }
  const Constructor = type as unknown as { of(value: number | bigint): TypedArray } & ElementType;
  const element = Constructor.of(value);
  if (code <= 8 && element[0] !== value && !Object.is(value, -0)) {
    throw outOfRange(`pattern must be a value that the ${what}'s elements can hold, received ${describe(value)}`);
  }
  return element;
}
