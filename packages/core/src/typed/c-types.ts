/**
 * JavaScript types for OpenCL C types: the table used by typed kernels, and the interfaces that identify buffers, local
 * memory, images and samplers without depending on their classes.
 */

/**
 * Argument for a `__global` or `__constant` pointer to elements of `T`: a buffer, shared virtual memory, a view or an
 * array.
 *
 * A class implements it with a phantom property, which is declared but does not exist at run time. Its name sorts last
 * in editors, and is a string because `isolatedDeclarations` does not support class members named by a symbol.
 *
 * ```ts
 * class DeviceBuffer<T extends TypedArray = TypedArray> implements BufferArgument<T> {
 *   declare readonly "~argument": ElementMark<T>;
 * }
 * ```
 */
export interface BufferArgument<T extends TypedArray = TypedArray> {
  readonly "~argument": ElementMark<T>;
}

/**
 * Type of the phantom property for elements of `T`. A method type, because methods are compared bivariantly: an untyped
 * buffer (`T = TypedArray`) is assignable to `float *` and a `Float32Array` buffer to any buffer, but an `Int32Array`
 * buffer is assignable to neither `float *` nor a `Float32Array` buffer.
 *
 * It contains the names of the array types, so that the compiler reports that `"Int32Array"` is not assignable to
 * `"Float32Array"`, instead of a structural difference.
 */
export type ElementMark<T extends TypedArray> = { elements(of: ElementName<T>): void }["elements"];

/** Name of an array type such as `"Float32Array"`; a union of all names for untyped elements. */
type ElementName<T extends TypedArray> = T[typeof Symbol.toStringTag];

/** Argument for a `__local` pointer: a size of local memory. */
export interface LocalArgument {
  readonly "~argument": "local";
}

/** Argument for every image type. */
export interface ImageArgument {
  readonly "~argument": "image";
}

/** Argument for `sampler_t`. */
export interface SamplerArgument {
  readonly "~argument": "sampler";
}

/** Argument for a vector such as `float4`: a typed array, or a tuple of the vector's length. */
export type VectorArgument<Elements extends TypedArray, Tuple extends readonly (number | bigint)[]> = Elements | Tuple;

/** Argument for a parameter of unknown type: anything that could be a kernel argument, checked at run time. */
export type KernelArgumentLike = number | bigint | boolean | object | null;

/** Arrays of half-precision numbers: bit patterns, and `Float16Array` if the TypeScript library declares it. */
type HalfElements = typeof globalThis extends { Float16Array: { prototype: infer T } } ? T | Uint16Array : Uint16Array;

/** Typed arrays that can contain the elements of a buffer. */
export type TypedArray =
  | Int8Array
  | Uint8Array
  | Uint8ClampedArray
  | Int16Array
  | HalfElements
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | Float32Array
  | Float64Array;

/** A row of the table: the argument for a value of the type, and the arrays for a pointer to it. */
interface CType<Value, Elements extends TypedArray> {
  value: Value;
  elements: Elements;
}

/** The scalar types. */
interface Scalars {
  char: CType<number, Int8Array>;
  uchar: CType<number, Uint8Array | Uint8ClampedArray>;
  short: CType<number, Int16Array>;
  ushort: CType<number, Uint16Array>;
  int: CType<number, Int32Array>;
  uint: CType<number, Uint32Array>;
  // Numbers must be safe integers.
  long: CType<number | bigint, BigInt64Array>;
  ulong: CType<number | bigint, BigUint64Array>;
  half: CType<number, HalfElements>;
  float: CType<number, Float32Array>;
  double: CType<number, Float64Array>;
}

interface Tuples<E> {
  2: readonly [E, E];
  3: readonly [E, E, E];
  4: readonly [E, E, E, E];
  8: readonly [E, E, E, E, E, E, E, E];
  16: readonly [E, E, E, E, E, E, E, E, E, E, E, E, E, E, E, E];
}

/** The vector types of one length: `char4`, `float4`, … A pointer to vectors uses arrays of the scalar type. */
type Vectors<N extends keyof Tuples<unknown>> = {
  [S in keyof Scalars as `${S}${N}`]: CType<
    VectorArgument<Scalars[S]["elements"], Tuples<Scalars[S]["value"]>[N]>,
    Scalars[S]["elements"]
  >;
};

type ImageTypeName =
  | `image${"1d" | "1d_array" | "1d_buffer" | "3d"}_t`
  | `image2d${"" | "_array"}${"" | "_msaa"}${"" | "_depth"}_t`;

/**
 * The table of types. All other types, including `bool`, `size_t` and structs, stay untyped. `enum` stands for every
 * enumeration of 32-bit integers.
 */
type CTypes = Scalars &
  Record<"enum", CType<number, TypedArray>> &
  Vectors<2> &
  Vectors<3> &
  Vectors<4> &
  Vectors<8> &
  Vectors<16> &
  Record<ImageTypeName, CType<ImageArgument, TypedArray>> &
  Record<"sampler_t", CType<SamplerArgument, TypedArray>>;

/** The canonical type names in the table: `uint`, not `unsigned int`. */
export type CTypeName = keyof CTypes;

/** Reserved words that name a type or a part of one. */
export type TypeKeyword =
  | "char"
  | "short"
  | "int"
  | "long"
  | "half"
  | "float"
  | "double"
  | "signed"
  | "unsigned"
  | ImageTypeName;

/**
 * Types that the language defines as typedefs. After another type, such a word is a name: `int float3` declares a
 * parameter named `float3`.
 */
export type BuiltinTypedef = Exclude<CTypeName, TypeKeyword | "enum">;

/** The argument for a parameter of type `Type`, passed by value. */
export type ValueArgument<Type> = Type extends CTypeName ? CTypes[Type]["value"] : KernelArgumentLike;

/** The arrays for the elements of a pointer to `Type`: any array if the type is `void` or unknown. */
export type ElementsOf<Type> = Type extends CTypeName ? CTypes[Type]["elements"] : TypedArray;
