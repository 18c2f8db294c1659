/**
 * The memory of an array, as the engine knows it.
 *
 * `buffer`, `byteLength`, `byteOffset` and `length` can be overridden by a subclass or by `Object.defineProperty`. If such a
 * property decided whether memory may be resized, a device could write to memory that is gone. So the
 * packages read their callers' arrays only through the built-in getters, which this module takes when it loads.
 */
import { types } from "node:util";

/** Any typed array or DataView, or a whole ArrayBuffer or SharedArrayBuffer. */
type Memory = ArrayBufferView | ArrayBufferLike;

/** The getter of a prototype as a function of the object. `call` and `bind` may be overridden later, too. */
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

/** True for typed arrays and DataViews. */
export const isView: (value: unknown) => value is ArrayBufferView = ArrayBuffer.isView;

/** True for anything that holds bytes. */
export function isMemory(value: unknown): value is Memory {
  return isView(value) || isAnyArrayBuffer(value);
}

/** True for a Uint8Array and Node's `Buffer`. `instanceof` also accepts an object that only has the prototype. */
export function isBytes(value: unknown): value is Uint8Array {
  return tag(value) === "Uint8Array";
}

/** The name of a typed array's class, `"Uint8Array"` for Node's `Buffer`; undefined for everything else. */
export function arrayTag(value: unknown): string | undefined {
  return tag(value);
}

/** The ArrayBuffer of a view. */
export function arrayBufferOf(view: ArrayBufferView): ArrayBufferLike {
  return tag(view) === undefined ? viewBuffer(view) : arrayBuffer(view);
}

/** Where a view starts in its ArrayBuffer. Throws for a DataView whose memory is gone. */
export function byteOffsetOf(view: ArrayBufferView): number {
  return tag(view) === undefined ? viewOffset(view) : arrayOffset(view);
}

/** The bytes of a view or an ArrayBuffer; 0 if its memory is gone. Throws for a DataView whose memory is gone. */
export function byteLengthOf(memory: Memory): number {
  if (tag(memory) !== undefined) return arrayBytes(memory);
  if (isView(memory)) return viewBytes(memory);
  return isSharedArrayBuffer(memory) ? sharedBytes(memory) : plainBytes(memory);
}

/** The elements of a typed array; 0 if its memory is gone. */
export function lengthOf(array: ArrayBufferView): number {
  return arrayLength(array);
}

/** True if the memory can shrink. A SharedArrayBuffer can only grow, and stays where it is. */
export function canShrink(memory: ArrayBufferLike): boolean {
  return !isSharedArrayBuffer(memory) && resizable(memory);
}

/** The same bytes in a plain Uint8Array. Throws for memory that is gone. */
export function bytesOver(memory: Memory): Uint8Array {
  return isView(memory)
    ? new Bytes(arrayBufferOf(memory), byteOffsetOf(memory), byteLengthOf(memory))
    : new Bytes(memory);
}
