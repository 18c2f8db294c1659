/** Writes ZIP archives of any size (ZIP64). */
import { once } from "node:events";
import { crc32, createDeflateRaw } from "node:zlib";

import type { AtomicFile } from "@cl/base/files";

/** What is written of an entry. */
interface Entry {
  readonly name: Buffer;
  readonly method: number;
  readonly sum: number;
  readonly size: number;
  readonly packed: number;
  readonly offset: number;
}

/** Sizes from here on are written with 64 bits. */
const largest = 0xffff_ffff;
/** The first of January 1980: files of the same arrays are the same. */
const date = 0x0021;

/** Writes entries, and what is in the archive at its end. */
export class ZipWriter {
  readonly #file: AtomicFile;
  readonly #entries: Entry[] = [];

  constructor(file: AtomicFile) {
    this.#file = file;
  }

  /** An entry of these bytes. */
  async add(name: string, parts: readonly Uint8Array[], compressed: boolean): Promise<void> {
    // Some versions of zlib begin the sum again where there are no bytes.
    const pieces = parts.filter(({ length }) => length > 0);
    const offset = this.#file.length;
    const size = pieces.reduce((sum, one) => sum + one.length, 0);
    const sum = pieces.reduce((before, one) => crc32(one, before), 0);
    const entry = { name: Buffer.from(name), method: compressed ? 8 : 0, sum, size, offset };
    // What does not shrink grows by some bytes for each 16 KiB.
    const wide = size + size / 1024 >= largest;
    await this.#file.append(localHeader({ ...entry, packed: 0 }, wide));
    const start = this.#file.length;
    if (compressed) await this.#deflate(pieces);
    else for (const one of pieces) await this.#file.append(one);
    const complete = { ...entry, packed: this.#file.length - start };
    await this.#file.writeAt(localHeader(complete, wide), offset);
    this.#entries.push(complete);
  }

  /** The list of entries. */
  async end(): Promise<void> {
    const offset = this.#file.length;
    for (const entry of this.#entries) await this.#file.append(centralHeader(entry));
    const size = this.#file.length - offset;
    const count = this.#entries.length;
    if (count >= 0xffff || offset >= largest || size >= largest) {
      await this.#file.append(wideEnd(count, size, offset));
    }
    const end = Buffer.alloc(22);
    end.writeUInt32LE(0x06054b50, 0);
    end.writeUInt16LE(Math.min(count, 0xffff), 8);
    end.writeUInt16LE(Math.min(count, 0xffff), 10);
    end.writeUInt32LE(Math.min(size, largest), 12);
    end.writeUInt32LE(Math.min(offset, largest), 16);
    await this.#file.append(end);
  }

  async #deflate(pieces: readonly Uint8Array[]): Promise<void> {
    const deflate = createDeflateRaw({ chunkSize: 2 ** 18 });
    const feed = async (): Promise<void> => {
      for (const one of pieces) {
        for (let at = 0; at < one.length; at += 2 ** 24) {
          if (!deflate.write(one.subarray(at, at + 2 ** 24))) await once(deflate, "drain");
        }
      }
      deflate.end();
    };
    const fed = feed();
    // A failed feed ends the loop by destroying the stream; this catch only avoids an unhandled rejection.
    fed.catch((error: unknown) => deflate.destroy(error as Error));
    for await (const packed of deflate) await this.#file.append(packed as Buffer);
    await fed;
  }
}

function localHeader({ name, method, sum, size, packed }: Omit<Entry, "offset">, wide: boolean): Buffer {
  const header = Buffer.alloc(30 + name.length + (wide ? 20 : 0));
  header.writeUInt32LE(0x04034b50, 0);
  common(header, 4, { name, method, sum, size: wide ? largest : size, packed: wide ? largest : packed }, wide);
  header.writeUInt16LE(wide ? 20 : 0, 28);
  name.copy(header, 30);
  if (wide) wideSizes(header, 30 + name.length, [size, packed]);
  return header;
}

function centralHeader(entry: Entry): Buffer {
  const { name, size, packed, offset } = entry;
  const long = [size, packed, offset].filter((value) => value >= largest);
  const extra = long.length === 0 ? 0 : 4 + 8 * long.length;
  const header = Buffer.alloc(46 + name.length + extra);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(long.length > 0 ? 45 : 20, 4);
  common(header, 6, { ...entry, size: Math.min(size, largest), packed: Math.min(packed, largest) }, long.length > 0);
  header.writeUInt16LE(extra, 30);
  header.writeUInt32LE(Math.min(offset, largest), 42);
  name.copy(header, 46);
  if (extra > 0) wideSizes(header, 46 + name.length, long);
  return header;
}

/** From the version that is needed to the length of the name: both headers have it. Names are UTF-8. */
function common(header: Buffer, at: number, entry: Omit<Entry, "offset">, wide: boolean): void {
  header.writeUInt16LE(wide ? 45 : 20, at);
  header.writeUInt16LE(0x0800, at + 2);
  header.writeUInt16LE(entry.method, at + 4);
  header.writeUInt16LE(date, at + 8);
  header.writeUInt32LE(entry.sum, at + 10);
  header.writeUInt32LE(entry.packed, at + 14);
  header.writeUInt32LE(entry.size, at + 18);
  header.writeUInt16LE(entry.name.length, at + 22);
}

function wideSizes(header: Buffer, at: number, values: readonly number[]): void {
  header.writeUInt16LE(1, at);
  header.writeUInt16LE(8 * values.length, at + 2);
  for (const [i, value] of values.entries()) header.writeBigUInt64LE(BigInt(value), at + 4 + 8 * i);
}

/** The end of archives with many entries or bytes, and where it is. */
function wideEnd(count: number, size: number, offset: number): Buffer {
  const end = Buffer.alloc(76);
  end.writeUInt32LE(0x06064b50, 0);
  end.writeBigUInt64LE(44n, 4);
  end.writeUInt16LE(45, 12);
  end.writeUInt16LE(45, 14);
  for (const [i, value] of [count, count, size, offset].entries()) end.writeBigUInt64LE(BigInt(value), 24 + 8 * i);
  end.writeUInt32LE(0x07064b50, 56);
  end.writeBigUInt64LE(BigInt(offset + size), 64);
  end.writeUInt32LE(1, 72);
  return end;
}
