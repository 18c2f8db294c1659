/** What a device must have for a type. */
import { type DType, StructType } from "@cl/core";

/**
 * The extensions without which values of a type cannot be in a program. Halves in memory need none, since they can be
 * loaded as floats; `inMemory` says that it is only a pointer to them.
 */
export function extensionsOf(type: DType, inMemory: boolean): readonly string[] {
  if (type instanceof StructType) {
    return [...new Set(Array.from(type.fields.values(), (field) => extensionsOf(field.type, false)).flat())];
  }
  if (type.base.name === "float64") return ["cl_khr_fp64"];
  return type.base.name === "float16" && !inMemory ? ["cl_khr_fp16"] : [];
}
