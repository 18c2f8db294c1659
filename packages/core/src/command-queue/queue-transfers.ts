/**
 * Memory operations of queues, which dispatch to buffers, images and shared virtual memory. `CommandQueue` has a method
 * for each of these functions.
 */
import type { CommandEvent } from "../event/event.js";
import { copyImageSync, enqueueCopyImage } from "../image/image-copy.js";
import { enqueueFillImage } from "../image/image-fill.js";
import { mapImage, mapImageSync } from "../image/image-map.js";
import { readImage, readImageSync } from "../image/image-read.js";
import { writeImage, writeImageSync } from "../image/image-write.js";
import { Image } from "../image/image.js";
import type { MemoryObject } from "../memory/memory-object.js";
import * as copies from "../transfer/copy.js";
import { enqueueFill as enqueueFillBuffer } from "../transfer/fill.js";
import * as maps from "../mapping/map.js";
import * as reads from "../transfer/read.js";
import * as writes from "../transfer/write.js";
import type { MappedMemory } from "../mapping/mapped-memory.js";
import type { SvmPointer } from "../svm/svm-pointer.js";
import type { TypedArray } from "../typed/index.js";
import type { QueueBase } from "../queue/queue-base.js";

export { enqueueMigrate } from "../transfer/migrate.js";
export { enqueueSvmFill, enqueueSvmMigrate } from "../transfer/svm-commands.js";

/** A transfer function without its overloads; the queue's methods declare them. */
type Erased<R> = (queue: QueueBase, memory: MemoryObject | SvmPointer, ...rest: readonly unknown[]) => R;
type ErasedCopy<R> = (queue: QueueBase, target: unknown, source: unknown, options: unknown) => R;

/** Dispatches to `forImages` if the memory is an image, else to `forBuffers`, which throws for other values. */
function byMemory<R>(forBuffers: unknown, forImages: unknown): Erased<R> {
  return (queue, memory, ...rest) =>
    ((memory instanceof Image ? forImages : forBuffers) as Erased<R>)(queue, memory, ...rest);
}

function byEnds<R>(forBuffers: unknown, forImages: unknown): ErasedCopy<R> {
  return (queue, target, source, options) => {
    const images = target instanceof Image || source instanceof Image;
    return ((images ? forImages : forBuffers) as ErasedCopy<R>)(queue, target, source, options);
  };
}

/** See the methods of `CommandQueue` with the same names. */
export const read: Erased<Promise<TypedArray>> = byMemory(reads.read, readImage);
export const readSync: Erased<TypedArray> = byMemory(reads.readSync, readImageSync);
export const write: Erased<Promise<void>> = byMemory(writes.write, writeImage);
export const writeSync: Erased<void> = byMemory(writes.writeSync, writeImageSync);
export const map: Erased<Promise<MappedMemory>> = byMemory(maps.map, mapImage);
export const mapSync: Erased<MappedMemory> = byMemory(maps.mapSync, mapImageSync);
export const enqueueFill: Erased<CommandEvent> = byMemory(enqueueFillBuffer, enqueueFillImage);
export const enqueueCopy: ErasedCopy<CommandEvent> = byEnds(copies.enqueueCopy, enqueueCopyImage);
export const copySync: ErasedCopy<void> = byEnds(copies.copySync, copyImageSync);
