/** What the names of OpenCL C stand for. `dtype()` of core prefers NumPy's meaning: there `int8` has 8 bits, here 8 components. */
import { scalarByName, vectorByName } from "@cl/base";
import { type DType, dtype } from "@cl/core";

/** The scalar or vector type that OpenCL C calls so; undefined if it is none. */
export function builtInType(name: string): DType | undefined {
  const scalar = scalarByName(name);
  if (scalar !== undefined) return dtype(scalar.numpy);
  const vector = vectorByName(name);
  return vector === undefined ? undefined : dtype(`${vector.scalar.numpy}x${vector.width}`);
}

/** The names of OpenCL C that are none of ours, because their size depends on the device. */
export function addressSized(name: string, addressBits: 32 | 64): DType | undefined {
  if (name === "size_t" || name === "uintptr_t") return dtype(`uint${addressBits}`);
  return name === "ptrdiff_t" || name === "intptr_t" ? dtype(`int${addressBits}`) : undefined;
}
