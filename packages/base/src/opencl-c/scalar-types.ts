/** The scalar types of OpenCL C: the one table of them, from which names, sizes, limits and arrays are taken everywhere. */

/** A scalar type of OpenCL C that a kernel can take. */
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

/** What is known of a scalar type. */
export interface ScalarType {
  readonly name: ScalarName;
  /** NumPy's name. */
  readonly numpy: string;
  /** The letter before the size in NumPy's short names: `f4`. */
  readonly letter: "i" | "u" | "f";
  /** A number for hot paths, which compare integers; 0 stands for unknown elements. */
  readonly code: number;
  readonly bytes: number;
  readonly min?: number;
  readonly max?: number;
  /** The names of the typed arrays that hold such elements, the best first. */
  readonly arrays: readonly string[];
}

/** The scalar types by name. An array that two types list belongs to the one that comes first. */
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

const synonyms: Readonly<Record<string, ScalarName>> = {
  "signed char": "char",
  "unsigned char": "uchar",
  "short int": "short",
  "signed short": "short",
  "signed short int": "short",
  "unsigned short": "ushort",
  "unsigned short int": "ushort",
  signed: "int",
  "signed int": "int",
  unsigned: "uint",
  "unsigned int": "uint",
  "long int": "long",
  "signed long": "long",
  "signed long int": "long",
  "unsigned long": "ulong",
  "unsigned long int": "ulong",
};

/** The scalar type that a name of OpenCL C stands for, spelled out (`unsigned int`) or short (`uint`). */
export function scalarByName(name: string): ScalarType | undefined {
  const short = Object.hasOwn(synonyms, name) ? synonyms[name] : name;
  return Object.hasOwn(scalarTypes, short as string) ? scalarTypes[short as ScalarName] : undefined;
}

/** A vector type's component and width by its name in OpenCL C: `float4`. */
export function vectorByName(name: string): { readonly scalar: ScalarType; readonly width: number } | undefined {
  const match = /^([a-z]+?)(2|3|4|8|16)$/.exec(name);
  const scalar = match === null ? undefined : scalarTypes[match[1] as ScalarName];
  if (scalar === undefined || !Object.hasOwn(scalarTypes, scalar.name)) return undefined;
  return { scalar, width: Number(match?.[2]) };
}
