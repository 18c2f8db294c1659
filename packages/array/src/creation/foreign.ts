/**
 * Arrays of other packages, recognized by their properties: ndarrays of @stdlib and scijs, and Arrow vectors. None of
 * these packages is a dependency.
 */
import { outOfRange, wrongType } from "@cl/base";
import { HostView, type TypedArray } from "@cl/core";
import { isArray } from "../storage/check-array.js";

/** An `ndarray` of scijs; strides and offset are in elements. */
export interface ScijsArray<T = TypedArray | readonly number[]> {
  /** The data buffer. */
  readonly data: T;
  /** The extent of each axis. */
  readonly shape: readonly number[];
  /** Strides in elements. */
  readonly stride: readonly number[];
  /** Index of the first element. */
  readonly offset: number;
}

/** An `ndarray` of @stdlib; strides and offset are in elements. */
export interface StdlibArray<T = TypedArray | readonly number[]> {
  /** The data buffer. */
  readonly data: T;
  /** The extent of each axis. */
  readonly shape: readonly number[];
  /** Strides in elements. */
  readonly strides: readonly number[];
  /** Index of the first element. */
  readonly offset: number;
}

/** An Apache Arrow vector of numbers or booleans, without nulls. */
export interface ArrowVector {
  /** The Arrow data type. */
  readonly type: { readonly typeId: number; toString(): string };
  /** The number of elements. */
  readonly length: number;
  /** The number of nulls. */
  readonly nullCount: number;
  /** Returns the elements. */
  toArray(): ArrayLike<unknown>;
}

/** Arrays of other packages that `array` accepts. */
export type ForeignArray<T = TypedArray | readonly number[]> = ScijsArray<T> | StdlibArray<T> | ArrowVector | HostView;

/** The elements of an array of another package; undefined for anything else. */
export function foreignView(values: unknown): HostView | readonly unknown[] | undefined {
  if (typeof values !== "object" || values === null || Array.isArray(values) || ArrayBuffer.isView(values)) {
    return undefined;
  }
  if (values instanceof HostView) return values;
  if (isArray(values)) {
    throw wrongType("values must be host values, received a DeviceArray; use its copy() or astype()");
  }
  if (isArrow(values)) return arrowView(values);
  const { data, shape, strides, stride, offset } = values as Partial<StdlibArray & ScijsArray>;
  const distances = strides ?? stride;
  if (!Array.isArray(shape) || !isList(distances) || typeof offset !== "number" || data === undefined) return undefined;
  const memory = Array.isArray(data) ? Float64Array.from(data as readonly number[]) : data;
  if (!ArrayBuffer.isView(memory) || memory instanceof DataView) {
    throw wrongType("values must store its elements in a typed array; convert it with its package");
  }
  // Complex and boolean arrays of @stdlib are no typed arrays, and must not be taken for such of their bytes.
  const bytes = memory.BYTES_PER_ELEMENT;
  return new HostView(memory, {
    shape: shape as readonly number[],
    strides: Array.from(distances, (distance) => distance * bytes),
    offset: offset * bytes,
  });
}

function isList(value: unknown): value is ArrayLike<number> {
  return Array.isArray(value) || ArrayBuffer.isView(value);
}

/** Arrow's numbers for its types. */
const arrow = { int: 2, float: 3, bool: 6 } as const;

function isArrow(values: object): values is ArrowVector {
  const { type, nullCount, toArray } = values as Partial<ArrowVector>;
  return typeof type?.typeId === "number" && typeof nullCount === "number" && typeof toArray === "function";
}

function arrowView(vector: ArrowVector): HostView | readonly unknown[] {
  const { type, nullCount, length } = vector;
  if (nullCount > 0) throw outOfRange(`values must not have nulls, received ${nullCount} of ${length} elements`);
  const values = vector.toArray();
  if (type.typeId === arrow.bool) return Array.from(values);
  if ((type.typeId !== arrow.int && type.typeId !== arrow.float) || !ArrayBuffer.isView(values)) {
    throw wrongType(`values must be a vector of numbers or booleans, received ${type.toString()}`);
  }
  // Halves are bits in a Uint16Array there.
  const isHalf = type.typeId === arrow.float && values instanceof Uint16Array;
  return new HostView(values, isHalf ? { dtype: "float16" } : undefined);
}
