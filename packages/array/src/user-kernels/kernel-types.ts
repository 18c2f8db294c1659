/** Structs that user kernels can refer to by name. */
import { checkInstance, typeError } from "@cl/base";
import { StructType } from "@cl/core";

/** A list of structs, or nothing. */
export function checkTypes(value: unknown): readonly StructType[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw typeError("options.types", "a list of structs", value);
  return value.map((one: unknown, i) => checkInstance(one, StructType, `options.types[${i}]`));
}
