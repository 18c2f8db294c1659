/**
 * Arrays of structs and of OpenCL vectors. Elements are not computed with as a whole: they are stored, copied, viewed
 * and printed, and their fields and components are views, which are ordinary arrays.
 *
 * An element is represented by units, the largest integers that its alignment allows, along an additional axis. So
 * copies between any layouts are copies of integers, padding included.
 */
import {
  broadcastLayout,
  checkOptions,
  checkShape,
  completeShape,
  contiguousLayout,
  illegalConstructor,
  type Layout,
  outOfRange,
  rangeError,
  reshapeLayout,
  sizeOf,
  sliceLayout,
  transposeLayout,
  wrongType,
} from "@cl/base";
import {
  type BufferArgument,
  type CommandQueue,
  DType,
  type DTypeValue,
  type KernelArgument,
  kernelArgument,
  type KernelArgumentValue,
  type Shape,
  type SliceIndex,
  StructType,
  type TypedArray,
} from "@cl/core";
import { assign } from "../elementwise/assign.js";
import { heldArrays } from "./array-scope.js";
import { addHostConversions } from "./host-conversions.js";
import { type Arrays, type DeviceArray, asDeviceArray } from "./arrays.js";
import { checkWritable, isArray } from "../storage/check-array.js";
import { format, type FormatOptions } from "../text/format.js";
import { checkArrayType, type DTypeName, type FillValue, type TypedDType } from "../types/dtype-name.js";
import { isAligned, readUnaligned, writeUnaligned } from "../elementwise/unaligned.js";
import type { AnyArray, ArraySource, ReadOptions } from "../storage/array-ref.js";

// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- the class has the member, marked as internal
export interface RecordArray extends KernelArgument, BufferArgument, Disposable {}

/** An array of a struct or vector type in device memory; made by `Arrays.records` and related functions. */
export class RecordArray {
  /** The element type: a struct or a vector. */
  readonly dtype: DType;
  readonly #units: DeviceArray;

  /** @internal Over units, which it owns: the last axis is that of one element. */
  constructor(units: DeviceArray, dtype: DType) {
    if (!isArray(units) || !(dtype instanceof DType)) {
      throw illegalConstructor("RecordArray cannot be constructed directly");
    }
    this.#units = units;
    this.dtype = dtype;
  }

