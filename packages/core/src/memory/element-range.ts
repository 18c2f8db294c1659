/** Which elements of a buffer a read, write or map is about: an offset and a length counted in elements of a type. */
import { checkInteger, outOfRange, typeError, wrongType } from "@cl/base";

import { checkElementType, type ElementType, elementTypeName, isHostMemory } from "../dtype/host-array.js";
import { DeviceBuffer } from "./buffer.js";
import type { TypedArray } from "../typed/index.js";

/** A part of a buffer, counted in elements. */
export interface ElementRangeOptions {
  /** Where to start. */
  readonly offset?: number;
  /** How many elements; all that follow if not said. */
  readonly length?: number;
}

/** A part of a buffer, in elements and in bytes. */
export interface ElementRange {
  readonly length: number;
  readonly byteOffset: number;
  readonly bytes: number;
}

/** The part that the options name; throws if it is not inside the buffer, or what else has so many bytes. */
export function elementRange(
  buffer: { readonly size: number },
  type: ElementType,
  options: ElementRangeOptions,
  what = "buffer",
): ElementRange {
  return elementsFrom(buffer, type, options.offset, options.length, what);
}

/** {@link elementRange} without an object for the options, of which one more costs a small read a third of its time. */
export function elementsFrom(
  buffer: { readonly size: number },
  type: ElementType,
  start: number | undefined,
  count: number | undefined,
  what = "buffer",
): ElementRange {
  const width = type.BYTES_PER_ELEMENT;
  const offset = checkInteger(start ?? 0, "options.offset");
  const left = buffer.size - offset * width;
  if (left < 0) {
    throw outOfRange(
      `options.offset is ${offset} ${elementTypeName(type)} elements, but the ${what} has ${buffer.size} bytes`,
    );
  }
  if (count === undefined && left % width !== 0) {
    throw outOfRange(
      `${left} bytes are no whole number of ${elementTypeName(type)} elements: say how many with options.length`,
    );
  }
  const length = checkInteger(count ?? left / width, "options.length");
  if (length * width > left) {
    throw outOfRange(
      `${length} ${elementTypeName(type)} elements from element ${offset} go beyond the ${what}'s ${buffer.size} bytes`,
    );
  }
  return { length, byteOffset: offset * width, bytes: length * width };
}

/** A DeviceBuffer. */
export function checkBuffer<T extends TypedArray>(value: DeviceBuffer<T>, name: string): DeviceBuffer<T> {
  if (!(value instanceof DeviceBuffer)) throw typeError(name, "a DeviceBuffer", value);
  return value;
}

/** The element type that was asked for, else the buffer's own. */
export function chooseType(type: ElementType | undefined, buffer: DeviceBuffer): ElementType {
  if (type !== undefined) return checkElementType(type, "type");
  if (buffer.type === undefined) {
    throw wrongType(
      "type must be the constructor of a typed array, as Float32Array, since the buffer has no element type",
    );
  }
  return buffer.type;
}

/** `(type, options)` or `(options)`. */
export function splitType<O extends object>(
  typeOrOptions: ElementType | O | undefined,
  options: O | undefined,
): [type: ElementType | undefined, options: O | undefined] {
  if (typeOrOptions === undefined || typeof typeOrOptions === "function") {
    return [typeOrOptions, options];
  }
  if (options !== undefined) {
    throw typeError("type", "the constructor of a typed array, as Float32Array", typeOrOptions);
  }
  // An array in the options' place would be left untouched without a word.
  if (isHostMemory(typeOrOptions)) throw typeError("options", "an object, such as { into: array }", typeOrOptions);
  return [undefined, typeOrOptions as O];
}
