/** Buffers: linear memory on the devices of a context. */
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
import { warnOfParts } from "./parts-warning.js";
import { type SharedMemory, shareMemory } from "./shared-memory.js";
import { type Handle, native } from "../binding/native.js";
import { Adopted, handleOf, type Resource } from "../binding/resource.js";
import type { BufferArgument, ElementMark, TypedArray } from "../typed/index.js";

/** Where a buffer's bytes are: buffers of one store share memory, each from its own start. */
export interface Place {
  /** The same object for all buffers that share memory. */
  readonly store: object;
  /** The first byte within the store. */
  readonly start: number;
}

type WithElements = <T extends TypedArray>(buffer: DeviceBuffer, type: ElementType<T>) => DeviceBuffer<T>;

/** Functions of this package that reach private fields. */
let inside: {
  readonly loanOf: (block: DeviceBuffer, bytes: number) => Loan;
  readonly elementCodeOf: (buffer: DeviceBuffer) => number;
  readonly withElements: WithElements;
  readonly placeOf: (buffer: DeviceBuffer) => Place;
  readonly sharedBytesOf: (buffer: DeviceBuffer) => Uint8Array<ArrayBuffer> | undefined;
};

/** A native buffer that exists already. */
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
 * The first bytes of a block that is lent. There is one such object, read before there can be another loan: a pool makes
 * loans by the million, and to make it, too, would cost a tenth of each.
 */
class Loan {
  handle: Handle = 0;
  bytes = 0;
  start = 0;
  root: DeviceBuffer | undefined;
}

const theLoan = new Loan();

/**
 * Linear memory of a context. Its elements may have a type, which is that of a typed array; kernels, reads and writes
 * then check it. A released or collected buffer is given back to the device when no command uses it any more.
 *
 * @example
 * ```ts
 * const x = DeviceBuffer.from(context, Float32Array.of(1, 2, 3));       // copied
 * const y = DeviceBuffer.empty(context, Float32Array, 3);               // not initialized
 * const raw = new DeviceBuffer(context, 4096);                          // bytes
 * ```
 */
export class DeviceBuffer<T extends TypedArray = TypedArray> extends MemoryObject implements BufferArgument<T> {
  /** Only for the type checker, which compares element types by it; there is no such property. */
  declare readonly "~argument": ElementMark<T>;
  #type: ElementType<T> | undefined;
  #code: number;
  #place: Place | undefined;
  /** Where the block of a lent buffer starts. */
  readonly #start: number = 0;
  readonly #root: DeviceBuffer | undefined;
  readonly #shared: Uint8Array<ArrayBuffer> | undefined;
  /** What ends with this buffer: its shared memory. */
  readonly #owned: Resource | undefined;
  #lendable = false;

