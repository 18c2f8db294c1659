/**
 * Arrays of device memory with NumPy's behaviour: an element type that TypeScript knows, extents, and distances over storage
 * that views share. Everything is enqueued; nothing waits but what gives values to the host.
 */
import { inspect } from "node:util";

import { DisposedError, type KernelArgument, kernelArgument, type Shape, type SliceIndex } from "@cl/core";
import { checkOptions, checkSignal, outOfRange, wrongValue } from "@cl/core/checks";
import {
  broadcastLayout,
  checkShape,
  completeShape,
  isContiguous,
  type Layout,
  reshapeLayout,
  sizeOf,
  sliceLayout,
  transposeLayout,
} from "@cl/core/layouts";
import type { Operand } from "../kernels/run-expression.js";
import type { Storage } from "../storage/storage.js";
import {
  checkArrayType,
  type DTypeName,
  type HostArrayOf,
  type TypedDType,
  type ValueOf,
} from "../types/dtype-name.js";
import type { Divided, Floating, Promote, PromoteScalar, WeakScalar } from "../types/promote.js";
import type { AnyArray } from "./any-array.js";
import type { Arrays } from "./arrays.js";
import { assign, fill } from "./assign.js";
import { apply } from "./elementwise.js";
import { format } from "./format.js";
import { readData, readDataSync, type ReadOptions } from "./read.js";

/** Where an operation puts its result. */
export interface OutOptions {
  /** An array of the result's shape, whose type can store the results; it may be an operand. New memory if not said. */
  readonly out?: AnyArray;
}

/** What an operand can be: an array of the same queue, or a value, which takes the array's type where it fits. */
export type OperandLike = AnyArray | WeakScalar;

type Other<D extends DTypeName, V> = V extends { readonly dtype: TypedDType<infer E> }
  ? Promote<D, E>
  : PromoteScalar<D, V>;

interface Typed<D extends DTypeName> {
  /** What the elements are. */
  readonly dtype: TypedDType<D>;
}

/** Arrays are what kernels take, where their elements are side by side. */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- the class has the member, marked as internal
export interface DeviceArray<D extends DTypeName = DTypeName> extends KernelArgument, Typed<D> {}

/**
 * Elements of one type in device memory, by as many indices as there are axes. `arrays()` makes them.
 *
 * @example
 * ```ts
 * const xp = arrays(queue);
 * const a = xp.array([[1, 2, 3], [4, 5, 6]]);
 * console.log(await a.slice(":", "::-2").mul(10).toNested()); // [ [ 30, 10 ], [ 60, 40 ] ]
 * ```
 */
export class DeviceArray<D extends DTypeName = DTypeName> {
  /** What made it: the queue of its commands, and where memory comes from. */
  readonly xp: Arrays;
  /** What the elements are. */
  readonly dtype: TypedDType<D>;
  /** True if changes are refused: the same memory is shown several times. */
  readonly readonly: boolean;
  readonly #storage: Storage;
  readonly #layout: Layout;
  #released = false;

  /** @internal */
  constructor(xp: Arrays, storage: Storage, dtype: TypedDType<D>, layout: Layout, readonly = false) {
    this.xp = xp;
    this.dtype = dtype;
    this.readonly = readonly;
    this.#storage = storage;
    this.#layout = { ...layout, shape: Object.freeze([...layout.shape]), strides: Object.freeze([...layout.strides]) };
    storage.hold();
  }

  /** The extents. */
  get shape(): readonly number[] {
    return this.#layout.shape;
  }

  /** Bytes from neighbour to neighbour along each axis. */
  get strides(): readonly number[] {
    return this.#layout.strides;
  }

  /** Where the first element starts, in bytes of the memory. */
  get offset(): number {
    return this.#layout.offset;
  }

  /** How many axes there are. */
  get ndim(): number {
    return this.shape.length;
  }

  /** How many elements there are. */
  get size(): number {
    return sizeOf(this.shape);
  }

  /** Bytes of one element. */
  get itemSize(): number {
    return this.dtype.itemSize;
  }

