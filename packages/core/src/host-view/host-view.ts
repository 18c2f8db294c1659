/**
 * n-dimensional views of host memory. Every access throws once the memory is detached, for example because it was
 * unmapped.
 */
import {
  broadcastLayout,
  bytesOver,
  checkBoolean,
  checkInteger,
  checkOptions,
  checkOrder,
  checkShape,
  contiguousLayout,
  elementIndex,
  type Layout,
  type LayoutOptions,
  type Order,
  outOfRange,
  planLayout,
  type Shape,
  sizeOf,
  stridedCopy,
  typeError,
  wrongState,
} from "@cl/base";

import type { DType, DTypeValue } from "../dtype/dtype.js";
import { checkDType, type DTypeLike } from "../dtype/registry.js";
import { type ArrayOf, elementTypeOf, hostBytes, type HostMemory } from "../dtype/host-array.js";
import type { TypedArray } from "../typed/index.js";
import { ArrayView, checkWritable, type Place } from "./array-view.js";
import { copyHost } from "./host-copy.js";
import { eachNested, type Nested, nestedShape } from "./nested.js";

/** Options of a {@link HostView}. */
export interface HostViewOptions extends LayoutOptions {
  /** The element type. Defaults to that of the typed array, else `uint8`. */
  readonly dtype?: DTypeLike;
  /**
   * Whether writing through the view throws.
   *
   * @defaultValue `false`
   */
  readonly readonly?: boolean;
}

/** @internal Host memory with a layout that has been checked. */
export class HostPart implements Place {
  readonly bytes: Uint8Array;
  readonly data: DataView;
  readonly type: DType;
  readonly itemSize: number;
  readonly layout: Layout;
  readonly readonly: boolean;

  constructor(bytes: Uint8Array, type: DType, itemSize: number, layout: Layout, readonly: boolean, data?: DataView) {
    this.bytes = bytes;
    this.data = data ?? new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.type = type;
    this.itemSize = itemSize;
    this.layout = layout;
    this.readonly = readonly;
  }

  /** Returns the same memory with another layout, even if it is detached. */
  with(layout: Layout, readonly: boolean): HostPart {
    return new HostPart(this.bytes, this.type, this.itemSize, layout, readonly, this.data);
  }

  /** Checks the options and returns the part of the memory that they select. */
  static of(memory: HostMemory, options: HostViewOptions | undefined): HostPart {
    const checked = checkOptions(options, ["dtype", "readonly", "shape", "strides", "order", "offset"]);
    const bytes = bytesOver(hostBytes(memory, "memory", true));
    const type = checkDType(checked.dtype ?? elementTypeOf(memory) ?? Uint8Array, "options.dtype");
    const { itemSize } = type;
    const layout = planLayout(checked, itemSize, bytes.byteLength, "the memory");
    const readonly = checkBoolean(checked.readonly, "options.readonly", false);
    return new HostPart(bytes, type, itemSize, layout, readonly);
  }
}

/**
 * An n-dimensional view of host memory. Slices and reshaped views share the memory.
 *
 * @example
 * ```ts
 * const view = new HostView(new Float32Array(6), { shape: [2, 3] });
 * view.set(1, 2, 5);
 * console.log(view.slice(":", -1).toNested()); // [0, 5]
 * ```
 */
export class HostView<T extends TypedArray = TypedArray> extends ArrayView {
  readonly #part: HostPart;

  /** Creates a view of a typed array, DataView or ArrayBuffer. */
  constructor(memory: T | HostMemory, options?: HostViewOptions);
  /** @internal */
  constructor(part: HostPart);
  constructor(memory: HostMemory | HostPart, options?: HostViewOptions) {
    const part = memory instanceof HostPart ? memory : HostPart.of(memory, options);
    super(part, (layout, readonly) => new HostView(part.with(layout, readonly)));
    this.#part = part;
  }

  /** Creates a view of new memory filled with zeros. */
  static zeros(shape: Shape, dtype: DTypeLike, options?: { readonly order?: Order }): HostView {
    const type = checkDType(dtype, "dtype");
    const { itemSize } = type;
    const { order } = checkOptions(options, ["order"]);
    const layout = planLayout({ shape: checkShape(shape, "shape"), order }, itemSize, undefined, "the memory");
    return new HostView(new HostPart(zeros(sizeOf(layout.shape) * itemSize), type, itemSize, layout, false));
  }

