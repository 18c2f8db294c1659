/** The layout of an array, with cached properties that operations query. */
import { isContiguous, type Layout, sizeOf } from "@cl/base";

/** An immutable layout, shared by arrays of the same shape. */
export class ArrayLayout implements Layout {
  readonly shape: readonly number[];
  readonly strides: readonly number[];
  readonly offset: number;
  readonly itemSize: number;
  /** How many elements there are. */
  readonly size: number;
  /** Whether the elements are contiguous in C order from the start of the memory. */
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
