/**
 * n-dimensional views of device memory: an element type, shape, strides and offset over a buffer. Slices and reshaped
 * views share the memory. Transfers respect strides, and kernels receive memory that starts at the view's offset.
 */
import {
  byteLengthOf,
  checkBoolean,
  checkInstance,
  checkOptions,
  checkOrder,
  checkShape,
  checkSignal,
  contiguousLayout,
  planLayout,
  type Shape,
  typeError,
} from "@cl/base";

import { handleOf } from "../binding/resource.js";
import type { DTypeValue } from "../dtype/dtype.js";
import { checkDType, type DTypeLike } from "../dtype/registry.js";
import type { CommandEvent } from "../event/event.js";
import { accessNames } from "../memory/buffer-options.js";
import { type KernelArgument, kernelArgument } from "../argument/kernel-argument.js";
import { DeviceBuffer } from "../memory/buffer.js";
import type { ArrayOf, ElementType, HostMemory } from "../dtype/host-array.js";
import { Context } from "../platform/context.js";
import type { CommandQueue } from "../command-queue/command-queue.js";
import type { MappedBuffer } from "../mapping/mapped-buffer.js";
import type { BufferArgument, ElementMark, TypedArray } from "../typed/index.js";
import { arrayInfo, formatOf } from "./array-info.js";
import { ArrayView } from "../host-view/array-view.js";
import { DevicePart } from "./device-part.js";
import type {
  DeviceViewOptions,
  EmptyViewOptions,
  FromHostOptions,
  SignalOptions,
  ViewMapOptions,
  ViewReadInto,
  ViewReadOptions,
  ViewTransferOptions,
} from "./device-view-options.js";
import { prepareStrided } from "./strided-kernel.js";
import { argumentMemory } from "./view-memory.js";
import { type HostValues, packValues } from "./view-source.js";
import * as transfers from "./view-transfers.js";

/**
 * Views can be passed to kernels. Declared here because isolatedDeclarations does not support class members named by a
 * symbol.
 */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- the class has the member, marked as internal
export interface DeviceView<T extends TypedArray = TypedArray> extends KernelArgument, BufferArgument<T> {}

/**
 * An n-dimensional view of device memory.
 *
 * @example
 * ```ts
 * const view = DeviceView.fromHost(context, Float32Array.of(1, 2, 3, 4, 5, 6), { shape: [2, 3] });
 * console.log(await view.slice(":", "::-2").read(queue)); // Float32Array(4) [3, 1, 6, 4]
 * ```
 */
export class DeviceView<T extends TypedArray = TypedArray> extends ArrayView {
  /** Type-level only, to compare element types; does not exist at run time. */
  declare readonly "~argument": ElementMark<T>;
  readonly #part: DevicePart;
  /** Memory passed to kernels; created at the first launch. */
  #argument: { readonly memory: DeviceBuffer } | undefined;

  /** Creates a view of existing memory. */
  constructor(memory: DeviceBuffer<T>, options?: DeviceViewOptions);
  constructor(memory: DeviceBuffer, options: DeviceViewOptions);
  /** @internal */
  constructor(part: DevicePart);
  constructor(memory: DeviceBuffer | DevicePart, options?: DeviceViewOptions) {
    const part = memory instanceof DevicePart ? memory : DevicePart.of(memory, options);
    super(part, (layout, readonly) => new DeviceView(part.with(layout, readonly)));
    this.#part = part;
  }

  /** Creates a view with the values of a typed array, a host view or nested arrays. */
  static fromHost<T extends TypedArray>(
    context: Context,
    values: T,
    options?: FromHostOptions & { readonly dtype?: undefined },
  ): DeviceView<T>;
  static fromHost(context: Context, values: HostValues, options?: FromHostOptions): DeviceView;
  static fromHost(context: Context, values: HostValues, options?: FromHostOptions): DeviceView {
    checkInstance(context, Context, "context");
    const {
      dtype,
      shape,
      hostPointer = "copy",
      readonly,
      ...access
    } = checkOptions(options, ["dtype", "shape", "hostPointer", "readonly", ...accessNames]);
    if (hostPointer !== "copy" && hostPointer !== "use") {
      throw typeError("options.hostPointer", '"copy" or "use"', hostPointer);
    }
    const locked = checkBoolean(readonly, "options.readonly", false);
    const packed = packValues(values, dtype, shape, "values", hostPointer === "copy");
    if (hostPointer === "use" && !packed.isCallerMemory) {
      throw typeError("values", 'a typed array, DataView or ArrayBuffer when options.hostPointer is "use"', values);
    }
    const { type, itemSize, bytes: host } = packed;
    const layout = contiguousLayout(packed.shape, itemSize);
    if (byteLengthOf(host) === 0) {
      return new DeviceView(DevicePart.empty(context, type, itemSize, layout, access, locked));
    }
    const buffer = new DeviceBuffer(context, { ...access, host, hostPointer, type: type.arrayType });
    return new DeviceView(new DevicePart(buffer, type, itemSize, layout, locked, true));
  }

