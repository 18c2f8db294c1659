/**
 * Files that are written completely or not at all. A file is written under a temporary name in the same folder and renamed at
 * the end, so readers see the old file or the new one. Links stay links.
 */
import { randomBytes } from "node:crypto";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

import { type WriteTarget, writeTarget, writeTargetSync } from "./write-target.js";

/** How to write a file. */
export interface AtomicFileOptions {
  /**
   * Whether missing folders are made.
   *
   * @defaultValue `false`
   */
  readonly makeFolders?: boolean;
}

/** A system call takes less than 2^31 bytes. */
const mostAtOnce = 2 ** 30;

/** A file that is being written. What is not a file, such as a pipe, is written to directly. */
export class AtomicFile {
  readonly #handle: FileHandle;
  readonly #target: WriteTarget;
  readonly #written: string;
  #length = 0;

  private constructor(handle: FileHandle, target: WriteTarget, written: string) {
    this.#handle = handle;
    this.#target = target;
    this.#written = written;
  }

  /** Starts writing the file that will have this path. */
  static async create(path: string, { makeFolders = false }: AtomicFileOptions = {}): Promise<AtomicFile> {
    const target = await writeTarget(path, makeFolders);
    const written = temporaryName(target);
    return new AtomicFile(await open(written, target.direct ? "w" : "wx"), target, written);
  }

  /** How many bytes have been appended. */
  get length(): number {
    return this.#length;
  }

  /** Writes bytes at the end. */
  async append(bytes: Uint8Array): Promise<void> {
    await this.writeAt(bytes, this.#target.direct ? null : this.#length);
    this.#length += bytes.length;
  }

  /** Writes bytes over existing ones; at the current end if the position is null. */
  async writeAt(bytes: Uint8Array, position: number | null): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      const place = position === null ? null : position + at;
      const { bytesWritten } = await this.#handle.write(bytes, at, Math.min(bytes.length - at, mostAtOnce), place);
      at += bytesWritten;
    }
  }

  /** Replaces what was at the path with this file. */
  async commit(): Promise<void> {
    try {
      // A crash after the rename must not leave an empty file.
      if (!this.#target.direct) await this.#handle.sync();
      await this.#handle.close();
      if (!this.#target.direct) await rename(this.#written, this.#target.path);
    } catch (error) {
      await this.discard();
      throw error;
    }
  }

  /** Removes what has been written. What was at the path stays. */
  async discard(): Promise<void> {
    await this.#handle.close();
    if (!this.#target.direct) await rm(this.#written, { force: true });
  }
}

/** Writes a file by a function. If the function fails, nothing is left behind and what was at the path stays. */
export async function writeAtomically(
  path: string,
  write: (file: AtomicFile) => Promise<void>,
  options?: AtomicFileOptions,
): Promise<void> {
  const file = await AtomicFile.create(path, options);
  try {
    await write(file);
  } catch (error) {
    await file.discard();
    throw error;
  }
  await file.commit();
}

/** Writes a text file. */
export async function writeTextAtomically(path: string, text: string, options?: AtomicFileOptions): Promise<void> {
  await writeAtomically(path, (file) => file.append(Buffer.from(text)), options);
}

/** Writes a text file when nothing can be awaited: while the process exits. */
export function writeTextAtomicallySync(
  path: string,
  text: string,
  { makeFolders = false }: AtomicFileOptions = {},
): void {
  const target = writeTargetSync(path, makeFolders);
  const written = temporaryName(target);
  try {
    writeFileSync(written, text, target.direct ? {} : { flag: "wx", flush: true });
    if (!target.direct) renameSync(written, target.path);
  } catch (error) {
    if (!target.direct) rmSync(written, { force: true });
    throw error;
  }
}

/** A name in the same folder that no other file has. */
function temporaryName({ path, direct }: WriteTarget): string {
  return direct ? path : join(dirname(path), `.${basename(path)}.${randomBytes(6).toString("hex")}.tmp`);
}
