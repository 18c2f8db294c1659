/** Buffers: linear memory of a context. */
import {
  byteLengthOf,
  bytesOver,
  checkInstance,
  checkInteger,
  checkOptions,
  checkString,
  outOfRange,
  rangeError,
  typeError,
} from "@cl/base";

import type { AdoptOptions } from "../binding/adopt.js";
import { limitsOf } from "./buffer-limits.js";
import {
  accessNames,
  type BufferAccessOptions,
  type BufferMemoryOptions,
  bufferFlags,
  type BufferPlan,
  bufferOptions,
  checkContradictions,
  checkWholeElements,
  type DeviceBufferOptions,
  memoryNames,
  planBuffer,
} from "./buffer-options.js";
import { MemFlags, MemInfo, MemObjectType } from "../binding/constants.js";
import { Context } from "../platform/context.js";
import { size as decodeSize } from "../info/decode.js";
import {
  arrayOver,
  checkElementType,
  checkTypedArray,
  elementCodes,
  type ElementType,
  elementTypeName,
  elementTypeOf,
  hostBytes,
  type HostMemory,
} from "../dtype/host-array.js";
import { adopters, MemoryObject } from "./memory-object.js";
import { warnAboutOverlaps } from "./overlap-warning.js";
import { type SharedMemory, shareMemory } from "./shared-memory.js";
import { type Handle, native } from "../binding/native.js";
import { Adopted, handleOf, type Resource } from "../binding/resource.js";
import type { BufferArgument, ElementMark, TypedArray } from "../typed/index.js";

/** Location of a buffer's bytes. Buffers with the same store share memory. */
export interface Place {
  /** Identity of the memory. */
  readonly store: object;
  /** Offset in the store, in bytes. */
  readonly start: number;
}

type WithElements = <T extends TypedArray>(buffer: DeviceBuffer, type: ElementType<T>) => DeviceBuffer<T>;

/** Package-internal functions that access private fields. */
let inside: {
  readonly loanOf: (block: DeviceBuffer, bytes: number) => Loan;
  readonly elementCodeOf: (buffer: DeviceBuffer) => number;
  readonly withElements: WithElements;
  readonly placeOf: (buffer: DeviceBuffer) => Place;
  readonly sharedBytesOf: (buffer: DeviceBuffer) => Uint8Array<ArrayBuffer> | undefined;
};

/** Constructor argument for an existing native buffer. */
class Existing<T extends TypedArray> extends Adopted {
  readonly bytes: number;
  readonly type: ElementType<T> | undefined;
  readonly place: Place | undefined;
  readonly root: DeviceBuffer | undefined;
  readonly like: MemoryObject | undefined;
  readonly shared: Uint8Array<ArrayBuffer> | undefined;

  constructor(
    handle: Handle,
    label: string | undefined,
    bytes: number,
    type?: ElementType<T>,
    place?: Place,
    root?: DeviceBuffer,
    like?: MemoryObject,
    shared?: Uint8Array<ArrayBuffer>,
  ) {
    super(handle, label);
    this.bytes = bytes;
    this.type = type;
    this.place = place;
    this.root = root;
    this.like = like;
    this.shared = shared;
  }
}

/**
 * Constructor argument for a pooled buffer over the first bytes of a block. A single reused object, because pools
 * create buffers by the million and allocating this object would cost a tenth of each.
 */
class Loan {
  handle: Handle = 0;
  bytes = 0;
  start = 0;
  root: DeviceBuffer | undefined;
}

const reusedLoan = new Loan();

/**
 * Linear memory of a context. A buffer can have an element type (a typed array class), which kernels, reads and writes
 * then check. The memory of a released or garbage-collected buffer is freed once no command uses it.
 *
 * @example
 * ```ts
 * const x = DeviceBuffer.from(context, Float32Array.of(1, 2, 3));       // copied
 * const y = DeviceBuffer.empty(context, Float32Array, 3);               // uninitialized
 * const raw = new DeviceBuffer(context, 4096);                          // bytes
 * ```
 */
export class DeviceBuffer<T extends TypedArray = TypedArray> extends MemoryObject implements BufferArgument<T> {
  /** Type-level only, to compare element types; does not exist at run time. */
  declare readonly "~argument": ElementMark<T>;
  #type: ElementType<T> | undefined;
  #code: number;
  #place: Place | undefined;
  /** Offset of a pooled buffer's block in its root buffer. */
  readonly #start: number = 0;
  readonly #root: DeviceBuffer | undefined;
  readonly #shared: Uint8Array<ArrayBuffer> | undefined;
  /** The shared memory that is released with this buffer. */
  readonly #owned: Resource | undefined;
  #isPoolBlock = false;