  /** @internal */
  [heldArrays](): readonly [DeviceArray] {
    return [this.#units];
  }

  /** The factory that made it. */
  get xp(): Arrays {
    return this.#units.xp;
  }

  /** The extent of each axis. */
  get shape(): readonly number[] {
    return this.#units.shape.slice(0, -1);
  }

  /** Bytes between consecutive elements along each axis. */
  get strides(): readonly number[] {
    return this.#units.strides.slice(0, -1);
  }

  /** The number of axes. */
  get ndim(): number {
    return this.#units.ndim - 1;
  }

  /** The number of elements. */
  get size(): number {
    return sizeOf(this.shape);
  }

  /** The size of one element in bytes, padding included. */
  get itemSize(): number {
    return this.dtype.itemSize;
  }

  /** The total size of the elements in bytes, without gaps. */
  get nbytes(): number {
    return this.size * this.itemSize;
  }

  /** Whether writing is refused because several elements share memory, as in broadcast views. */
  get readonly(): boolean {
    return this.#units.readonly;
  }

  /** @internal The elements as integers, along an additional last axis. */
  get units(): DeviceArray {
    return this.#units;
  }

  /** A view with the axes reversed. */
  get T(): RecordArray {
    return this.transpose();
  }

  /** Returns a view of a part of the array; the indices are those of `DeviceArray.slice`. */
  slice(...indices: readonly SliceIndex[]): RecordArray {
    return this.#view(sliceLayout(this.#layout(), indices));
  }

  /** Returns the elements with a new shape: a view if possible, else a copy. */
  reshape(shape: Shape): RecordArray {
    const complete = completeShape(shape, this.size, "shape", "the array");
    const layout = reshapeLayout(this.#layout(), complete, this.itemSize);
    if (layout !== undefined) return this.#view(layout);
    using copy = this.copy();
    return copy.reshape(complete);
  }

  /** Returns a view with permuted axes. Defaults to the reverse order. */
  transpose(axes?: readonly number[]): RecordArray {
    return this.#view(transposeLayout(this.#layout(), axes));
  }

  /** Returns a read-only view broadcast to a shape. */
  broadcastTo(shape: Shape): RecordArray {
    return this.#view(broadcastLayout(this.#layout(), checkShape(shape, "shape")), true);
  }

  /**
   * Returns a view of a field of each element: of a scalar, or of the elements of an array or vector, along additional
   * axes. A field that is not aligned to its size, as in packed structs, is a read-only copy; change it with {@link
   * setField}.
   */
  field<D extends DTypeName = DTypeName>(name: string): DeviceArray<D> {
    const { type, layout } = this.#placeOf<D>(name);
    return this.#seenAs(type, layout);
  }

  /** Stores an array, broadcast to the field's shape, or a value in a field of every element. */
  setField<D extends DTypeName = DTypeName>(name: string, source: AnyArray | FillValue<D>): this {
    const { type, layout } = this.#placeOf<D>(name);
    if (isAligned(layout, type)) {
      using field = this.#units.view(type, layout);
      field.assign(source);
      return this;
    }
    checkWritable(this.#units);
    using elements = this.xp.empty(layout.shape, { dtype: type });
    elements.assign(source);
    writeUnaligned(this.#units, layout, elements);
    return this;
  }

  /** Where a field of numbers is. */
  #placeOf<D extends DTypeName>(name: string): { readonly type: TypedDType<D>; readonly layout: Layout } {
    const { type, shape, offset } = this.#fieldOf(name);
    if (type instanceof StructType) {
      throw wrongType(`the field "${name}" of ${this.dtype.name} has the type ${type.name}; use record("${name}")`);
    }
    const own = type.kind === "vector" ? [...shape, type.width] : shape;
    const base = type.kind === "vector" ? type.base : type;
    const inner = contiguousLayout(shape, type.itemSize);
    const strides = type.kind === "vector" ? [...inner.strides, base.itemSize] : inner.strides;
    return { type: checkArrayType(base, "dtype") as TypedDType<D>, layout: this.#inner(own, strides, offset) };
  }

  /** Returns a view of a field that is a struct or a vector. A field that is not aligned is a read-only copy. */
  record(name: string): RecordArray {
    const { type, shape, offset } = this.#fieldOf(name);
    if (type.kind !== "struct" && type.kind !== "vector") {
      throw wrongType(`the field "${name}" of ${this.dtype.name} has the type ${type.name}; use field("${name}")`);
    }
    const { strides } = contiguousLayout(shape, type.itemSize);
    const { unit, count } = unitsOf(type);
    const layout = this.#inner([...shape, count], [...strides, type.itemSize / count], offset);
    const units: DeviceArray = this.#seenAs(checkArrayType(unit, "dtype"), layout);
    return new RecordArray(units, type);
  }

  /** A view of the components of vectors, along an additional last axis. */
  get components(): DeviceArray {
    const { dtype } = this;
    if (dtype.kind !== "vector") throw wrongType(`${dtype.name} is not a vector; use field()`);
    const layout = this.#inner([dtype.width], [dtype.base.itemSize], 0);
    return this.#seenAs(checkArrayType(dtype.base, "dtype"), layout);
  }

  /** Returns a contiguous copy in new memory. */
  copy(): RecordArray {
    return new RecordArray(this.#units.copy(), this.dtype);
  }

  /** Stores records of the same type, broadcast to this shape, or one value in every element. */
  assign(source: RecordArray | DTypeValue): this {
    if (source instanceof RecordArray) {
      if (!source.dtype.equals(this.dtype)) {
        throw wrongType(`source must have the type ${this.dtype.name}, received ${String(source)}`);
      }
      using shown = source.#view(broadcastLayout(source.#layout(), this.shape, "the target's shape"));
      assign(this.#units, shown.#units);
      return this;
    }
    const bytes = new Uint8Array(this.itemSize);
    this.dtype.set(new DataView(bytes.buffer), 0, source);
    using one = this.xp.fromHost(bytes, { dtype: this.#units.dtype.name });
    assign(this.#units, one);
    return this;
  }

  /** Resolves to the elements as a typed array, in C order: bytes of structs, components of vectors. */
  async data(options?: ReadOptions): Promise<TypedArray> {
    const { buffer } = await this.#units.data(options);
    const make = this.dtype.arrayType as unknown as new (buffer: ArrayBufferLike) => TypedArray;
    return new make(buffer);
  }

  /** Resolves to the values in nested arrays: objects with a struct's fields, or lists of a vector's components. */
  async toNested(options?: ReadOptions): Promise<unknown> {
    const { buffer } = await this.#units.data(options);
    const view = new DataView(buffer);
    const { shape, itemSize } = this;
    let at = -itemSize;
    const nest = (axis: number): unknown =>
      axis < shape.length
        ? Array.from({ length: shape[axis] as number }, () => nest(axis + 1))
        : this.dtype.get(view, (at += itemSize));
    return nest(0);
  }

  /** Resolves to the value of the only element. */
  async item(options?: ReadOptions): Promise<DTypeValue> {
    if (this.size !== 1) {
      throw outOfRange(`item() needs an array of one element, received shape [${this.shape.join()}]`);
    }
    const { buffer } = await this.#units.data(options);
    return this.dtype.get(new DataView(buffer), 0);
  }

  /** Resolves to the text that NumPy prints for structs; the components of vectors are a last axis. */
  async format(options?: FormatOptions): Promise<string> {
    const known = ["threshold", "edgeItems", "lineWidth", "precision", "suppress", "signal"] as const;
    const checked = checkOptions(options, known);
    if (this.dtype.kind !== "vector") return format(this.#units, checked, this.dtype);
    using components = this.components;
    return await components.format(checked);
  }

  /** Returns a view whose commands are enqueued on another queue of the context. */
  withQueue(queue: CommandQueue): RecordArray {
    return new RecordArray(this.#units.withQueue(queue), this.dtype);
  }

  /** Whether the array has been released. */
  get released(): boolean {
    return this.#units.released;
  }

  /** Releases the array; its memory is freed once all views of it are released. */
  release(): void {
    this.#units.release();
  }

  /** Alias of {@link release}, for `using`. */
  [Symbol.dispose](): void {
    this.release();
  }

  /** Returns a one-line description. */
  toString(): string {
    return `RecordArray { ${this.dtype.name} [${this.shape.join(", ")}] }`;
  }

  /** @internal */
  [kernelArgument](): KernelArgumentValue {
    return this.#units[kernelArgument]();
  }

  /** Where the elements are, without the axis of units. */
  #layout(): Layout {
    const { layout } = this.#units.operand();
    return { shape: layout.shape.slice(0, -1), strides: layout.strides.slice(0, -1), offset: layout.offset };
  }

  #view({ shape, strides, offset }: Layout, readonly = false): RecordArray {
    const { dtype } = this.#units;
    const [count, stride] = [this.#units.shape.at(-1) as number, this.#units.strides.at(-1) as number];
    const layout = { shape: [...shape, count], strides: [...strides, stride], offset };
    return new RecordArray(this.#units.view(dtype, layout, readonly), this.dtype);
  }

  #fieldOf(name: string): { readonly type: DType; readonly shape: readonly number[]; readonly offset: number } {
    const { dtype } = this;
    if (!(dtype instanceof StructType)) throw wrongType(`${dtype.name} has no fields; use components`);
    const field = dtype.fields.get(name);
    if (field !== undefined) return field;
    throw rangeError("name", `a field of ${dtype.name}: ${[...dtype.fields.keys()].join(", ")}`, name);
  }

  /** The layout of something inside each element: further axes from a byte on. */
  #inner(shape: readonly number[], strides: readonly number[], offset: number): Layout {
    const outer = this.#layout();
    return {
      shape: [...outer.shape, ...shape],
      strides: [...outer.strides, ...strides],
      offset: outer.offset + offset,
    };
  }

  #seenAs<D extends DTypeName>(type: TypedDType<D>, layout: Layout): DeviceArray<D> {
    if (isAligned(layout, type)) return this.#units.view(type, layout);
    return asDeviceArray(readUnaligned(this.#units, layout, type));
  }
}

addHostConversions(RecordArray);

/** Returns records in new memory. */
export function emptyRecords(xp: ArraySource, dtype: DType, shape: readonly number[]): RecordArray {
  const { unit, count } = unitsOf(dtype);
  return new RecordArray(asDeviceArray(xp.empty([...shape, count], { dtype: unit })), dtype);
}

/** The integers of which an element is made: as long as its alignment allows. */
export function unitsOf(dtype: DType): {
  readonly unit: "uint8" | "uint16" | "uint32" | "uint64";
  readonly count: number;
} {
  const fits = (bytes: number): boolean => dtype.itemSize % bytes === 0 && dtype.alignment % bytes === 0;
  if (fits(8)) return { unit: "uint64", count: dtype.itemSize / 8 };
  if (fits(4)) return { unit: "uint32", count: dtype.itemSize / 4 };
  if (fits(2)) return { unit: "uint16", count: dtype.itemSize / 2 };
  return { unit: "uint8", count: dtype.itemSize };
}
