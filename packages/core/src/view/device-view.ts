/**
 * n-dimensional views of device memory: an element type, extents and distances over a buffer. Slices and other shapes
 * share the memory. No transfer ignores a distance, and no kernel gets another place than the view's.
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
 * Views can be passed to kernels. This is said here because a class member that is named by a symbol cannot be declared
 * with isolatedDeclarations.
 */
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- the class has the member, marked as internal
export interface DeviceView<T extends TypedArray = TypedArray> extends KernelArgument, BufferArgument<T> {}

/**
 * Elements of device memory, by as many indices as they have axes.
 *
 * @example
 * ```ts
 * const view = DeviceView.fromHost(context, Float32Array.of(1, 2, 3, 4, 5, 6), { shape: [2, 3] });
 * console.log(await view.slice(":", "::-2").read(queue)); // Float32Array(4) [3, 1, 6, 4]
 * ```
 */
export class DeviceView<T extends TypedArray = TypedArray> extends ArrayView {
  /** Only for the type checker, which compares element types by it; there is no such property. */
  declare readonly "~argument": ElementMark<T>;
  readonly #part: DevicePart;
  /** What kernels get: made at the first launch, and then the same for each. */
  #argument: { readonly memory: DeviceBuffer } | undefined;

  /** Over memory that exists already. */
  constructor(memory: DeviceBuffer<T>, options?: DeviceViewOptions);
  constructor(memory: DeviceBuffer, options: DeviceViewOptions);
  /** @internal */
  constructor(part: DevicePart);
  constructor(memory: DeviceBuffer | DevicePart, options?: DeviceViewOptions) {
    const part = memory instanceof DevicePart ? memory : DevicePart.of(memory, options);
    super(part, (layout, readonly) => new DeviceView(part.with(layout, readonly)));
    this.#part = part;
  }

