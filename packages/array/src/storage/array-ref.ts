/**
 * Arrays and their factories as algorithms know them: memory, a dtype, a layout, and views of the same memory; a queue, an
 * allocator, and the creation of arrays. `DeviceArray` and `Arrays` implement these interfaces and import
 * algorithms; algorithms therefore import only the interfaces.
 */
import type { Layout } from "@cl/base";
import type { Allocation, Allocator, CommandQueue, HostMemory, Nested, Shape, SliceIndex, TypedArray } from "@cl/core";
import type { DefaultType } from "../types/default-type.js";
import type { DTypeName, FillValue, HostArrayOf, TypedDType, ValueOf } from "../types/dtype-name.js";
import type { Operand } from "./operand.js";
import type { Storage } from "./storage.js";

/** Memory order of elements. */
export interface OrderOptions {
  /**
   * C order has the last axis contiguous (row-major), F order the first (column-major).
   * @defaultValue "C"
   */
  readonly order?: "C" | "F";
}

/** Options of reads. */
export interface ReadOptions {
  /** Signal that ends the wait, but not the transfer. */
  readonly signal?: AbortSignal;
}

/** An axis or several; negative axes count from the last. */
export type Axes = number | readonly number[];

/** Options that select a diagonal. */
export interface DiagonalOptions {
  /**
   * Offset from the main diagonal: positive is above it, negative below.
   * @defaultValue 0
   */
  readonly offset?: number;
  /**
   * Axis of the rows.
   * @defaultValue 0
   */
  readonly axis1?: number;
  /**
   * Axis of the columns.
   * @defaultValue 1
   */
  readonly axis2?: number;
}

/** An array with elements of dtype `D`. Every `DeviceArray` is one. */
export interface ArrayRef<D extends DTypeName = DTypeName> {
  /** The factory that made it. */
  readonly xp: ArraySource;
  /** The element type. */
  readonly dtype: TypedDType<D>;
  /** The extent of each axis. */
  readonly shape: readonly number[];
  /** Bytes between consecutive elements along each axis. */
  readonly strides: readonly number[];
  /** Byte offset of the first element in the memory. */
  readonly offset: number;
  /** The number of axes. */
  readonly ndim: number;
  /** The number of elements. */
  readonly size: number;
  /** The size of one element in bytes. */
  readonly itemSize: number;
  /** The total size of the elements in bytes, without gaps. */
  readonly nbytes: number;
  /** Whether the array has been released. */
  readonly released: boolean;
  /** Whether writing is refused. */
  readonly readonly: boolean;
  /** Whether the elements are contiguous in C order. */
  readonly isContiguous: boolean;
  /** @internal Whether the elements are contiguous in C order from the start of the memory. */
  readonly isDense: boolean;
  /** @internal The operand that kernels and transfers work with. */
  operand(): Operand;
  /** @internal An array of the same memory; read-only if this one is. */
  view<E extends DTypeName>(dtype: TypedDType<E>, layout: Layout, readonly?: boolean): ArrayRef<E>;
  /** Returns a view of a part of the array. */
  slice(...indices: readonly SliceIndex[]): ArrayRef<D>;
  /** Returns the elements with another shape: a view if possible, else a copy. */
  reshape(shape: Shape, options?: OrderOptions): ArrayRef<D>;
  /** Returns the elements along one axis: a view if possible, else a copy. */
  ravel(options?: OrderOptions): ArrayRef<D>;
  /** Returns a view with permuted axes. Defaults to the reverse order. */
  transpose(axes?: readonly number[]): ArrayRef<D>;
  /** Returns a view with two axes interchanged. */
  swapaxes(axis1: number, axis2: number): ArrayRef<D>;
  /** Returns a view with axes moved to new positions. */
  moveaxis(source: Axes, destination: Axes): ArrayRef<D>;
  /** Returns a view with axes of length 1 inserted at the given positions of the result. */
  expandDims(axis: Axes): ArrayRef<D>;
  /** Returns a view broadcast to a shape. */
  broadcastTo(shape: Shape): ArrayRef<D>;
  /** Returns a view of a diagonal; it becomes the last axis of the result. */
  diagonal(options?: DiagonalOptions): ArrayRef<D>;
  /** Returns a view with the order of elements reversed along the given axes. Defaults to all axes. */
  flip(axis?: Axes): ArrayRef<D>;
  /** Returns a view of the same bytes with another dtype. */
  viewAs<E extends DTypeName>(dtype: E | TypedDType<E>): ArrayRef<E>;
  /** Returns a contiguous copy in new memory. */
  copy(options?: OrderOptions): ArrayRef<D>;
  /** Returns a copy converted to another dtype. */
  astype<E extends DTypeName>(dtype: E | TypedDType<E>, options?: OrderOptions): ArrayRef<E>;
  /** Stores an array, broadcast to this shape. */
  assign(source: ArrayRef): unknown;
  /** Resolves to the elements as a typed array, in C order. */
  data(options?: ReadOptions): Promise<HostArrayOf<D>>;
  /** Resolves to the value of the only element. */
  item(options?: ReadOptions): Promise<ValueOf<D>>;
  /** Releases the array; its memory is freed once all views of it are released. */
  release(): void;
  /** Returns a one-line description. */
  toString(): string;
  /** Alias of `release()`, for `using`. */
  [Symbol.dispose](): void;
}

