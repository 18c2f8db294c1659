/** The registry of element types by name and by typed array class. */
import { scalarByName, type ScalarType, scalarTypes, typeError, vectorByName } from "@cl/base";

import { elementScalars, type ElementType } from "./host-array.js";
import { booleanCodec, complexCodec, scalarCodec, vectorCodec } from "./codecs.js";
import { DType } from "./dtype.js";

/** A value that identifies an element type: the type, a NumPy or OpenCL C name, or a typed array class. */
export type DTypeLike = DType | string | ElementType;

/**
 * Returns the element type for a name or a typed array class. The same type is always the same object.
 *
 * Names can be NumPy names (`"float32"`, `"f4"`, `"<i8"`, `"c8"`, `"bool"`), OpenCL C names (`"float"`, `"unsigned
 * int"`, `"float4"`), or vectors with their width (`"float32x4"`). NumPy names take precedence: `"int8"` is an 8-bit
 * integer, and OpenCL C's vector of that name is `"int32x8"`. Throws if the name is unknown.
 *
 * @example
 * ```ts
 * dtype("float4").itemSize; // 16
 * dtype(Float32Array) === dtype("f4"); // true
 * ```
 */
export function dtype(type: DTypeLike): DType {
  return checkDType(type, "type");
}

/** Returns the element type for an argument. `name` is the argument's name, for errors. */
export function checkDType(like: DTypeLike, name: string): DType {
  if (like instanceof DType) return like;
  if (typeof like === "function") {
    const scalar = elementScalars.get(like);
    if (scalar !== undefined) return scalarType(scalar);
  }
  if (typeof like !== "string") {
    throw typeError(name, 'a DType, the name of one such as "float32", or a typed array class', like);
  }
  const found = known.get(like) ?? dtypeOfC(like);
  if (found !== undefined) return found;
  throw unknownNameError(like, name);
}

/** Returns the scalar or vector type of an OpenCL C name, where `int8` is a vector; `undefined` for other names. */
export function dtypeOfC(name: string): DType | undefined {
  const plain = name.replace(/\s+/g, " ").trim();
  const scalar = scalarByName(plain);
  if (scalar !== undefined) return scalarType(scalar);
  const vector = vectorByName(plain);
  return vector === undefined ? undefined : known.get(`${vector.scalar.numpy}x${vector.width}`);
}

function scalarType(scalar: ScalarType): DType {
  return known.get(scalar.numpy) as DType;
}

function unknownNameError(like: string, name: string): Error {
  if (/^[>!][a-z]\d+$/i.test(like)) {
    return typeError(name, "a little-endian type, which is the devices' byte order (swap the bytes on the host)", like);
  }
  if (/^[<=|]?[lL]$/.test(like)) {
    return typeError(name, '"i4" or "i8", because the size of NumPy\'s "l" differs between platforms', like);
  }
  if (/^(size_t|ptrdiff_t|u?intptr_t)$/.test(like)) {
    return typeError(
      name,
      'a type of fixed size such as "uint64", because the size of size_t differs between devices',
      like,
    );
  }
  return typeError(name, 'the name of an element type such as "float32", "f4", "float" or "float4"', like);
}

const kinds = { i: "int", u: "uint", f: "float" } as const;

/** NumPy's type letters that have the same size on all platforms. */
const letters: Readonly<Record<string, string>> = {
  b: "int8",
  B: "uint8",
  h: "int16",
  H: "uint16",
  i: "int32",
  I: "uint32",
  q: "int64",
  Q: "uint64",
  e: "float16",
  f: "float32",
  d: "float64",
  F: "complex64",
  D: "complex128",
  "?": "bool",
};

/** NumPy aliases that have the same size on all platforms and are not OpenCL C names. */
const aliases: Readonly<Record<string, string>> = {
  bool_: "bool",
  byte: "int8",
  ubyte: "uint8",
  intc: "int32",
  uintc: "uint32",
  longlong: "int64",
  ulonglong: "uint64",
  single: "float32",
  csingle: "complex64",
  cdouble: "complex128",
};

const known = register();

function register(): ReadonlyMap<string, DType> {
  const types = new Map<string, DType>();
  for (const scalar of Object.values(scalarTypes)) addScalar(types, scalar);
  addComplex(types, "complex64", scalarTypes.float);
  addComplex(types, "complex128", scalarTypes.double);
  const bool = new DType({
    name: "bool",
    kind: "bool",
    // OpenCL C's bool has no fixed size and cannot be used in memory that host and devices share.
    cName: "uchar",
    itemSize: 1,
    alignment: 1,
    arrayType: Uint8Array,
    width: 1,
    codec: booleanCodec,
  });
  addNames(types, bool, "b1");
  for (const [letter, name] of Object.entries(letters)) {
    for (const order of ["", "<", "=", "|"]) types.set(order + letter, types.get(name) as DType);
  }
  for (const [alias, name] of Object.entries(aliases)) types.set(alias, types.get(name) as DType);
  return types;
}

function addNames(types: Map<string, DType>, type: DType, short: string): void {
  types.set(type.name, type);
  for (const order of ["", "<", "=", "|"]) types.set(order + short, type);
}

function addScalar(types: Map<string, DType>, scalar: ScalarType): void {
  const { bytes } = scalar;
  const arrayType = arrayOf(scalar);
  const base = new DType({
    name: scalar.numpy,
    kind: kinds[scalar.letter],
    cName: scalar.name,
    itemSize: bytes,
    alignment: bytes,
    arrayType,
    width: 1,
    codec: scalarCodec(scalar),
  });
  addNames(types, base, `${scalar.letter}${bytes}`);
  for (const width of [2, 3, 4, 8, 16]) {
    const itemSize = bytes * (width === 3 ? 4 : width);
    const vector = new DType({
      name: `${scalar.numpy}x${width}`,
      kind: "vector",
      cName: `${scalar.name}${width}`,
      itemSize,
      alignment: itemSize,
      arrayType,
      width,
      base,
      codec: vectorCodec(scalar, width),
    });
    types.set(vector.name, vector);
  }
}

function addComplex(types: Map<string, DType>, name: string, scalar: ScalarType): void {
  const type = new DType({
    name,
    kind: "complex",
    cName: `${scalar.name}2`,
    itemSize: 2 * scalar.bytes,
    alignment: 2 * scalar.bytes,
    arrayType: arrayOf(scalar),
    width: 1,
    base: types.get(scalar.numpy) as DType,
    codec: complexCodec(scalar),
  });
  addNames(types, type, `c${2 * scalar.bytes}`);
}

/** Returns the preferred typed array class of a scalar type that this engine supports. */
function arrayOf(scalar: ScalarType): ElementType {
  const name = scalar.arrays.find((className) => className in globalThis) as string;
  return (globalThis as Record<string, unknown>)[name] as ElementType;
}
