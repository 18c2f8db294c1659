/** Command queues. */
import { checkInstance, checkOptions } from "@cl/base";

import { adoptInto, type AdoptOptions, adoptOptions } from "../binding/adopt.js";
import type { DeviceBuffer } from "../memory/buffer.js";
import { completionOf } from "../binding/completion.js";
import { CommandStatus, CommandType } from "../binding/constants.js";
import { Context } from "../platform/context.js";
import { driverError } from "../binding/errors.js";
import { type CommandEvent, eventOf, type WaitFor, waitHandles, type WaitOptions } from "../event/event.js";
import type { CopyOptions } from "../transfer/copy-options.js";
import type { CopyEnd } from "../transfer/copy-side.js";
import type { ChannelTypeName } from "../image/channel-layout.js";
import type { Color } from "../image/color.js";
import type { Image } from "../image/image.js";
import type { ImageFillOptions } from "../image/image-fill.js";
import type { PixelArray } from "../image/image-format.js";
import type { AsyncImageMapOptions, ImageMapOptions } from "../image/image-map.js";
import type { AsyncImageReadOptions, ImageReadOptions } from "../image/image-read.js";
import type { AsyncImageWriteOptions, ImageWriteOptions } from "../image/image-write.js";
import type { MappedImage } from "../image/mapped-image.js";
import type { FillOptions, FillPattern } from "../transfer/fill.js";
import type { ArrayOf, ElementType, HostMemory } from "../dtype/host-array.js";
import { type Handle, native } from "../binding/native.js";
import type { AsyncMapOptions, AsyncShapedMapOptions, MapOptions, ShapedMapOptions } from "../mapping/map.js";
import type { MappedBuffer } from "../mapping/mapped-buffer.js";
import type { MemoryLike, MigrateOptions } from "../transfer/migrate.js";
import { enqueueHostFunction, type HostFunction, type HostFunctionOptions } from "./host-function.js";
import { failsAfter, takeFailure } from "./host-failure.js";
import * as external from "../interop/external-memory.js";
import type { ExternalMemoryOptions } from "../interop/external-memory.js";
import type { MemoryObject } from "../memory/memory-object.js";
import { enqueueNativeKernel, type NativeKernelOptions } from "./native-kernel.js";
import * as transfers from "./queue-transfers.js";
import type { AsyncReadOptions, ReadInto, ReadOptions } from "../transfer/read.js";
import { Adopted, handleOf } from "../binding/resource.js";
import { QueueBase } from "../queue/queue-base.js";
import type { SvmPointer } from "../svm/svm-pointer.js";
import type { TypedArray } from "../typed/index.js";
import type { AsyncWriteOptions, WriteOptions } from "../transfer/write.js";

export type { CommandQueueOptions } from "../queue/queue-options.js";

declare module "../queue/queue-base.js" {
  interface QueueClass {
    readonly CommandQueue: CommandQueue;
  }
}

/**
 * A queue of commands for one device, in-order unless the options say otherwise.
 *
 * @example
 * ```ts
 * await using queue = new CommandQueue(context, { profiling: true });
 * ```
 */
export class CommandQueue extends QueueBase {
  /**
   * Adopts a queue that other code in this process created. With `retain: false` it takes over the caller's reference.
   * Throws if the queue belongs to another context.
   */
  static fromPointer(context: Context, pointer: bigint, options?: AdoptOptions): CommandQueue {
    checkInstance(context, Context, "context");
    const { retain, label } = adoptOptions(options);
    return new CommandQueue(context, new Adopted(adoptInto(context, "queue", pointer, retain), label));
  }

  /** Resolves when all commands enqueued so far have completed. Rejects if one failed. */
  async finish(options?: WaitOptions): Promise<void> {
    const { signal } = checkOptions(options, ["signal"]);
    const marker = native.marker(handleOf(this), undefined, true) as Handle;
    const uses = native.queueUses(handleOf(this));
    try {
      const done = completionOf((id) => native.watchEvent(marker, CommandStatus.COMPLETE, id), signal, marker);
      this.flushSoon();
      const status = await done;
      if (status < 0) throw Object.assign(driverError("clFinish", status), takeFailure(this));
      if (!this.released) native.wasEmpty(handleOf(this), uses);
    } finally {
      native.recycle(marker);
    }
  }

  /** Blocks the event loop until all commands enqueued so far have completed. */
  finishSync(): void {
    native.finishSync(handleOf(this));
  }

  /**
   * Enqueues a marker, which completes when all earlier commands have completed, or the events in `waitFor` if given.
   */
  enqueueMarker(waitFor?: WaitFor): CommandEvent {
    const marker = native.marker(handleOf(this), waitHandles(waitFor), true) as Handle;
    return failsAfter(eventOf(marker, this, CommandType.MARKER), waitFor);
  }