  /** Bytes of all elements, without gaps. */
  get nbytes(): number {
    return this.size * this.itemSize;
  }

  /** True if the elements lie side by side in C order. */
  get isContiguous(): boolean {
    return isContiguous(this.#layout, this.itemSize);
  }

  /** The axes reversed. */
  get T(): DeviceArray<D> {
    return this.transpose();
  }

  /**
   * A part of the same memory: integers take one element of an axis, `"start:stop:step"` or `[start, stop, step]`
   * several, `null` adds an axis, `"..."` stands for all axes that are left.
   */
  slice(...indices: readonly SliceIndex[]): DeviceArray<D> {
    return this.#view(sliceLayout(this.#layout, indices));
  }

  /** The elements under another shape, of which one extent may be -1: a view where that is possible, else a copy. */
  reshape(shape: Shape): DeviceArray<D> {
    const complete = completeShape(shape, this.size, "shape", "the array");
    const layout = reshapeLayout(this.#layout, complete, this.itemSize);
    if (layout !== undefined) return this.#view(layout);
    const copy = this.copy();
    try {
      return copy.reshape(complete);
    } finally {
      copy.release();
    }
  }

  /** The elements along one axis: a view where that is possible, else a copy. */
  ravel(): DeviceArray<D> {
    return this.reshape([-1]);
  }

  /** The axes in another order; reversed if not said. */
  transpose(axes?: readonly number[]): DeviceArray<D> {
    return this.#view(transposeLayout(this.#layout, axes));
  }

  /** The elements repeated to fill a shape, without a copy; read-only where they are. */
  broadcastTo(shape: Shape): DeviceArray<D> {
    const layout = broadcastLayout(this.#layout, checkShape(shape, "shape"));
    const repeats = layout.shape.some((extent, axis) => extent > 1 && layout.strides[axis] === 0);
    return this.#view(layout, repeats);
  }

  /** The elements in new memory, side by side. */
  copy(): DeviceArray<D> {
    return this.astype(this.dtype.name);
  }

  /** The elements as another type, in new memory. Fractions are cut off, integers wrap around. */
  astype<E extends DTypeName>(dtype: E | TypedDType<E>): DeviceArray<E> {
    const type = checkArrayType(dtype, "dtype") as TypedDType<E>;
    const result = this.xp.empty(this.shape, { dtype: type });
    try {
      assign(result, this);
    } catch (error) {
      result.release();
      throw error;
    }
    return result;
  }

  /** Stores an array, broadcast to this shape, or a value in every element; converts as {@link astype} does. */
  assign(source: AnyArray | ValueOf<D>): this {
    if (source instanceof DeviceArray) assign(this, source as AnyArray);
    else fill(this, source as ValueOf<DTypeName>);
    return this;
  }

  /** `this + other`. */
  add<const V extends OperandLike>(other: V, options?: OutOptions): DeviceArray<Other<D, V>> {
    return apply("add", [this, other], options);
  }

  /** `this - other`. */
  sub<const V extends OperandLike>(other: V, options?: OutOptions): DeviceArray<Other<D, V>> {
    return apply("subtract", [this, other], options);
  }

  /** `this * other`, element by element. */
  mul<const V extends OperandLike>(other: V, options?: OutOptions): DeviceArray<Other<D, V>> {
    return apply("multiply", [this, other], options);
  }

  /** `this / other`; integers give float64. */
  div<const V extends OperandLike>(other: V, options?: OutOptions): DeviceArray<Divided<Other<D, V>>> {
    return apply("divide", [this, other], options);
  }

  /** `this / other` rounded down. Integers divided by 0 give 0. */
  floorDivide<const V extends OperandLike>(other: V, options?: OutOptions): DeviceArray<Other<D, V>> {
    return apply("floorDivide", [this, other], options);
  }

  /** What {@link floorDivide} leaves; it has the sign of `other`. */
  remainder<const V extends OperandLike>(other: V, options?: OutOptions): DeviceArray<Other<D, V>> {
    return apply("remainder", [this, other], options);
  }

  /** The larger of both; NaN if one is. */
  maximum<const V extends OperandLike>(other: V, options?: OutOptions): DeviceArray<Other<D, V>> {
    return apply("maximum", [this, other], options);
  }

  /** The smaller of both; NaN if one is. */
  minimum<const V extends OperandLike>(other: V, options?: OutOptions): DeviceArray<Other<D, V>> {
    return apply("minimum", [this, other], options);
  }

  /** Where both are equal. */
  equal(other: OperandLike, options?: OutOptions): DeviceArray<"bool"> {
    return apply("equal", [this, other], options);
  }

  /** Where they are not equal. */
  notEqual(other: OperandLike, options?: OutOptions): DeviceArray<"bool"> {
    return apply("notEqual", [this, other], options);
  }

  /** Where `this < other`. */
  less(other: OperandLike, options?: OutOptions): DeviceArray<"bool"> {
    return apply("less", [this, other], options);
  }

  /** Where `this <= other`. */
  lessEqual(other: OperandLike, options?: OutOptions): DeviceArray<"bool"> {
    return apply("lessEqual", [this, other], options);
  }

  /** Where `this > other`. */
  greater(other: OperandLike, options?: OutOptions): DeviceArray<"bool"> {
    return apply("greater", [this, other], options);
  }

  /** Where `this >= other`. */
  greaterEqual(other: OperandLike, options?: OutOptions): DeviceArray<"bool"> {
    return apply("greaterEqual", [this, other], options);
  }

  /** Where both are true, which all but 0 is. */
  logicalAnd(other: OperandLike, options?: OutOptions): DeviceArray<"bool"> {
    return apply("logicalAnd", [this, other], options);
  }

  /** Where one is true, or both. */
  logicalOr(other: OperandLike, options?: OutOptions): DeviceArray<"bool"> {
    return apply("logicalOr", [this, other], options);
  }

  /** Where one is true, and the other is not. */
  logicalXor(other: OperandLike, options?: OutOptions): DeviceArray<"bool"> {
    return apply("logicalXor", [this, other], options);
  }

  /** Where it is 0. */
  logicalNot(options?: OutOptions): DeviceArray<"bool"> {
    return apply("logicalNot", [this], options);
  }

  /** `this & other` of integers and booleans. */
  bitwiseAnd<const V extends OperandLike>(other: V, options?: OutOptions): DeviceArray<Other<D, V>> {
    return apply("bitwiseAnd", [this, other], options);
  }

  /** `this | other` of integers and booleans. */
  bitwiseOr<const V extends OperandLike>(other: V, options?: OutOptions): DeviceArray<Other<D, V>> {
    return apply("bitwiseOr", [this, other], options);
  }

  /** `this ^ other` of integers and booleans. */
  bitwiseXor<const V extends OperandLike>(other: V, options?: OutOptions): DeviceArray<Other<D, V>> {
    return apply("bitwiseXor", [this, other], options);
  }

  /** `~this` of integers and booleans. */
  invert(options?: OutOptions): DeviceArray<D> {
    return apply("invert", [this], options);
  }

  /** `-this`. */
  negative(options?: OutOptions): DeviceArray<D> {
    return apply("negative", [this], options);
  }

  /** The distance from 0. */
  absolute(options?: OutOptions): DeviceArray<D> {
    return apply("absolute", [this], options);
  }

  /** The square root. */
  sqrt(options?: OutOptions): DeviceArray<Floating<D>> {
    return apply("sqrt", [this], options);
  }

  /** The exponential function. */
  exp(options?: OutOptions): DeviceArray<Floating<D>> {
    return apply("exp", [this], options);
  }

  /** The natural logarithm. */
  log(options?: OutOptions): DeviceArray<Floating<D>> {
    return apply("log", [this], options);
  }

  /** The sine of an angle in radians. */
  sin(options?: OutOptions): DeviceArray<Floating<D>> {
    return apply("sin", [this], options);
  }

  /** The cosine of an angle in radians. */
  cos(options?: OutOptions): DeviceArray<Floating<D>> {
    return apply("cos", [this], options);
  }

  /** The tangent of an angle in radians. */
  tan(options?: OutOptions): DeviceArray<Floating<D>> {
    return apply("tan", [this], options);
  }

  /** The hyperbolic tangent. */
  tanh(options?: OutOptions): DeviceArray<Floating<D>> {
    return apply("tanh", [this], options);
  }

  /** Rounded down. Integers stay what they are. */
  floor(options?: OutOptions): DeviceArray<D> {
    return apply("floor", [this], options);
  }

  /** Rounded up. Integers stay what they are. */
  ceil(options?: OutOptions): DeviceArray<D> {
    return apply("ceil", [this], options);
  }

  /** Rounded towards 0. Integers stay what they are. */
  trunc(options?: OutOptions): DeviceArray<D> {
    return apply("trunc", [this], options);
  }

  /** Resolves to the elements side by side in C order. */
  async data(options?: ReadOptions): Promise<HostArrayOf<D>> {
    const signal = checkSignal(checkOptions(options).signal);
    return (await readData(this, signal)) as HostArrayOf<D>;
  }

  /** Reads as {@link data} does, and blocks the event loop until it is done. */
  dataSync(): HostArrayOf<D> {
    return readDataSync(this) as HostArrayOf<D>;
  }

  /** Resolves to the value of the only element. */
  async item(options?: ReadOptions): Promise<ValueOf<D>> {
    if (this.size !== 1) {
      throw outOfRange(`item() is for arrays of one element, but this one's shape is [${this.shape.join()}]`);
    }
    const { buffer } = await this.data(options);
    return this.dtype.get(new DataView(buffer), 0) as ValueOf<D>;
  }

  /** Resolves to the values in nested arrays; to the value itself without axes. */
  async toNested(options?: ReadOptions): Promise<NestedValues<ValueOf<D>>> {
    const { buffer } = await this.data(options);
    const view = new DataView(buffer);
    let at = 0;
    const nest = (axis: number): NestedValues<ValueOf<D>> => {
      if (axis < this.ndim) return Array.from({ length: this.shape[axis] as number }, () => nest(axis + 1));
      at += this.itemSize;
      return this.dtype.get(view, at - this.itemSize) as ValueOf<D>;
    };
    return nest(0);
  }

  /** Resolves to the text that NumPy prints: columns aligned, and more than 1000 elements shortened. */
  format(options?: ReadOptions): Promise<string> {
    return format(this, checkSignal(checkOptions(options).signal));
  }

  /** One line that says what it is; {@link format} has the values, which must come from the device. */
  toString(): string {
    return `DeviceArray { ${this.dtype.name} [${this.shape.join(", ")}] }`;
  }

  /** @internal */
  [inspect.custom](): string {
    return this.toString();
  }

  /** @internal What a kernel gets. */
  [kernelArgument](): { readonly memory: Storage["memory"]; readonly byteOffset: number } {
    const { storage, layout } = this.operand();
    if (!isContiguous(layout, this.itemSize) && !isContiguous(layout, this.itemSize, "F")) {
      throw wrongValue(
        `a kernel would take the gaps of this array (strides [${layout.strides.join()}]) for elements: pass copy()`,
      );
    }
    return { memory: storage.memory, byteOffset: layout.offset };
  }

  /** True once it was released. */
  get released(): boolean {
    return this.#released;
  }

  /** Gives the memory back once all views of it are released; what is dropped is given back by itself, later. */
  release(): void {
    if (this.#released) return;
    this.#released = true;
    this.#storage.letGo();
  }

  /** The same as {@link release}, for `using`. */
  [Symbol.dispose](): void {
    this.release();
  }

  /** @internal What kernels and transfers are told. */
  operand(): Operand {
    if (this.#released) throw new DisposedError(String(this));
    return { storage: this.#storage, dtype: this.dtype.name, layout: this.#layout };
  }

  #view(layout: Layout, readonly = false): DeviceArray<D> {
    if (this.#released) throw new DisposedError(String(this));
    return new DeviceArray(this.xp, this.#storage, this.dtype, layout, this.readonly || readonly);
  }
}

/** Values in arrays in arrays. */
export type NestedValues<T> = T | NestedValues<T>[];
