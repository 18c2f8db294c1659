/** Views of the same elements: slices, reshapes and transposes. */
import {
  broadcastLayout,
  checkOptions,
  checkOrder,
  checkShape,
  completeShape,
  type Layout,
  reshapeLayout,
  sliceLayout,
  transposeLayout,
} from "@cl/base";
import type { Shape, SliceIndex } from "@cl/core";
import type { DTypeName } from "../types/dtype-name.js";
import { ArrayBase } from "./array-base.js";
import type { DeviceArray } from "./device-array.js";

/** Memory order of elements. */
export interface OrderOptions {
  /**
   * C order has the last axis contiguous (row-major), F order the first (column-major).
   * @defaultValue "C"
   */
  readonly order?: "C" | "F";
}

/** The part of a `DeviceArray` that makes views. */
export abstract class ArrayViews<D extends DTypeName = DTypeName> extends ArrayBase<D> {
  /** A view with the axes reversed. */
  get T(): DeviceArray<D> {
    return this.transpose();
  }

  /**
   * Returns a view of a part of the array: an integer selects an element of an axis, `"start:stop:step"` or `[start,
   * stop, step]` a range, `null` adds an axis, `"..."` stands for all remaining axes.
   */
  slice(...indices: readonly SliceIndex[]): DeviceArray<D> {
    return this.view(this.dtype, sliceLayout(this.operand().layout, indices));
  }

  /**
   * Returns the elements with a new shape, of which one extent may be -1: a view if possible, else a copy. Elements are
   * read and placed in C order, or in F order.
   */
  reshape(shape: Shape, options?: OrderOptions): DeviceArray<D> {
    const order = checkOrder(checkOptions(options, ["order"]).order, "options.order");
    const complete = completeShape(shape, this.size, "shape", "the array");
    const layout = this.#reshaped(complete, order);
    if (layout !== undefined) return this.view(this.dtype, layout);
    using copy = this.copy({ order });
    return copy.reshape(complete, { order });
  }

  /** Returns the elements along one axis: a view if possible, else a copy. */
  ravel(options?: OrderOptions): DeviceArray<D> {
    return this.reshape([-1], options);
  }

  /** Returns a copy of the elements along one axis. */
  flatten(options?: OrderOptions): DeviceArray<D> {
    using copy = this.copy(options);
    return copy.ravel(options);
  }

  /** Returns a view with permuted axes. Defaults to the reverse order. */
  transpose(axes?: readonly number[]): DeviceArray<D> {
    return this.view(this.dtype, transposeLayout(this.operand().layout, axes));
  }

  /** Returns a view broadcast to a shape; read-only where elements are repeated. */
  broadcastTo(shape: Shape): DeviceArray<D> {
    const layout = broadcastLayout(this.operand().layout, checkShape(shape, "shape"));
    const repeats = layout.shape.some((extent, axis) => extent > 1 && layout.strides[axis] === 0);
    return this.view(this.dtype, layout, repeats);
  }

  /** Returns a contiguous copy in new memory. */
  abstract copy(options?: OrderOptions): DeviceArray<D>;

  /** F order is C order of the axes reversed. */
  #reshaped(shape: readonly number[], order: "C" | "F"): Layout | undefined {
    const { layout } = this.operand();
    if (order === "C") return reshapeLayout(layout, shape, this.itemSize);
    const reversed = reshapeLayout(transposeLayout(layout), shape.toReversed(), this.itemSize);
    return reversed && transposeLayout(reversed);
  }
}
