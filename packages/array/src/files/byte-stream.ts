/** Sequential reads of bytes from a file, or from its compressed entries. */
import type { FileHandle } from "node:fs/promises";
import { pipeline, Readable } from "node:stream";
import { crc32, createInflateRaw } from "node:zlib";

import { badFile } from "./bad-file.js";

/** Bytes in their order. */
export interface Bytes {
  /** Resolves to the next `count` bytes, owned by the caller. Throws if fewer remain. */
  read(count: number): Promise<Buffer>;
}

/** A part of a file. */
export class FileBytes implements Bytes {
  readonly #handle: FileHandle;
  readonly #file: string;
  #at: number;

  constructor(handle: FileHandle, file: string, start = 0) {
    this.#handle = handle;
    this.#file = file;
    this.#at = start;
  }

  async read(count: number): Promise<Buffer> {
    const buffer = Buffer.alloc(count);
    for (let done = 0; done < count;) {
      const { bytesRead } = await this.#handle.read(buffer, done, Math.min(count - done, 2 ** 30), this.#at);
      if (bytesRead === 0) throw badFile(this.#file, "was truncated while it was being read");
      done += bytesRead;
      this.#at += bytesRead;
    }
    return buffer;
  }
}

/** Bytes whose sum is checked once all were read. */
export class CheckedBytes implements Bytes {
  readonly #bytes: Bytes;
  #sum = 0;

  constructor(bytes: Bytes) {
    this.#bytes = bytes;
  }

  /** The sum (CRC-32) of what was read. */
  get sum(): number {
    return this.#sum;
  }

  async read(count: number): Promise<Buffer> {
    const bytes = await this.#bytes.read(count);
    // Some versions of zlib begin the sum again where there are no bytes.
    if (count > 0) this.#sum = crc32(bytes, this.#sum);
    return bytes;
  }
}

/** What was compressed by deflate in a part of a file. No more is kept than was asked for, and one piece. */
export class InflatedBytes implements Bytes {
  readonly #file: string;
  readonly #pieces: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(handle: FileHandle, file: string, start: number, length: number) {
    this.#file = file;
    const inflate = createInflateRaw({ chunkSize: 2 ** 18 });
    // The handle's own streams are not used: each would add a listener to the handle, and Node.js would warn of a leak.
    const source = Readable.from(piecesOf(new FileBytes(handle, file, start), length), { objectMode: false });
    // Errors are thrown by the read.
    pipeline(source, inflate, () => {});
    this.#pieces = inflate[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  async read(count: number): Promise<Buffer> {
    const buffer = Buffer.alloc(count);
    for (let done = 0; done < count;) {
      if (this.#rest.length === 0) {
        const piece = await this.#next();
        if (piece === undefined) throw badFile(this.#file, "ends before its compressed data");
        this.#rest = piece;
      }
      const taken = this.#rest.copy(buffer, done);
      this.#rest = this.#rest.subarray(taken);
      done += taken;
    }
    return buffer;
  }

  /** Whether nothing is left. */
  async isAtEnd(): Promise<boolean> {
    return this.#rest.length === 0 && (await this.#next()) === undefined;
  }

  /** Stops. */
  async close(): Promise<void> {
    await this.#pieces.return?.();
  }

  async #next(): Promise<Buffer | undefined> {
    try {
      const next = await this.#pieces.next();
      return next.done === true ? undefined : next.value;
    } catch (error) {
      throw badFile(this.#file, "has invalid compressed data", error);
    }
  }
}

/** What is compressed, so much at a time. */
async function* piecesOf(bytes: Bytes, length: number): AsyncGenerator<Buffer> {
  const most = 2 ** 16;
  for (let at = 0; at < length; at += most) yield await bytes.read(Math.min(most, length - at));
}
