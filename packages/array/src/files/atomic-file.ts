/** Files that are there as a whole or not at all: written under another name, which is changed at the end. */
import { randomBytes } from "node:crypto";
import { type FileHandle, open, rename, rm } from "node:fs/promises";

/** A file that is being written. */
export class AtomicFile {
  readonly #handle: FileHandle;
  readonly #path: string;
  readonly #temporary: string;
  /** How many bytes were appended. */
  #length = 0;

  private constructor(handle: FileHandle, path: string, temporary: string) {
    this.#handle = handle;
    this.#path = path;
    this.#temporary = temporary;
  }

  /** Begins a file beside the one that it will be. */
  static async create(path: string): Promise<AtomicFile> {
    const temporary = `${path}.${randomBytes(6).toString("hex")}.tmp`;
    return new AtomicFile(await open(temporary, "wx"), path, temporary);
  }

  /** How many bytes were appended. */
  get length(): number {
    return this.#length;
  }

  /** Writes bytes at the end. */
  async append(bytes: Uint8Array): Promise<void> {
    await this.writeAt(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Writes bytes over those that are there. One call of the system takes less than 2^31 bytes. */
  async writeAt(bytes: Uint8Array, position: number): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      const { bytesWritten } = await this.#handle.write(bytes, at, Math.min(bytes.length - at, 2 ** 30), position + at);
      at += bytesWritten;
    }
  }

  /** The file is there, in place of what was there before. */
  async commit(): Promise<void> {
    try {
      await this.#handle.sync();
      await this.#handle.close();
      await rename(this.#temporary, this.#path);
    } catch (error) {
      await this.discard();
      throw error;
    }
  }

  /** Nothing was written. */
  async discard(): Promise<void> {
    await this.#handle.close();
    await rm(this.#temporary, { force: true });
  }
}

/** Writes a file as a whole; nothing is left of it if that fails. */
export async function writeAtomically(path: string, write: (file: AtomicFile) => Promise<void>): Promise<void> {
  const file = await AtomicFile.create(path);
  try {
    await write(file);
  } catch (error) {
    await file.discard();
    throw error;
  }
  await file.commit();
}
