/** Arrays whose element type does not matter, as arguments: those of each type are of this one, too. */
import type { SliceIndex, TypedArray } from "@cl/core";
import type { Operand } from "../kernels/operand.js";
import type { DTypeName, TypedDType } from "../types/dtype-name.js";
import type { Arrays } from "./arrays.js";

/** A `DeviceArray` of any elements. */
export interface AnyArray {
  /** What made it. */
  readonly xp: Arrays;
  /** What the elements are. */
  readonly dtype: TypedDType<DTypeName>;
  /** The extents. */
  readonly shape: readonly number[];
  /** How many elements there are. */
  readonly size: number;
  /** Bytes of all elements, without gaps. */
  readonly nbytes: number;
  /** True if changes are refused. */
  readonly readonly: boolean;
  /** True if the elements lie side by side in C order. */
  readonly isContiguous: boolean;
  /** How many axes there are. */
  readonly ndim: number;
  /** A part of the same memory. */
  slice(...indices: readonly SliceIndex[]): AnyArray;
  /** The elements along one axis. */
  ravel(): AnyArray;
  /** The elements under another shape. */
  reshape(shape: readonly number[]): AnyArray;
  /** The elements in new memory, side by side. */
  copy(): AnyArray;
  /** Stores an array, broadcast to this shape. */
  assign(source: AnyArray): unknown;
  /** Resolves to the elements side by side in C order. */
  data(options?: { readonly signal?: AbortSignal }): Promise<TypedArray>;
  /** Gives the memory back once all views of it are released. */
  release(): void;
  /** One line that says what it is. */
  toString(): string;
  /** The same as release, for `using`. */
  [Symbol.dispose](): void;
  /** @internal True if the elements lie side by side in C order from where the memory begins. */
  readonly isDense: boolean;
  /** @internal What kernels and transfers are told. */
  operand(): Operand;
}
