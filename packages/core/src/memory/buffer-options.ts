/** Options of buffers, and their validation and conversion to driver arguments. */
import {
  byteLengthOf,
  checkBoolean,
  checkFlags,
  checkInteger,
  checkOptions,
  checkString,
  isView,
  outOfRange,
  rangeError,
  typeError,
  wrongValue,
} from "@cl/base";

import { MemFlags } from "../binding/constants.js";
import {
  checkElementType,
  type ElementType,
  elementTypeName,
  elementTypeOf,
  hostBytes,
  type HostMemory,
} from "../dtype/host-array.js";
import type { TypedArray } from "../typed/index.js";

/** Access of kernels to a buffer. */
export type BufferAccess = "read-write" | "read-only" | "write-only";

/** Access of host commands to a buffer. */
export type HostAccess = "read-write" | "read-only" | "write-only" | "none";

/** Options of every new buffer, including sub-buffers. */
export interface BufferAccessOptions {
  /**
   * Access of kernels to the buffer.
   * @defaultValue `"read-write"`, or the parent's for a sub-buffer
   */
  readonly access?: BufferAccess;
  /**
   * Access of host commands to the buffer.
   * @defaultValue `"read-write"`, or the parent's for a sub-buffer
   */
  readonly hostAccess?: HostAccess;
  /** Additional `MemFlags`, including vendor-specific ones. */
  readonly flags?: number;
  /** Label shown in errors and traces. */
  readonly label?: string;
}

/** Option names of {@link BufferAccessOptions}. */
export const accessNames = ["access", "hostAccess", "flags", "label"] as const;

/** Options of a new buffer that is not a sub-buffer. */
export interface BufferMemoryOptions extends BufferAccessOptions {
  /**
   * Allocates memory that host and devices can access at any time (fine-grained SVM). Small reads and writes on an
   * empty queue are then memory copies instead of commands; `hostArray` and reads with `view` show the memory itself.
   * If a device of the context does not support it, `"required"` throws and `"preferred"` creates an ordinary buffer.
   */
  readonly hostCoherent?: "required" | "preferred";
  /**
   * Requests 2 MiB pages for a buffer of at least 4 MiB on CPU devices, which makes the first access to its memory five
   * times faster. A hint, ignored on other devices.
   */
  readonly largePages?: boolean;
}

/** Option names of {@link BufferMemoryOptions}. */
export const memoryNames = ["access", "hostAccess", "flags", "label", "hostCoherent", "largePages"] as const;

/** Options for creating a buffer. Its size is `size` bytes, `length` elements of `type`, or the size of `host`. */
export interface DeviceBufferOptions<T extends TypedArray = TypedArray> extends BufferMemoryOptions {
  /** Size in bytes. */
  readonly size?: number;
  /** Number of elements; requires `type`. */
  readonly length?: number;
  /**
   * Typed array class of the elements.
   * @defaultValue the class of `host`
   */
  readonly type?: ElementType<T>;
  /** Host memory to copy or to use as the buffer's memory; see {@link hostPointer}. */
  readonly host?: T | HostMemory;
  /**
   * Copy `host` (`"copy"`), use it as the buffer's memory (`"use"`), or allocate host-accessible memory (`"alloc"`).
   */
  readonly hostPointer?: "use" | "copy" | "alloc";
  /** Additional key-value pairs for `clCreateBufferWithProperties`. */
  readonly properties?: readonly (readonly [key: number, value: number | bigint])[];
}

/** Names of the options that do not depend on the size. */
const sizelessNames = [...memoryNames, "type", "hostPointer", "properties"] as const;
const bufferNames = ["size", "length", "host", ...sizelessNames] as const;

/** Driver arguments for a new buffer. */
export interface BufferPlan<T extends TypedArray> {
  readonly bytes: number;
  readonly flags: number;
  readonly type: ElementType<T> | undefined;
  readonly host: TypedArray | undefined;
  readonly properties: BigUint64Array | undefined;
  readonly hostCoherent: "required" | "preferred" | undefined;
  readonly largePages: boolean;
}

const accessFlags = {
  "read-write": MemFlags.READ_WRITE,
  "read-only": MemFlags.READ_ONLY,
  "write-only": MemFlags.WRITE_ONLY,
} as const;
const hostAccessFlags = {
  "read-write": 0,
  "read-only": MemFlags.HOST_READ_ONLY,
  "write-only": MemFlags.HOST_WRITE_ONLY,
  none: MemFlags.HOST_NO_ACCESS,
} as const;
const hostPointerFlags = {
  use: MemFlags.USE_HOST_PTR,
  copy: MemFlags.COPY_HOST_PTR,
  alloc: MemFlags.ALLOC_HOST_PTR,
} as const;

