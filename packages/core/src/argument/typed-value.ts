/** Values with a type of their own, for kernels that take vectors, complex numbers and structs. */
import { bytesOf, type DType, type DTypeValue } from "../dtype/dtype.js";
import { checkDType, type DTypeLike } from "../dtype/registry.js";
import { type KernelArgument, kernelArgument, type KernelArgumentValue } from "./kernel-argument.js";

/**
 * A value of an element type, as a kernel argument: its bytes are made once, and a parameter of another type refuses it.
 *
 * @example
 * ```ts
 * const offset = new TypedValue("complex64", { re: 1, im: 0 }); // for a parameter of type float2
 * ```
 */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- the method is below; declarations cannot name it
export interface TypedValue extends KernelArgument {}
export class TypedValue {
  /** Its type. */
  readonly dtype: DType;
  readonly #value: KernelArgumentValue & { readonly bytes: Uint8Array };

  constructor(type: DTypeLike, value: DTypeValue) {
    this.dtype = checkDType(type, "type");
    this.#value = { bytes: bytesOf(this.dtype, value, "value"), dtype: this.dtype };
  }

  /** The value, as the type holds it: a float that was given with more digits has lost them. */
  get value(): DTypeValue {
    const { buffer } = this.#value.bytes;
    return this.dtype.get(new DataView(buffer), 0);
  }

  /** @internal */
  [kernelArgument](): KernelArgumentValue {
    return this.#value;
  }
}
