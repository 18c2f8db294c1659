/** Dtype-erased arrays as arguments; every `DeviceArray` is assignable to `AnyArray`. */
import type { SliceIndex, TypedArray } from "@cl/core";
import type { Operand } from "../kernels/operand.js";
import type { DTypeName, TypedDType } from "../types/dtype-name.js";
import type { Arrays } from "./arrays.js";

/** A `DeviceArray` of any dtype. */
export interface AnyArray {
  /** The factory that made it. */
  readonly xp: Arrays;
  /** The element type. */
  readonly dtype: TypedDType<DTypeName>;
  /** The extent of each axis. */
  readonly shape: readonly number[];
  /** The number of elements. */
  readonly size: number;
  /** The total size of the elements in bytes, without gaps. */
  readonly nbytes: number;
  /** Whether writing is refused. */
  readonly readonly: boolean;
  /** Whether the elements are contiguous in C order. */
  readonly isContiguous: boolean;
  /** The number of axes. */
  readonly ndim: number;
  /** Returns a view of a part of the array. */
  slice(...indices: readonly SliceIndex[]): AnyArray;
  /** Returns the elements along one axis. */
  ravel(): AnyArray;
  /** Returns the elements with another shape. */
  reshape(shape: readonly number[]): AnyArray;
  /** Returns a contiguous copy in new memory. */
  copy(): AnyArray;
  /** Stores an array, broadcast to this shape. */
  assign(source: AnyArray): unknown;
  /** Resolves to the elements as a typed array, in C order. */
  data(options?: { readonly signal?: AbortSignal }): Promise<TypedArray>;
  /** Releases the array; its memory is freed once all views of it are released. */
  release(): void;
  /** Returns a one-line description. */
  toString(): string;
  /** Alias of `release()`, for `using`. */
  [Symbol.dispose](): void;
  /** @internal Whether the elements are contiguous in C order from the start of the memory. */
  readonly isDense: boolean;
  /** @internal The operand that kernels and transfers work with. */
  operand(): Operand;
}