/** Mutually exclusive flags. */
const contradictions = [
  ["READ_WRITE", "READ_ONLY"],
  ["READ_WRITE", "WRITE_ONLY"],
  ["READ_ONLY", "WRITE_ONLY"],
  ["USE_HOST_PTR", "COPY_HOST_PTR"],
  ["USE_HOST_PTR", "ALLOC_HOST_PTR"],
  ["HOST_READ_ONLY", "HOST_WRITE_ONLY"],
  ["HOST_READ_ONLY", "HOST_NO_ACCESS"],
  ["HOST_WRITE_ONLY", "HOST_NO_ACCESS"],
] as const;

/** Returns the driver arguments for the options of a new buffer. */
export function planBuffer<T extends TypedArray>(options: DeviceBufferOptions<T>): BufferPlan<T> {
  const { host, type } = options;
  const flags = memoryFlags(options);
  checkContradictions(flags);
  if (type !== undefined) checkElementType(type, "options.type");
  const uses = (flags & MemFlags.USE_HOST_PTR) !== 0;
  const wantsHost = uses || (flags & MemFlags.COPY_HOST_PTR) !== 0;
  if (host === undefined && wantsHost) {
    throw typeError("options.host", `host memory to ${uses ? "use" : "copy"}`, host);
  }
  if (host !== undefined && !wantsHost) {
    throw typeError("options.hostPointer", '"copy" or "use" when options.host is given', options.hostPointer);
  }
  const memory = host === undefined ? undefined : hostBytes(host, "options.host", !uses);
  const elements = type ?? (elementTypeOf(host) as ElementType<T> | undefined);
  const bytes = bufferBytes(options, elements, memory);
  const properties = propertyList(options.properties);
  const hostCoherent = checkHostCoherent(options, flags);
  const largePages = checkLargePages(options, flags);
  return { bytes, flags, type: elements, host: memory, properties, hostCoherent, largePages };
}

/**
 * Throws if no buffer of any size can be created with the options; returns their flags. For allocators, which store the
 * options of buffers that they create later.
 */
export function checkBufferOptions(options: Omit<DeviceBufferOptions, "size" | "length" | "host">): number {
  const given = checkOptions(options, sizelessNames);
  const flags = memoryFlags(given);
  checkContradictions(flags);
  checkHostCoherent(given, flags);
  checkLargePages(given, flags);
  propertyList(given.properties);
  if (given.type !== undefined) checkElementType(given.type, "options.type");
  if (given.label !== undefined) checkString(given.label, "options.label");
  return flags;
}

/** Returns a checked `hostCoherent`, which excludes options that choose the memory or restrict host access. */
function checkHostCoherent(options: DeviceBufferOptions, flags: number): "required" | "preferred" | undefined {
  const { hostCoherent } = options;
  if (hostCoherent === undefined) return undefined;
  if (hostCoherent !== "required" && hostCoherent !== "preferred") {
    throw typeError("options.hostCoherent", '"required" or "preferred"', hostCoherent);
  }
  if ((flags & (MemFlags.USE_HOST_PTR | MemFlags.ALLOC_HOST_PTR)) !== 0) {
    throw typeError("options.hostPointer", '"copy" or absent for a host-coherent buffer', options.hostPointer);
  }
  if ((flags & (MemFlags.HOST_READ_ONLY | MemFlags.HOST_WRITE_ONLY | MemFlags.HOST_NO_ACCESS)) !== 0) {
    throw typeError("options.hostAccess", "absent for a host-coherent buffer", options.hostAccess);
  }
  if (options.properties !== undefined) {
    throw typeError("options.properties", "absent for a host-coherent buffer", options.properties);
  }
  return hostCoherent;
}

/** Returns a checked `largePages`, which excludes the other options that choose the memory. */
function checkLargePages(options: DeviceBufferOptions, flags: number): boolean {
  if (!checkBoolean(options.largePages, "options.largePages", false)) return false;
  const contradicted =
    (flags & (MemFlags.USE_HOST_PTR | MemFlags.ALLOC_HOST_PTR | MemFlags.COPY_HOST_PTR)) !== 0 ||
    options.hostCoherent !== undefined ||
    options.properties !== undefined;
  if (!contradicted) return true;
  throw typeError("options.largePages", "absent when hostPointer, hostCoherent or properties is given", true);
}

