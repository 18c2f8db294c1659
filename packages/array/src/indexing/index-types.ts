/** Types of indices. */
import type { DTypeName, FillValue, TypedDType } from "../types/dtype-name.js";
import type { AnyArray } from "../storage/array-ref.js";

/** Names of the integer dtypes. */
export type IntegerName = "int8" | "int16" | "int32" | "int64" | "uint8" | "uint16" | "uint32" | "uint64";

/** A device array of indices. */
export interface IntegerArray extends AnyArray {
  readonly dtype: TypedDType<IntegerName>;
}

/** A boolean device array, which selects the elements where it is true. It indexes as many axes as it has. */
export interface MaskArray extends AnyArray {
  readonly dtype: TypedDType<"bool">;
}

/** Nested arrays of integers. */
export type NestedIntegers = readonly (number | bigint | NestedIntegers)[];

/** Nested arrays of booleans. */
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

/** Host indices. They are checked before anything is enqueued. */
export type HostIndices = NestedIntegers | NestedBooleans | IntegerTypedArray;

/**
 * One index of `at`: an integer, a slice as text (`"1:10:2"`), `"..."`, `null` for a new axis, or a device or host
 * array of indices. Host booleans select the elements where they are true.
 */
export type ArrayIndex = number | string | null | HostIndices | IntegerArray;

/** Indices to store at: one device array, or a list of indices as for `at`. */
export type StoredIndices = IntegerArray | MaskArray | readonly (ArrayIndex | MaskArray)[];

/** Options of functions whose result depends on a count of the device and is therefore a promise. */
export interface WaitOptions {
  /** Signal that ends the wait, but not the computation. */
  readonly signal?: AbortSignal;
}

/** Options for results of a known size, which are returned without waiting. */
export interface SizeOptions<D extends DTypeName> {
  /** Number of results: more are ignored, and missing ones are set to `fill`. */
  readonly size: number;
  /**
   * Value of missing results.
   * @defaultValue 0
   */
  readonly fill?: FillValue<D>;
  /** Distinguishes options from arrays, which have a `size`, too. */
  readonly dtype?: never;
}

/**
 * {@link SizeOptions} or {@link WaitOptions}, as implementations receive them: without the members that neither may
 * have.
 */
export type SizeOrWaitOptions<D extends DTypeName> = Partial<Pick<SizeOptions<D>, "size" | "fill">> & WaitOptions;
