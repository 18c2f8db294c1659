/** What the names of OpenCL C stand for. `dtype()` of core prefers NumPy's meaning: there `int8` has 8 bits, here 8 components. */
import { type DType, dtype } from "@cl/core";

/** The scalar or vector type that OpenCL C calls so; undefined if it is none. */
export function builtInType(name: string): DType | undefined {
  const [, base = "", width] = /^([a-z][a-z ]*?)(2|3|4|8|16)?$/.exec(name) ?? [];
  const scalar = scalarNames[base];
  if (scalar === undefined) return undefined;
  if (width === undefined) return dtype(scalar);
  return base.includes(" ") || base === "signed" || base === "unsigned" ? undefined : dtype(`${scalar}x${width}`);
}

/** The names of OpenCL C that are none of ours, because their size depends on the device. */
export function addressSized(name: string, addressBits: 32 | 64): DType | undefined {
  if (name === "size_t" || name === "uintptr_t") return dtype(`uint${addressBits}`);
  return name === "ptrdiff_t" || name === "intptr_t" ? dtype(`int${addressBits}`) : undefined;
}

const scalarNames: Readonly<Record<string, string>> = Object.assign(Object.create(null) as object, {
  ...spellings("int8", "char", "signed char"),
  ...spellings("uint8", "uchar", "unsigned char"),
  ...spellings("int16", "short", "short int", "signed short", "signed short int"),
  ...spellings("uint16", "ushort", "unsigned short", "unsigned short int"),
  ...spellings("int32", "int", "signed", "signed int"),
  ...spellings("uint32", "uint", "unsigned", "unsigned int"),
  ...spellings("int64", "long", "long int", "signed long", "signed long int"),
  ...spellings("uint64", "ulong", "unsigned long", "unsigned long int"),
  ...spellings("float16", "half"),
  ...spellings("float32", "float"),
  ...spellings("float64", "double"),
});

function spellings(type: string, ...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, type]));
}
