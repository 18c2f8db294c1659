/** Other ways to see the same elements, without copies. */
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

/** In which order elements are counted and laid out. */
export interface OrderOptions {
  /** The last axis first (`"C"`, if not said), or the first one (`"F"`). */
  readonly order?: "C" | "F";
}

/** The part of a `DeviceArray` that makes views. */
export abstract class ArrayViews<D extends DTypeName = DTypeName> extends ArrayBase<D> {
  /** The axes reversed. */
  get T(): DeviceArray<D> {
    return this.transpose();
  }

  /**
   * A part of the same memory: integers take one element of an axis, `"start:stop:step"` or `[start, stop, step]`
   * several, `null` adds an axis, `"..."` stands for all axes that are left.
   */
  slice(...indices: readonly SliceIndex[]): DeviceArray<D> {
    return this.view(this.dtype, sliceLayout(this.operand().layout, indices));
  }

  /**
   * The elements under another shape, of which one extent may be -1: a view where that is possible, else a copy. They are
   * counted along the last axis first, in C order, or along the first one, in F order.
   */
  reshape(shape: Shape, options?: OrderOptions): DeviceArray<D> {
    const order = checkOrder(checkOptions(options, ["order"]).order, "options.order");
    const complete = completeShape(shape, this.size, "shape", "the array");
    const layout = this.#reshaped(complete, order);
    if (layout !== undefined) return this.view(this.dtype, layout);
    using copy = this.copy({ order });
    return copy.reshape(complete, { order });
  }

  /** The elements along one axis: a view where that is possible, else a copy. */
  ravel(options?: OrderOptions): DeviceArray<D> {
    return this.reshape([-1], options);
  }

  /** The elements along one axis, in new memory. */
  flatten(options?: OrderOptions): DeviceArray<D> {
    using copy = this.copy(options);
    return copy.ravel(options);
  }

  /** The axes in another order; reversed if not said. */
  transpose(axes?: readonly number[]): DeviceArray<D> {
    return this.view(this.dtype, transposeLayout(this.operand().layout, axes));
  }

  /** The elements repeated to fill a shape, without a copy; read-only where they are. */
  broadcastTo(shape: Shape): DeviceArray<D> {
    const layout = broadcastLayout(this.operand().layout, checkShape(shape, "shape"));
    const repeats = layout.shape.some((extent, axis) => extent > 1 && layout.strides[axis] === 0);
    return this.view(this.dtype, layout, repeats);
  }

  /** The elements in new memory, side by side. */
  abstract copy(options?: OrderOptions): DeviceArray<D>;

  /** F order is C order of the axes reversed. */
  #reshaped(shape: readonly number[], order: "C" | "F"): Layout | undefined {
    const { layout } = this.operand();
    if (order === "C") return reshapeLayout(layout, shape, this.itemSize);
    const reversed = reshapeLayout(transposeLayout(layout), shape.toReversed(), this.itemSize);
    return reversed && transposeLayout(reversed);
  }
}
