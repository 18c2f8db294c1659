/** What a buffer is made from: options checked against each other and turned into the driver's arguments. */
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

/** What kernels may do with a buffer. */
export type BufferAccess = "read-write" | "read-only" | "write-only";

/** What the host may do with a buffer by commands. */
export type HostAccess = "read-write" | "read-only" | "write-only" | "none";

/** What every new buffer, a part of another too, can be told. */
export interface BufferAccessOptions {
  /** What kernels may do with it; `"read-write"` if not said. */
  readonly access?: BufferAccess;
  /** What commands of the host may do with it; everything if not said. */
  readonly hostAccess?: HostAccess;
  /** Flags of `MemFlags`, vendors' own included; the other options add theirs. */
  readonly flags?: number;
  /** A name of yours, shown in errors and traces. */
  readonly label?: string;
}

/** The names of {@link BufferAccessOptions}. */
export const accessNames = ["access", "hostAccess", "flags", "label"] as const;

/** What a new buffer of its own can be told besides. */
export interface BufferMemoryOptions extends BufferAccessOptions {
  /**
   * Memory that host and devices may touch at any time (fine-grained SVM). Small reads and writes on an empty queue then
   * are copies in memory instead of commands; `hostArray` and reads with `view` show the memory itself. `"required"`
   * throws where a device of the context has no such memory, `"preferred"` makes an ordinary buffer there.
   */
  readonly hostCoherent?: "required" | "preferred";
  /**
   * Asks for pages of 2 MiB for a buffer of 4 MiB or more that lives in host memory of ours, on CPU devices. The system
   * hands memory out page by page when it is first touched, which is five times faster then. A hint: elsewhere it changes
   * nothing.
   */
  readonly largePages?: boolean;
}

/** The names of {@link BufferMemoryOptions}. */
export const memoryNames = ["access", "hostAccess", "flags", "label", "hostCoherent", "largePages"] as const;

/** How to make a buffer. Its size is `size` bytes, or `length` elements of `type`, or that of `host`. */
export interface DeviceBufferOptions<T extends TypedArray = TypedArray> extends BufferMemoryOptions {
  /** Its bytes. */
  readonly size?: number;
  /** Its elements; needs `type`. */
  readonly length?: number;
  /** The typed array that holds such elements; that of `host` if not said. */
  readonly type?: ElementType<T>;
  /** Host memory that it starts with, or lives in. */
  readonly host?: T | HostMemory;
  /** Copy `host` (`"copy"`), live in it (`"use"`), or ask for memory that the host reaches easily (`"alloc"`). */
  readonly hostPointer?: "use" | "copy" | "alloc";
  /** Further key and value pairs, for `clCreateBufferWithProperties`. */
  readonly properties?: readonly (readonly [key: number, value: number | bigint])[];
}

/** The names of what is not about one size. */
const sizelessNames = [...memoryNames, "type", "hostPointer", "properties"] as const;
const bufferNames = ["size", "length", "host", ...sizelessNames] as const;

/** The driver's arguments for a new buffer. */
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

/** Flags that exclude each other. */
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

/** Checks the options of a new buffer. */
export function planBuffer<T extends TypedArray>(options: DeviceBufferOptions<T>): BufferPlan<T> {
  const { host, type } = options;
  const flags = memoryFlags(options);
  checkContradictions(flags);
  if (type !== undefined) checkElementType(type, "options.type");
  const uses = (flags & MemFlags.USE_HOST_PTR) !== 0;
  const wantsHost = uses || (flags & MemFlags.COPY_HOST_PTR) !== 0;
  if (host === undefined && wantsHost) {
    throw typeError("options.host", `host memory, since the buffer is to ${uses ? "live in" : "copy"} it`, host);
  }
  if (host !== undefined && !wantsHost) {
    throw typeError("options.hostPointer", '"copy" or "use", since options.host is given', options.hostPointer);
  }
  const memory = host === undefined ? undefined : hostBytes(host, "options.host", !uses);
  const elements = type ?? (elementTypeOf(host) as ElementType<T> | undefined);
  const bytes = bufferBytes(options, elements, memory);
  const properties = propertyList(options.properties);
  const hostCoherent = coherence(options, flags);
  const pages = largePages(options, flags);
  return { bytes, flags, type: elements, host: memory, properties, hostCoherent, largePages: pages };
}

/**
 * Refuses options that no buffer of any size could be made with, and returns the flags that they stand for. For
 * allocators, which keep options for buffers that they make later.
 */
export function checkBufferOptions(options: Omit<DeviceBufferOptions, "size" | "length" | "host">): number {
  const given = checkOptions(options, sizelessNames);
  const flags = memoryFlags(given);
  checkContradictions(flags);
  coherence(given, flags);
  largePages(given, flags);
  propertyList(given.properties);
  if (given.type !== undefined) checkElementType(given.type, "options.type");
  if (given.label !== undefined) checkString(given.label, "options.label");
  return flags;
}

/** Shared memory is the driver's own kind: nothing can be said of where it lies. */
function coherence(options: DeviceBufferOptions, flags: number): "required" | "preferred" | undefined {
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

/** What a buffer lives in can be said once. */
function largePages(options: DeviceBufferOptions, flags: number): boolean {
  if (!checkBoolean(options.largePages, "options.largePages", false)) return false;
  const contradicted =
    (flags & (MemFlags.USE_HOST_PTR | MemFlags.ALLOC_HOST_PTR | MemFlags.COPY_HOST_PTR)) !== 0 ||
    options.hostCoherent !== undefined ||
    options.properties !== undefined;
  if (!contradicted) return true;
  throw typeError(
    "options.largePages",
    "absent where hostPointer, hostCoherent or properties say what the memory is",
    true,
  );
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
    throw typeError("options.type", "a typed array's constructor, since options.length counts its elements", type);
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

/** Typed buffers hold whole elements. */
export function checkWholeElements(bytes: number, type: ElementType, what: string): void {
  if (bytes % type.BYTES_PER_ELEMENT === 0) return;
  throw outOfRange(
    `${what} has ${bytes} bytes, which is no whole number of ${elementTypeName(type)} elements of ${type.BYTES_PER_ELEMENT} bytes`,
  );
}

/** The flags that say what kernels and the host may do. */
export function bufferFlags(options: BufferAccessOptions): number {
  const raw = options.flags === undefined ? 0 : checkFlags(options.flags, "options.flags");
  // By addition of what is missing, because vendors' flags lie beyond the 32 bits of JavaScript's operators.
  const access = choice(accessFlags, options.access, "options.access");
  const hostAccess = choice(hostAccessFlags, options.hostAccess, "options.hostAccess");
  return combine(combine(raw, access), hostAccess);
}

/** {@link bufferFlags}, and those that say what is done with host memory. */
export function memoryFlags(options: BufferAccessOptions & Pick<DeviceBufferOptions, "hostPointer">): number {
  return combine(bufferFlags(options), choice(hostPointerFlags, options.hostPointer, "options.hostPointer"));
}

/** Refuses flags that exclude each other. */
export function checkContradictions(flags: number, what = "a buffer"): void {
  for (const [one, other] of contradictions) {
    if ((flags & MemFlags[one]) !== 0 && (flags & MemFlags[other]) !== 0) {
      throw wrongValue(`${what} cannot be ${one} and ${other} at once, but its flags and options say both`);
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

/** Pairs of key and value as the driver takes them; nothing if there are none. */
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

/** Options, or the bytes alone. */
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
