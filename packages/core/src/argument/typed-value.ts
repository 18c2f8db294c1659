/** Values with an explicit type, for kernels that take vectors, complex numbers and structs. */
import { bytesOf, type DType, type DTypeValue } from "../dtype/dtype.js";
import { checkDType, type DTypeLike } from "../dtype/registry.js";
import { type KernelArgument, kernelArgument, type KernelArgumentValue } from "./kernel-argument.js";

/**
 * A kernel argument with an explicit element type. The value is converted to bytes once; passing it to a parameter of
 * another type throws.
 *
 * @example
 * ```ts
 * const offset = new TypedValue("complex64", { re: 1, im: 0 }); // for a parameter of type float2
 * ```
 */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- the method is below; declarations cannot name it
export interface TypedValue extends KernelArgument {}
export class TypedValue {
  /** The element type. */
  readonly dtype: DType;
  readonly #value: KernelArgumentValue & { readonly bytes: Uint8Array };

  constructor(type: DTypeLike, value: DTypeValue) {
    this.dtype = checkDType(type, "type");
    this.#value = { bytes: bytesOf(this.dtype, value, "value"), dtype: this.dtype };
  }

  /** The value after conversion to the type, so floats are rounded to its precision. */
  get value(): DTypeValue {
    const { buffer } = this.#value.bytes;
    return this.dtype.get(new DataView(buffer), 0);
  }

  /** @internal */
  [kernelArgument](): KernelArgumentValue {
    return this.#value;
  }
}
