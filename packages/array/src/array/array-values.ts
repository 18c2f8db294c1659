/** Copies, conversions and reads. */
import { checkOptions, checkOrder, checkSignal, outOfRange, typeError } from "@cl/base";
import {
  checkArrayType,
  type DTypeName,
  type FillValue,
  type HostArrayOf,
  type TypedDType,
  type ValueOf,
} from "../types/dtype-name.js";
import type { AnyArray } from "./any-array.js";
import { ArrayReinterpret } from "./array-reinterpret.js";
import type { OrderOptions } from "./array-views.js";
import { assign, fill } from "./assign.js";
import { isArray } from "./check-array.js";
import type { DeviceArray } from "./device-array.js";
import { format, type FormatOptions } from "./format.js";
import { readData, readDataSync, type ReadOptions } from "./read.js";

/** Nested arrays of values. */
export type NestedValues<T> = T | NestedValues<T>[];

/** Options of conversions. */
export interface CastingOptions extends OrderOptions {
  /**
   * `"unsafe"` allows complex numbers to be converted to real dtypes, which discards the imaginary parts.
   * @defaultValue "safe"
   */
  readonly casting?: "safe" | "unsafe";
}

/** The part of a `DeviceArray` that copies, converts and reads. */
export abstract class ArrayValues<D extends DTypeName = DTypeName> extends ArrayReinterpret<D> {
  /** Returns a contiguous copy in new memory. */
  copy(options?: OrderOptions): DeviceArray<D> {
    return this.astype(this.dtype.name, options);
  }

  /** Returns a copy converted to another dtype. Fractions are truncated, integers wrap around. */
  astype<E extends DTypeName>(dtype: E | TypedDType<E>, options?: CastingOptions): DeviceArray<E> {
    const type = checkArrayType(dtype, "dtype") as TypedDType<E>;
    const { order: wanted, casting = "safe" } = checkOptions(options, ["casting", "order"]);
    const order = checkOrder(wanted, "options.order");
    if (casting !== "safe" && casting !== "unsafe") throw typeError("options.casting", '"safe" or "unsafe"', casting);
    const result = this.xp.empty(this.shape, { dtype: type, order });
    try {
      assign(result, this, casting);
    } catch (error) {
      result.release();
      throw error;
    }
    return result;
  }

  /**
   * Stores an array, broadcast to this shape, or a value in every element. Values are converted as by {@link astype}.
   */
  assign(source: AnyArray | FillValue<D>): this {
    if (isArray(source)) assign(this, source);
    else fill(this, source);
    return this;
  }

  /** Resolves to the elements as a typed array, in C order. */
  async data(options?: ReadOptions): Promise<HostArrayOf<D>> {
    const signal = checkSignal(checkOptions(options, ["signal"]).signal);
    return (await readData(this, signal)) as HostArrayOf<D>;
  }

  /** Returns the elements as {@link data} does; blocks the event loop until the transfer is complete. */
  dataSync(): HostArrayOf<D> {
    return readDataSync(this) as HostArrayOf<D>;
  }

  /** Resolves to the value of the only element. */
  async item(options?: ReadOptions): Promise<ValueOf<D>> {
    if (this.size !== 1) {
      throw outOfRange(`item() needs an array of one element, received shape [${this.shape.join()}]`);
    }
    const { buffer } = await this.data(options);
    return this.dtype.get(new DataView(buffer), 0) as ValueOf<D>;
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