  /** Creates a view of new, uninitialized memory. */
  static empty<T extends TypedArray>(
    context: Context,
    shape: Shape,
    dtype: ElementType<T>,
    options?: EmptyViewOptions,
  ): DeviceView<T>;
  static empty(context: Context, shape: Shape, dtype: DTypeLike, options?: EmptyViewOptions): DeviceView;
  static empty(context: Context, shape: Shape, dtype: DTypeLike, options?: EmptyViewOptions): DeviceView {
    checkInstance(context, Context, "context");
    const type = checkDType(dtype, "dtype");
    const { order, ...access } = checkOptions(options, ["order", ...accessNames]);
    const { itemSize } = type;
    const layout = planLayout({ shape: checkShape(shape, "shape"), order }, itemSize, undefined, "the memory");
    return new DeviceView(DevicePart.empty(context, type, itemSize, layout, access, false));
  }

  /**
   * Builds the kernel for strided transfers that OpenCL commands do not support. Otherwise, the first such transfer in
   * a context blocks while the kernel is built.
   */
  static async prepare(context: Context, options?: SignalOptions): Promise<void> {
    checkInstance(context, Context, "context");
    const signal = checkSignal(checkOptions(options, ["signal"]).signal);
    await prepareStrided(context, signal);
  }

  /** The memory. Kernels that receive it start at its beginning, independent of the view's offset. */
  get memory(): DeviceBuffer {
    return this.#part.buffer;
  }

  /** The context of the memory. */
  get context(): Context {
    return this.#part.buffer.context;
  }

  /** The element type's name in OpenCL C. */
  get ctype(): string {
    return this.dtype.cName;
  }

  /** The element type in the format of Python's buffer protocol (PEP 3118). */
  get format(): string {
    return formatOf(this.dtype);
  }

