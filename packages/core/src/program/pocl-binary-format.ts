/**
 * The format of PoCL's program binaries, versions 9 (PoCL 3.1) to 11 (PoCL 7.1). PoCL trusts every length in a binary,
 * and writes the files in it to its cache folder.
 *
 * ```
 *  0  "poclbin\0", u64 hash of the device, u32 version, u32 number of kernels, u64 flags, u32 number of file lists,
 *     41 bytes of a hash, u64 bytes of program variables if bit 1 of the flags is set
 *     each file list: u64 bytes of files, files
 *     each kernel: u64 bytes of all, u64 bytes of files at its end, u32 bytes of arguments, description, files
 *     each file: u32 length and name, u32 length and content
 * ```
 */
import { wrongValue } from "@cl/base";

/** Throws if a binary has a known version of PoCL's format and invalid lengths or names. Does not check its contents. */
export function checkPoclBinary(bytes: Uint8Array, name: string): void {
  const magic = new TextEncoder().encode("poclbin\0");
  if (!magic.every((byte, i) => bytes[i] === byte)) return;
  try {
    walk(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), bytes);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw wrongValue(`${name} is a damaged PoCL binary: its lengths or file names are invalid (${bytes.length} bytes)`);
  }
}

/** Internal RangeError, like the one that DataView throws for an offset out of bounds. */
class Malformed extends RangeError {}

const headBytes = 77;
const maxNameBytes = 1024;
const hasVariables = 2;

function walk(view: DataView, bytes: Uint8Array): void {
  if (view.byteLength < headBytes) throw new Malformed("no head");
  const version = view.getUint32(16, true);
  if (version < 9 || version > 11) return;
  const kernels = view.getUint32(20, true);
  let end = headBytes + ((view.getUint32(24, true) & hasVariables) === 0 ? 0 : 8);
  for (let lists = view.getUint32(32, true); lists > 0; lists--) end = files(end + 8, sizeAt(end));
  for (let k = 0; k < kernels; k++) {
    const size = sizeAt(end);
    const fileBytes = sizeAt(end + 8);
    if (fileBytes > size) throw new Malformed("files beyond the kernel");
    const next = end + size;
    if (files(next - fileBytes, fileBytes) !== next || next - fileBytes < end + 20) throw new Malformed("no kernel");
    end = next;
  }
  if (end !== view.byteLength) throw new Malformed("bytes after the last kernel");

  function sizeAt(position: number): number {
    const size = Number(view.getBigUint64(position, true));
    if (size > view.byteLength) throw new Malformed("size");
    return size;
  }

  /** Checks the files from `position` and returns their end. */
  function files(position: number, size: number): number {
    const last = position + size;
    if (last > view.byteLength) throw new Malformed("files beyond the end");
    for (let at = position; at < last;) {
      const nameBytes = view.getUint32(at, true);
      const file = new TextDecoder("latin1").decode(bytes.subarray(at + 4, at + 4 + nameBytes));
      if (!file.startsWith("/") || file.includes("\0") || file.split("/").includes("..")) throw new Malformed("name");
      if (nameBytes > maxNameBytes) throw new Malformed("long name");
      at += 4 + nameBytes;
      const contentBytes = view.getUint32(at, true);
      if (contentBytes === 0 && version === 9) throw new Malformed("empty file");
      at += 4 + contentBytes;
      if (at > last) throw new Malformed("file beyond the others");
    }
    return last;
  }
}