  /** Creates a view of new memory from a value or nested arrays of values. Throws if their lengths differ. */
  static from(values: Nested, dtype: DTypeLike): HostView {
    const type = checkDType(dtype, "dtype");
    const view = HostView.zeros(nestedShape(values, type, "values"), type);
    let at = 0;
    eachNested(values, view.shape, "values", (value) => {
      type.set(view.#part.data, at, value);
      at += view.#part.itemSize;
    });
    return view;
  }

  /** The bytes of the whole memory. The first element is at `offset`. */
  get memory(): Uint8Array {
    const { bytes } = this.#part;
    this.#attached();
    return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Whether the memory has been detached. */
  get detached(): boolean {
    return this.#part.bytes.byteLength === 0 && this.size > 0;
  }

  /** Returns the value at the indices, one per axis. Negative indices count from the end. */
  get(...indices: readonly number[]): DTypeValue {
    return this.dtype.get(this.#attached(), this.#offsetOf(indices));
  }

  /** Sets the value at the indices, one per axis; the value is the last argument. */
  set(...indicesAndValue: readonly [...indices: number[], value: DTypeValue]): void {
    if (this.readonly) throw wrongState("this view is read-only: it was created or mapped for reading");
    const offset = this.#offsetOf(indicesAndValue.slice(0, -1) as number[]);
    this.dtype.set(this.#attached(), offset, indicesAndValue.at(-1) as DTypeValue);
  }

  /** Sets all elements to a value. */
  fill(value: DTypeValue): this {
    const scalar = HostView.zeros([], this.dtype);
    this.dtype.set(scalar.#part.data, 0, value);
    return this.assign(scalar);
  }

  /** Copies the elements of another view of the same type, or nested values, broadcast to this shape. */
  assign(source: HostView | Nested): this {
    checkWritable(this.#part);
    const from = source instanceof HostView ? source : HostView.from(source, this.dtype);
    if (!from.dtype.equals(this.dtype)) throw typeError("source", `a view of ${this.dtype.name} elements`, from);
    const { bytes, itemSize, layout } = this.#part;
    const broadcast = (source: Layout): Layout => broadcastLayout(source, layout.shape, "the shape");
    this.#attached();
    from.#attached();
    if (this.size === 0) {
      broadcast(from.#part.layout);
      return this;
    }
    // Copied first if both share an ArrayBuffer, because the source and the target may overlap.
    const [sourceLayout, memory] =
      from.#part.bytes.buffer === bytes.buffer
        ? [contiguousLayout(from.shape, itemSize), bytesOver(from.toArray())]
        : [from.#part.layout, from.#part.bytes];
    copyHost(stridedCopy(broadcast(sourceLayout), layout, itemSize), memory, bytes);
    return this;
  }

  /** Copies the elements into a new typed array: of components for vectors, of bytes for structs. */
  toArray(order?: Order): ArrayOf<T> {
    const checkedOrder = checkOrder(order, "order");
    this.#attached();
    const { bytes, itemSize, layout, type } = this.#part;
    const array = new (type.arrayType as unknown as new (length: number) => ArrayOf<T>)(
      this.size * type.componentCount,
    );
    if (this.size > 0) {
      copyHost(
        stridedCopy(layout, contiguousLayout(layout.shape, itemSize, checkedOrder), itemSize),
        bytes,
        bytesOver(array),
      );
    }
    return array;
  }

  /** Returns the values as nested arrays; a single value if there are no axes. */
  toNested(): Nested {
    const data = this.#attached();
    const { shape, strides, offset } = this.#part.layout;
    const nest = (axis: number, at: number): Nested =>
      axis === shape.length
        ? this.dtype.get(data, at)
        : Array.from({ length: shape[axis] as number }, (_, i) => nest(axis + 1, at + i * (strides[axis] as number)));
    return nest(0, offset);
  }

  /** Iterates over all values in C order. */
  *values(): Generator<DTypeValue, void, undefined> {
    for (const offset of elementOffsets(this.#part.layout)) yield this.dtype.get(this.#attached(), offset);
  }

  /** Iterates along the first axis: over views, or over values if there is one axis. Throws if there are no axes. */
  *[Symbol.iterator](): Generator<HostView<T> | DTypeValue, void, undefined> {
    if (this.ndim === 0) throw wrongState("a view without axes is not iterable: use get()");
    for (let i = 0; i < this.length; i++) yield this.ndim === 1 ? this.get(i) : this.slice(i);
  }

  #offsetOf(indices: readonly number[]): number {
    const { shape, strides, offset } = this.#part.layout;
    if (indices.length !== shape.length) {
      throw outOfRange(`indices must have ${shape.length} numbers, one per axis, received ${indices.length}`);
    }
    return indices.reduce((at, index, axis) => {
      const name = `indices[${axis}]`;
      checkInteger(index, name, Number.MIN_SAFE_INTEGER);
      return at + elementIndex(index, shape[axis] as number, name) * (strides[axis] as number);
    }, offset);
  }

  /** Returns the memory. Throws if it is detached. */
  #attached(): DataView {
    if (this.detached) {
      throw wrongState("the memory of this view is detached: it was unmapped or transferred");
    }
    return this.#part.data;
  }
}

/** Returns the byte offset of each element, in C order. */
function* elementOffsets({ shape, strides, offset }: Layout, axis = 0): Generator<number, void, undefined> {
  if (axis === shape.length) {
    yield offset;
    return;
  }
  for (let i = 0; i < (shape[axis] as number); i++) {
    yield* elementOffsets({ shape, strides, offset: offset + i * (strides[axis] as number) }, axis + 1);
  }
}

function zeros(bytes: number): Uint8Array {
  try {
    return new Uint8Array(bytes);
  } catch (error) {
    throw outOfRange(`the shape requires ${bytes} bytes, which cannot be allocated as one ArrayBuffer`, {
      cause: error,
    });
  }
}
