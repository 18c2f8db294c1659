// Decoders from the bytes that an OpenCL info query returns to JavaScript values: numbers, strings and lists.
//
// All supported platforms are little-endian. The bytes may be unaligned, so they are read through a DataView and not
// through a typed array. Decoders throw if the bytes are too short. Extra bytes are ignored, because some drivers
// return a size_t for a cl_uint query.

import { outOfRange } from "@cl/base";

/** Decodes the result of an info query. */
export type Decoder<T> = (bytes: Uint8Array) => T;

/** Decodes a `cl_bool`: four bytes, true if not zero. */
export function bool(bytes: Uint8Array): boolean {
  return view(bytes, 4, "cl_bool").getUint32(0, true) !== 0;
}

/** Decodes a `cl_uint`. */
export function uint32(bytes: Uint8Array): number {
  return view(bytes, 4, "cl_uint").getUint32(0, true);
}

/** Decodes a `cl_int`. */
export function int32(bytes: Uint8Array): number {
  return view(bytes, 4, "cl_int").getInt32(0, true);
}

/** Decodes a `cl_float`. */
export function float32(bytes: Uint8Array): number {
  return view(bytes, 4, "cl_float").getFloat32(0, true);
}

/** Decodes a `cl_ulong` or `size_t` that may mean "no limit": to a number if it is a safe integer, else to a bigint. */
export function uint64(bytes: Uint8Array): number | bigint {
  const value = wide(bytes, "cl_ulong");
  return value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
}

/** Decodes a `cl_ulong` or `size_t` to a number. Throws if it is not a safe integer. */
export function size(bytes: Uint8Array): number {
  return exact(wide(bytes, "size_t"));
}

/** Decodes a `cl_bitfield` to a number, because all defined bits are below 2^53. */
export function bitfield(bytes: Uint8Array): number {
  return exact(wide(bytes, "cl_bitfield"));
}

/** Decodes a time or a time offset in nanoseconds. */
export function time(bytes: Uint8Array): bigint {
  return view(bytes, 8, "cl_ulong").getBigUint64(0, true);
}

/** Decodes an address or a handle; 0 is NULL. */
export function pointer(bytes: Uint8Array): bigint {
  return wide(bytes, "pointer");
}

/** Decodes a `char[]` in UTF-8 up to the terminating NUL, if any. */
export function string(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
}

/** Decodes a space-separated list of names, such as extensions. */
export function spaceList(bytes: Uint8Array): string[] {
  return string(bytes).split(/\s+/).filter(Boolean);
}

/** Decodes a semicolon-separated list of names, such as kernel names. */
export function semicolonList(bytes: Uint8Array): string[] {
  return string(bytes).split(";").filter(Boolean);
}

/** Decodes a `cl_uint[]`. */
export function uint32s(bytes: Uint8Array): number[] {
  return elements(bytes, 4, "cl_uint").map(uint32);
}

/** Decodes a `cl_int[]`. */
export function int32s(bytes: Uint8Array): number[] {
  return elements(bytes, 4, "cl_int").map(int32);
}

/** Decodes a `size_t[]`. */
export function sizes(bytes: Uint8Array): number[] {
  return elements(bytes, 8, "size_t").map(size);
}

/** Decodes a property list of 64-bit keys and values, including the terminating 0. */
export function propertyList(bytes: Uint8Array): bigint[] {
  return elements(bytes, 8, "property").map(time);
}

/**
 * Decodes a `cl_device_partition_property[]`, including the terminating 0. Signed, because one list terminator is -1.
 */
export function partitionList(bytes: Uint8Array): number[] {
  return elements(bytes, 8, "cl_device_partition_property").map((element) =>
    exact(view(element, 8, "").getBigInt64(0, true)),
  );
}

/**
 * Decodes the kinds in a `cl_device_partition_property[]`; a device that cannot be partitioned returns one 0 or
 * nothing.
 */
export function partitionKinds(bytes: Uint8Array): number[] {
  return partitionList(bytes).filter((kind) => kind !== 0);
}

/** Decodes an array of handles to their addresses. */
export function pointers(bytes: Uint8Array): bigint[] {
  return elements(bytes, 8, "pointer").map(pointer);
}

/** Returns a copy of the bytes. */
export function raw(bytes: Uint8Array): Uint8Array {
  return bytes.slice();
}

/** Returns a view of the bytes. Throws if there are fewer than `length`. */
export function view(bytes: Uint8Array, length: number, type: string): DataView {
  if (bytes.length < length) throw tooShort(bytes, `${type} of ${length} bytes`);
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Splits an array into the bytes of each element. */
export function elements(bytes: Uint8Array, length: number, type: string): Uint8Array[] {
  if (bytes.length % length !== 0) throw tooShort(bytes, `whole ${type}s of ${length} bytes`);
  return Array.from({ length: bytes.length / length }, (_, i) => bytes.subarray(i * length, (i + 1) * length));
}

/** Reads 8 bytes, or 4 if the driver returned a cl_uint. */
function wide(bytes: Uint8Array, type: string): bigint {
  if (bytes.length === 4) return BigInt(uint32(bytes));
  return view(bytes, 8, type).getBigUint64(0, true);
}

function exact(value: bigint): number {
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number;
  throw outOfRange(`the driver returned ${value}, which is not a safe integer`);
}

function tooShort(bytes: Uint8Array, expected: string): Error {
  const shown = Array.from(bytes.subarray(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join(" ");
  const rest = bytes.length > 16 ? " …" : "";
  const received = bytes.length === 0 ? "nothing" : `${bytes.length} bytes: ${shown}${rest}`;
  return new Error(`the driver must return ${expected}, received ${received}`);
}
