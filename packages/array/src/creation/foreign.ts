/**
 * Arrays of other packages, told by what they have: n-dimensional arrays of @stdlib and of scijs, and Arrow's vectors. None of
 * these packages is needed for that.
 */
import { outOfRange, wrongType } from "@cl/base";
import { HostView, type TypedArray } from "@cl/core";
import { isArray } from "../array/check-array.js";

/** What `ndarray` of scijs makes; distances and offset in elements. */
export interface ScijsArray<T = TypedArray | readonly number[]> {
  /** The elements. */
  readonly data: T;
  /** The extents. */
  readonly shape: readonly number[];
  /** Elements from neighbour to neighbour along each axis. */
  readonly stride: readonly number[];
  /** Where the first element is. */
  readonly offset: number;
}

/** What `ndarray` of `@stdlib` makes; distances and offset in elements. */
export interface StdlibArray<T = TypedArray | readonly number[]> {
  /** The elements. */
  readonly data: T;
  /** The extents. */
  readonly shape: readonly number[];
  /** Elements from neighbour to neighbour along each axis. */
  readonly strides: readonly number[];
  /** Where the first element is. */
  readonly offset: number;
}

/** A vector of Apache Arrow's numbers or booleans, without nulls. */
export interface ArrowVector {
  /** What the elements are. */
  readonly type: { readonly typeId: number; toString(): string };
  /** How many there are. */
  readonly length: number;
  /** How many of them are missing. */
  readonly nullCount: number;
  /** The elements. */
  toArray(): ArrayLike<unknown>;
}

/** Arrays of other packages that `array` takes. */
export type ForeignArray<T = TypedArray | readonly number[]> = ScijsArray<T> | StdlibArray<T> | ArrowVector | HostView;

/** The elements of an array of another package; undefined for anything else. */
export function foreignView(values: unknown): HostView | readonly unknown[] | undefined {
  if (typeof values !== "object" || values === null || Array.isArray(values) || ArrayBuffer.isView(values)) {
    return undefined;
  }
  if (values instanceof HostView) return values;
  if (isArray(values)) throw wrongType("values is an array of the device already: take its copy() or astype()");
  if (isArrow(values)) return arrowView(values);
  const { data, shape, strides, stride, offset } = values as Partial<StdlibArray & ScijsArray>;
  const distances = strides ?? stride;
  if (!Array.isArray(shape) || !isList(distances) || typeof offset !== "number" || data === undefined) return undefined;
  const memory = Array.isArray(data) ? Float64Array.from(data as readonly number[]) : data;
  if (!ArrayBuffer.isView(memory) || memory instanceof DataView) {
    throw wrongType("values has elements in no typed array, so that it must be converted by its own package");
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
  if (nullCount > 0) throw outOfRange(`values has ${nullCount} nulls of ${length}, which arrays have no room for`);
  const values = vector.toArray();
  if (type.typeId === arrow.bool) return Array.from(values);
  if ((type.typeId !== arrow.int && type.typeId !== arrow.float) || !ArrayBuffer.isView(values)) {
    throw wrongType(`values is a vector of ${type.toString()}, but arrays are of numbers and booleans`);
  }
  // Halves are bits in a Uint16Array there.
  const isHalf = type.typeId === arrow.float && values instanceof Uint16Array;
  return new HostView(values, isHalf ? { dtype: "float16" } : undefined);
}
