/** Command queues: where commands are put for one device, in order or not. */
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
 * A queue of commands for one device.
 *
 * @example
 * ```ts
 * await using queue = new CommandQueue(context, { profiling: true });
 * ```
 */
export class CommandQueue extends QueueBase {
  /** A queue made elsewhere in this process. With `retain: false` its reference becomes ours. */
  static fromPointer(context: Context, pointer: bigint, options?: AdoptOptions): CommandQueue {
    checkInstance(context, Context, "context");
    const { retain, label } = adoptOptions(options);
    return new CommandQueue(context, new Adopted(adoptInto(context, "queue", pointer, retain), label));
  }

  /** Resolves when everything so far has completed. */
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

  /** Blocks the event loop until everything so far has completed. */
  finishSync(): void {
    native.finishSync(handleOf(this));
  }

  /** A command that completes when everything before it has, or when the given events have. */
  enqueueMarker(waitFor?: WaitFor): CommandEvent {
    const marker = native.marker(handleOf(this), waitHandles(waitFor), true) as Handle;
    return failsAfter(eventOf(marker, this, CommandType.MARKER), waitFor);
  }

  /** Like a marker, and nothing after it starts before it completes. */
  enqueueBarrier(waitFor?: WaitFor): CommandEvent {
    const barrier = native.barrier(handleOf(this), waitHandles(waitFor), true) as Handle;
    return failsAfter(eventOf(barrier, this, CommandType.BARRIER), waitFor);
  }

  /** Nothing enqueued after this starts before these events have completed. */
  enqueueWaitForEvents(...events: readonly (CommandEvent | readonly CommandEvent[])[]): void {
    const handles = waitHandles(events.flat(), "events");
    if (handles !== undefined) native.barrier(handleOf(this), handles, false);
  }

  /**
   * Lets a JavaScript function, synchronous or not, run when its turn in the queue comes, and holds what follows until it
   * has ended: on an in-order queue all that comes after it, on an out-of-order queue what waits for its event. Its turn
   * comes when everything before it has completed; on an out-of-order queue with `waitFor`, when that has.
   *
   * What the function throws, or what its promise is rejected with, is the `cause` of the event's error, and what waits
   * for the event fails. While it is pending it keeps the process alive, and a blocking call that would wait for it throws.
   * Throws if 10,000 functions of this thread are pending.
   *
   * @example
   * ```ts
   * const times: number[] = [];
   * queue.enqueueHostFunction(() => times.push(performance.now())); // when what is before it has ended
   * ```
   */
  enqueueHostFunction(fn: HostFunction, options?: HostFunctionOptions): CommandEvent {
    return enqueueHostFunction(this, fn, options);
  }

  /**
   * Calls a C function, `void function(void *arguments)`, on a thread of the device, where the device can
   * (`device.hasNativeKernel`). The function can do anything to this process, and must stay loaded until it has run.
   */
  enqueueNativeKernel(functionPointer: bigint, options?: NativeKernelOptions): CommandEvent {
    return enqueueNativeKernel(this, functionPointer, options);
  }

  /**
   * Copies between buffers, images and host memory, of which at least one is not the host's; the target comes first.
   * Host memory must be left alone until the event has completed.
   */
  enqueueCopy(target: CopyEnd | Image, source: CopyEnd | Image, options?: CopyOptions): CommandEvent {
    return transfers.enqueueCopy(this, target, source, options);
  }

  /** Copies as {@link enqueueCopy} does, and blocks the event loop until it is done. */
  copySync(target: CopyEnd | Image, source: CopyEnd | Image, options?: CopyOptions): void {
    transfers.copySync(this, target, source, options);
  }

