/**
 * The external format of program binaries: a header with a checksum, then the driver's bytes. Drivers do not validate
 * binaries: PoCL crashes if one is truncated, and executes whatever code a damaged one contains.
 *
 * ```
 *  0  magic "CLNODEPB"
 *  8  u32 version of the format (all numbers are little endian)
 * 12  u32 zero
 * 16  u64 bytes of the driver's binary
 * 24  SHA-256 of the first 24 bytes and the driver's binary
 * 56  zeros
 * 64  the driver's binary
 * ```
 */
import { createHash } from "node:crypto";

import { isBytes, typeError, wrongValue } from "@cl/base";

/** Size of the header in bytes. */
export const frameBytes = 64;

/** Returns a driver's binary with a header. */
export function frameBinary(binary: Uint8Array): Uint8Array {
  const framed = new Uint8Array(frameBytes + binary.length);
  framed.set(binary, frameBytes);
  writeHeader(framed);
  return framed;
}

/**
 * Returns the driver's bytes (PTX on NVIDIA's driver, for example) in a binary from `program.binaries`. Throws if the
 * checksum does not match.
 *
 * @example
 * ```ts
 * for (const binary of program.binaries.values()) {
 *   if (binary) console.log(driverBinary(binary).length > 0); // true
 * }
 * ```
 */
export function driverBinary(binary: Uint8Array): Uint8Array {
  if (!isBytes(binary)) throw typeError("binary", "a Uint8Array", binary);
  const driver = unframeBinary(binary, "binary");
  if (driver === undefined) throw wrongValue("binary must begin with the header that program.binaries adds");
  return driver;
}

/**
 * Returns a copy of the driver's bytes in a binary; `undefined` if it has no header. Throws if it is damaged. The copy
 * is made before the check, so that later changes of the original cannot affect it.
 */
export function unframeBinary(binary: Uint8Array, name: string): Uint8Array | undefined {
  const framed = new Uint8Array(binary);
  if (!magic.every((byte, i) => framed[i] === byte)) return undefined;
  const expected = framed.slice(0, frameBytes);
  if (framed.length > frameBytes) writeHeader(framed);
  if (framed.length <= frameBytes || Buffer.compare(expected, framed.subarray(0, frameBytes)) !== 0) {
    throw wrongValue(`${name} is damaged: its ${framed.length} bytes do not match its checksum`);
  }
  return framed.slice(frameBytes);
}

function writeHeader(framed: Uint8Array): void {
  const view = new DataView(framed.buffer, framed.byteOffset, framed.byteLength);
  framed.fill(0, 0, frameBytes);
  framed.set(magic, 0);
  view.setUint32(8, version, true);
  view.setBigUint64(16, BigInt(framed.length - frameBytes), true);
  const hash = createHash("sha256").update(framed.subarray(0, hashAt)).update(framed.subarray(frameBytes));
  framed.set(hash.digest(), hashAt);
}

const magic = new TextEncoder().encode("CLNODEPB");
const version = 1;
const hashAt = 24;
