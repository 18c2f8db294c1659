/** Reads the entries of ZIP archives. All sizes and offsets are validated against the file. */
import type { FileHandle } from "node:fs/promises";
import { badFile } from "./bad-file.js";
import { FileBytes } from "./byte-stream.js";

/** A file in an archive. */
export interface ZipEntry {
  readonly name: string;
  /** Whether its bytes are compressed by deflate. */
  readonly deflated: boolean;
  /** The CRC-32 of its bytes, and how many there are. */
  readonly sum: number;
  readonly size: number;
  /** Where they are in the archive, compressed or not. */
  readonly start: number;
  readonly packed: number;
}

/** All that a directory says of an entry but where its bytes begin. */
interface Listed extends Omit<ZipEntry, "start"> {
  readonly offset: number;
}

/** Lists of names are not longer. */
const longest = 2 ** 28;

/** Reads the entries of an archive of `length` bytes. */
export async function readZip(handle: FileHandle, file: string, length: number): Promise<readonly ZipEntry[]> {
  const at = (position: number, count: number): Promise<Buffer> => {
    if (position < 0 || count > longest || position + count > length) {
      throw badFile(file, "is not a valid archive: its directory is outside the file");
    }
    return new FileBytes(handle, file, position).read(count);
  };
  const { count, size, offset } = await findDirectory(at, file, length);
  const directory = await at(offset, size);
  const entries: ZipEntry[] = [];
  let next = 0;
  for (let i = 0; i < count; i++) {
    const { entry, end } = listedAt(directory, next, file);
    next = end;
    const { offset: header, ...rest } = entry;
    const local = await at(header, 30);
    if (local.readUInt32LE(0) !== 0x04034b50) {
      throw badFile(file, `has no entry "${entry.name}" at the offset in its directory`);
    }
    const start = header + 30 + local.readUInt16LE(26) + local.readUInt16LE(28);
    if (start + entry.packed > offset) throw badFile(file, `is truncated: "${entry.name}" ends after the last entry`);
    if (!rest.deflated && rest.packed !== rest.size) throw badFile(file, `has inconsistent sizes of "${entry.name}"`);
    // A match of 258 bytes takes two bits at least.
    if (rest.deflated && rest.size > rest.packed * 1032 + 1024) {
      throw badFile(
        file,
        `has an impossible size of "${entry.name}": ${rest.size} bytes from ${rest.packed} compressed ones`,
      );
    }
    entries.push({ ...rest, start });
  }
  const names = new Set(entries.map(({ name }) => name));
  if (names.size !== entries.length) throw badFile(file, "has two entries of the same name");
  return entries;
}

type ReadAt = (position: number, count: number) => Promise<Buffer>;

interface Directory {
  readonly count: number;
  readonly size: number;
  readonly offset: number;
}

/** Where the list of entries is: behind it there is a comment of less than 2^16 bytes at most. */
async function findDirectory(at: ReadAt, file: string, length: number): Promise<Directory> {
  const tail = await at(Math.max(0, length - 65_557), Math.min(length, 65_557));
  for (let end = tail.length - 22; end >= 0; end--) {
    if (tail.readUInt32LE(end) !== 0x06054b50 || end + 22 + tail.readUInt16LE(end + 20) !== tail.length) continue;
    const found = {
      count: tail.readUInt16LE(end + 10),
      size: tail.readUInt32LE(end + 12),
      offset: tail.readUInt32LE(end + 16),
    };
    if (found.count < 0xffff && found.size < 0xffff_ffff && found.offset < 0xffff_ffff) return found;
    const locator = await at(length - tail.length + end - 20, 20);
    if (locator.readUInt32LE(0) !== 0x07064b50) return found;
    const wide = await at(safe(locator.readBigUInt64LE(8), file), 56);
    if (wide.readUInt32LE(0) !== 0x06064b50) throw badFile(file, "is an archive without a directory");
    const [count, size, offset] = [32, 40, 48].map((place) => safe(wide.readBigUInt64LE(place), file));
    return { count, size, offset } as Directory;
  }
  throw badFile(file, "is not a .npz file: it has no directory at its end");
}

/** An entry of the list, and where the next one begins. */
function listedAt(list: Buffer, at: number, file: string): { readonly entry: Listed; readonly end: number } {
  const wrong = (): Error => badFile(file, "is an archive with an invalid directory");
  if (at + 46 > list.length || list.readUInt32LE(at) !== 0x02014b50) throw wrong();
  const [nameLength, extraLength, commentLength] = [28, 30, 32].map((place) => list.readUInt16LE(at + place)) as [
    number,
    number,
    number,
  ];
  const end = at + 46 + nameLength + extraLength + commentLength;
  if (end > list.length) throw wrong();
  const name = list.toString("utf8", at + 46, at + 46 + nameLength);
  const extra = list.subarray(at + 46 + nameLength, at + 46 + nameLength + extraLength);
  const flags = list.readUInt16LE(at + 8);
  const method = list.readUInt16LE(at + 10);
  if ((flags & 1) !== 0) throw badFile(file, `has an entry "${name}" that is encrypted, which is not supported`);
  if (method !== 0 && method !== 8) {
    throw badFile(file, `has an entry "${name}" with an unsupported compression method; only deflate is supported`);
  }
  const wide = wideValues(extra);
  const value = (place: number): number => {
    const short = list.readUInt32LE(at + place);
    if (short !== 0xffff_ffff) return short;
    const next = wide.shift();
    if (next === undefined) throw wrong();
    return safe(next, file);
  };
  const size = value(24);
  const packed = value(20);
  const offset = value(42);
  return { entry: { name, deflated: method === 8, sum: list.readUInt32LE(at + 16), size, packed, offset }, end };
}

/** The numbers of 64 bits that stand in for those of 32. */
function wideValues(extra: Buffer): bigint[] {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    const count = Math.floor(Math.min(extra.readUInt16LE(at + 2), extra.length - at - 4) / 8);
    return Array.from({ length: count }, (_, i) => extra.readBigUInt64LE(at + 4 + 8 * i));
  }
  return [];
}

function safe(value: bigint, file: string): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw badFile(file, "is not a valid archive: its directory is outside the file");
  }
  return Number(value);
}
