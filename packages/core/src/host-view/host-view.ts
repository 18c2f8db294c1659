/**
 * n-dimensional views of host memory. The memory may be taken away under a view, as that of a map is when it ends: then
 * every access throws.
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

/** How a view lies over host memory. */
export interface HostViewOptions extends LayoutOptions {
  /** What the elements are; that of the typed array if not said. */
  readonly dtype?: DTypeLike;
  /** True refuses changes through this view. */
  readonly readonly?: boolean;
}

/** @internal A layout that is known to be right, over memory that is. */
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

  /** Other elements of the same memory, even of memory that has been taken away. */
  with(layout: Layout, readonly: boolean): HostPart {
    return new HostPart(this.bytes, this.type, this.itemSize, layout, readonly, this.data);
  }

  /** The part of host memory that options name. */
  static of(memory: HostMemory, options: HostViewOptions | undefined): HostPart {
    const given = checkOptions(options, ["dtype", "readonly", "shape", "strides", "order", "offset"]);
    const bytes = bytesOver(hostBytes(memory, "memory", true));
    const type = checkDType(given.dtype ?? elementTypeOf(memory) ?? Uint8Array, "options.dtype");
    const { itemSize } = type;
    const layout = planLayout(given, itemSize, bytes.byteLength, "the memory");
    const readonly = checkBoolean(given.readonly, "options.readonly", false);
    return new HostPart(bytes, type, itemSize, layout, readonly);
  }
}

