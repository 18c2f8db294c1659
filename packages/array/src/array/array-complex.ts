/** Views of the real and imaginary parts of complex arrays. */
import type { Layout } from "@cl/base";
import type { DTypeName, TypedDType } from "../types/dtype-name.js";
import { typeNamed } from "../types/dtype-name.js";
import { kindOf, realOf } from "../types/promote.js";
import type { RealOf } from "../types/results.js";
import { ArrayValues } from "./array-values.js";
import type { DeviceArray } from "./device-array.js";

/** The part of a `DeviceArray` that accesses the parts of complex numbers. */
export abstract class ArrayComplex<D extends DTypeName = DTypeName> extends ArrayValues<D> {
  /**
   * A view of the real parts; of the array itself if it is real.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const z = xp.array([{ re: 1, im: 2 }, { re: 3, im: 4 }], { dtype: "complex64" });
   * z.real.assign(0);
   * console.log(await z.toNested()); // [ { re: 0, im: 2 }, { re: 0, im: 4 } ]
   * ```
   */
  get real(): DeviceArray<RealOf<D>> {
    return this.view(this.#partType(), this.operand().layout);
  }

  /** A view of the imaginary parts; read-only zeros if the array is real. */
  get imag(): DeviceArray<RealOf<D>> {
    const type = this.#partType();
    if (kindOf(this.dtype.name) === 4) {
      const { layout } = this.operand();
      return this.view(type, { ...layout, offset: layout.offset + type.itemSize });
    }
    using zero = this.xp.zeros([], { dtype: type });
    const layout: Layout = { shape: this.shape, strides: this.shape.map(() => 0), offset: 0 };
    return zero.view(type, layout, true);
  }

  #partType(): TypedDType<RealOf<D>> {
    return typeNamed(realOf(this.dtype.name)) as TypedDType<RealOf<D>>;
  }
}
