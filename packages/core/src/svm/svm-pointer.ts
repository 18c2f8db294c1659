/** What all shared virtual memory has in common, whoever made it: where it is, and what can be done with it. */
import { checkInteger, checkOptions, rangeError } from "@cl/base";

import { MemFlags } from "../binding/constants.js";
import { native } from "../binding/native.js";
import { handleOf } from "../binding/resource.js";
import {
  accessNames,
  type BufferAccessOptions,
  bufferFlags,
  checkContradictions,
  checkWholeElements,
} from "../memory/buffer-options.js";
import { bufferOver, type DeviceBuffer } from "../memory/buffer.js";
import type { ElementType } from "../dtype/host-array.js";
import type { PublicQueue } from "../queue/queue-base.js";
import type { AsyncMapOptions, MapOptions } from "../mapping/map.js";
import type { BufferArgument, ElementMark, TypedArray } from "../typed/index.js";
import { SvmBase } from "./svm-base.js";
import type { MappedSvm } from "./mapped-svm.js";
import { type AsyncSvmMapOptions, type MapArguments, mapSvm, mapSvmSync, type SvmMapOptions } from "./svm-map.js";
import type { Svm } from "./svm.js";

/** How to make a buffer over shared virtual memory. */
export interface SvmBufferOptions extends BufferAccessOptions {
  /** Its first byte within the memory; 0 if not said. */
  readonly byteOffset?: number;
  /** Its bytes; all that follow if not said. */
  readonly bytes?: number;
}

/** True for shared virtual memory. */
export function isSvm(value: unknown): value is SvmPointer {
  return value instanceof SvmPointer;
}

declare module "./svm-base.js" {
  interface SvmClass {
    readonly SvmPointer: SvmPointer;
  }
}

/**
 * Memory whose addresses mean the same to the host and to devices. It can be passed to kernels, copied, filled, migrated
 * and mapped. The kinds of it are {@link SvmAllocation}, `SvmArray` and `Svm`.
 */
export abstract class SvmPointer<T extends TypedArray = TypedArray> extends SvmBase<T> implements BufferArgument<T> {
  /** Only for the type checker, which compares element types by it; there is no such property. */
  declare readonly "~argument": ElementMark<T>;

  /**
   * Maps it, or the elements that the options name, so that the host can touch them. Coarse-grained memory must be mapped
   * for that; with other memory it does no harm.
   */
  map(queue: PublicQueue, options?: AsyncMapOptions): Promise<MappedSvm<T>>;
  map<U extends TypedArray>(queue: PublicQueue, type: ElementType<U>, options?: AsyncMapOptions): Promise<MappedSvm<U>>;
  map(queue: PublicQueue, ...rest: MapArguments<AsyncMapOptions>): Promise<MappedSvm> {
    return mapSvm(this, queue, rest);
  }

  /** Maps as {@link map} does, and blocks the event loop until it is done. */
  mapSync(queue: PublicQueue, options?: MapOptions): MappedSvm<T>;
  mapSync<U extends TypedArray>(queue: PublicQueue, type: ElementType<U>, options?: MapOptions): MappedSvm<U>;
  mapSync(queue: PublicQueue, ...rest: MapArguments<MapOptions>): MappedSvm {
    return mapSvmSync(this, queue, rest);
  }

  /** Maps it to be read only. */
  mapRead(queue: PublicQueue, options?: AsyncSvmMapOptions): Promise<MappedSvm<T>>;
  mapRead<U extends TypedArray>(
    queue: PublicQueue,
    type: ElementType<U>,
    options?: AsyncSvmMapOptions,
  ): Promise<MappedSvm<U>>;
  mapRead(queue: PublicQueue, ...rest: MapArguments<AsyncSvmMapOptions>): Promise<MappedSvm> {
    return mapSvm(this, queue, rest, "read");
  }

  /** Maps as {@link mapRead} does, and blocks the event loop until it is done. */
  mapReadSync(queue: PublicQueue, options?: SvmMapOptions): MappedSvm<T>;
  mapReadSync<U extends TypedArray>(queue: PublicQueue, type: ElementType<U>, options?: SvmMapOptions): MappedSvm<U>;
  mapReadSync(queue: PublicQueue, ...rest: MapArguments<SvmMapOptions>): MappedSvm {
    return mapSvmSync(this, queue, rest, "read");
  }

