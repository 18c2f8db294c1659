/** Host memory: typed arrays and what else holds bytes, and the numbers by which their element types are compared. */
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

/** The constructor of a typed array, as `Float32Array`. */
export interface ElementType<T extends TypedArray = TypedArray> {
  /** What it makes. */
  readonly prototype: T;
  /** Bytes of one element. */
  readonly BYTES_PER_ELEMENT: number;
}

/** Anything that holds bytes: typed arrays, Node's `Buffer` and `DataView` too, and array buffers as a whole. */
export type HostMemory = ArrayBufferView | ArrayBufferLike;

/** The array of `T`'s elements over memory of a kind: `Float32Array<ArrayBuffer>` for any `Float32Array`. */
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

/** The scalar type of each constructor that this engine has. */
export const elementScalars: ReadonlyMap<unknown, ScalarType> = new Map(
  Object.values(scalarTypes)
    .flatMap((scalar) => scalar.arrays.map((name) => [(globalThis as Record<string, unknown>)[name], scalar] as const))
    .filter(([constructor]) => constructor !== undefined)
    // A map keeps the last of several entries, and an array belongs to the first type that lists it.
    .toReversed(),
);

/** The code of each constructor's elements, for hot paths. */
export const elementCodes: ReadonlyMap<unknown, number> = new Map(
  [...elementScalars].map(([constructor, { code }]) => [constructor, code]),
);

/** The standard constructors by name: subclasses and arrays of other realms have the same built-in tag. */
const constructors: ReadonlyMap<string | undefined, ElementType> = new Map(
  [...elementScalars.keys()].map((constructor) => [
    (constructor as { readonly name: string }).name,
    constructor as ElementType,
  ]),
);

/** The standard constructor for an array's elements; `Uint8Array` for Node's `Buffer`; undefined for other views. */
export function elementTypeOf<T extends TypedArray>(array: T): ElementType<T>;
export function elementTypeOf(array: unknown): ElementType | undefined;
export function elementTypeOf(array: unknown): ElementType | undefined {
  return constructors.get(arrayTag(array));
}

/** The name of an element type, for messages. */
export function elementTypeName(type: ElementType): string {
  return (type as unknown as { readonly name: string }).name;
}

/** The constructor of a typed array. */
export function checkElementType<T extends TypedArray>(value: ElementType<T>, name: string): ElementType<T> {
  if (!elementCodes.has(value)) throw typeError(name, "the constructor of a typed array, as Float32Array", value);
  return value;
}

/** A typed array. */
export function checkTypedArray<T extends TypedArray>(value: T, name: string): T {
  if (arrayTag(value) === undefined) throw typeError(name, "a typed array", value);
  return value;
}

/** True for anything that holds bytes. */
export function isHostMemory(value: unknown): value is HostMemory {
  return isMemory(value);
}

/**
 * Host memory as a typed array that native calls take. Throws if the memory was transferred away. Throws if it can be
 * resized, unless the call blocks, because it could shrink while a device uses it.
 *
 * Call it after all code of the caller has run: a getter of an options object or a wait list may transfer the memory.
 */
export function hostBytes(value: HostMemory, name: string, blocking: boolean): TypedArray {
  if (!isHostMemory(value)) throw typeError(name, "a typed array, DataView or ArrayBuffer", value);
  const memory = isView(value) ? arrayBufferOf(value) : value;
  if (!blocking && canShrink(memory)) {
    throw typeError(
      name,
      "memory of a fixed size (a resizable ArrayBuffer could shrink while a device uses it)",
      value,
    );
  }
  try {
    if (arrayTag(value) === undefined) return bytesOver(value);
    // Making a view over detached memory throws; Node 20 has no other way to tell it from an empty one.
    if (byteLengthOf(value) === 0) bytesOver(memory);
    return value as TypedArray;
  } catch {
    throw lostMemory(name);
  }
}

function lostMemory(name: string): TypeError {
  return wrongValue(`${name} has lost its memory: its ArrayBuffer was transferred away or resized`);
}

/** An array whose contents are not zeroed first, for reads that fill it: zeroing 64 MiB would stall the event loop. */
export function uninitializedArray<T extends TypedArray>(type: ElementType<T>, length: number): ArrayOf<T> {
  const bytes = length * type.BYTES_PER_ELEMENT;
  let memory = bytes === 0 || bytes > largestNodeBuffer ? new ArrayBuffer(bytes) : Buffer.allocUnsafeSlow(bytes).buffer;
  if (memory.byteLength !== bytes) memory = new ArrayBuffer(bytes);
  return arrayOver(type, memory, length);
}

// buffer.constants.MAX_LENGTH of the smallest engine that we run on.
const largestNodeBuffer = 2 ** 32;

/** The typed array of `length` elements in `memory`, from its start if not said. */
export function arrayOver<T extends TypedArray>(
  type: ElementType<T>,
  memory: ArrayBuffer,
  length: number,
  byteOffset = 0,
): ArrayOf<T> {
  const Constructor = type as unknown as new (memory: ArrayBuffer, offset: number, length: number) => ArrayOf<T>;
  return new Constructor(memory, byteOffset, length);
}
