/** The dtypes of arrays as TypeScript types: their values, and the typed arrays that hold them. */
import { typeError } from "@cl/base";
import { type Complex, type DType, dtype, type DTypeLike, type TypedArray } from "@cl/core";
import { checkDType } from "@cl/core/internal";
import { promotions } from "./promotions.js";

/** Name of an array dtype, as in NumPy. */
export type DTypeName = keyof typeof promotions;

/** A dtype whose name is known to TypeScript. */
export type TypedDType<D extends DTypeName> = DType & { readonly name: D };

interface HostArrays {
  readonly bool: Uint8Array<ArrayBuffer>;
  readonly int8: Int8Array<ArrayBuffer>;
  readonly int16: Int16Array<ArrayBuffer>;
  readonly int32: Int32Array<ArrayBuffer>;
  readonly int64: BigInt64Array<ArrayBuffer>;
  readonly uint8: Uint8Array<ArrayBuffer>;
  readonly uint16: Uint16Array<ArrayBuffer>;
  readonly uint32: Uint32Array<ArrayBuffer>;
  readonly uint64: BigUint64Array<ArrayBuffer>;
  readonly float16: TypedArray;
  readonly float32: Float32Array<ArrayBuffer>;
  readonly float64: Float64Array<ArrayBuffer>;
  readonly complex64: Float32Array<ArrayBuffer>;
  readonly complex128: Float64Array<ArrayBuffer>;
}

/**
 * The typed array of a dtype: bytes of 0 and 1 for bool, interleaved parts for complex numbers. float16 is a
 * `Float16Array` if the engine has one, else a `Uint16Array` of the bits.
 */
export type HostArrayOf<D extends DTypeName> = HostArrays[D];

/** The JavaScript value of an element. */
export type ValueOf<D extends DTypeName> = D extends "bool"
  ? boolean
  : D extends "int64" | "uint64"
    ? bigint
    : D extends "complex64" | "complex128"
      ? Complex
      : number;

/**
 * A value that an element can be set to: the element's value type; also a safe integer for 64-bit integers, and a
 * number for complex dtypes.
 */
export type FillValue<D extends DTypeName> =
  | ValueOf<D>
  | (D extends "int64" | "uint64" | "complex64" | "complex128" ? number : never);

/** The element type that an argument names, if arrays have such elements. */
export function checkArrayType(value: DTypeLike, name: string): TypedDType<DTypeName> {
  const type = checkDType(value, name);
  if (Object.hasOwn(promotions, type.name)) return type as TypedDType<DTypeName>;
  throw typeError(name, "a type of booleans, integers, floating-point or complex numbers", type);
}

/** The element type of a name. */
export function typeNamed<D extends DTypeName>(name: D): TypedDType<D> {
  return dtype(name) as TypedDType<D>;
}
