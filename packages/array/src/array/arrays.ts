/**
 * The two classes that users see, which know each other: `Arrays`, bound to a queue, makes `DeviceArray`s. Their methods are
 * in face/methods and face/functions, by family, and call algorithms that know neither class.
 */

import {
  checkBoolean,
  checkInstance,
  checkOptions,
  checkSignal,
  isContiguous,
  type Layout,
  outOfRange,
  sliceLayout,
  transposeLayout,
  typeError,
  wrongValue,
} from "@cl/base";
import {
  type Allocation,
  type Allocator,
  type BufferArgument,
  CommandQueue,
  DeviceView,
  type KernelArgument,
  kernelArgument,
  type Shape,
  type SliceIndex,
  SvmPointer,
} from "@cl/core";
import { MemoryPool } from "@cl/tools";
import { imaginaryParts, realParts } from "../elementwise/complex-parts.js";
import type { AnyArray, ArrayRef, Axes, DiagonalOptions, OrderOptions, ReadOptions } from "../storage/array-ref.js";
import type { Storage } from "../storage/storage.js";
import {
  checkArrayType,
  type DTypeName,
  type FillValue,
  type HostArrayOf,
  type TypedDType,
  type ValueOf,
} from "../types/dtype-name.js";
import { assign, fill } from "../elementwise/assign.js";
import type { RealOf } from "../types/results.js";
import { deferMethod } from "./add-methods.js";
import { ArrayBase } from "./array-base.js";
import { addHostConversions } from "./host-conversions.js";
import { poolOf } from "./default-pool.js";
import {
  broadcastView,
  expandedLayout,
  flippedLayout,
  layoutOfDiagonal,
  movedLayout,
  reshaping,
  swappedLayout,
} from "../shapes/views.js";
import { readData } from "../faults/read.js";
import { isStandIn } from "../tracing/trace.js";
import { type CastingOptions, convert } from "../elementwise/convert.js";
import { isArray } from "../storage/check-array.js";
import { reinterpreted } from "../shapes/reinterpret.js";

/** Options of an array factory. */
export interface ArraysOptions {
  /**
   * Allocator of buffers or shared virtual memory, such as a pool of `@cl/tools`.
   * @defaultValue a `MemoryPool` that all arrays of the context share
   */
  readonly allocator?: Allocator<Allocation>;
  /**
   * Maximum number of bytes of the context's pool, held blocks included. The first factory of a context sets it.
   * @defaultValue nine tenths of the device's memory
   */
  readonly maxBytes?: number;
  /**
   * Whether each operation is enqueued when it is called. By default, element-wise operations are computed when their values
   * are needed, together with the operations that use them; and an operation whose kernels are not built is enqueued when
   * they are. The values are the same.
   * @defaultValue false
   */
  readonly eager?: boolean;
}

/**
 * Returns an array factory bound to a queue, on which all commands are enqueued.
 *
 * @example
 * ```ts
 * const xp = arrays(queue);
 * const a = xp.arange(6, { dtype: "float32" }).reshape([2, 3]);
 * console.log(await a.add(a.slice(0)).data()); // Float32Array(6) [0, 2, 4, 3, 5, 7]
 * ```
 */
export function arrays(queue: CommandQueue, options?: ArraysOptions): Arrays {
  return new Arrays(queue, options);
}

/** A factory of arrays bound to a queue; see {@link arrays}. */
export class Arrays {
  /** The queue of all commands. */
  readonly queue: CommandQueue;
  /** The allocator of device memory. */
  readonly allocator: Allocator<Allocation>;
  /** Whether each operation is enqueued when it is called. */
  readonly eager: boolean;

  constructor(queue: CommandQueue, options?: ArraysOptions) {
    this.queue = checkInstance(queue, CommandQueue, "queue");
    const { allocator, maxBytes, eager } = checkOptions(options, ["allocator", "maxBytes", "eager"]);
    this.eager = checkBoolean(eager, "options.eager", false);
    if (allocator !== undefined && maxBytes !== undefined) {
      throw wrongValue("options.maxBytes limits the context's pool and cannot be combined with options.allocator");
    }
    this.allocator = allocator === undefined ? poolOf(queue, maxBytes) : checkAllocator(allocator, queue);
  }

  /** The pool of device memory: the context's, or the one given as `allocator`. Undefined for other allocators. */
  get pool(): MemoryPool | undefined {
    return this.allocator instanceof MemoryPool ? this.allocator : undefined;
  }

  /**
   * Returns a factory that enqueues on another queue of the context and shares this one's allocator. Commands wait on
   * the device for commands of other queues that they depend on.
   */
  withQueue(queue: CommandQueue): Arrays {
    checkInstance(queue, CommandQueue, "queue");
    if (queue === this.queue) return this;
    if (!queue.context.equals(this.queue.context)) throw wrongValue("queue must belong to the context of this factory");
    const family = families.get(this) ?? new WeakMap<CommandQueue, Arrays>([[this.queue, this]]);
    families.set(this, family);
    const other = family.get(queue) ?? new Arrays(queue, { allocator: this.allocator, eager: this.eager });
    family.set(queue, other);
    families.set(other, family);
    return other;
  }