  /** Maps it to be read and written. */
  mapReadWrite(queue: PublicQueue, options?: AsyncSvmMapOptions): Promise<MappedSvm<T>>;
  mapReadWrite<U extends TypedArray>(
    queue: PublicQueue,
    type: ElementType<U>,
    options?: AsyncSvmMapOptions,
  ): Promise<MappedSvm<U>>;
  mapReadWrite(queue: PublicQueue, ...rest: MapArguments<AsyncSvmMapOptions>): Promise<MappedSvm> {
    return mapSvm(this, queue, rest, "read-write");
  }

  /** Maps as {@link mapReadWrite} does, and blocks the event loop until it is done. */
  mapReadWriteSync(queue: PublicQueue, options?: SvmMapOptions): MappedSvm<T>;
  mapReadWriteSync<U extends TypedArray>(
    queue: PublicQueue,
    type: ElementType<U>,
    options?: SvmMapOptions,
  ): MappedSvm<U>;
  mapReadWriteSync(queue: PublicQueue, ...rest: MapArguments<SvmMapOptions>): MappedSvm {
    return mapSvmSync(this, queue, rest, "read-write");
  }

  /** Maps it to be written; what it had is kept where nothing is written. */
  mapWrite(queue: PublicQueue, options?: AsyncSvmMapOptions): Promise<MappedSvm<T>>;
  mapWrite<U extends TypedArray>(
    queue: PublicQueue,
    type: ElementType<U>,
    options?: AsyncSvmMapOptions,
  ): Promise<MappedSvm<U>>;
  mapWrite(queue: PublicQueue, ...rest: MapArguments<AsyncSvmMapOptions>): Promise<MappedSvm> {
    return mapSvm(this, queue, rest, "write");
  }

  /** Maps as {@link mapWrite} does, and blocks the event loop until it is done. */
  mapWriteSync(queue: PublicQueue, options?: SvmMapOptions): MappedSvm<T>;
  mapWriteSync<U extends TypedArray>(queue: PublicQueue, type: ElementType<U>, options?: SvmMapOptions): MappedSvm<U>;
  mapWriteSync(queue: PublicQueue, ...rest: MapArguments<SvmMapOptions>): MappedSvm {
    return mapSvmSync(this, queue, rest, "write");
  }

  /**
   * A buffer over it, for whatever takes buffers only: sub-buffers, rectangles, images. The memory lives until the buffer
   * has been destroyed, even if the allocation is released.
   */
  asBuffer(options?: SvmBufferOptions): DeviceBuffer<T> {
    const handle = handleOf(this);
    const given = checkOptions(options, ["byteOffset", "bytes", ...accessNames]);
    const byteOffset = checkInteger(given.byteOffset ?? 0, "options.byteOffset", 0, this.size);
    const bytes = checkInteger(given.bytes ?? this.size - byteOffset, "options.bytes", 0, this.size - byteOffset);
    if (bytes === 0) throw rangeError("options.bytes", "at least 1 (OpenCL has no empty buffers)", bytes);
    if (this.type !== undefined) checkWholeElements(bytes, this.type, "the buffer");
    const flags = bufferFlags(given);
    checkContradictions(flags + ((flags & MemFlags.USE_HOST_PTR) === 0 ? MemFlags.USE_HOST_PTR : 0));
    // All that may throw comes before there is a handle, which an error would lose.
    const label = given.label ?? this.label;
    const start = this.byteOffset + byteOffset;
    const buffer = native.createSvmBuffer(handle, flags, start, bytes);
    return bufferOver(this.context, buffer, bytes, { store: this.whole, start }, this.type, label);
  }

  /**
   * A part of it: `bytes` from `byteOffset`, all that follow if not said, with elements of the type, of this one's type if
   * none is said, or without one if it is null: then any kernel and any array suits it.
   */
  abstract part<U extends TypedArray = T>(byteOffset: number, bytes?: number, type?: ElementType<U> | null): Svm<U>;

  /** @internal What owns the memory: itself, unless it is a part. */
  abstract get whole(): SvmPointer;

  /** The lent memory that this is, or is a part of; undefined if the memory is not lent. */
  get loan(): SvmPointer | undefined {
    return this.whole === this ? undefined : this.whole.loan;
  }
}