/**
 * Elements of a type in host memory, by as many indices as they have axes. Slices and other shapes share the memory.
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

  /** Over the bytes of a typed array, DataView or ArrayBuffer. */
  constructor(memory: T | HostMemory, options?: HostViewOptions);
  /** @internal */
  constructor(part: HostPart);
  constructor(memory: HostMemory | HostPart, options?: HostViewOptions) {
    const part = memory instanceof HostPart ? memory : HostPart.of(memory, options);
    super(part, (layout, readonly) => new HostView(part.with(layout, readonly)));
    this.#part = part;
  }

  /** A view of new memory that holds zeros. */
  static zeros(shape: Shape, dtype: DTypeLike, options?: { readonly order?: Order }): HostView {
    const type = checkDType(dtype, "dtype");
    const { itemSize } = type;
    const { order } = checkOptions(options, ["order"]);
    const layout = planLayout({ shape: checkShape(shape, "shape"), order }, itemSize, undefined, "the memory");
    return new HostView(new HostPart(zeros(sizeOf(layout.shape) * itemSize), type, itemSize, layout, false));
  }

  /** A view of new memory with these values: one, or arrays of them, nested evenly. */
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

  /** The bytes of the memory, from its start: `offset` says where in them the first element is. */
  get memory(): Uint8Array {
    const { bytes } = this.#part;
    this.#live();
    return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** True once the memory has been taken away. */
  get detached(): boolean {
    return this.#part.bytes.byteLength === 0 && this.size > 0;
  }

  /** The value at an index for each axis; negative ones count from the end. */
  get(...indices: readonly number[]): DTypeValue {
    return this.dtype.get(this.#live(), this.#placeOf(indices));
  }

  /** Changes the value at an index for each axis; the value comes last. */
  set(...indicesAndValue: readonly [...indices: number[], value: DTypeValue]): void {
    if (this.readonly) throw wrongState("this view is read-only: it was made or mapped for reading");
    const place = this.#placeOf(indicesAndValue.slice(0, -1) as number[]);
    this.dtype.set(this.#live(), place, indicesAndValue.at(-1) as DTypeValue);
  }

  /** Changes every value to the same. */
  fill(value: DTypeValue): this {
    const one = HostView.zeros([], this.dtype);
    this.dtype.set(one.#part.data, 0, value);
    return this.assign(one);
  }

  /** Changes every value to that of another view of the same type, or of nested values, broadcast to this shape. */
  assign(source: HostView | Nested): this {
    checkWritable(this.#part);
    const from = source instanceof HostView ? source : HostView.from(source, this.dtype);
    if (!from.dtype.equals(this.dtype)) throw typeError("source", `a view of ${this.dtype.name} elements`, from);
    const { bytes, itemSize, layout } = this.#part;
    const spread = (place: Layout): Layout => broadcastLayout(place, layout.shape, "the shape");
    this.#live();
    from.#live();
    if (this.size === 0) {
      spread(from.#part.layout);
      return this;
    }
    // By a copy, where the target could change what is still to be read.
    const [place, memory] =
      from.#part.bytes.buffer === bytes.buffer
        ? [contiguousLayout(from.shape, itemSize), bytesOver(from.toArray())]
        : [from.#part.layout, from.#part.bytes];
    copyHost(stridedCopy(spread(place), layout, itemSize), memory, bytes);
    return this;
  }

  /** The elements side by side in a new typed array; of components for vectors, of bytes for structs. */
  toArray(order?: Order): ArrayOf<T> {
    const way = checkOrder(order, "order");
    this.#live();
    const { bytes, itemSize, layout, type } = this.#part;
    const array = new (type.arrayType as unknown as new (length: number) => ArrayOf<T>)(
      this.size * type.componentCount,
    );
    if (this.size > 0) {
      copyHost(stridedCopy(layout, contiguousLayout(layout.shape, itemSize, way), itemSize), bytes, bytesOver(array));
    }
    return array;
  }

  /** The values in nested arrays; the value itself without axes. */
  toNested(): Nested {
    const data = this.#live();
    const { shape, strides, offset } = this.#part.layout;
    const nest = (axis: number, at: number): Nested =>
      axis === shape.length
        ? this.dtype.get(data, at)
        : Array.from({ length: shape[axis] as number }, (_, i) => nest(axis + 1, at + i * (strides[axis] as number)));
    return nest(0, offset);
  }

  /** All values, in C order. */
  *values(): Generator<DTypeValue, void, undefined> {
    for (const place of places(this.#part.layout)) yield this.dtype.get(this.#live(), place);
  }

  /** The parts along the first axis: views, or values where there is one axis. */
  *[Symbol.iterator](): Generator<HostView<T> | DTypeValue, void, undefined> {
    if (this.ndim === 0) throw wrongState("a view without axes has one value and no parts: use get()");
    for (let i = 0; i < this.length; i++) yield this.ndim === 1 ? this.get(i) : this.slice(i);
  }

  #placeOf(indices: readonly number[]): number {
    const { shape, strides, offset } = this.#part.layout;
    if (indices.length !== shape.length) {
      throw outOfRange(`indices must be ${shape.length}, one for each axis, received ${indices.length}`);
    }
    return indices.reduce((at, index, axis) => {
      const name = `indices[${axis}]`;
      checkInteger(index, name, Number.MIN_SAFE_INTEGER);
      return at + elementIndex(index, shape[axis] as number, name) * (strides[axis] as number);
    }, offset);
  }

  /** The memory, if it is still there. */
  #live(): DataView {
    if (this.detached) {
      throw wrongState("the memory of this view has been taken away: its map has ended, or it was transferred");
    }
    return this.#part.data;
  }
}

/** The first byte of each element, in C order. */
function* places({ shape, strides, offset }: Layout, axis = 0): Generator<number, void, undefined> {
  if (axis === shape.length) {
    yield offset;
    return;
  }
  for (let i = 0; i < (shape[axis] as number); i++) {
    yield* places({ shape, strides, offset: offset + i * (strides[axis] as number) }, axis + 1);
  }
}

function zeros(bytes: number): Uint8Array {
  try {
    return new Uint8Array(bytes);
  } catch (error) {
    throw outOfRange(`the shape takes ${bytes} bytes, more than there are for one ArrayBuffer`, { cause: error });
  }
}