  /** @internal */
  wrap<D extends DTypeName>(storage: Storage, dtype: TypedDType<D>, layout: Layout): DeviceArray<D> {
    return new DeviceArray(this, storage, dtype, layout);
  }
}

/** Those of the same memory for other queues. */
const families = new WeakMap<Arrays, WeakMap<CommandQueue, Arrays>>();

function checkAllocator(allocator: Allocator<Allocation>, queue: CommandQueue): Allocator<Allocation> {
  if (typeof (allocator as Partial<Allocator<Allocation>> | null)?.allocate !== "function") {
    throw typeError("options.allocator", "an object with allocate()", allocator);
  }
  if (allocator.context.equals(queue.context)) return allocator;
  throw wrongValue("options.allocator must allocate in the queue's context");
}

/** Contiguous arrays can be passed to kernels. */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- the class has the member, marked as internal
export interface DeviceArray<D extends DTypeName = DTypeName> extends KernelArgument, BufferArgument<HostArrayOf<D>> {}

/**
 * An N-dimensional array of one dtype in device memory; made by `arrays()`.
 *
 * @example
 * ```ts
 * const xp = arrays(queue);
 * const a = xp.array([[1, 2, 3], [4, 5, 6]]);
 * console.log(await a.slice(":", "::-2").mul(10).toNested()); // [ [ 30, 10 ], [ 60, 40 ] ]
 * ```
 */
export class DeviceArray<D extends DTypeName = DTypeName> extends ArrayBase<D> {
  /** The factory that made it: the queue of its commands and its allocator. */
  declare readonly xp: Arrays;

  /** @internal */
  constructor(xp: Arrays, storage: Storage, dtype: TypedDType<D>, layout: Layout, readonly = false) {
    super(xp, storage, dtype, layout, readonly);
  }

  /** @internal An array of the same memory; read-only if this one is. */
  view<E extends DTypeName>(dtype: TypedDType<E>, layout: Layout, readonly = false): DeviceArray<E> {
    return new DeviceArray(this.xp, this.operand().storage, dtype, layout, this.readonly || readonly);
  }

  /** A view with the axes reversed. */
  get T(): DeviceArray<D> {
    return this.view(this.dtype, transposeLayout(this.operand().layout));
  }

  /**
   * Returns a view of a part of the array: an integer selects an element of an axis, `"start:stop:step"` or `[start,
   * stop, step]` a range, `null` adds an axis, `"..."` stands for all remaining axes.
   */
  slice(...indices: readonly SliceIndex[]): DeviceArray<D> {
    return this.view(this.dtype, sliceLayout(this.operand().layout, indices));
  }

  /**
   * Returns the elements with a new shape, of which one extent may be -1: a view if possible, else a copy. Elements are
   * read and placed in C order, or in F order.
   */
  reshape(shape: Shape, options?: OrderOptions): DeviceArray<D> {
    const {
      shape: complete,
      order,
      layout,
    } = reshaping(this.operand().layout, this.size, this.itemSize, shape, options);
    if (layout !== undefined) return this.view(this.dtype, layout);
    using copy = this.copy({ order });
    return copy.reshape(complete, { order });
  }

  /** Returns the elements along one axis: a view if possible, else a copy. */
  ravel(options?: OrderOptions): DeviceArray<D> {
    return this.reshape([-1], options);
  }

  /** Returns a view with permuted axes. Defaults to the reverse order. */
  transpose(axes?: readonly number[]): DeviceArray<D> {
    return this.view(this.dtype, transposeLayout(this.operand().layout, axes));
  }

  /** Returns a view broadcast to a shape; read-only where elements are repeated. */
  broadcastTo(shape: Shape): DeviceArray<D> {
    const { layout, repeats } = broadcastView(this.operand().layout, shape);
    return this.view(this.dtype, layout, repeats);
  }

  /** Returns a view with two axes interchanged. */
  swapaxes(axis1: number, axis2: number): DeviceArray<D> {
    return this.view(this.dtype, swappedLayout(this.operand().layout, axis1, axis2));
  }

  /** Returns a view with axes moved to new positions; the other axes keep their order. */
  moveaxis(source: Axes, destination: Axes): DeviceArray<D> {
    return this.view(this.dtype, movedLayout(this.operand().layout, source, destination));
  }

  /** Returns a view with axes of length 1 inserted at the given positions of the result. */
  expandDims(axis: Axes): DeviceArray<D> {
    return this.view(this.dtype, expandedLayout(this.operand().layout, axis));
  }

  /**
   * Returns a view with the order of elements reversed along the given axes. Defaults to all axes.
   */
  flip(axis?: Axes): DeviceArray<D> {
    return this.view(this.dtype, flippedLayout(this.operand().layout, axis));
  }

  /** Returns a view of a diagonal; it becomes the last axis of the result. Unlike NumPy's, the view is writable. */
  diagonal(options?: DiagonalOptions): DeviceArray<D> {
    return this.view(this.dtype, layoutOfDiagonal(this.operand().layout, options));
  }

