/** Device capabilities that dtypes require. */
import { type Device, NotSupportedError } from "@cl/core";
import type { DTypeName } from "./dtype-name.js";

/** Throws where kernels of the device cannot compute with such elements. Halves are computed with as floats. */
export function checkComputable(device: Device, type: DTypeName, what: string): void {
  if ((type === "float64" || type === "complex128") && device.doubleFpConfig === 0) {
    throw new NotSupportedError(
      "@cl/array",
      `${what} needs ${type}, which '${device.name}' does not support; convert an operand with astype("${type === "float64" ? "float32" : "complex64"}")`,
    );
  }
}