  /**
   * `[d0, d1, d2, size, s0, s1, s2, offset]`: shape, size, and strides and offset in elements, to pass to a kernel as a
   * `uint8` together with the memory. Throws for more than 3 axes and for strides that are negative or not a multiple
   * of the element size.
   */
  get arrayInfo(): Uint32Array {
    return arrayInfo(this.#part.layout, this.#part.itemSize);
  }

  /** Reads the elements into a contiguous typed array: of components for vectors, of bytes for structs. */
  read<U extends TypedArray>(
    queue: CommandQueue,
    options: ViewReadOptions & SignalOptions & ViewReadInto<U>,
  ): Promise<U>;
  read(queue: CommandQueue, options?: ViewReadOptions & SignalOptions): Promise<ArrayOf<T>>;
  read(queue: CommandQueue, options?: ViewReadOptions & SignalOptions): Promise<TypedArray> {
    return transfers.read(this.#part, queue, options);
  }

  /** Reads like {@link read}, but blocks the event loop until the read has completed. */
  readSync<U extends TypedArray>(queue: CommandQueue, options: ViewReadOptions & ViewReadInto<U>): U;
  readSync(queue: CommandQueue, options?: ViewReadOptions): ArrayOf<T>;
  readSync(queue: CommandQueue, options?: ViewReadOptions): TypedArray {
    return transfers.readSync(this.#part, queue, options);
  }

  /** Reads into host memory of the view's size, which must not be used until the event has completed. */
  enqueueRead(queue: CommandQueue, into: HostMemory, options?: ViewReadOptions): CommandEvent {
    return transfers.enqueueRead(this.#part, queue, into, options);
  }

  /**
   * Writes a typed array, a host view or nested arrays of the view's size. A typed array must not be changed until the
   * promise settles; other values are copied immediately.
   */
  write(queue: CommandQueue, values: HostValues, options?: ViewTransferOptions & SignalOptions): Promise<void> {
    return transfers.write(this.#part, queue, values, options);
  }

  /** Writes like {@link write}, but blocks the event loop until the write has completed. */
  writeSync(queue: CommandQueue, values: HostValues, options?: ViewTransferOptions): void {
    transfers.writeSync(this.#part, queue, values, options);
  }

  /** Writes like {@link write}; a typed array must not be changed until the event has completed. */
  enqueueWrite(queue: CommandQueue, values: HostValues, options?: ViewTransferOptions): CommandEvent {
    return transfers.enqueueWrite(this.#part, queue, values, options);
  }

  /** Copies the elements of a view of the same type and shape into this one. The views may overlap. */
  enqueueCopyFrom(queue: CommandQueue, source: DeviceView, options?: ViewTransferOptions): CommandEvent {
    return transfers.enqueueCopyFrom(this.#part, queue, checkInstance(source, DeviceView, "source").#part, options);
  }

  /** Copies the elements into new contiguous memory. Resolves to a view of it. */
  async copy(queue: CommandQueue, options?: ViewReadOptions & SignalOptions): Promise<DeviceView<T>> {
    const { signal, ...rest } = checkOptions(options, ["order", "waitFor", "signal"]);
    checkSignal(signal)?.throwIfAborted();
    const [view, event] = this.#copy(queue, rest);
    await transfers.settled(event, signal);
    return view;
  }

  /** Copies like {@link copy}, but blocks the event loop until the copy has completed. */
  copySync(queue: CommandQueue, options?: ViewReadOptions): DeviceView<T> {
    const [view, event] = this.#copy(queue, checkOptions(options, ["order", "waitFor"]));
    transfers.settledSync(event);
    return view;
  }

  #copy(queue: CommandQueue, { order, waitFor }: ViewReadOptions): [DeviceView<T>, CommandEvent] {
    const { buffer, type, itemSize, layout } = this.#part;
    handleOf(buffer);
    const packed = contiguousLayout(layout.shape, itemSize, checkOrder(order, "options.order"));
    const view = new DeviceView<T>(DevicePart.empty(this.context, type, itemSize, packed, {}, false));
    try {
      return [view, view.enqueueCopyFrom(queue, this, { waitFor })];
    } catch (error) {
      view.release();
      throw error;
    }
  }

  /** Reads the value of a view with one element. Throws if the view has another size. */
  item(queue: CommandQueue, options?: ViewTransferOptions & SignalOptions): Promise<DTypeValue> {
    return transfers.item(this.#part, queue, options);
  }

  /** Reads the value like {@link item}, but blocks the event loop until the read has completed. */
  itemSync(queue: CommandQueue, options?: ViewTransferOptions): DTypeValue {
    return transfers.itemSync(this.#part, queue, options);
  }

  /** Maps the memory range of the elements; the map's `view` has the same shape and strides as this view. */
  map(queue: CommandQueue, options?: ViewMapOptions & SignalOptions): Promise<MappedBuffer<T>> {
    return transfers.map<T>(this.#part, queue, options);
  }

  /** Maps like {@link map}, but blocks the event loop until the map has completed. */
  mapSync(queue: CommandQueue, options?: ViewMapOptions): MappedBuffer<T> {
    return transfers.mapSync<T>(this.#part, queue, options);
  }

  /** @internal Returns the memory from this view's first byte. Throws if the view cannot be passed to a kernel. */
  [kernelArgument](): { readonly memory: DeviceBuffer } {
    handleOf(this.#part.buffer);
    return (this.#argument ??= { memory: argumentMemory(this.#part) });
  }

  /** Whether the memory has been released. */
  get released(): boolean {
    return this.#part.buffer.released;
  }

  /**
   * Releases the memory if this view allocated it (`empty`, `fromHost`, `copy`), which also invalidates other views of
   * it. Other views release only the sub-buffer that they created for kernels.
   */
  release(): void {
    const { memory } = this.#argument ?? {};
    this.#argument = undefined;
    if (memory !== this.#part.buffer) memory?.release();
    if (this.#part.owner) this.#part.buffer.release();
  }

  /** Calls {@link release}; for `using`. */
  [Symbol.dispose](): void {
    this.release();
  }
}