  /** Repeats a pattern through a buffer: a typed array, or a number for a typed buffer. Or gives an image a color. */
  enqueueFill(buffer: DeviceBuffer, pattern: FillPattern, options?: FillOptions): CommandEvent;
  enqueueFill(image: Image, color: Color, options?: ImageFillOptions): CommandEvent;
  enqueueFill(memory: DeviceBuffer | Image, ...rest: readonly unknown[]): CommandEvent {
    return transfers.enqueueFill(this, memory, ...rest);
  }

  /** Moves memory objects to the queue's device, or to the host. */
  enqueueMigrate(memories: MemoryLike | readonly MemoryLike[], options?: MigrateOptions): CommandEvent {
    return transfers.enqueueMigrate(this, memories, options);
  }

  /** Repeats a pattern through shared virtual memory, or the bytes that the options name. */
  enqueueSvmFill(svm: SvmPointer, pattern: FillPattern, options?: FillOptions): CommandEvent {
    return transfers.enqueueSvmFill(this, svm, pattern, options);
  }

  /** Moves shared virtual memory to the queue's device, or to the host. */
  enqueueSvmMigrate(svms: SvmPointer | readonly SvmPointer[], options?: MigrateOptions): CommandEvent {
    return transfers.enqueueSvmMigrate(this, svms, options);
  }

  /** Takes memory that came from another programming interface over from its owner; see `importBuffer`. */
  enqueueAcquireExternal(
    memories: MemoryObject | readonly MemoryObject[],
    options?: ExternalMemoryOptions,
  ): CommandEvent {
    return external.enqueueAcquireExternal(this, memories, options);
  }

  /** Gives such memory back to its owner. */
  enqueueReleaseExternal(
    memories: MemoryObject | readonly MemoryObject[],
    options?: ExternalMemoryOptions,
  ): CommandEvent {
    return external.enqueueReleaseExternal(this, memories, options);
  }

  /** Resolves to the elements of a buffer or of shared virtual memory, or an image's channels, or to those that the options name. */
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

  /** Reads as {@link read} does, and blocks the event loop until it is done. */
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
   * Writes all of an array into a buffer or shared virtual memory, or into an image, whose pixels it must fill exactly. The array must be left
   * alone until the promise is settled.
   */
  write(buffer: DeviceBuffer | SvmPointer, array: HostMemory, options?: AsyncWriteOptions): Promise<void>;
  write(image: Image, array: HostMemory, options?: AsyncImageWriteOptions): Promise<void>;
  write(memory: DeviceBuffer | SvmPointer | Image, ...rest: readonly unknown[]): Promise<void> {
    return transfers.write(this, memory, ...rest);
  }

  /** Writes as {@link write} does, and blocks the event loop until it is done. */
  writeSync(buffer: DeviceBuffer | SvmPointer, array: HostMemory, options?: WriteOptions): void;
  writeSync(image: Image, array: HostMemory, options?: ImageWriteOptions): void;
  writeSync(memory: DeviceBuffer | SvmPointer | Image, ...rest: readonly unknown[]): void {
    transfers.writeSync(this, memory, ...rest);
  }

  /** Maps a buffer or an image, or what the options name of it, into host memory. */
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

  /** Maps as {@link map} does, and blocks the event loop until it is done. */
  mapSync<T extends TypedArray>(buffer: DeviceBuffer<T>, options?: MapOptions): MappedBuffer<T>;
  mapSync<T extends TypedArray>(buffer: DeviceBuffer, type: ElementType<T>, options?: MapOptions): MappedBuffer<T>;
  mapSync(buffer: DeviceBuffer, options: ShapedMapOptions): MappedBuffer;
  mapSync<N extends ChannelTypeName>(image: Image<N>, options?: ImageMapOptions): MappedImage<N>;
  mapSync(memory: DeviceBuffer | Image, ...rest: readonly unknown[]): MappedBuffer | MappedImage {
    return transfers.mapSync(this, memory, ...rest) as MappedBuffer | MappedImage;
  }

  /** Waits for everything, then releases; for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.released) return;
    try {
      await this.finish();
    } finally {
      this.release();
    }
  }
}