  /**
   * Returns a view of the same bytes with another dtype. If the item sizes differ, the last axis becomes longer or
   * shorter and its elements must be contiguous. To convert values use `astype`.
   */
  viewAs<E extends DTypeName>(dtype: E | TypedDType<E>): DeviceArray<E> {
    const type = checkArrayType(dtype, "dtype") as TypedDType<E>;
    return this.view(type, reinterpreted(this.operand().layout, this.dtype, type));
  }

  /** Returns a contiguous copy in new memory. */
  copy(options?: OrderOptions): DeviceArray<D> {
    return this.astype(this.dtype.name, options);
  }

  /** Returns a copy converted to another dtype. Fractions are truncated, integers wrap around. */
  astype<E extends DTypeName>(dtype: E | TypedDType<E>, options?: CastingOptions): DeviceArray<E> {
    return asDeviceArray(convert(this, dtype, options));
  }

  /**
   * Stores an array, broadcast to this shape, or a value in every element. Values are converted as by {@link astype}.
   */
  assign(source: AnyArray | FillValue<D>): this {
    if (isArray(source)) assign(this, source);
    else fill(this, source);
    return this;
  }

  /** Resolves to the elements as a typed array, in C order. */
  async data(options?: ReadOptions): Promise<HostArrayOf<D>> {
    const signal = checkSignal(checkOptions(options, ["signal"]).signal);
    return (await readData(this, signal)) as HostArrayOf<D>;
  }

  /** Resolves to the value of the only element. */
  async item(options?: ReadOptions): Promise<ValueOf<D>> {
    if (this.size !== 1) {
      throw outOfRange(`item() needs an array of one element, received shape [${this.shape.join()}]`);
    }
    const { buffer } = await this.data(options);
    return this.dtype.get(new DataView(buffer), 0) as ValueOf<D>;
  }

  /**
   * A view of the real parts; of the array itself if it is real.
   *
   * @example
   * ```ts
   * const xp = arrays(queue);
   * const z = xp.array([{ re: 1, im: 2 }, { re: 3, im: 4 }], { dtype: "complex64" });
   * z.real.assign(0);
   * console.log(await z.toNested()); // [ { re: 0, im: 2 }, { re: 0, im: 4 } ]
   * ```
   */
  get real(): DeviceArray<RealOf<D>> {
    return asDeviceArray(realParts(this));
  }

  /** A view of the imaginary parts; read-only zeros if the array is real. */
  get imag(): DeviceArray<RealOf<D>> {
    return asDeviceArray(imaginaryParts(this));
  }

  /**
   * Returns a view of the array whose commands are enqueued on another queue of the context; see `Arrays.withQueue`.
   */
  withQueue(queue: CommandQueue): DeviceArray<D> {
    const { storage, layout } = this.operand();
    storage.compute();
    return new DeviceArray(this.xp.withQueue(queue), storage, this.dtype, layout, this.readonly);
  }

  /**
   * Returns a `DeviceView` of `@cl/core` over the same buffer, without a copy. Commands that use it are not ordered
   * with those of arrays: enqueue them on the same in-order queue, or call `finish()` before and after. Throws if the
   * array is in shared virtual memory.
   */
  asDeviceView(): DeviceView {
    const { storage, layout } = this.operand();
    const memory = storage.show();
    if (memory instanceof SvmPointer) {
      throw wrongValue(`asDeviceView() needs an array in a buffer; ${String(this)} is in shared virtual memory`);
    }
    const { shape, strides, offset } = layout;
    return new DeviceView(memory, { dtype: this.dtype, shape, strides, offset, readonly: this.readonly });
  }

  #argument: { readonly memory: Storage["memory"]; readonly byteOffset: number } | undefined;

  /** @internal What a kernel gets; the same object at each launch. */
  [kernelArgument](): { readonly memory: Storage["memory"]; readonly byteOffset: number } {
    const { storage, layout } = this.operand();
    if (!this.isDense) checkContiguous(layout, this.itemSize);
    const memory = storage.lend();
    if (this.#argument?.memory !== memory) this.#argument = { memory, byteOffset: layout.offset };
    return this.#argument;
  }
}

function checkContiguous(layout: Layout, itemSize: number): void {
  if (isContiguous(layout, itemSize) || isContiguous(layout, itemSize, "F")) return;
  throw wrongValue(
    `a kernel argument must be contiguous, received an array with strides [${layout.strides.join()}]; pass copy()`,
  );
}

addHostConversions(DeviceArray);
deferMethod(DeviceArray, "assign");

/**
 * Returns an array as users see it. Algorithms get their results from `ArraySource.wrap`, which makes DeviceArrays; while a
 * function is traced, they are placeholders.
 */
export function asDeviceArray<D extends DTypeName>(array: ArrayRef<D>): DeviceArray<D> {
  if (array instanceof DeviceArray || isStandIn(array)) return array as DeviceArray<D>;
  throw typeError("array", "a DeviceArray", array);
}
