/** The types that user kernels compute with. */
import { typeError, wrongType } from "@cl/base";
import { type DType, dtype, type DTypeLike } from "@cl/core";

/** The type that `options.dtype` names: any, also structs, but halves, which are only stored. */
export function computedType(value: unknown): DType {
  let type: DType;
  try {
    type = dtype(value as DTypeLike);
  } catch {
    throw typeError("options.dtype", 'an element type, as "float32"', value);
  }
  if (type.name !== "float16") return type;
  throw wrongType('options.dtype must be a type that kernels compute with, such as "float32", received float16');
}
