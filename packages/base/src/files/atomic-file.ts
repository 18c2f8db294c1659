/**
 * Atomic file writes. A file is written under a temporary name in the same folder and renamed at the end, so readers
 * see either the old file or the new one. Symbolic links are followed and stay links.
 */
import { randomBytes } from "node:crypto";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

import { type WriteTarget, writeTarget, writeTargetSync } from "./write-target.js";

/** Options for writing a file. */
export interface AtomicFileOptions {
  /**
   * Whether to create missing folders.
   *
   * @defaultValue `false`
   */
  readonly makeFolders?: boolean;
}

/** Maximum bytes per system call, which must be less than 2^31. */
const maxWriteSize = 2 ** 30;

/** A file that is being written. Targets that are not files, such as pipes, are written to directly. */
export class AtomicFile {
  readonly #handle: FileHandle;
  readonly #target: WriteTarget;
  readonly #temporaryPath: string;
  #length = 0;

  private constructor(handle: FileHandle, target: WriteTarget, temporaryPath: string) {
    this.#handle = handle;
    this.#target = target;
    this.#temporaryPath = temporaryPath;
  }

  /** Starts writing the file at this path. */
  static async create(path: string, { makeFolders = false }: AtomicFileOptions = {}): Promise<AtomicFile> {
    const target = await writeTarget(path, makeFolders);
    const temporaryPath = temporaryPathOf(target);
    return new AtomicFile(await open(temporaryPath, target.direct ? "w" : "wx"), target, temporaryPath);
  }

  /** Number of appended bytes. */
  get length(): number {
    return this.#length;
  }

  /** Appends bytes. */
  async append(bytes: Uint8Array): Promise<void> {
    await this.writeAt(bytes, this.#target.direct ? null : this.#length);
    this.#length += bytes.length;
  }

  /** Overwrites bytes at a position; appends if the position is null. */
  async writeAt(bytes: Uint8Array, position: number | null): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      const place = position === null ? null : position + at;
      const { bytesWritten } = await this.#handle.write(bytes, at, Math.min(bytes.length - at, maxWriteSize), place);
      at += bytesWritten;
    }
  }

  /** Replaces the file at the path with this one. */
  async commit(): Promise<void> {
    try {
      // A crash after the rename must not leave an empty file.
      if (!this.#target.direct) await this.#handle.sync();
      await this.#handle.close();
      if (!this.#target.direct) await rename(this.#temporaryPath, this.#target.path);
    } catch (error) {
      await this.discard();
      throw error;
    }
  }

  /** Removes what has been written. A file at the path stays unchanged. */
  async discard(): Promise<void> {
    await this.#handle.close();
    if (!this.#target.direct) await rm(this.#temporaryPath, { force: true });
  }
}

/**
 * Writes a file by calling `write`. If it fails, the temporary file is removed and a file at the path stays unchanged.
 */
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

/** Writes a text file atomically. */
export async function writeTextAtomically(path: string, text: string, options?: AtomicFileOptions): Promise<void> {
  await writeAtomically(path, (file) => file.append(Buffer.from(text)), options);
}

/** Writes a text file atomically and synchronously, for use while the process exits. */
export function writeTextAtomicallySync(
  path: string,
  text: string,
  { makeFolders = false }: AtomicFileOptions = {},
): void {
  const target = writeTargetSync(path, makeFolders);
  const temporaryPath = temporaryPathOf(target);
  try {
    writeFileSync(temporaryPath, text, target.direct ? {} : { flag: "wx", flush: true });
    if (!target.direct) renameSync(temporaryPath, target.path);
  } catch (error) {
    if (!target.direct) rmSync(temporaryPath, { force: true });
    throw error;
  }
}

/** Returns a unique path in the same folder, or the path itself for a target that is written to directly. */
function temporaryPathOf({ path, direct }: WriteTarget): string {
  return direct ? path : join(dirname(path), `.${basename(path)}.${randomBytes(6).toString("hex")}.tmp`);
}