  /** A view with these values: those of a typed array, or of nested arrays. */
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
    if (hostPointer === "use" && !packed.own) {
      throw typeError("values", "a typed array, DataView or ArrayBuffer, since the view is to live in it", values);
    }
    const { type, itemSize, bytes: host } = packed;
    const layout = contiguousLayout(packed.shape, itemSize);
    if (byteLengthOf(host) === 0) {
      return new DeviceView(DevicePart.empty(context, type, itemSize, layout, access, locked));
    }
    const buffer = new DeviceBuffer(context, { ...access, host, hostPointer, type: type.arrayType });
    return new DeviceView(new DevicePart(buffer, type, itemSize, layout, locked, true));
  }

  /** A view of new memory, not initialized. */
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
   * Builds the kernel that gathers elements which no command of OpenCL's can reach. Without it, the first transfer that
   * needs it blocks while it is built, once for a context.
   */
  static async prepare(context: Context, options?: SignalOptions): Promise<void> {
    checkInstance(context, Context, "context");
    const signal = checkSignal(checkOptions(options, ["signal"]).signal);
    await prepareStrided(context, signal);
  }

  /** The memory. Kernels that take it get it from its start, whatever the view's offset. */
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

  /** The element type as Python's buffers write it (PEP 3118). */
  get format(): string {
    return formatOf(this.dtype);
  }

  /**
   * `[d0, d1, d2, size, s0, s1, s2, offset]`, distances and offset in elements, for a kernel that takes the memory and
   * this as a `uint8`. Throws where it has no room: more than 3 axes, distances that are negative or no whole elements.
   */
  get arrayInfo(): Uint32Array {
    return arrayInfo(this.#part.layout, this.#part.itemSize);
  }

  /** Resolves to the elements side by side in a typed array: of components for vectors, of bytes for structs. */
  read<U extends TypedArray>(
    queue: CommandQueue,
    options: ViewReadOptions & SignalOptions & ViewReadInto<U>,
  ): Promise<U>;
  read(queue: CommandQueue, options?: ViewReadOptions & SignalOptions): Promise<ArrayOf<T>>;
  read(queue: CommandQueue, options?: ViewReadOptions & SignalOptions): Promise<TypedArray> {
    return transfers.read(this.#part, queue, options);
  }

  /** Reads as {@link read} does, and blocks the event loop until it is done. */
  readSync<U extends TypedArray>(queue: CommandQueue, options: ViewReadOptions & ViewReadInto<U>): U;
  readSync(queue: CommandQueue, options?: ViewReadOptions): ArrayOf<T>;
  readSync(queue: CommandQueue, options?: ViewReadOptions): TypedArray {
    return transfers.readSync(this.#part, queue, options);
  }

  /** Reads into host memory of exactly the view's bytes, which must be left alone until the event has completed. */
  enqueueRead(queue: CommandQueue, into: HostMemory, options?: ViewReadOptions): CommandEvent {
    return transfers.enqueueRead(this.#part, queue, into, options);
  }

  /**
   * Writes a typed array, a host view or nested values of exactly the view's elements. A typed array must be left alone
   * until the promise is settled; other values are taken at once.
   */
  write(queue: CommandQueue, values: HostValues, options?: ViewTransferOptions & SignalOptions): Promise<void> {
    return transfers.write(this.#part, queue, values, options);
  }

  /** Writes as {@link write} does, and blocks the event loop until it is done. */
  writeSync(queue: CommandQueue, values: HostValues, options?: ViewTransferOptions): void {
    transfers.writeSync(this.#part, queue, values, options);
  }

  /** Writes as {@link write} does; a typed array must be left alone until the event has completed. */
  enqueueWrite(queue: CommandQueue, values: HostValues, options?: ViewTransferOptions): CommandEvent {
    return transfers.enqueueWrite(this.#part, queue, values, options);
  }

  /** Copies the elements of a view of the same type and shape into this one; both may be of the same memory. */
  enqueueCopyFrom(queue: CommandQueue, source: DeviceView, options?: ViewTransferOptions): CommandEvent {
    return transfers.enqueueCopyFrom(this.#part, queue, checkInstance(source, DeviceView, "source").#part, options);
  }

  /** Resolves to a view of new memory with these elements, side by side. */
  async copy(queue: CommandQueue, options?: ViewReadOptions & SignalOptions): Promise<DeviceView<T>> {
    const { signal, ...rest } = checkOptions(options, ["order", "waitFor", "signal"]);
    checkSignal(signal)?.throwIfAborted();
    const [view, event] = this.#copy(queue, rest);
    await transfers.settled(event, signal);
    return view;
  }

  /** Copies as {@link copy} does, and blocks the event loop until it is done. */
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

  /** Resolves to the value of the only element. */
  item(queue: CommandQueue, options?: ViewTransferOptions & SignalOptions): Promise<DTypeValue> {
    return transfers.item(this.#part, queue, options);
  }

  /** The value of the only element; blocks the event loop until it is there. */
  itemSync(queue: CommandQueue, options?: ViewTransferOptions): DTypeValue {
    return transfers.itemSync(this.#part, queue, options);
  }

  /** Maps the memory in which the elements are; the map's `view` has this one's shape and strides. */
  map(queue: CommandQueue, options?: ViewMapOptions & SignalOptions): Promise<MappedBuffer<T>> {
    return transfers.map<T>(this.#part, queue, options);
  }

  /** Maps as {@link map} does, and blocks the event loop until it is done. */
  mapSync(queue: CommandQueue, options?: ViewMapOptions): MappedBuffer<T> {
    return transfers.mapSync<T>(this.#part, queue, options);
  }

  /** @internal What a kernel gets: the memory from this view's first byte; throws where that cannot be had. */
  [kernelArgument](): { readonly memory: DeviceBuffer } {
    handleOf(this.#part.buffer);
    return (this.#argument ??= { memory: argumentMemory(this.#part) });
  }

  /** True once the memory has been released. */
  get released(): boolean {
    return this.#part.buffer.released;
  }

  /**
   * Releases the memory if this view made it (`empty`, `fromHost`, `copy`), for its parts, too. Other views give back only
   * what they made for kernels.
   */
  release(): void {
    const { memory } = this.#argument ?? {};
    this.#argument = undefined;
    if (memory !== this.#part.buffer) memory?.release();
    if (this.#part.owner) this.#part.buffer.release();
  }

  /** The same as {@link release}, for `using`. */
  [Symbol.dispose](): void {
    this.release();
  }
}