  /** Enqueues a barrier: a marker that later commands wait for. */
  enqueueBarrier(waitFor?: WaitFor): CommandEvent {
    const barrier = native.barrier(handleOf(this), waitHandles(waitFor), true) as Handle;
    return failsAfter(eventOf(barrier, this, CommandType.BARRIER), waitFor);
  }

  /** Makes all later commands wait for the events. */
  enqueueWaitForEvents(...events: readonly (CommandEvent | readonly CommandEvent[])[]): void {
    const handles = waitHandles(events.flat(), "events");
    if (handles !== undefined) native.barrier(handleOf(this), handles, false);
  }

  /**
   * Enqueues a JavaScript function, synchronous or asynchronous. It runs when all earlier commands have completed; on
   * an out-of-order queue with `waitFor`, when those events have. The commands that depend on it wait until it has
   * ended: all later commands on an in-order queue, or those that wait for its event on an out-of-order queue.
   *
   * If the function throws or its promise rejects, the event fails with an error whose `cause` is that value, and so do
   * the commands that wait for the event. A pending function keeps the process alive, and blocking calls that would
   * wait for it throw. Throws if 10,000 functions of this thread are pending.
   *
   * @example
   * ```ts
   * const times: number[] = [];
   * queue.enqueueHostFunction(() => times.push(performance.now())); // runs when earlier commands have completed
   * ```
   */
  enqueueHostFunction(fn: HostFunction, options?: HostFunctionOptions): CommandEvent {
    return enqueueHostFunction(this, fn, options);
  }

  /**
   * Enqueues a call of a C function, `void function(void *arguments)`, on a thread of the device. Throws unless
   * `device.hasNativeKernel`. The function must stay loaded until it has run; nothing protects the process from its
   * errors.
   */
  enqueueNativeKernel(functionPointer: bigint, options?: NativeKernelOptions): CommandEvent {
    return enqueueNativeKernel(this, functionPointer, options);
  }

  /**
   * Enqueues a copy between buffers, images and host memory; at least one side must be on the device. Do not modify or
   * transfer host memory until the event has completed.
   */
  enqueueCopy(target: CopyEnd | Image, source: CopyEnd | Image, options?: CopyOptions): CommandEvent {
    return transfers.enqueueCopy(this, target, source, options);
  }

  /** Blocking version of {@link enqueueCopy}. */
  copySync(target: CopyEnd | Image, source: CopyEnd | Image, options?: CopyOptions): void {
    transfers.copySync(this, target, source, options);
  }

  /**
   * Enqueues a fill of a buffer with a pattern (a typed array, or a number for a typed buffer), or of an image with a
   * color.
   */
  enqueueFill(buffer: DeviceBuffer, pattern: FillPattern, options?: FillOptions): CommandEvent;
  enqueueFill(image: Image, color: Color, options?: ImageFillOptions): CommandEvent;
  enqueueFill(memory: DeviceBuffer | Image, ...rest: readonly unknown[]): CommandEvent {
    return transfers.enqueueFill(this, memory, ...rest);
  }

  /** Enqueues a migration of memory objects to the queue's device or to the host. */
  enqueueMigrate(memories: MemoryLike | readonly MemoryLike[], options?: MigrateOptions): CommandEvent {
    return transfers.enqueueMigrate(this, memories, options);
  }

  /** Enqueues a fill of shared virtual memory, or of a range of it, with a pattern. */
  enqueueSvmFill(svm: SvmPointer, pattern: FillPattern, options?: FillOptions): CommandEvent {
    return transfers.enqueueSvmFill(this, svm, pattern, options);
  }

  /** Enqueues a migration of shared virtual memory to the queue's device or to the host. */
  enqueueSvmMigrate(svms: SvmPointer | readonly SvmPointer[], options?: MigrateOptions): CommandEvent {
    return transfers.enqueueSvmMigrate(this, svms, options);
  }

  /**
   * Enqueues an acquire of memory imported from another API, such as Vulkan, before OpenCL uses it; see `importBuffer`.
   */
  enqueueAcquireExternal(
    memories: MemoryObject | readonly MemoryObject[],
    options?: ExternalMemoryOptions,
  ): CommandEvent {
    return external.enqueueAcquireExternal(this, memories, options);
  }

  /** Enqueues a release of imported memory to the other API. */
  enqueueReleaseExternal(
    memories: MemoryObject | readonly MemoryObject[],
    options?: ExternalMemoryOptions,
  ): CommandEvent {
    return external.enqueueReleaseExternal(this, memories, options);
  }