function bufferBytes(
  { size, length, type }: DeviceBufferOptions,
  elements: ElementType | undefined,
  host: TypedArray | undefined,
): number {
  if (size !== undefined && length !== undefined) {
    throw typeError("options.length", "absent when options.size is given", length);
  }
  if (length !== undefined && elements === undefined) {
    throw typeError("options.type", "a typed array's constructor when options.length is given", type);
  }
  const hostSize = host === undefined ? undefined : byteLengthOf(host);
  let bytes = hostSize;
  if (size !== undefined) bytes = checkInteger(size, "options.size", 1);
  else if (length !== undefined) bytes = checkInteger(length, "options.length", 1) * (elements?.BYTES_PER_ELEMENT ?? 1);
  if (bytes === undefined) {
    throw typeError("options", "an object with size, or length and type, or host", { size, length });
  }
  if (bytes === 0) throw rangeError("options.host", "at least one byte long (OpenCL has no empty buffers)", host);
  if (hostSize !== undefined && bytes > hostSize) {
    throw rangeError(
      size === undefined ? "options.length" : "options.size",
      `within the ${hostSize} bytes of options.host`,
      size ?? length,
    );
  }
  if (elements !== undefined) checkWholeElements(bytes, elements, "the buffer");
  return bytes;
}

/** Throws unless a size in bytes is a multiple of the element size. */
export function checkWholeElements(bytes: number, type: ElementType, what: string): void {
  if (bytes % type.BYTES_PER_ELEMENT === 0) return;
  throw outOfRange(
    `${what} has ${bytes} bytes, which is not a multiple of the ${type.BYTES_PER_ELEMENT} bytes of a ${elementTypeName(type)} element`,
  );
}

/** Returns the flags for the access of kernels and the host. */
export function bufferFlags(options: BufferAccessOptions): number {
  const raw = options.flags === undefined ? 0 : checkFlags(options.flags, "options.flags");
  // combine() adds, because vendor flags exceed the 32 bits of JavaScript's bitwise operators.
  const access = choice(accessFlags, options.access, "options.access");
  const hostAccess = choice(hostAccessFlags, options.hostAccess, "options.hostAccess");
  return combine(combine(raw, access), hostAccess);
}

/** Returns {@link bufferFlags} combined with the flag of `hostPointer`. */
export function memoryFlags(options: BufferAccessOptions & Pick<DeviceBufferOptions, "hostPointer">): number {
  return combine(bufferFlags(options), choice(hostPointerFlags, options.hostPointer, "options.hostPointer"));
}

/** Throws if the flags contain mutually exclusive ones. */
export function checkContradictions(flags: number, what = "a buffer"): void {
  for (const [first, second] of contradictions) {
    if ((flags & MemFlags[first]) !== 0 && (flags & MemFlags[second]) !== 0) {
      throw wrongValue(`${what} cannot be both ${first} and ${second}; check its flags and options`);
    }
  }
}

function combine(flags: number, more: number): number {
  return (flags & more) === more ? flags : flags + more;
}

function choice(values: Readonly<Record<string, number>>, value: unknown, name: string): number {
  if (value === undefined) return 0;
  if (typeof value === "string" && Object.hasOwn(values, value)) return values[value] as number;
  const names = Object.keys(values).map((known) => JSON.stringify(known));
  throw typeError(name, `one of ${names.join(", ")}`, value);
}

/** Returns the driver's form of a property list; `undefined` if it is empty. */
export function propertyList(properties: DeviceBufferOptions["properties"]): BigUint64Array | undefined {
  if (properties === undefined) return undefined;
  if (!Array.isArray(properties)) throw typeError("options.properties", "a list of [key, value] pairs", properties);
  const list: bigint[] = [];
  for (const [i, pair] of (properties as readonly unknown[]).entries()) {
    const name = `options.properties[${i}]`;
    if (!Array.isArray(pair) || pair.length !== 2) throw typeError(name, "a [key, value] pair", pair);
    const [key, value] = pair as [unknown, unknown];
    list.push(BigInt(checkInteger(key, `${name}[0]`)));
    list.push(typeof value === "bigint" ? BigInt.asUintN(64, value) : BigInt(checkInteger(value, `${name}[1]`)));
  }
  return list.length === 0 ? undefined : BigUint64Array.from(list);
}

/** Returns checked options; a number is the size in bytes. */
export function bufferOptions<T extends TypedArray>(given: number | DeviceBufferOptions<T>): DeviceBufferOptions<T> {
  if (typeof given === "number") return { size: given };
  if (typeof given !== "object" || given === null || isView(given)) {
    throw typeError(
      "options",
      `a number of bytes or an object (to copy an array: DeviceBuffer.from(context, array))`,
      given,
    );
  }
  return checkOptions(given, bufferNames);
}
