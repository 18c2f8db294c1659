/**
 * Reads the properties of arrays through the engine's built-in getters.
 *
 * `buffer`, `byteLength`, `byteOffset` and `length` can be overridden by a subclass or by `Object.defineProperty`.
 * Trusting such a property could let a device write to freed memory. So all packages read arrays from callers only
 * through the built-in getters, which this module captures when it loads.
 */
import { types } from "node:util";

/** A typed array, DataView, ArrayBuffer or SharedArrayBuffer. */
type Memory = ArrayBufferView | ArrayBufferLike;

/** Returns a prototype's getter as a function of the object, which later changes to `call` and `bind` do not affect. */
function getter(prototype: object, name: PropertyKey): (self: unknown) => unknown {
  const get = Object.getOwnPropertyDescriptor(prototype, name)?.get as (this: unknown) => unknown;
  return Function.prototype.call.bind(get) as (self: unknown) => unknown;
}

type Getter<R> = (self: unknown) => R;

const arrayPrototype = Object.getPrototypeOf(Uint8Array.prototype) as object;
const tag = getter(arrayPrototype, Symbol.toStringTag) as Getter<string | undefined>;
const arrayBuffer = getter(arrayPrototype, "buffer") as Getter<ArrayBufferLike>;
const arrayOffset = getter(arrayPrototype, "byteOffset") as Getter<number>;
const arrayBytes = getter(arrayPrototype, "byteLength") as Getter<number>;
const arrayLength = getter(arrayPrototype, "length") as Getter<number>;
const viewBuffer = getter(DataView.prototype, "buffer") as Getter<ArrayBufferLike>;
const viewOffset = getter(DataView.prototype, "byteOffset") as Getter<number>;
const viewBytes = getter(DataView.prototype, "byteLength") as Getter<number>;
const plainBytes = getter(ArrayBuffer.prototype, "byteLength") as Getter<number>;
const sharedBytes = getter(SharedArrayBuffer.prototype, "byteLength") as Getter<number>;
const resizable = getter(ArrayBuffer.prototype, "resizable") as Getter<boolean>;

const { isAnyArrayBuffer, isSharedArrayBuffer } = types;
const Bytes = Uint8Array;

/** Returns true for typed arrays and DataViews. */
export const isView: (value: unknown) => value is ArrayBufferView = ArrayBuffer.isView;

/** Returns true for typed arrays, DataViews, ArrayBuffers and SharedArrayBuffers. */
export function isMemory(value: unknown): value is Memory {
  return isView(value) || isAnyArrayBuffer(value);
}

/**
 * Returns true for a Uint8Array or Node.js `Buffer`. Unlike `instanceof`, rejects objects that only have the prototype.
 */
export function isBytes(value: unknown): value is Uint8Array {
  return tag(value) === "Uint8Array";
}

/** Returns the class name of a typed array, `"Uint8Array"` for a Node.js `Buffer`; `undefined` for other values. */
export function arrayTag(value: unknown): string | undefined {
  return tag(value);
}

/** Returns the ArrayBuffer of a view. */
export function arrayBufferOf(view: ArrayBufferView): ArrayBufferLike {
  return tag(view) === undefined ? viewBuffer(view) : arrayBuffer(view);
}

/** Returns the byte offset of a view in its ArrayBuffer. Throws for a DataView that is detached or out of bounds. */
export function byteOffsetOf(view: ArrayBufferView): number {
  return tag(view) === undefined ? viewOffset(view) : arrayOffset(view);
}

/** Returns the byte length, which is 0 for detached memory. Throws for a DataView that is detached or out of bounds. */
export function byteLengthOf(memory: Memory): number {
  if (tag(memory) !== undefined) return arrayBytes(memory);
  if (isView(memory)) return viewBytes(memory);
  return isSharedArrayBuffer(memory) ? sharedBytes(memory) : plainBytes(memory);
}

/** Returns the length of a typed array, which is 0 for detached memory. */
export function lengthOf(array: ArrayBufferView): number {
  return arrayLength(array);
}

/** Returns true if the memory can shrink. A SharedArrayBuffer can only grow and never moves. */
export function canShrink(memory: ArrayBufferLike): boolean {
  return !isSharedArrayBuffer(memory) && resizable(memory);
}

/** Returns a Uint8Array on the same bytes. Throws for detached memory. */
export function bytesOver(memory: Memory): Uint8Array {
  return isView(memory)
    ? new Bytes(arrayBufferOf(memory), byteOffsetOf(memory), byteLengthOf(memory))
    : new Bytes(memory);
}
