/** Element ranges of reads, writes and maps. */
import { checkInteger, outOfRange, typeError, wrongType } from "@cl/base";

import { checkElementType, type ElementType, elementTypeName, isHostMemory } from "../dtype/host-array.js";
import { DeviceBuffer } from "./buffer.js";
import type { TypedArray } from "../typed/index.js";

/** A range of a buffer, in elements. */
export interface ElementRangeOptions {
  /**
   * Index of the first element.
   * @defaultValue 0
   */
  readonly offset?: number;
  /**
   * Number of elements.
   * @defaultValue all elements from `offset`
   */
  readonly length?: number;
}

/** A range of a buffer, in elements and bytes. */
export interface ElementRange {
  readonly length: number;
  readonly byteOffset: number;
  readonly bytes: number;
}

/** Returns the range that the options select. Throws if it is not inside `buffer`, which errors call `what`. */
export function elementRange(
  buffer: { readonly size: number },
  type: ElementType,
  options: ElementRangeOptions,
  what = "buffer",
): ElementRange {
  return elementsFrom(buffer, type, options.offset, options.length, what);
}

/** Like {@link elementRange}, without an options object, whose allocation costs a third of a small read. */
export function elementsFrom(
  buffer: { readonly size: number },
  type: ElementType,
  start: number | undefined,
  count: number | undefined,
  what = "buffer",
): ElementRange {
  const width = type.BYTES_PER_ELEMENT;
  const offset = checkInteger(start ?? 0, "options.offset");
  const available = buffer.size - offset * width;
  if (available < 0) {
    throw outOfRange(
      `options.offset is ${offset} ${elementTypeName(type)} elements, but the ${what} has ${buffer.size} bytes`,
    );
  }
  if (count === undefined && available % width !== 0) {
    throw outOfRange(
      `${available} bytes are not a multiple of the ${elementTypeName(type)} element size; pass options.length`,
    );
  }
  const length = checkInteger(count ?? available / width, "options.length");
  if (length * width > available) {
    throw outOfRange(
      `${length} ${elementTypeName(type)} elements from element ${offset} exceed the ${what}'s ${buffer.size} bytes`,
    );
  }
  return { length, byteOffset: offset * width, bytes: length * width };
}

/** Throws unless `value` is a DeviceBuffer. */
export function checkBuffer<T extends TypedArray>(value: DeviceBuffer<T>, name: string): DeviceBuffer<T> {
  if (!(value instanceof DeviceBuffer)) throw typeError(name, "a DeviceBuffer", value);
  return value;
}

/** Returns the requested element type, or else the buffer's. */
export function chooseType(type: ElementType | undefined, buffer: DeviceBuffer): ElementType {
  if (type !== undefined) return checkElementType(type, "type");
  if (buffer.type === undefined) {
    throw wrongType(
      "type must be a typed array's constructor, such as Float32Array, because the buffer has no element type",
    );
  }
  return buffer.type;
}

/** Returns the type and options of a call with `(type, options)` or `(options)`. */
export function splitType<O extends object>(
  typeOrOptions: ElementType | O | undefined,
  options: O | undefined,
): [type: ElementType | undefined, options: O | undefined] {
  if (typeOrOptions === undefined || typeof typeOrOptions === "function") {
    return [typeOrOptions, options];
  }
  if (options !== undefined) {
    throw typeError("type", "a typed array's constructor, such as Float32Array", typeOrOptions);
  }
  // An array passed as options would silently be ignored.
  if (isHostMemory(typeOrOptions)) throw typeError("options", "an object, such as { into: array }", typeOrOptions);
  return [undefined, typeOrOptions as O];
}
