/** Device extensions that types require. */
import { type DType, StructType } from "@cl/core";

/**
 * Returns the extensions that a program needs for values of a type. `inMemory` is true for a type that is only accessed
 * through a pointer: half-precision values need no extension then, since they can be loaded as floats.
 */
export function extensionsOf(type: DType, inMemory: boolean): readonly string[] {
  if (type instanceof StructType) {
    return [...new Set(Array.from(type.fields.values(), (field) => extensionsOf(field.type, false)).flat())];
  }
  if (type.base.name === "float64") return ["cl_khr_fp64"];
  return type.base.name === "float16" && !inMemory ? ["cl_khr_fp16"] : [];
}
