/** What may stand for the elements of an axis. */
import type { AnyArray } from "../array/any-array.js";
import type { DTypeName, FillValue, TypedDType } from "../types/dtype-name.js";

/** The integer types. */
export type IntegerName = "int8" | "int16" | "int32" | "int64" | "uint8" | "uint16" | "uint32" | "uint64";

/** An array of indices on the device. */
export interface IntegerArray extends AnyArray {
  readonly dtype: TypedDType<IntegerName>;
}

/** An array of booleans on the device. It stands for as many axes as it has, and names the places where it is true. */
export interface MaskArray extends AnyArray {
  readonly dtype: TypedDType<"bool">;
}

/** Integers in arrays in arrays. */
export type NestedIntegers = readonly (number | bigint | NestedIntegers)[];

/** Booleans in arrays in arrays. */
export type NestedBooleans = readonly (boolean | NestedBooleans)[];

/** Typed arrays of integers. */
export type IntegerTypedArray =
  | Int8Array
  | Uint8Array
  | Uint8ClampedArray
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array;

/** Indices that the host has. They are checked before anything is enqueued. */
export type HostIndices = NestedIntegers | NestedBooleans | IntegerTypedArray;

/**
 * One index of `at`: an integer, a slice as text (`"1:10:2"`), `"..."`, `null` for a new axis, or indices in an array: of
 * the device or of the host. Booleans of the host stand for the places where they are true.
 */
export type ArrayIndex = number | string | null | HostIndices | IntegerArray;

/** Where values are stored: one array of the device, or a list of indices as `at` takes them. */
export type StoredIndices = IntegerArray | MaskArray | readonly (ArrayIndex | MaskArray)[];

/** How many places are true is for the device to say, so what depends on it is promised. */
export interface WaitOptions {
  /** Ends the wait, not the work. */
  readonly signal?: AbortSignal;
}

/** For results whose size the caller knows, so that nobody has to wait for it. */
export interface SizeOptions<D extends DTypeName> {
  /** How many places there are: those beyond are left out, and missing ones become `fill`. */
  readonly size: number;
  /** What stands in missing places; 0 if not said. */
  readonly fill?: FillValue<D>;
  /** Arrays have a size, too, but are no options. */
  readonly dtype?: never;
}

/** {@link SizeOptions} or {@link WaitOptions}, as their one implementation has them: without what neither may have. */
export type SizeOrWaitOptions<D extends DTypeName> = Partial<Pick<SizeOptions<D>, "size" | "fill">> & WaitOptions;
