/** Copies, conversions and reads. */
import { checkOptions } from "@cl/base";
import type { DTypeName, HostArrayOf, ValueOf } from "../../types/dtype-name.js";
import { format, type FormatOptions } from "../../text/format.js";
import { evaluate } from "../../lazy/evaluate.js";
import { readDataSync } from "../../faults/read.js";
import type { OrderOptions, ReadOptions } from "../../storage/array-ref.js";
import { ArrayMethods } from "../../array/array-methods.js";
import { asDeviceArray, DeviceArray } from "../../array/arrays.js";
import { addMethods } from "../../array/add-methods.js";

/** Nested arrays of values. */
export type NestedValues<T> = T | NestedValues<T>[];

/** Methods that copy and read values. */
class ValueMethods<D extends DTypeName> extends ArrayMethods<D> {
  /** Returns a copy of the elements along one axis. */
  flatten(options?: OrderOptions): DeviceArray<D> {
    using copy = this.copy(options);
    return asDeviceArray(copy.ravel(options));
  }

  /**
   * Enqueues the computation of the elements if they are pending, and returns the array; see `ArraysOptions.eager`. Does not
   * wait: if kernels must be built, the computation is enqueued when they are.
   */
  eval(): this {
    evaluate(this);
    return this;
  }

  /** Returns the elements as {@link data} does; blocks the event loop until the transfer is complete. */
  dataSync(): HostArrayOf<D> {
    return readDataSync(this) as HostArrayOf<D>;
  }

  /** Resolves to the values in nested arrays, or to the value itself if the array has no axes. */
  async toNested(options?: ReadOptions): Promise<NestedValues<ValueOf<D>>> {
    const { buffer } = await this.data(options);
    const view = new DataView(buffer);
    let at = 0;
    const nest = (axis: number): NestedValues<ValueOf<D>> => {
      if (axis < this.ndim) return Array.from({ length: this.shape[axis] as number }, () => nest(axis + 1));
      at += this.itemSize;
      return this.dtype.get(view, at - this.itemSize) as ValueOf<D>;
    };
    return nest(0);
  }

  /** Resolves to the text that NumPy prints: columns aligned, and arrays of more than 1000 elements abbreviated. */
  format(options?: FormatOptions): Promise<string> {
    return format(
      this,
      checkOptions(options, ["threshold", "edgeItems", "lineWidth", "precision", "suppress", "signal"]),
    );
  }
}

declare module "../../array/arrays.js" {
  interface DeviceArray<D extends DTypeName> extends ValueMethods<D> {}
}
addMethods(DeviceArray, ValueMethods);
