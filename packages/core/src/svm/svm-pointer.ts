/** Shared virtual memory (SVM): mapping, buffers and parts. */
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

/** Options for creating a buffer over shared virtual memory. */
export interface SvmBufferOptions extends BufferAccessOptions {
  /**
   * Offset of the buffer in the memory, in bytes.
   * @defaultValue 0
   */
  readonly byteOffset?: number;
  /**
   * Size of the buffer, in bytes.
   * @defaultValue all bytes from `byteOffset`
   */
  readonly bytes?: number;
}

/** Returns whether a value is shared virtual memory. */
export function isSvm(value: unknown): value is SvmPointer {
  return value instanceof SvmPointer;
}

declare module "./svm-base.js" {
  interface SvmClass {
    readonly SvmPointer: SvmPointer;
  }
}

/**
 * Memory with the same addresses on the host and on devices. It can be passed to kernels, copied, filled, migrated and
 * mapped. Subclasses are {@link SvmAllocation}, `SvmArray` and `Svm`.
 */
export abstract class SvmPointer<T extends TypedArray = TypedArray> extends SvmBase<T> implements BufferArgument<T> {
  /** Type-level only, to compare element types; does not exist at run time. */
  declare readonly "~argument": ElementMark<T>;

  /**
   * Maps the memory or a range of it for host access. Required for coarse-grained memory, harmless for other memory.
   */
  map(queue: PublicQueue, options?: AsyncMapOptions): Promise<MappedSvm<T>>;
  map<U extends TypedArray>(queue: PublicQueue, type: ElementType<U>, options?: AsyncMapOptions): Promise<MappedSvm<U>>;
  map(queue: PublicQueue, ...rest: MapArguments<AsyncMapOptions>): Promise<MappedSvm> {
    return mapSvm(this, queue, rest);
  }

  /** Like {@link map}, but blocks the event loop until the map has completed. */
  mapSync(queue: PublicQueue, options?: MapOptions): MappedSvm<T>;
  mapSync<U extends TypedArray>(queue: PublicQueue, type: ElementType<U>, options?: MapOptions): MappedSvm<U>;
  mapSync(queue: PublicQueue, ...rest: MapArguments<MapOptions>): MappedSvm {
    return mapSvmSync(this, queue, rest);
  }

  /** Maps the memory for reading. */
  mapRead(queue: PublicQueue, options?: AsyncSvmMapOptions): Promise<MappedSvm<T>>;
  mapRead<U extends TypedArray>(
    queue: PublicQueue,
    type: ElementType<U>,
    options?: AsyncSvmMapOptions,
  ): Promise<MappedSvm<U>>;
  mapRead(queue: PublicQueue, ...rest: MapArguments<AsyncSvmMapOptions>): Promise<MappedSvm> {
    return mapSvm(this, queue, rest, "read");
  }

  /** Like {@link mapRead}, but blocks the event loop until the map has completed. */
  mapReadSync(queue: PublicQueue, options?: SvmMapOptions): MappedSvm<T>;
  mapReadSync<U extends TypedArray>(queue: PublicQueue, type: ElementType<U>, options?: SvmMapOptions): MappedSvm<U>;
  mapReadSync(queue: PublicQueue, ...rest: MapArguments<SvmMapOptions>): MappedSvm {
    return mapSvmSync(this, queue, rest, "read");
  }

  /** Maps the memory for reading and writing. */
  mapReadWrite(queue: PublicQueue, options?: AsyncSvmMapOptions): Promise<MappedSvm<T>>;
  mapReadWrite<U extends TypedArray>(
    queue: PublicQueue,
    type: ElementType<U>,
    options?: AsyncSvmMapOptions,
  ): Promise<MappedSvm<U>>;
  mapReadWrite(queue: PublicQueue, ...rest: MapArguments<AsyncSvmMapOptions>): Promise<MappedSvm> {
    return mapSvm(this, queue, rest, "read-write");
  }

  /** Like {@link mapReadWrite}, but blocks the event loop until the map has completed. */
  mapReadWriteSync(queue: PublicQueue, options?: SvmMapOptions): MappedSvm<T>;
  mapReadWriteSync<U extends TypedArray>(
    queue: PublicQueue,
    type: ElementType<U>,
    options?: SvmMapOptions,
  ): MappedSvm<U>;
  mapReadWriteSync(queue: PublicQueue, ...rest: MapArguments<SvmMapOptions>): MappedSvm {
    return mapSvmSync(this, queue, rest, "read-write");
  }

  /** Maps the memory for writing; elements not written keep their values. */
  mapWrite(queue: PublicQueue, options?: AsyncSvmMapOptions): Promise<MappedSvm<T>>;
  mapWrite<U extends TypedArray>(
    queue: PublicQueue,
    type: ElementType<U>,
    options?: AsyncSvmMapOptions,
  ): Promise<MappedSvm<U>>;
  mapWrite(queue: PublicQueue, ...rest: MapArguments<AsyncSvmMapOptions>): Promise<MappedSvm> {
    return mapSvm(this, queue, rest, "write");
  }

  /** Like {@link mapWrite}, but blocks the event loop until the map has completed. */
  mapWriteSync(queue: PublicQueue, options?: SvmMapOptions): MappedSvm<T>;
  mapWriteSync<U extends TypedArray>(queue: PublicQueue, type: ElementType<U>, options?: SvmMapOptions): MappedSvm<U>;
  mapWriteSync(queue: PublicQueue, ...rest: MapArguments<SvmMapOptions>): MappedSvm {
    return mapSvmSync(this, queue, rest, "write");
  }

  /**
   * Returns a buffer over the memory, for operations that support only buffers, such as sub-buffers, rectangles and
   * images. The memory stays allocated until the buffer is destroyed, even if the allocation is released.
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
    // Everything that may throw comes before the handle exists, which an error would leak.
    const label = given.label ?? this.label;
    const start = this.byteOffset + byteOffset;
    const buffer = native.createSvmBuffer(handle, flags, start, bytes);
    return bufferOver(this.context, buffer, bytes, { store: this.owner, start }, this.type, label);
  }

  /**
   * Returns a part of the memory: `bytes` bytes from `byteOffset`, by default all that follow. `type` is the element
   * type, by default that of this memory; `null` returns an untyped part, which any kernel and any typed array accepts.
   */
  abstract part<U extends TypedArray = T>(byteOffset: number, bytes?: number, type?: ElementType<U> | null): Svm<U>;

  /** @internal The owner of the memory: `this`, unless this is a part. */
  abstract get owner(): SvmPointer;

  /** The pooled memory that this is, or is a part of; `undefined` if the memory is not from a pool. */
  get loan(): SvmPointer | undefined {
    return this.owner === this ? undefined : this.owner.loan;
  }
}
