/**
 * Arrays of structs and of OpenCL's vectors. Nothing is computed with such elements as a whole: they are stored, copied, viewed
 * and printed, and their fields and components are arrays of the same memory, which everything computes with.
 *
 * An element is so many units, the largest integers that its alignment allows, along an axis of their own. So copies between
 * any layouts are those of integers, padding included.
 */
import { inspect } from "node:util";

import {
  broadcastLayout,
  checkOptions,
  checkShape,
  completeShape,
  contiguousLayout,
  type Layout,
  outOfRange,
  rangeError,
  reshapeLayout,
  sizeOf,
  sliceLayout,
  transposeLayout,
  withArticle,
  wrongType,
} from "@cl/base";
import {
  type BufferArgument,
  type CommandQueue,
  type DType,
  type DTypeValue,
  type KernelArgument,
  kernelArgument,
  type KernelArgumentValue,
  type Shape,
  type SliceIndex,
  StructType,
  type TypedArray,
} from "@cl/core";
import type { AnyArray } from "../array/any-array.js";
import { assign } from "../array/assign.js";
import type { Arrays } from "../array/arrays.js";
import { checkWritable } from "../array/check-array.js";
import type { DeviceArray } from "../array/device-array.js";
import { format, type FormatOptions } from "../array/format.js";
import type { ReadOptions } from "../array/read.js";
import { checkArrayType, type DTypeName, type FillValue, type TypedDType } from "../types/dtype-name.js";
import { isAligned, readUnaligned, writeUnaligned } from "./unaligned.js";

// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- the class has the member, marked as internal
export interface RecordArray extends KernelArgument, BufferArgument {}

/** Elements of a struct or vector type in device memory; `Arrays.records` and its kin make them. */
export class RecordArray {
  /** What the elements are: a struct or a vector. */
  readonly dtype: DType;
  readonly #units: DeviceArray;

  /** @internal Over units, which it owns: the last axis is that of one element. */
  constructor(units: DeviceArray, dtype: DType) {
    this.#units = units;
    this.dtype = dtype;
  }

  /** What made it. */
  get xp(): Arrays {
    return this.#units.xp;
  }

  /** The extents. */
  get shape(): readonly number[] {
    return this.#units.shape.slice(0, -1);
  }

  /** Bytes from neighbour to neighbour along each axis. */
  get strides(): readonly number[] {
    return this.#units.strides.slice(0, -1);
  }

  /** How many axes there are. */
  get ndim(): number {
    return this.#units.ndim - 1;
  }

  /** How many elements there are. */
  get size(): number {
    return sizeOf(this.shape);
  }

  /** Bytes of one element, padding included. */
  get itemSize(): number {
    return this.dtype.itemSize;
  }

  /** Bytes of all elements, without gaps. */
  get nbytes(): number {
    return this.size * this.itemSize;
  }

  /** True if changes are refused: the same memory is shown several times. */
  get readonly(): boolean {
    return this.#units.readonly;
  }

  /** @internal The elements as integers, along a last axis of their own. */
  get units(): DeviceArray {
    return this.#units;
  }

  /** The axes reversed. */
  get T(): RecordArray {
    return this.transpose();
  }

  /** A part of the same memory; the indices are those of `DeviceArray.slice`. */
  slice(...indices: readonly SliceIndex[]): RecordArray {
    return this.#view(sliceLayout(this.#layout(), indices));
  }