  static {
    inside = {
      loanOf: (block: DeviceBuffer, bytes: number): Loan => {
        const handle = handleOf(block);
        checkInteger(bytes, "bytes", 1, block.size);
        if (!block.#isPoolBlock) native.makeLendable(handle);
        block.#isPoolBlock = true;
        reusedLoan.handle = handle;
        reusedLoan.bytes = bytes;
        reusedLoan.start = placeOf(block).start;
        reusedLoan.root = block.#root;
        return reusedLoan;
      },
      elementCodeOf: (buffer: DeviceBuffer): number => buffer.#code,
      withElements: <U extends TypedArray>(buffer: DeviceBuffer, type: ElementType<U>): DeviceBuffer<U> => {
        const typed = buffer as unknown as DeviceBuffer<U>;
        typed.#type = checkElementType(type, "type");
        typed.#code = elementCodes.get(type) ?? 0;
        return typed;
      },
      // Sub-buffers refer to the store, which keeps pooled memory from being reused while they exist.
      placeOf: (buffer: DeviceBuffer): Place => (buffer.#place ??= { store: buffer, start: buffer.#start }),
      sharedBytesOf: (buffer: DeviceBuffer): Uint8Array<ArrayBuffer> | undefined => buffer.#shared,
    };
  }

  /** Creates a buffer with a size in bytes, or with options. */
  constructor(context: Context, options: number | DeviceBufferOptions<T>);
  /** @internal */
  constructor(context: Context, options: Existing<T> | Loan);
  constructor(context: Context, options: number | DeviceBufferOptions<T> | Existing<T> | Loan) {
    if (options instanceof Loan) {
      super(options.handle, context, options.bytes, undefined, undefined, undefined, false);
      this.#type = undefined;
      this.#place = undefined;
      this.#start = options.start;
      this.#root = options.root;
      this.#shared = undefined;
    } else if (options instanceof Existing) {
      const { handle, bytes, label, root, like } = options;
      super(handle, context, bytes, label, root ?? like?.base, like?.hostArray);
      this.#type = options.type;
      this.#place = options.place ?? { store: {}, start: 0 };
      this.#root = root;
      this.#shared = options.shared;
    } else {
      checkInstance(context, Context, "context");
      const given = bufferOptions(options);
      const plan = planBuffer(given);
      const label = given.label === undefined ? undefined : checkString(given.label, "options.label");
      const uses = (plan.flags & MemFlags.USE_HOST_PTR) !== 0;
      const shared = share(context, plan);
      const hostArray = shared?.hostArray ?? (uses ? given.host : undefined);
      super(shared?.handle ?? create(context, plan), context, plan.bytes, label, undefined, hostArray);
      this.#type = plan.type;
      this.#place = { store: {}, start: 0 };
      this.#root = undefined;
      this.#shared = shared?.bytes;
      this.#owned = shared?.owner;
    }
    this.#code = this.#type === undefined ? 0 : (elementCodes.get(this.#type) ?? 0);
  }

  /** Creates a buffer with a copy of a typed array and the same element type. */
  static from<T extends TypedArray>(context: Context, array: T, options?: BufferMemoryOptions): DeviceBuffer<T> {
    checkTypedArray(array, "array");
    if (byteLengthOf(hostBytes(array, "array", true)) === 0) {
      throw rangeError("array", "not empty (OpenCL has no empty buffers)", array);
    }
    return new DeviceBuffer<T>(context, {
      ...checkOptions(options, memoryNames),
      host: array,
      hostPointer: "copy",
      type: elementTypeOf(array),
    });
  }

  /** Creates an uninitialized buffer of `length` elements. */
  static empty<T extends TypedArray>(
    context: Context,
    type: ElementType<T>,
    length: number,
    options?: BufferMemoryOptions,
  ): DeviceBuffer<T> {
    checkElementType(type, "type");
    checkInteger(length, "length", 1);
    return new DeviceBuffer<T>(context, {
      ...checkOptions(options, memoryNames),
      type,
      length,
    });
  }

  /** Returns a buffer for an existing `cl_mem`. */
  static override fromPointer(context: Context, pointer: bigint, options?: AdoptOptions): DeviceBuffer {
    return checkInstance(MemoryObject.fromPointer(context, pointer, options), DeviceBuffer, "pointer");
  }

  /** Typed array class of the elements; `undefined` for an untyped buffer. */
  get type(): ElementType<T> | undefined {
    return this.#type;
  }

  /** Number of elements; number of bytes if the buffer is untyped. */
  get length(): number {
    return this.size / (this.#type?.BYTES_PER_ELEMENT ?? 1);
  }

  /** The parent of a sub-buffer, never a sub-buffer itself; `undefined` if this is not a sub-buffer. */
  override get base(): DeviceBuffer | undefined {
    return this.#root;
  }

  /**
   * The pooled buffer that owns this buffer's memory: itself, or the one that this sub-buffer or reinterpreted buffer
   * was created from. `undefined` if the memory is not from a pool.
   */
  get loan(): DeviceBuffer | undefined {
    const { store } = placeOf(this);
    return store instanceof DeviceBuffer ? store : undefined;
  }

  /**
   * Returns a buffer over the same memory with another element type, or an untyped one for `null`, which any kernel and
   * any typed array accepts. The two buffers are released independently.
   */
  as<U extends TypedArray>(type: ElementType<U>): DeviceBuffer<U>;
  as(type: null): DeviceBuffer;
  as<U extends TypedArray>(type: ElementType<U> | null): DeviceBuffer<U> {
    const elements = type === null ? undefined : checkElementType(type, "type");
    if (elements !== undefined) checkWholeElements(this.size, elements, "the buffer");
    const handle = native.aliasBuffer(handleOf(this));
    return new DeviceBuffer<U>(
      this.context,
      new Existing(handle, this.label, this.size, elements, placeOf(this), this.#root, this, this.#shared),
    );
  }

  /**
   * Creates a sub-buffer of `bytes` bytes at byte offset `origin`, which must be aligned for all devices of the
   * context. It shares the memory, has the same element type, and inherits access that the options do not set.
   */
  subBuffer(origin: number, bytes: number, options?: BufferAccessOptions): DeviceBuffer<T> {
    const handle = handleOf(this);
    const given = checkOptions(options, accessNames);
    checkInteger(origin, "origin", 0);
    checkInteger(bytes, "bytes", 0);
    if (bytes === 0) throw rangeError("bytes", "at least 1 (OpenCL has no empty buffers)", bytes);
    if (origin + bytes > this.size) {
      throw outOfRange(`origin must leave ${bytes} bytes in the buffer of ${this.size} bytes, received ${origin}`);
    }
    if (this.#type !== undefined) {
      checkWholeElements(origin, this.#type, "the range before the sub-buffer");
      checkWholeElements(bytes, this.#type, "the sub-buffer");
    }
    const place = placeOf(this);
    const start = place.start + origin;
    const { alignment, leaksOverlaps } = limitsOf(this.context);
    checkAlignment(start, place.start, alignment);
    const flags = bufferFlags(given);
    checkContradictions(flags);
    // OpenCL has no nested sub-buffers, so create one of the root with this buffer's access.
    const inherited = this.#root === undefined ? flags : inherit(flags, this.flags);
    const root = this.#root ?? this;
    const label = given.label ?? this.label;
    const created = native.createSubBuffer(
      this.#root === undefined ? handle : handleOf(this.#root),
      inherited,
      start,
      bytes,
      handle,
      leaksOverlaps,
    );
    if (leaksOverlaps) warnAboutOverlaps();
    return new DeviceBuffer<T>(
      this.context,
      new Existing(
        created,
        label,
        bytes,
        this.#type,
        { store: place.store, start },
        root,
        undefined,
        this.#shared?.subarray(origin, origin + bytes),
      ),
    );
  }

  /** Returns a sub-buffer of the elements in [`start`, `end`); negative indices count from the end. */
  slice(start = 0, end: number = this.length, options?: BufferAccessOptions): DeviceBuffer<T> {
    const from = index(start, this.length, "start");
    const to = index(end, this.length, "end");
    if (to <= from) {
      throw outOfRange(
        `the slice from ${start} to ${end} of ${this.length} elements is empty; OpenCL has no empty buffers`,
      );
    }
    const width = this.#type?.BYTES_PER_ELEMENT ?? 1;
    return this.subBuffer(from * width, (to - from) * width, options);
  }

  /**
   * Releases the buffer; its memory is freed once no command uses it. The `hostArray` of a host-coherent buffer becomes
   * empty immediately.
   */
  override release(): void {
    // Read first: throws if `this` is not a DeviceBuffer.
    const owned = this.#owned;
    super.release();
    owned?.release();
  }

  protected override summary(): string {
    const elements = this.#type === undefined ? "" : `${elementTypeName(this.#type)} × ${this.length}, `;
    const origin = this.#root === undefined ? "" : `, from byte ${placeOf(this).start} of ${this.#root.size}`;
    return `${elements}${this.size} bytes${origin}`;
  }
}

/** @internal Returns the constructor argument for a pooled buffer; from then on the block counts its pooled buffers. */
export const loanOf: (block: DeviceBuffer, bytes: number) => Loan = inside.loanOf;
/** @internal Returns the code of the buffer's element type in `elementCodes`; 0 if it is untyped. */
export const elementCodeOf: (buffer: DeviceBuffer) => number = inside.elementCodeOf;
/** Sets the element type of a buffer that an allocator has just created, so that no second object has to be released. */
export const withElements: WithElements = inside.withElements;
/** @internal Returns the location of the buffer's bytes. */
export const placeOf: (buffer: DeviceBuffer) => Place = inside.placeOf;
/** @internal Returns the memory of a host-coherent buffer; empty after release. */
export const sharedBytesOf: (buffer: DeviceBuffer) => Uint8Array<ArrayBuffer> | undefined = inside.sharedBytesOf;

/** @internal Returns a `DeviceBuffer` for an existing native buffer, whose memory others may share. */
export function bufferOver<T extends TypedArray>(
  context: Context,
  handle: Handle,
  bytes: number,
  place: Place,
  type: ElementType<T> | undefined,
  label: string | undefined,
): DeviceBuffer<T> {
  return new DeviceBuffer<T>(context, new Existing(handle, label, bytes, type, place));
}

adopters.set(MemObjectType.BUFFER, (context, adopted) => {
  const bytes = decodeSize(native.getInfo(adopted.handle, MemInfo.SIZE));
  return new DeviceBuffer(context, new Existing(adopted.handle, adopted.label, bytes));
});

/** Allocates and initializes the memory of a host-coherent buffer. */
function share(
  context: Context,
  plan: BufferPlan<TypedArray>,
): (SharedMemory & { readonly hostArray: HostMemory }) | undefined {
  if (plan.hostCoherent === undefined) return undefined;
  const { bytes: size, flags, host, type } = plan;
  const shared = shareMemory(context, size, flags - (flags & MemFlags.COPY_HOST_PTR), plan.hostCoherent);
  if (shared === undefined) return undefined;
  const { bytes, handle, owner } = shared;
  try {
    if (host !== undefined) bytes.set(bytesOver(host).subarray(0, size));
    const hostArray = type === undefined ? bytes : arrayOver(type, bytes.buffer, size / type.BYTES_PER_ELEMENT);
    return { ...shared, hostArray };
  } catch (error) {
    native.recycle(handle);
    owner.release();
    throw error;
  }
}

/** Minimum size for large pages: two pages. Smaller buffers would waste most of a page. */
const minLargePageBytes = 2 ** 22;

function create(context: Context, plan: BufferPlan<TypedArray>): Handle {
  const { maxBytes, onHost } = limitsOf(context);
  if (plan.bytes > maxBytes) {
    throw outOfRange(
      `a buffer of ${plan.bytes} bytes exceeds the context's largest allocation of ${maxBytes} bytes (maxMemAllocSize)`,
    );
  }
  if (plan.largePages && onHost && plan.bytes >= minLargePageBytes) {
    return native.createLargePageBuffer(handleOf(context), plan.flags, plan.bytes);
  }
  return native.createBuffer(handleOf(context), plan.flags, plan.bytes, plan.host, plan.properties);
}

function checkAlignment(start: number, base: number, alignment: number): void {
  if (start % alignment === 0) return;
  const below = Math.floor(start / alignment) * alignment - base;
  const nearest = below < 0 ? `${below + alignment}` : `${below} and ${below + alignment}`;
  throw outOfRange(
    `a sub-buffer must start at a multiple of ${alignment} bytes on the context's devices, received ${start - base}; the nearest valid offset is ${nearest}`,
  );
}

const kernelAccess = MemFlags.READ_WRITE | MemFlags.READ_ONLY | MemFlags.WRITE_ONLY;
const hostAccess = MemFlags.HOST_READ_ONLY | MemFlags.HOST_WRITE_ONLY | MemFlags.HOST_NO_ACCESS;

/** Adds the parent's access flags where `flags` has none. */
function inherit(flags: number, parent: number): number {
  const kernel = (flags & kernelAccess) === 0 ? parent & kernelAccess : 0;
  const host = (flags & hostAccess) === 0 ? parent & hostAccess : 0;
  return flags + kernel + host;
}

function index(value: number, length: number, name: string): number {
  if (typeof value !== "number") throw typeError(name, "an integer", value);
  if (!Number.isInteger(value) || value < -length || value > length) {
    throw rangeError(name, `an integer from ${-length} to ${length}`, value);
  }
  return value < 0 ? value + length : value;
}
