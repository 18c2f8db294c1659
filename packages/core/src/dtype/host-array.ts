/** Host memory: typed arrays and other memory, and their element types. */
import {
  arrayBufferOf,
  arrayTag,
  byteLengthOf,
  bytesOver,
  canShrink,
  isMemory,
  isView,
  type ScalarType,
  scalarTypes,
  typeError,
  wrongValue,
} from "@cl/base";

import type { TypedArray } from "../typed/index.js";

/** A typed array class, such as `Float32Array`. */
export interface ElementType<T extends TypedArray = TypedArray> {
  /** The prototype of its instances. */
  readonly prototype: T;
  /** Size of an element in bytes. */
  readonly BYTES_PER_ELEMENT: number;
}

/** Host memory: a typed array (including Node's `Buffer`), a `DataView`, or an `ArrayBuffer` or `SharedArrayBuffer`. */
export type HostMemory = ArrayBufferView | ArrayBufferLike;

/** The typed array `T` over a given kind of memory: `Float32Array<ArrayBuffer>` for any `Float32Array`. */
export type ArrayOf<T extends TypedArray, B extends ArrayBufferLike = ArrayBuffer> = T extends Int8Array
  ? Int8Array<B>
  : T extends Uint8Array
    ? Uint8Array<B>
    : T extends Uint8ClampedArray
      ? Uint8ClampedArray<B>
      : T extends Int16Array
        ? Int16Array<B>
        : T extends Uint16Array
          ? Uint16Array<B>
          : T extends Int32Array
            ? Int32Array<B>
            : T extends Uint32Array
              ? Uint32Array<B>
              : T extends BigInt64Array
                ? BigInt64Array<B>
                : T extends BigUint64Array
                  ? BigUint64Array<B>
                  : T extends Float32Array
                    ? Float32Array<B>
                    : T extends Float64Array
                      ? Float64Array<B>
                      : T;

/** The scalar type of each typed array class that this engine supports. */
export const elementScalars: ReadonlyMap<unknown, ScalarType> = new Map(
  Object.values(scalarTypes)
    .flatMap((scalar) => scalar.arrays.map((name) => [(globalThis as Record<string, unknown>)[name], scalar] as const))
    .filter(([constructor]) => constructor !== undefined)
    // An array class belongs to the first type that lists it, but a Map keeps the last entry.
    .toReversed(),
);

/** The numeric code of each typed array class's element type, for hot paths. */
export const elementCodes: ReadonlyMap<unknown, number> = new Map(
  [...elementScalars].map(([constructor, { code }]) => [constructor, code]),
);

/** The typed array classes by name, which subclasses and arrays of other realms share as their built-in tag. */
const constructors: ReadonlyMap<string | undefined, ElementType> = new Map(
  [...elementScalars.keys()].map((constructor) => [
    (constructor as { readonly name: string }).name,
    constructor as ElementType,
  ]),
);

/**
 * Returns the typed array class of an array, `Uint8Array` for Node's `Buffer`; `undefined` if it is not a typed array.
 */
export function elementTypeOf<T extends TypedArray>(array: T): ElementType<T>;
export function elementTypeOf(array: unknown): ElementType | undefined;
export function elementTypeOf(array: unknown): ElementType | undefined {
  return constructors.get(arrayTag(array));
}

/** Returns the name of an element type, for messages. */
export function elementTypeName(type: ElementType): string {
  return (type as unknown as { readonly name: string }).name;
}

/** Checks that a value is a typed array class. */
export function checkElementType<T extends TypedArray>(value: ElementType<T>, name: string): ElementType<T> {
  if (!elementCodes.has(value)) throw typeError(name, "a typed array class such as Float32Array", value);
  return value;
}

/** Checks that a value is a typed array. */
export function checkTypedArray<T extends TypedArray>(value: T, name: string): T {
  if (arrayTag(value) === undefined) throw typeError(name, "a typed array", value);
  return value;
}

/** Returns whether a value is host memory. */
export function isHostMemory(value: unknown): value is HostMemory {
  return isMemory(value);
}

/**
 * Returns host memory as a typed array for native calls. Throws if the memory is detached. Throws if it is resizable,
 * unless the call blocks, because it could shrink while a device uses it.
 *
 * Must be called after reading options and wait lists, because their getters may transfer the memory.
 */
export function hostBytes(value: HostMemory, name: string, blocking: boolean): TypedArray {
  if (!isHostMemory(value)) throw typeError(name, "a typed array, DataView or ArrayBuffer", value);
  const memory = isView(value) ? arrayBufferOf(value) : value;
  if (!blocking && canShrink(memory)) {
    throw typeError(
      name,
      "memory of a fixed size, because a resizable ArrayBuffer could shrink while a device uses it",
      value,
    );
  }
  try {
    if (arrayTag(value) === undefined) return bytesOver(value);
    // Creating a view over detached memory throws. Node 20 has no other way to distinguish it from empty memory.
    if (byteLengthOf(value) === 0) bytesOver(memory);
    return value as TypedArray;
  } catch {
    throw detachedError(name);
  }
}

function detachedError(name: string): TypeError {
  return wrongValue(`${name} is detached or out of bounds: its ArrayBuffer was transferred or resized`);
}

/** Returns an uninitialized array, for reads that overwrite it: zeroing 64 MiB would stall the event loop. */
export function uninitializedArray<T extends TypedArray>(type: ElementType<T>, length: number): ArrayOf<T> {
  const bytes = length * type.BYTES_PER_ELEMENT;
  let memory = bytes === 0 || bytes > largestNodeBuffer ? new ArrayBuffer(bytes) : Buffer.allocUnsafeSlow(bytes).buffer;
  if (memory.byteLength !== bytes) memory = new ArrayBuffer(bytes);
  return arrayOver(type, memory, length);
}

// The smallest buffer.constants.MAX_LENGTH of the supported engines.
const largestNodeBuffer = 2 ** 32;

/** Returns a typed array over `memory`. */
export function arrayOver<T extends TypedArray>(
  type: ElementType<T>,
  memory: ArrayBuffer,
  length: number,
  byteOffset = 0,
): ArrayOf<T> {
  const Constructor = type as unknown as new (memory: ArrayBuffer, offset: number, length: number) => ArrayOf<T>;
  return new Constructor(memory, byteOffset, length);
}
