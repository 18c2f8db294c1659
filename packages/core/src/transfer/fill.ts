/** Fills of buffers with a repeated pattern. */
import { byteLengthOf, checkInteger, checkOptions, describe, outOfRange, rangeError, typeError } from "@cl/base";

import type { DeviceBuffer } from "../memory/buffer.js";
import { checkBuffer } from "../memory/element-range.js";
import { type CommandEvent, eventOf, type WaitFor, waitHandles } from "../event/event.js";
import { elementCodes, type ElementType, hostBytes, type HostMemory, isHostMemory } from "../dtype/host-array.js";
import { type Handle, native } from "../binding/native.js";
import type { QueueBase } from "../queue/queue-base.js";
import { handleOf } from "../binding/resource.js";
import { enqueueEmptyTransfer } from "./transfer-end.js";
import type { TypedArray } from "../typed/index.js";

/** Options for a fill. `offset` and `bytes` are multiples of the pattern's size. */
export interface FillOptions {
  /**
   * Offset in bytes.
   * @defaultValue 0
   */
  readonly offset?: number;
  /**
   * Number of bytes.
   * @defaultValue all bytes from `offset`
   */
  readonly bytes?: number;
  /** Events that the command waits for. */
  readonly waitFor?: WaitFor;
}

/** A fill pattern: 1, 2, 4, 8, 16, 32, 64 or 128 bytes, or a number for one element of a typed buffer. */
export type FillPattern = HostMemory | number | bigint;

/**
 * Fills a buffer with a repeated pattern. The pattern is copied immediately, so its array may be changed afterwards.
 *
 * @example
 * ```ts
 * queue.enqueueFill(buffer, 0);                                   // one element of the buffer's type
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
      ? enqueueEmptyTransfer(queue, waits)
      : (native.fillBuffer(handleOf(queue), handle, patternBytes, offset, bytes, waits, true) as Handle);
  return eventOf(event, queue);
}

/** Properties of memory that a fill needs. */
interface Fillable {
  readonly size: number;
  readonly type: ElementType | undefined;
}

/** Returns the pattern's bytes and the checked range to fill. Does not check option names. */
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

/** Returns one element as bytes. Throws if the element type cannot represent the value. */
function elementBytes(value: number | bigint, buffer: Fillable, what: string): TypedArray {
  const { type } = buffer;
  if (type === undefined) {
    throw typeError("pattern", `a typed array when the ${what} has no element type`, value);
  }
  const code = elementCodes.get(type) ?? 0;
  const wantsBigint = code === 7 || code === 8;
  if (wantsBigint !== (typeof value === "bigint")) {
    throw typeError("pattern", wantsBigint ? "a bigint" : "a number", value);
  }
  const Constructor = type as unknown as { of(value: number | bigint): TypedArray } & ElementType;
  const element = Constructor.of(value);
  if (code <= 8 && element[0] !== value && !Object.is(value, -0)) {
    throw outOfRange(`pattern must be representable by the ${what}'s element type, received ${describe(value)}`);
  }
  return element;
}
