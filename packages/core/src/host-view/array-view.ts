/** The base class of views of host and device memory: element type, layout, slicing and reshaping. */
import { inspect } from "node:util";

import {
  broadcastLayout,
  checkShape,
  completeShape,
  isContiguous,
  type Layout,
  outOfRange,
  overlapsItself,
  reshapeLayout,
  type Shape,
  sizeOf,
  type SliceIndex,
  sliceLayout,
  transposeLayout,
  wrongState,
} from "@cl/base";

import type { DType } from "../dtype/dtype.js";

/** The element type and layout of a view, already checked. */
export interface Place {
  readonly type: DType;
  /** The item size that the memory was checked for; `type.itemSize` could differ. */
  readonly itemSize: number;
  readonly layout: Layout;
  readonly readonly: boolean;
}

/** Throws if the elements cannot be written: the view is read-only or overlaps itself. */
export function checkWritable({ layout, itemSize, readonly }: Place): void {
  if (readonly) throw wrongState("this view is read-only: it was created or mapped for reading");
  if (overlapsItself(layout, itemSize)) {
    throw wrongState(
      `this view (shape [${layout.shape.join()}], strides [${layout.strides.join()}]) has overlapping elements and cannot be written; write to a copy`,
    );
  }
}

/** Base class of n-dimensional views. */
export abstract class ArrayView {
  readonly #place: Place;
  readonly #make: (layout: Layout, readonly: boolean) => ArrayView;

  /** @internal `make` creates another view of the same memory. */
  protected constructor(place: Place, make: (layout: Layout, readonly: boolean) => ArrayView) {
    const { shape, strides, offset } = place.layout;
    this.#place = {
      type: place.type,
      itemSize: place.itemSize,
      layout: { shape: Object.freeze([...shape]), strides: Object.freeze([...strides]), offset },
      readonly: place.readonly,
    };
    this.#make = make;
  }

  /** The element type. */
  get dtype(): DType {
    return this.#place.type;
  }

  /** The extent of each axis. */
  get shape(): readonly number[] {
    return this.#place.layout.shape;
  }

  /** The stride of each axis in bytes; negative for a reversed axis. */
  get strides(): readonly number[] {
    return this.#place.layout.strides;
  }

  /** The offset of the first element in the memory, in bytes. */
  get offset(): number {
    return this.#place.layout.offset;
  }

  /** Number of axes. */
  get ndim(): number {
    return this.shape.length;
  }

  /** Number of elements. */
  get size(): number {
    return sizeOf(this.shape);
  }

  /** Extent of the first axis; 1 if there are no axes. See `size` for the number of elements. */
  get length(): number {
    return this.shape[0] ?? 1;
  }

  /** Size of an element in bytes. */
  get itemSize(): number {
    return this.#place.itemSize;
  }

  /** Size of all elements in bytes, without gaps. */
  get nbytes(): number {
    return this.size * this.itemSize;
  }

  /** Whether the elements are contiguous in C order. */
  get isContiguous(): boolean {
    return isContiguous(this.#place.layout, this.itemSize);
  }

  /** Whether writing through this view throws. */
  get readonly(): boolean {
    return this.#place.readonly;
  }

  /**
   * Returns a view of a part of the same memory. An integer selects one element of an axis and removes the axis,
   * `"start:stop:step"` or `[start, stop, step]` selects a range, `null` adds an axis, and `"..."` stands for all
   * remaining axes. Throws if an integer is out of bounds; ranges are clamped.
   */
  slice(...indices: readonly SliceIndex[]): this {
    return this.#make(sliceLayout(this.#place.layout, indices), this.#place.readonly) as this;
  }

  /** Returns a view with another shape; one extent may be -1. Throws if that would require a copy. */
  reshape(shape: Shape): this {
    const complete = completeShape(shape, this.size, "shape");
    const layout = reshapeLayout(this.#place.layout, complete, this.itemSize);
    if (layout === undefined) {
      throw outOfRange(
        `shape [${complete.join()}] requires a copy of a view with the strides [${this.strides.join()}]: reshape a copy of it`,
      );
    }
    return this.#make(layout, this.#place.readonly) as this;
  }

  /**
   * Returns a view with the axes in another order.
   *
   * @param axes - Defaults to the reverse order.
   */
  transpose(axes?: readonly number[]): this {
    return this.#make(transposeLayout(this.#place.layout, axes), this.#place.readonly) as this;
  }

  /**
   * Returns a view broadcast to a shape, without a copy. It is read-only if elements are repeated. Throws if the shapes
   * are not compatible.
   */
  broadcastTo(shape: Shape): this {
    const layout = broadcastLayout(this.#place.layout, checkShape(shape, "shape"));
    const repeats = layout.shape.some((extent, i) => extent > 1 && layout.strides[i] === 0);
    return this.#make(layout, this.#place.readonly || repeats) as this;
  }

  /** Returns a one-line description. */
  toString(): string {
    const locked = this.#place.readonly ? ", read-only" : "";
    return `${this.constructor.name} { ${this.#place.type.name} [${this.shape.join(", ")}]${locked} }`;
  }

  /** @internal */
  [inspect.custom](): string {
    return this.toString();
  }
}
