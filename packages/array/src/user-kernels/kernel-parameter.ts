/** The parameters of user kernels: declarations as in C, or a list of objects. */
import {
  checkBoolean,
  checkIdentifier,
  checkOptions,
  outOfRange,
  readParameter,
  type Specifier,
  splitParameters,
  typeError,
  wrongValue,
} from "@cl/base";
import { type DType, dtype, type DTypeLike, type StructType } from "@cl/core";
import { dtypeOfC } from "@cl/core/internal";

/** An array parameter. */
export interface ArrayParameter {
  /** Its name in the operation. */
  readonly array: string;
  /** The dtype of its elements. */
  readonly dtype: DTypeLike;
  /**
   * Whether the operation only reads it.
   * @defaultValue false
   */
  readonly readonly?: boolean;
}

/** A parameter passed by value: a number, a vector or a struct. */
export interface ValueParameter {
  /** Its name in the operation. */
  readonly value: string;
  /** Its type. */
  readonly dtype: DTypeLike;
}

/** A parameter as an object, as an alternative to a C declaration. */
export type KernelParameter = ArrayParameter | ValueParameter;

/** A parsed parameter. */
export interface Parameter {
  readonly name: string;
  readonly dtype: DType;
  /** Its type in the kernel's source; complex types have their own names. */
  readonly cType: string;
  readonly isArray: boolean;
  /** Whether it is an array whose elements may be written. */
  readonly writes: boolean;
}

/** The parameters that an argument declares. */
export function readParameters(value: unknown, types: readonly StructType[]): readonly Parameter[] {
  const parameters =
    typeof value === "string"
      ? splitParameters(value).map((text) => readDeclaration(text, types))
      : objectParameters(value);
  for (const [i, { name }] of parameters.entries()) {
    if (parameters.findIndex((other) => other.name === name) < i) {
      throw wrongValue(`parameters must have different names, received "${name}" twice`);
    }
    if (name === "i") throw wrongValue('parameters must not use the name "i", which is the index');
    if (name.endsWith("_")) throw wrongValue(`parameters must not end in an underscore, received "${name}"`);
  }
  return parameters;
}

/** What values and arrays in global memory may be; anything else is somewhere else, or no array. */
const plain: ReadonlySet<Specifier> = new Set(["const", "volatile", "restrict", "global", "private"]);

function readDeclaration(text: string, types: readonly StructType[]): Parameter {
  const declaration = readParameter(text);
  if (declaration === undefined || declaration.pointers + Number(declaration.isArray) > 1) {
    throw outOfRange(`parameters must be declarations such as "float a, const float *x", received "${text}"`);
  }
  const { name, type, tag, pointers, isArray, specifiers } = declaration;
  const other = [...specifiers].find((one) => !plain.has(one));
  if (other !== undefined) {
    throw outOfRange(`parameters must be values and arrays, received "${text}", which is ${other}`);
  }
  if (name === undefined) {
    throw outOfRange(`parameters must have types and names, received "${text}"`);
  }
  const element = typeOfC(type, tag, types);
  if (element === undefined) {
    throw outOfRange(
      `parameters must have dtypes of arrays, received "${type}" in "${text}"; pass structs in options.types`,
    );
  }
  const inMemory = pointers > 0 || isArray;
  return parameter(name, element.type, element.cType, inMemory, inMemory && !specifiers.has("const"));
}

/** Names that C and NumPy give to different types are C's here: `float16` is a vector. */
function typeOfC(
  name: string,
  tag: string | undefined,
  types: readonly StructType[],
): { readonly type: DType; readonly cType: string } | undefined {
  const struct = types.find((one) => one.cName === name);
  if (struct !== undefined) return { type: struct, cType: name };
  if (tag !== undefined) return undefined;
  if (name === "cfloat_t") return { type: dtype("complex64"), cType: name };
  if (name === "cdouble_t") return { type: dtype("complex128"), cType: name };
  if (name === "bool") return { type: dtype("bool"), cType: "uchar" };
  const type = dtypeOfC(name);
  return type && { type, cType: name };
}

function objectParameters(value: unknown): readonly Parameter[] {
  if (!Array.isArray(value)) {
    throw typeError("parameters", 'declarations such as "float a, const float *x", or a list of objects', value);
  }
  return value.map((one: unknown, i): Parameter => {
    const name = `parameters[${i}]`;
    const given = checkOptions(
      one as Partial<ArrayParameter & ValueParameter>,
      ["array", "dtype", "readonly", "value"],
      name,
    );
    const isArray = given.array !== undefined;
    if (isArray === (given.value !== undefined)) throw typeError(name, "an object with array or value, a name", one);
    const type = elementType(given.dtype, `${name}.dtype`);
    const own = checkIdentifier(isArray ? given.array : given.value, `${name}.${isArray ? "array" : "value"}`);
    const writes = isArray && !checkBoolean(given.readonly, `${name}.readonly`, false);
    return parameter(own, type, complexNames[type.name] ?? type.cName, isArray, writes);
  });
}

/** The names of complex types in kernels of one's own. */
export const complexNames: Readonly<Record<string, string>> = { complex64: "cfloat_t", complex128: "cdouble_t" };

function elementType(value: unknown, name: string): DType {
  try {
    return dtype(value as DTypeLike);
  } catch {
    throw typeError(name, 'an element type, as "float32"', value);
  }
}

/** Values cannot be halves in kernels, so they are floats there. */
function parameter(name: string, type: DType, cType: string, isArray: boolean, writes: boolean): Parameter {
  const own = checkIdentifier(name, `the parameter "${name}"`);
  return { name: own, dtype: type, cType: isArray || cType !== "half" ? cType : "float", isArray, writes };
}