  /** Reads a buffer, shared virtual memory or an image, or the range given by the options, into a typed array. */
  read<T extends TypedArray>(buffer: DeviceBuffer | SvmPointer, options: AsyncReadOptions & ReadInto<T>): Promise<T>;
  read<T extends TypedArray>(buffer: DeviceBuffer<T> | SvmPointer<T>, options?: AsyncReadOptions): Promise<ArrayOf<T>>;
  read<T extends TypedArray>(
    buffer: DeviceBuffer | SvmPointer,
    type: ElementType<T>,
    options?: AsyncReadOptions,
  ): Promise<ArrayOf<T>>;
  read<T extends TypedArray>(image: Image, options: AsyncImageReadOptions & ReadInto<T>): Promise<T>;
  read<N extends ChannelTypeName>(image: Image<N>, options?: AsyncImageReadOptions): Promise<PixelArray<N>>;
  read(memory: DeviceBuffer | SvmPointer | Image, ...rest: readonly unknown[]): Promise<TypedArray> {
    return transfers.read(this, memory, ...rest);
  }

  /** Blocking version of {@link read}. */
  readSync<T extends TypedArray>(buffer: DeviceBuffer | SvmPointer, options: ReadOptions & ReadInto<T>): T;
  readSync<T extends TypedArray>(buffer: DeviceBuffer<T> | SvmPointer<T>, options?: ReadOptions): ArrayOf<T>;
  readSync<T extends TypedArray>(
    buffer: DeviceBuffer | SvmPointer,
    type: ElementType<T>,
    options?: ReadOptions,
  ): ArrayOf<T>;
  readSync<T extends TypedArray>(image: Image, options: ImageReadOptions & ReadInto<T>): T;
  readSync<N extends ChannelTypeName>(image: Image<N>, options?: ImageReadOptions): PixelArray<N>;
  readSync(memory: DeviceBuffer | SvmPointer | Image, ...rest: readonly unknown[]): TypedArray {
    return transfers.readSync(this, memory, ...rest);
  }

  /**
   * Writes a whole array into a buffer, shared virtual memory or an image; for an image its size must match the region.
   * Do not modify or transfer the array until the promise is settled.
   */
  write(buffer: DeviceBuffer | SvmPointer, array: HostMemory, options?: AsyncWriteOptions): Promise<void>;
  write(image: Image, array: HostMemory, options?: AsyncImageWriteOptions): Promise<void>;
  write(memory: DeviceBuffer | SvmPointer | Image, ...rest: readonly unknown[]): Promise<void> {
    return transfers.write(this, memory, ...rest);
  }

  /** Blocking version of {@link write}. */
  writeSync(buffer: DeviceBuffer | SvmPointer, array: HostMemory, options?: WriteOptions): void;
  writeSync(image: Image, array: HostMemory, options?: ImageWriteOptions): void;
  writeSync(memory: DeviceBuffer | SvmPointer | Image, ...rest: readonly unknown[]): void {
    transfers.writeSync(this, memory, ...rest);
  }

  /** Maps a buffer or an image, or the range given by the options, into host memory. */
  map<T extends TypedArray>(buffer: DeviceBuffer<T>, options?: AsyncMapOptions): Promise<MappedBuffer<T>>;
  map<T extends TypedArray>(
    buffer: DeviceBuffer,
    type: ElementType<T>,
    options?: AsyncMapOptions,
  ): Promise<MappedBuffer<T>>;
  map(buffer: DeviceBuffer, options: AsyncShapedMapOptions): Promise<MappedBuffer>;
  map<N extends ChannelTypeName>(image: Image<N>, options?: AsyncImageMapOptions): Promise<MappedImage<N>>;
  map(memory: DeviceBuffer | Image, ...rest: readonly unknown[]): Promise<MappedBuffer | MappedImage> {
    return transfers.map(this, memory, ...rest) as Promise<MappedBuffer | MappedImage>;
  }

  /** Blocking version of {@link map}. */
  mapSync<T extends TypedArray>(buffer: DeviceBuffer<T>, options?: MapOptions): MappedBuffer<T>;
  mapSync<T extends TypedArray>(buffer: DeviceBuffer, type: ElementType<T>, options?: MapOptions): MappedBuffer<T>;
  mapSync(buffer: DeviceBuffer, options: ShapedMapOptions): MappedBuffer;
  mapSync<N extends ChannelTypeName>(image: Image<N>, options?: ImageMapOptions): MappedImage<N>;
  mapSync(memory: DeviceBuffer | Image, ...rest: readonly unknown[]): MappedBuffer | MappedImage {
    return transfers.mapSync(this, memory, ...rest) as MappedBuffer | MappedImage;
  }

  /** Waits until all commands have completed, then releases the queue; for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.released) return;
    try {
      await this.finish();
    } finally {
      this.release();
    }
  }
}
