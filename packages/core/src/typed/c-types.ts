/**
 * What each OpenCL C type takes from JavaScript: the table behind typed kernels, and the interfaces by which buffers,
 * local memory, images and samplers are recognised without this file knowing their classes.
 */

/**
 * Something that a `__global` or `__constant` pointer to elements of `T` can point into: a buffer, shared virtual
 * memory, a view, an array.
 *
 * A class says so by a phantom property: it is declared and never there. Its name sorts behind all others in an editor,
 * and is a plain string because a class member named by a symbol cannot be declared with `isolatedDeclarations`.
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
 * The phantom of a buffer of `T`. It has the type of a method because methods are compared both ways: a buffer of
 * unknown elements (`T = TypedArray`) passes for `float *`, a `Float32Array` buffer passes where any buffer will do,
 * and an `Int32Array` buffer passes for neither `float *` nor a `Float32Array` buffer.
 *
 * It holds the names of the array types, not the types: the compiler then reports that `"Int32Array"` is not
 * assignable to `"Float32Array"`, where two structures would end in a difference of their `ArrayBuffer`.
 */
export type ElementMark<T extends TypedArray> = { elements(of: ElementName<T>): void }["elements"];

/** `"Float32Array"`, and a union of all names for elements that are not known. */
type ElementName<T extends TypedArray> = T[typeof Symbol.toStringTag];

/** A size of local memory, for a `__local` pointer. */
export interface LocalArgument {
  readonly "~argument": "local";
}

/** An image, for every image type. */
export interface ImageArgument {
  readonly "~argument": "image";
}

/** A sampler, for `sampler_t`. */
export interface SamplerArgument {
  readonly "~argument": "sampler";
}

/** A vector such as `float4`: the typed array that holds its elements, or a tuple with exactly as many of them. */
export type VectorArgument<Elements extends TypedArray, Tuple extends readonly (number | bigint)[]> = Elements | Tuple;

/** What a parameter of unknown type takes: anything that could be a kernel argument. The run-time check remains. */
export type KernelArgumentLike = number | bigint | boolean | object | null;

/** Half-precision numbers as bit patterns; as `Float16Array` too, where the library in use declares it. */
type HalfElements = typeof globalThis extends { Float16Array: { prototype: infer T } } ? T | Uint16Array : Uint16Array;

/** Every typed array that can hold the elements of a buffer. */
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

/** One row of the table: what a value of the type takes, and which arrays hold its elements. */
interface CType<Value, Elements extends TypedArray> {
  value: Value;
  elements: Elements;
}

/** A scalar: how JavaScript spells one, and the arrays of them. */
interface Scalars {
  char: CType<number, Int8Array>;
  uchar: CType<number, Uint8Array | Uint8ClampedArray>;
  short: CType<number, Int16Array>;
  ushort: CType<number, Uint16Array>;
  int: CType<number, Int32Array>;
  uint: CType<number, Uint32Array>;
  // Safe integers only, as far as they are numbers.
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

/** `char4`, `float4` and so on for one length. A pointer to vectors uses the array of their scalar. */
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
 * Every type whose values are known here. All other names, `bool`, `size_t` and structures too, stay untyped. `enum`
 * stands for every enumeration whose values are those of a 32-bit integer.
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

/** The canonical names in the table: `uint`, never `unsigned int`. */
export type CTypeName = keyof CTypes;

/** Words that name a type, or a part of one, wherever they stand. */
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
 * Types that the language defines as typedefs. Behind another type such a word is a name: `int float3` declares a
 * parameter `float3`.
 */
export type BuiltinTypedef = Exclude<CTypeName, TypeKeyword | "enum">;

/** What a parameter of type `Type`, passed by value, takes. */
export type ValueArgument<Type> = Type extends CTypeName ? CTypes[Type]["value"] : KernelArgumentLike;

/** The arrays that hold the elements a pointer to `Type` points to: any, where the type is `void` or unknown. */
export type ElementsOf<Type> = Type extends CTypeName ? CTypes[Type]["elements"] : TypedArray;
