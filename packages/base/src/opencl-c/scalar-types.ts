/** The scalar types of OpenCL C with their names, sizes, limits and typed arrays. All packages use this table. */
import { arithmeticName } from "./specifiers.js";

/** Name of a scalar type of OpenCL C that can be a kernel argument. */
export type ScalarName =
  | "char"
  | "uchar"
  | "short"
  | "ushort"
  | "int"
  | "uint"
  | "long"
  | "ulong"
  | "half"
  | "float"
  | "double";

/** Properties of a scalar type. */
export interface ScalarType {
  readonly name: ScalarName;
  /** NumPy's dtype name. */
  readonly numpy: string;
  /** First letter of NumPy's short name, such as `f4`. */
  readonly letter: "i" | "u" | "f";
  /** Nonzero integer for fast comparison; 0 stands for unknown elements. */
  readonly code: number;
  readonly bytes: number;
  readonly min?: number;
  readonly max?: number;
  /** Class names of matching typed arrays, the preferred one first. */
  readonly arrays: readonly string[];
}

/** The scalar types by name. If two types list the same typed array, it belongs to the first one. */
export const scalarTypes: Readonly<Record<ScalarName, ScalarType>> = {
  char: { name: "char", numpy: "int8", letter: "i", code: 1, bytes: 1, min: -0x80, max: 0x7f, arrays: ["Int8Array"] },
  uchar: {
    name: "uchar",
    numpy: "uint8",
    letter: "u",
    code: 2,
    bytes: 1,
    min: 0,
    max: 0xff,
    arrays: ["Uint8Array", "Uint8ClampedArray"],
  },
  short: {
    name: "short",
    numpy: "int16",
    letter: "i",
    code: 3,
    bytes: 2,
    min: -0x8000,
    max: 0x7fff,
    arrays: ["Int16Array"],
  },
  ushort: {
    name: "ushort",
    numpy: "uint16",
    letter: "u",
    code: 4,
    bytes: 2,
    min: 0,
    max: 0xffff,
    arrays: ["Uint16Array"],
  },
  int: {
    name: "int",
    numpy: "int32",
    letter: "i",
    code: 5,
    bytes: 4,
    min: -0x80000000,
    max: 0x7fffffff,
    arrays: ["Int32Array"],
  },
  uint: {
    name: "uint",
    numpy: "uint32",
    letter: "u",
    code: 6,
    bytes: 4,
    min: 0,
    max: 0xffffffff,
    arrays: ["Uint32Array"],
  },
  long: { name: "long", numpy: "int64", letter: "i", code: 7, bytes: 8, arrays: ["BigInt64Array"] },
  ulong: { name: "ulong", numpy: "uint64", letter: "u", code: 8, bytes: 8, arrays: ["BigUint64Array"] },
  float: { name: "float", numpy: "float32", letter: "f", code: 9, bytes: 4, arrays: ["Float32Array"] },
  double: { name: "double", numpy: "float64", letter: "f", code: 10, bytes: 8, arrays: ["Float64Array"] },
  half: { name: "half", numpy: "float16", letter: "f", code: 11, bytes: 2, arrays: ["Float16Array", "Uint16Array"] },
};

/** Returns the scalar type with an OpenCL C name, long (`unsigned int`) or short (`uint`). */
export function scalarByName(name: string): ScalarType | undefined {
  const short = Object.hasOwn(scalarTypes, name) ? name : arithmeticName(name.split(" "));
  return short !== undefined && Object.hasOwn(scalarTypes, short) ? scalarTypes[short as ScalarName] : undefined;
}

/** A vector type. A vector of three components has the size of one of four. */
export interface VectorType {
  readonly scalar: ScalarType;
  readonly width: number;
  readonly bytes: number;
}

/** Returns the vector type with an OpenCL C name such as `float4`. */
export function vectorByName(name: string): VectorType | undefined {
  const [, component = "", digits] = /^([a-z]+?)(2|3|4|8|16)$/.exec(name) ?? [];
  if (!Object.hasOwn(scalarTypes, component)) return undefined;
  const scalar = scalarTypes[component as ScalarName];
  const width = Number(digits);
  return { scalar, width, bytes: scalar.bytes * (width === 3 ? 4 : width) };
}

/** Returns the size of a scalar or vector type in bytes. */
export function bytesByName(name: string): number | undefined {
  return (scalarByName(name) ?? vectorByName(name))?.bytes;
}

/** Returns true for image types. */
export function isImageType(name: string): boolean {
  return /^image(?:1d|1d_buffer|1d_array|3d|2d(?:_array)?(?:_msaa)?(?:_depth)?)_t$/.test(name);
}
