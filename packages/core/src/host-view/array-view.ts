/** What views of host and of device memory have in common: what their elements are, where they lie, and parts of them. */
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

/** Where elements lie, as it was checked. */
export interface Place {
  readonly type: DType;
  /** That of the type; kept, as a type's own properties are not what memory was checked for. */
  readonly itemSize: number;
  readonly layout: Layout;
  readonly readonly: boolean;
}

/** Throws for elements that may not be changed. */
export function checkWritable({ layout, itemSize, readonly }: Place): void {
  if (readonly) throw wrongState("this view is read-only: it was made or mapped for reading");
  if (overlapsItself(layout, itemSize)) {
    throw wrongState(
      `this view (shape [${layout.shape.join()}], strides [${layout.strides.join()}]) shows the same memory several times, so that it can only be read`,
    );
  }
}

/** Elements of a type, by as many indices as they have axes. */
export abstract class ArrayView {
  readonly #place: Place;
  readonly #make: (layout: Layout, readonly: boolean) => ArrayView;

  /** @internal `make` gives a view of the same memory. */
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

  /** What the elements are. */
  get dtype(): DType {
    return this.#place.type;
  }

  /** The extents. */
  get shape(): readonly number[] {
    return this.#place.layout.shape;
  }

  /** Bytes from neighbour to neighbour along each axis; negative where an axis runs backwards. */
  get strides(): readonly number[] {
    return this.#place.layout.strides;
  }

  /** Where the first element starts, in bytes of the memory. */
  get offset(): number {
    return this.#place.layout.offset;
  }

  /** How many axes there are. */
  get ndim(): number {
    return this.shape.length;
  }

  /** How many elements there are. */
  get size(): number {
    return sizeOf(this.shape);
  }

  /** The first extent; 1 without axes. `size` counts all elements. */
  get length(): number {
    return this.shape[0] ?? 1;
  }

  /** Bytes of one element. */
  get itemSize(): number {
    return this.#place.itemSize;
  }

  /** Bytes of all elements, without gaps. */
  get nbytes(): number {
    return this.size * this.itemSize;
  }

  /** True if the elements lie side by side in C order, the last axis next to each other. */
  get isContiguous(): boolean {
    return isContiguous(this.#place.layout, this.itemSize);
  }

  /** True if changes through this view are refused. */
  get readonly(): boolean {
    return this.#place.readonly;
  }

  /**
   * A part of the same memory: integers take one element of an axis, `"start:stop:step"` or `[start, stop, step]`
   * several, `null` adds an axis, `"..."` stands for all axes that are left. Bounds of integers are checked; ranges end
   * where the axis does.
   */
  slice(...indices: readonly SliceIndex[]): this {
    return this.#make(sliceLayout(this.#place.layout, indices), this.#place.readonly) as this;
  }

  /** The same elements under another shape; one extent may be -1. Throws where they would have to be copied. */
  reshape(shape: Shape): this {
    const complete = completeShape(shape, this.size, "shape");
    const layout = reshapeLayout(this.#place.layout, complete, this.itemSize);
    if (layout === undefined) {
      throw outOfRange(
        `shape [${complete.join()}] cannot be had without moving elements of a view with the strides [${this.strides.join()}]: reshape a copy of it`,
      );
    }
    return this.#make(layout, this.#place.readonly) as this;
  }

  /** The axes in another order; reversed if not said. */
  transpose(axes?: readonly number[]): this {
    return this.#make(transposeLayout(this.#place.layout, axes), this.#place.readonly) as this;
  }

  /**
   * The elements repeated to fill a shape, without a copy: along axes of one element, and along new ones in front. Where
   * elements are repeated the view is read-only.
   */
  broadcastTo(shape: Shape): this {
    const layout = broadcastLayout(this.#place.layout, checkShape(shape, "shape"));
    const repeats = layout.shape.some((extent, i) => extent > 1 && layout.strides[i] === 0);
    return this.#make(layout, this.#place.readonly || repeats) as this;
  }

  /** One line that says what it is. */
  toString(): string {
    const locked = this.#place.readonly ? ", read-only" : "";
    return `${this.constructor.name} { ${this.#place.type.name} [${this.shape.join(", ")}]${locked} }`;
  }

  /** @internal */
  [inspect.custom](): string {
    return this.toString();
  }
}