/** An array of any dtype. */
export type AnyArray = ArrayRef;

/** The dtype of a new array. */
export interface DTypeOptions<D extends DTypeName> {
  /**
   * The element type.
   * @defaultValue "float64"
   */
  readonly dtype?: D | TypedDType<D>;
}

/** The dtype and memory order of a new array. */
export interface NewOptions<D extends DTypeName> extends DTypeOptions<D>, OrderOptions {}

/** Options of `Arrays.fromHost`. */
export interface FromHostOptions<D extends DTypeName> {
  /**
   * Dtype under which the bytes are interpreted; nothing is converted.
   * @defaultValue the typed array's
   */
  readonly dtype?: D | TypedDType<D>;
  /**
   * The shape, of which one extent may be -1.
   * @defaultValue one axis
   */
  readonly shape?: Shape;
}

/** A factory of arrays bound to a queue. */
export interface ArraySource {
  /** The queue of all commands. */
  readonly queue: CommandQueue;
  /** The allocator of device memory. */
  readonly allocator: Allocator<Allocation>;
  /** Whether each operation is enqueued when it is called. */
  readonly eager: boolean;
  /** Returns a factory for another queue of the context. */
  withQueue(queue: CommandQueue): ArraySource;
  /** @internal An array of this storage. */
  wrap<D extends DTypeName>(storage: Storage, dtype: TypedDType<D>, layout: Layout): ArrayRef<D>;
  /** Creates an uninitialized array. */
  empty<D extends DTypeName = "float64">(shape: Shape, options?: NewOptions<D>): ArrayRef<D>;
  /** Creates an array filled with 0. */
  zeros<D extends DTypeName = "float64">(shape: Shape, options?: NewOptions<D>): ArrayRef<D>;
  /** Creates an array filled with 1. */
  ones<D extends DTypeName = "float64">(shape: Shape, options?: NewOptions<D>): ArrayRef<D>;
  /** Creates an array filled with a value. */
  full<D extends DTypeName = "float64">(shape: Shape, value: FillValue<D>, options?: NewOptions<D>): ArrayRef<D>;
  /** Creates an array from the bytes of a typed array, which is copied before the call returns. */
  fromHost<V extends TypedArray>(values: V, options?: { readonly shape?: Shape }): ArrayRef<DefaultType<V>>;
  fromHost<D extends DTypeName>(values: HostMemory, options: FromHostOptions<D>): ArrayRef<D>;
  /** Creates an array from nested arrays or a typed array. */
  array<V extends Nested | TypedArray>(values: V): ArrayRef<DefaultType<V>>;
  array<D extends DTypeName>(values: Nested | TypedArray, options: Required<DTypeOptions<D>>): ArrayRef<D>;
}
