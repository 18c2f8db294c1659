/** How an array's elements lie, with what is asked about it at each operation. */
import { isContiguous, type Layout, sizeOf } from "@cl/base";

/** A layout that nobody can change, so that arrays of the same shape share one. */
export class ArrayLayout implements Layout {
  readonly shape: readonly number[];
  readonly strides: readonly number[];
  readonly offset: number;
  readonly itemSize: number;
  /** How many elements there are. */
  readonly size: number;
  /** True if the elements lie side by side in C order from where the memory begins. */
  readonly isDense: boolean;

  constructor({ shape, strides, offset }: Layout, itemSize: number) {
    this.shape = Object.freeze([...shape]);
    this.strides = Object.freeze([...strides]);
    this.offset = offset;
    this.itemSize = itemSize;
    this.size = sizeOf(shape);
    this.isDense = offset === 0 && isContiguous(this, itemSize);
  }

  /** The layout of elements of a size; itself where it is one. */
  static of(layout: Layout, itemSize: number): ArrayLayout {
    return layout instanceof ArrayLayout && layout.itemSize === itemSize ? layout : new ArrayLayout(layout, itemSize);
  }
}
