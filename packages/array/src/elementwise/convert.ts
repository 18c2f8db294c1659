/** Conversion to another dtype. */
import { checkOptions, checkOrder, typeError } from "@cl/base";
import type { ArrayRef, OrderOptions } from "../storage/array-ref.js";
import { filled } from "../storage/filled.js";
import { checkArrayType, type DTypeName, type TypedDType } from "../types/dtype-name.js";
import { assign } from "./assign.js";

/** Options of conversions. */
export interface CastingOptions extends OrderOptions {
  /**
   * `"unsafe"` allows complex numbers to be converted to real dtypes, which discards the imaginary parts.
   * @defaultValue "safe"
   */
  readonly casting?: "safe" | "unsafe";
}

/** Returns a copy converted to another dtype. */
export function convert<E extends DTypeName>(
  array: ArrayRef,
  dtype: E | TypedDType<E>,
  options?: CastingOptions,
): ArrayRef<E> {
  const type = checkArrayType(dtype, "dtype") as TypedDType<E>;
  const { order: wanted, casting = "safe" } = checkOptions(options, ["casting", "order"]);
  const order = checkOrder(wanted, "options.order");
  if (casting !== "safe" && casting !== "unsafe") throw typeError("options.casting", '"safe" or "unsafe"', casting);
  return filled(array.xp.empty(array.shape, { dtype: type, order }), (result) => {
    assign(result, array, casting);
  });
}
