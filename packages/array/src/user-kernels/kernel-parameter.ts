/** The parameters of a kernel of one's own: a text as in C, or a list of objects. */
import { checkBoolean, checkIdentifier, checkOptions, outOfRange, typeError, wrongValue } from "@cl/base";
import { type DType, dtype, type DTypeLike, type StructType } from "@cl/core";

/** A parameter that takes an array. */
export interface ArrayParameter {
  /** Its name in the operation. */
  readonly array: string;
  /** What its elements are. */
  readonly dtype: DTypeLike;
  /** True if the operation only reads it. */
  readonly readonly?: boolean;
}

/** A parameter that takes a value of the host: a number, a vector, a struct. */
export interface ValueParameter {
  /** Its name in the operation. */
  readonly value: string;
  /** Its type. */
  readonly dtype: DTypeLike;
}

/** A parameter as an object, in place of its declaration in C. */
export type KernelParameter = ArrayParameter | ValueParameter;

/** A parameter, read. */
export interface Parameter {
  readonly name: string;
  readonly dtype: DType;
  /** Its type in the kernel's text, which for complex numbers is a name of their own. */
  readonly cType: string;
  readonly isArray: boolean;
  /** True if it is an array whose elements may be written. */
  readonly writes: boolean;
}

/** The parameters that an argument declares. */
export function readParameters(value: unknown, types: readonly StructType[]): readonly Parameter[] {
  const parameters =
    typeof value === "string"
      ? splitDeclarations(value).map((text) => readDeclaration(text, types))
      : objectParameters(value);
  for (const [i, { name }] of parameters.entries()) {
    if (parameters.findIndex((other) => other.name === name) < i) {
      throw wrongValue(`parameters must have different names, but there are two of the name "${name}"`);
    }
    if (name === "i") throw wrongValue('parameters must not have the name "i": that is the index');
    if (name.endsWith("_")) throw wrongValue(`parameters must not end in an underscore, as "${name}" does`);
  }
  return parameters;
}

function splitDeclarations(text: string): readonly string[] {
  const plain = text.replaceAll(/\/\*[^]*?\*\/|\/\/[^\n]*/g, " ");
  return plain.trim() === "" ? [] : plain.split(",");
}

const declaration =
  /^(?<before>[\w\s]*?)(?:\s|(?<star>\*)[\w\s]*?\b)\s*(?<name>[A-Za-z_]\w*)\s*(?<brackets>\[\s*\])?$/u;
const ignored: ReadonlySet<string> = new Set(
  "const __const volatile restrict __restrict global __global private __private struct".split(" "),
);
const elsewhere: ReadonlySet<string> = new Set("local __local constant __constant pipe __pipe".split(" "));

function readDeclaration(text: string, types: readonly StructType[]): Parameter {
  const said = text.trim();
  const parts = declaration.exec(said)?.groups;
  if (parts === undefined) {
    throw outOfRange(`parameters must be declarations such as "float a, const float *x", but "${said}" is none`);
  }
  const words = (parts["before"] as string).split(/\s+/u).filter((word) => word !== "");
  const space = words.find((word) => elsewhere.has(word));
  if (space !== undefined) throw outOfRange(`parameters must be values and arrays, but "${said}" is ${space}`);
  const isArray = parts["star"] !== undefined || parts["brackets"] !== undefined;
  const typeWords = words.filter((word) => !ignored.has(word));
  // Without a star the last word is the name, and one word by itself is no declaration.
  if (typeWords.length === 0) {
    throw outOfRange(`parameters must have types and names, but "${said}" has only one of them`);
  }
  const { type, cType } = typeOfC(typeWords.join(" "), types, said);
  const readonly = words.includes("const") || words.includes("__const");
  return parameter(parts["name"] as string, type, cType, isArray, isArray && !readonly);
}

/** Names that C and NumPy give to different types are C's here: `float16` is a vector. */
const cNames = /^(?:(?:signed|unsigned|char|short|int|long|uchar|ushort|uint|ulong|half|float|double)\b ?)+$/u;
const cVectors = /^(?<scalar>u?(?:char|short|int|long)|half|float|double)(?<width>2|3|4|8|16)$/u;

function typeOfC(
  name: string,
  types: readonly StructType[],
  said: string,
): { readonly type: DType; readonly cType: string } {
  const struct = types.find((one) => one.cName === name);
  if (struct !== undefined) return { type: struct, cType: name };
  if (name === "cfloat_t") return { type: dtype("complex64"), cType: name };
  if (name === "cdouble_t") return { type: dtype("complex128"), cType: name };
  if (name === "bool") return { type: dtype("bool"), cType: "uchar" };
  const vector = cVectors.exec(name)?.groups;
  if (vector !== undefined) {
    return { type: dtype(`${dtype(vector["scalar"] as string).name}x${vector["width"]}`), cType: name };
  }
  if (cNames.test(name)) {
    try {
      const type = dtype(name);
      return { type, cType: type.cName };
    } catch {
      // A mixture such as "float int": refused below.
    }
  }
  throw outOfRange(
    `parameters: "${name}" in "${said}" is no type that arrays have; a struct is known if it is in options.types`,
  );
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