  /** The elements under another shape: a view where that is possible, else a copy. */
  reshape(shape: Shape): RecordArray {
    const complete = completeShape(shape, this.size, "shape", "the array");
    const layout = reshapeLayout(this.#layout(), complete, this.itemSize);
    if (layout !== undefined) return this.#view(layout);
    using copy = this.copy();
    return copy.reshape(complete);
  }

  /** The axes in another order; reversed if not said. */
  transpose(axes?: readonly number[]): RecordArray {
    return this.#view(transposeLayout(this.#layout(), axes));
  }

  /** The elements repeated to fill a shape, without a copy; read-only. */
  broadcastTo(shape: Shape): RecordArray {
    return this.#view(broadcastLayout(this.#layout(), checkShape(shape, "shape")), true);
  }

  /**
   * Returns a field of each element as an array of the same memory: of a number, or of the elements of an array or vector,
   * along further axes. A field that does not start at multiples of its size, as in packed structs, is a read-only copy:
   * {@link setField} changes it.
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
    writeUnaligned(this.#units, layout, elements as AnyArray as DeviceArray);
    return this;
  }

  /** Where a field of numbers is. */
  #placeOf<D extends DTypeName>(name: string): { readonly type: TypedDType<D>; readonly layout: Layout } {
    const { type, shape, offset } = this.#fieldOf(name);
    if (type instanceof StructType) {
      throw wrongType(`the field "${name}" of ${this.dtype.name} is ${withArticle(type.name)}: use record("${name}")`);
    }
    const own = type.kind === "vector" ? [...shape, type.width] : shape;
    const base = type.kind === "vector" ? type.base : type;
    const inner = contiguousLayout(shape, type.itemSize);
    const strides = type.kind === "vector" ? [...inner.strides, base.itemSize] : inner.strides;
    return { type: checkArrayType(base, "dtype") as TypedDType<D>, layout: this.#inner(own, strides, offset) };
  }

  /** A field that is a struct or a vector, as an array of such. One at other bytes than its alignment is a read-only copy. */
  record(name: string): RecordArray {
    const { type, shape, offset } = this.#fieldOf(name);
    if (type.kind !== "struct" && type.kind !== "vector") {
      throw wrongType(`the field "${name}" of ${this.dtype.name} is ${withArticle(type.name)}: use field("${name}")`);
    }
    const { strides } = contiguousLayout(shape, type.itemSize);
    const { unit, count } = unitsOf(type);
    const layout = this.#inner([...shape, count], [...strides, type.itemSize / count], offset);
    const units: DeviceArray = this.#seenAs(checkArrayType(unit, "dtype"), layout);
    return new RecordArray(units, type);
  }

  /** The components of vectors along a last axis, as an array of the same memory. */
  get components(): DeviceArray {
    const { dtype } = this;
    if (dtype.kind !== "vector") throw wrongType(`${dtype.name} is no vector, and has fields instead of components`);
    const layout = this.#inner([dtype.width], [dtype.base.itemSize], 0);
    return this.#seenAs(checkArrayType(dtype.base, "dtype"), layout);
  }

  /** The elements in new memory, side by side. */
  copy(): RecordArray {
    return new RecordArray(this.#units.copy(), this.dtype);
  }

  /** Stores records of the same type, broadcast to this shape, or one value in every element. */
  assign(source: RecordArray | DTypeValue): this {
    if (source instanceof RecordArray) {
      if (!source.dtype.equals(this.dtype)) {
        throw wrongType(`${String(source)} cannot be stored as ${this.dtype.name}, which is another type`);
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

  /** Resolves to the elements side by side: bytes of structs, components of vectors. */
  async data(options?: ReadOptions): Promise<TypedArray> {
    const { buffer } = await this.#units.data(options);
    const make = this.dtype.arrayType as unknown as new (buffer: ArrayBufferLike) => TypedArray;
    return new make(buffer);
  }

  /** Resolves to the values in nested arrays: objects with a struct's fields, lists of a vector's components. */
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
      throw outOfRange(`item() is for arrays of one element, but this one's shape is [${this.shape.join()}]`);
    }
    const { buffer } = await this.#units.data(options);
    return this.dtype.get(new DataView(buffer), 0);
  }

  /** Resolves to the text that NumPy prints for structs, and for vectors as a last axis. */
  async format(options?: FormatOptions): Promise<string> {
    const known = ["threshold", "edgeItems", "lineWidth", "precision", "suppress", "signal"] as const;
    const checked = checkOptions(options, known);
    if (this.dtype.kind !== "vector") return format(this.#units, checked, this.dtype);
    using components = this.components;
    return await components.format(checked);
  }

  /** The same elements with their commands on another queue of the context. */
  withQueue(queue: CommandQueue): RecordArray {
    return new RecordArray(this.#units.withQueue(queue), this.dtype);
  }

  /** True once it was released. */
  get released(): boolean {
    return this.#units.released;
  }

  /** Gives the memory back once all views of it are released. */
  release(): void {
    this.#units.release();
  }

  /** The same as {@link release}, for `using`. */
  [Symbol.dispose](): void {
    this.release();
  }

  /** One line that says what it is. */
  toString(): string {
    return `RecordArray { ${this.dtype.name} [${this.shape.join(", ")}] }`;
  }

  /** @internal */
  [inspect.custom](): string {
    return this.toString();
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
    if (!(dtype instanceof StructType)) throw wrongType(`${dtype.name} has no fields, but components`);
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
    return readUnaligned(this.#units, layout, type);
  }
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
