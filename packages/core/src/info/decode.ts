// Decoders from the bytes that an OpenCL info query answers with to JavaScript values: numbers, strings and lists.
//
// Every runtime that Node runs on is little-endian. The bytes may start at any offset of their ArrayBuffer, so they are
// read through a DataView and never through a typed array laid over them. An answer that is too short throws and says
// what came; a longer one is read from its start, because drivers are known to answer a cl_uint query with a size_t.

import { outOfRange } from "@cl/base";

/** Reads the answer of one info query. */
export type Decoder<T> = (bytes: Uint8Array) => T;

/** `cl_bool`: four bytes, true when not zero. */
export function bool(bytes: Uint8Array): boolean {
  return view(bytes, 4, "cl_bool").getUint32(0, true) !== 0;
}

/** `cl_uint`. */
export function uint32(bytes: Uint8Array): number {
  return view(bytes, 4, "cl_uint").getUint32(0, true);
}

/** `cl_int`. */
export function int32(bytes: Uint8Array): number {
  return view(bytes, 4, "cl_int").getInt32(0, true);
}

/** `cl_float`. */
export function float32(bytes: Uint8Array): number {
  return view(bytes, 4, "cl_float").getFloat32(0, true);
}

/** `cl_ulong` or `size_t` that may mean "no limit": a number where one holds it exactly, otherwise a bigint. */
export function uint64(bytes: Uint8Array): number | bigint {
  const value = wide(bytes, "cl_ulong");
  return value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
}

/** `cl_ulong` or `size_t` that counts something real, and so fits a number; one that does not throws. */
export function size(bytes: Uint8Array): number {
  return exact(wide(bytes, "size_t"));
}

/** `cl_bitfield`: a number, because every bit in use lies below 2^53. */
export function bitfield(bytes: Uint8Array): number {
  return exact(wide(bytes, "cl_bitfield"));
}

/** A time in nanoseconds, or a time's offset. */
export function time(bytes: Uint8Array): bigint {
  return view(bytes, 8, "cl_ulong").getBigUint64(0, true);
}

/** An address, or the address of a handle; zero is NULL. */
export function pointer(bytes: Uint8Array): bigint {
  return wide(bytes, "pointer");
}

/** `char[]`, UTF-8, up to its terminating NUL; an empty answer is the empty string. */
export function string(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
}

/** A string of names with spaces between them, as extensions are listed. */
export function words(bytes: Uint8Array): string[] {
  return string(bytes).split(/\s+/).filter(Boolean);
}

/** A string of names with semicolons between them, as kernel names are listed. */
export function semicolonList(bytes: Uint8Array): string[] {
  return string(bytes).split(";").filter(Boolean);
}

/** `cl_uint[]`. */
export function uint32s(bytes: Uint8Array): number[] {
  return elements(bytes, 4, "cl_uint").map(uint32);
}

/** `cl_int[]`. */
export function int32s(bytes: Uint8Array): number[] {
  return elements(bytes, 4, "cl_int").map(int32);
}

/** `size_t[]`. */
export function sizes(bytes: Uint8Array): number[] {
  return elements(bytes, 8, "size_t").map(size);
}

/** A property list of 64-bit keys and values, pointers among them, with the zero that ends it. */
export function propertyList(bytes: Uint8Array): bigint[] {
  return elements(bytes, 8, "property").map(time);
}

/** `cl_device_partition_property[]`: signed, since one list end is -1; with the zero that ends it. */
export function partitionList(bytes: Uint8Array): number[] {
  return elements(bytes, 8, "cl_device_partition_property").map((one) => exact(view(one, 8, "").getBigInt64(0, true)));
}

/** The kinds in a `cl_device_partition_property[]`: a device that cannot be cut answers one zero, or nothing. */
export function partitionKinds(bytes: Uint8Array): number[] {
  return partitionList(bytes).filter((kind) => kind !== 0);
}

/** An array of handles, by address. */
export function pointers(bytes: Uint8Array): bigint[] {
  return elements(bytes, 8, "pointer").map(pointer);
}

/** The answer itself, in memory of its own. */
export function raw(bytes: Uint8Array): Uint8Array {
  return bytes.slice();
}

/** A view of an answer that holds at least one value of `length` bytes. */
export function view(bytes: Uint8Array, length: number, type: string): DataView {
  if (bytes.length < length) throw tooShort(bytes, `${type} of ${length} bytes`);
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** An array's elements, each as its own bytes; an empty answer is an empty array. */
export function elements(bytes: Uint8Array, length: number, type: string): Uint8Array[] {
  if (bytes.length % length !== 0) throw tooShort(bytes, `whole ${type}s of ${length} bytes`);
  return Array.from({ length: bytes.length / length }, (_, i) => bytes.subarray(i * length, (i + 1) * length));
}

/** Eight bytes, or the four of a driver that answers with a cl_uint. */
function wide(bytes: Uint8Array, type: string): bigint {
  if (bytes.length === 4) return BigInt(uint32(bytes));
  return view(bytes, 8, type).getBigUint64(0, true);
}

function exact(value: bigint): number {
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number;
  throw outOfRange(`The driver answered ${value}, which no JavaScript number holds exactly`);
}

function tooShort(bytes: Uint8Array, expected: string): Error {
  const shown = Array.from(bytes.subarray(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join(" ");
  const rest = bytes.length > 16 ? " …" : "";
  const came = bytes.length === 0 ? "nothing" : `${bytes.length} bytes: ${shown}${rest}`;
  return new Error(`The driver's answer should hold ${expected}, but it is ${came}`);
}