  static {
    inside = {
      loanOf: (block: DeviceBuffer, bytes: number): Loan => {
        const handle = handleOf(block);
        checkInteger(bytes, "bytes", 1, block.size);
        if (!block.#lendable) native.makeLendable(handle);
        block.#lendable = true;
        theLoan.handle = handle;
        theLoan.bytes = bytes;
        theLoan.start = placeOf(block).start;
        theLoan.root = block.#root;
        return theLoan;
      },
      elementCodeOf: (buffer: DeviceBuffer): number => buffer.#code,
      withElements: <U extends TypedArray>(buffer: DeviceBuffer, type: ElementType<U>): DeviceBuffer<U> => {
        const typed = buffer as unknown as DeviceBuffer<U>;
        typed.#type = checkElementType(type, "type");
        typed.#code = elementCodes.get(type) ?? 0;
        return typed;
      },
      // Parts know the store, and so keep lent memory from being given back while somebody has them.
      placeOf: (buffer: DeviceBuffer): Place => (buffer.#place ??= { store: buffer, start: buffer.#start }),
      sharedBytesOf: (buffer: DeviceBuffer): Uint8Array<ArrayBuffer> | undefined => buffer.#shared,
    };
  }

  /** A buffer of so many bytes, or as the options say. */
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

  /** A buffer with a copy of an array, typed like it. */
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

  /** A buffer of `length` elements, not initialized. */
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

  /** The buffer at an address, made elsewhere in this process. */
  static override fromPointer(context: Context, pointer: bigint, options?: AdoptOptions): DeviceBuffer {
    return checkInstance(MemoryObject.fromPointer(context, pointer, options), DeviceBuffer, "pointer");
  }

  /** The typed array that holds such elements; undefined for plain bytes. */
  get type(): ElementType<T> | undefined {
    return this.#type;
  }

  /** Its elements; its bytes if it has no element type. */
  get length(): number {
    return this.size / (this.#type?.BYTES_PER_ELEMENT ?? 1);
  }

  /** The buffer that this one is a part of. Never a part itself: parts of parts belong to the whole. */
  override get base(): DeviceBuffer | undefined {
    return this.#root;
  }

  /** The lent buffer that this is, is a part of, or is under another type; undefined if its memory is not lent. */
  get loan(): DeviceBuffer | undefined {
    const { store } = placeOf(this);
    return store instanceof DeviceBuffer ? store : undefined;
  }

  /**
   * The same memory with elements of another type, or with null without one: then any kernel and any array suits it. Each of
   * the two is released on its own.
   */
  as<U extends TypedArray>(type: ElementType<U>): DeviceBuffer<U>;
  as(type: null): DeviceBuffer;
  as<U extends TypedArray>(type: ElementType<U> | null): DeviceBuffer<U> {
    const elements = type === null ? undefined : checkElementType(type, "type");
    if (elements !== undefined) checkWholeElements(this.size, elements, "the buffer");
    const handle = native.sameBuffer(handleOf(this));
    return new DeviceBuffer<U>(
      this.context,
      new Existing(handle, this.label, this.size, elements, placeOf(this), this.#root, this, this.#shared),
    );
  }

  /**
   * A part of this buffer: `bytes` from `origin`, which must suit the alignment of all the context's devices. It shares
   * the memory, keeps this buffer's element type, and inherits the access that the options do not say.
   */
  subBuffer(origin: number, bytes: number, options?: BufferAccessOptions): DeviceBuffer<T> {
    const handle = handleOf(this);
    const given = checkOptions(options, accessNames);
    checkInteger(origin, "origin", 0);
    checkInteger(bytes, "bytes", 0);
    if (bytes === 0) throw rangeError("bytes", "at least 1 (OpenCL has no empty buffers)", bytes);
    if (origin + bytes > this.size) {
      throw outOfRange(`a part of ${bytes} bytes from byte ${origin} goes beyond the buffer's ${this.size} bytes`);
    }
    if (this.#type !== undefined) {
      checkWholeElements(origin, this.#type, "what lies before the part");
      checkWholeElements(bytes, this.#type, "the part");
    }
    const place = placeOf(this);
    const start = place.start + origin;
    const { alignment, partsStay } = limitsOf(this.context);
    checkAlignment(start, place.start, alignment);
    const flags = bufferFlags(given);
    checkContradictions(flags);
    // OpenCL knows no parts of parts, so this is a part of the whole, with what this part may do.
    const inherited = this.#root === undefined ? flags : inherit(flags, this.flags);
    const root = this.#root ?? this;
    const label = given.label ?? this.label;
    const part = native.createSubBuffer(
      this.#root === undefined ? handle : handleOf(this.#root),
      inherited,
      start,
      bytes,
      handle,
      partsStay,
    );
    if (partsStay) warnOfParts();
    return new DeviceBuffer<T>(
      this.context,
      new Existing(
        part,
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

  /** The elements from `start` up to `end` as a part of this buffer; negative numbers count from the end. */
  slice(start = 0, end: number = this.length, options?: BufferAccessOptions): DeviceBuffer<T> {
    const from = index(start, this.length, "start");
    const to = index(end, this.length, "end");
    if (to <= from) {
      throw outOfRange(
        `the slice from ${start} to ${end} of ${this.length} elements is empty, and OpenCL has no empty buffers`,
      );
    }
    const width = this.#type?.BYTES_PER_ELEMENT ?? 1;
    return this.subBuffer(from * width, (to - from) * width, options);
  }

  /**
   * Gives the memory back when no command uses it any more. Of a host-coherent buffer the host loses it at once: its
   * `hostArray` becomes empty.
   */
  override release(): void {
    // Looked at first, so that nothing but a buffer is released by this.
    const owned = this.#owned;
    super.release();
    owned?.release();
  }

  protected override summary(): string {
    const elements = this.#type === undefined ? "" : `${elementTypeName(this.#type)} × ${this.length}, `;
    const part = this.#root === undefined ? "" : `, from byte ${placeOf(this).start} of ${this.#root.size}`;
    return `${elements}${this.size} bytes${part}`;
  }
}

/** @internal The first bytes of a block, for a LentBuffer; from then on the block's loans are counted. */
export const loanOf: (block: DeviceBuffer, bytes: number) => Loan = inside.loanOf;
/** @internal The number of the buffer's element type in `elementCodes`; 0 if it has none. */
export const elementCodeOf: (buffer: DeviceBuffer) => number = inside.elementCodeOf;
/**
 * Gives a buffer that an allocator has just made its element type, so that its owner releases one object only.
 * @internal
 */
export const withElements: WithElements = inside.withElements;
/** @internal Where the buffer's bytes are. */
export const placeOf: (buffer: DeviceBuffer) => Place = inside.placeOf;
/** @internal The buffer's memory, where host and devices share it; without bytes once that has been released. */
export const sharedBytesOf: (buffer: DeviceBuffer) => Uint8Array<ArrayBuffer> | undefined = inside.sharedBytesOf;

/** @internal A buffer that exists already, over memory that others may share. */
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

/** The memory of a host-coherent buffer, with what it starts with. */
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

/** Two pages: what is smaller would leave most of one unused. */
const fewestForLargePages = 2 ** 22;

function create(context: Context, plan: BufferPlan<TypedArray>): Handle {
  const { maxBytes, onHost } = limitsOf(context);
  if (plan.bytes > maxBytes) {
    throw outOfRange(
      `a buffer of ${plan.bytes} bytes is larger than the ${maxBytes} bytes that the context's devices can allocate at once`,
    );
  }
  if (plan.largePages && onHost && plan.bytes >= fewestForLargePages) {
    return native.createLargePageBuffer(handleOf(context), plan.flags, plan.bytes);
  }
  return native.createBuffer(handleOf(context), plan.flags, plan.bytes, plan.host, plan.properties);
}

function checkAlignment(start: number, base: number, alignment: number): void {
  if (start % alignment === 0) return;
  const below = Math.floor(start / alignment) * alignment - base;
  const nearest = below < 0 ? `${below + alignment}` : `${below} and ${below + alignment}`;
  throw outOfRange(
    `a part that starts at byte ${start - base} does not suit the context's devices, which align buffers to ${alignment} bytes: the nearest that does is ${nearest}`,
  );
}

const kernelAccess = MemFlags.READ_WRITE | MemFlags.READ_ONLY | MemFlags.WRITE_ONLY;
const hostAccess = MemFlags.HOST_READ_ONLY | MemFlags.HOST_WRITE_ONLY | MemFlags.HOST_NO_ACCESS;

/** What the flags do not say is taken from the parent's. */
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
