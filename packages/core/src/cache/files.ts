/**
 * The file operations of the cache, each in a blocking and an asynchronous version (see `either.ts`).
 *
 * Only regular files are read; opening a pipe or device never blocks.
 */

import fs from "node:fs";
import type { Stats } from "node:fs";
import { dirname } from "node:path";

import { step } from "./either.js";
import type { Either } from "./either.js";

/** The content and stats of a regular file. */
export interface FileContent {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly stats: Stats;
}

/** The result of reading a path: the file, `"absent"`, or the reason why it cannot be read. */
export type ReadResult = FileContent | "absent" | { readonly unreadable: string };

/** Reads a regular file of at most `limit` bytes. Throws only for errors that are not system errors. */
export function readFile(path: string, limit: number): Either<ReadResult> {
  return step(
    () => {
      try {
        const fd = fs.openSync(path, READ_FLAGS);
        try {
          const stats = fs.fstatSync(fd);
          const unusable = checkUsable(stats, limit);
          if (unusable !== undefined) return unusable;
          const bytes = new Uint8Array(stats.size);
          let filled = 0;
          while (filled < bytes.length) {
            const count = fs.readSync(fd, bytes, filled, bytes.length - filled, filled);
            if (count === 0) break;
            filled += count;
          }
          return { bytes: bytes.subarray(0, filled), stats };
        } finally {
          fs.closeSync(fd);
        }
      } catch (error) {
        return openFailure(error);
      }
    },
    async () => {
      try {
        const handle = await fs.promises.open(path, READ_FLAGS);
        try {
          const stats = await handle.stat();
          const unusable = checkUsable(stats, limit);
          if (unusable !== undefined) return unusable;
          const bytes = new Uint8Array(stats.size);
          let filled = 0;
          while (filled < bytes.length) {
            const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, filled);
            if (bytesRead === 0) break;
            filled += bytesRead;
          }
          return { bytes: bytes.subarray(0, filled), stats };
        } finally {
          await handle.close();
        }
      } catch (error) {
        return openFailure(error);
      }
    },
  );
}

/** Creates a file that is readable by its owner only. Throws if it exists. */
export function createFile(path: string, bytes: Uint8Array): Either<void> {
  const options = { flag: "wx", mode: 0o600 };
  return step(
    () => fs.writeFileSync(path, bytes, options),
    () => fs.promises.writeFile(path, bytes, options),
  );
}

/**
 * Creates a directory and its missing parents, accessible to the owner only. The option `recursive` of mkdir is not
 * used because it never returns for directories in which creation fails with ENOENT, such as `/proc` on Linux.
 */
export function* makeDirectory(path: string): Either<void> {
  try {
    yield* makeOneDirectory(path);
  } catch (error) {
    const above = dirname(path);
    if (systemCode(error) !== "ENOENT" || above === path) throw error;
    if ((yield* inspectTarget(above)) === undefined) yield* makeDirectory(above);
    // Retry even if the parent exists: another process may have created it in the meantime.
    yield* makeOneDirectory(path);
  }
}

function* makeOneDirectory(path: string): Either<void> {
  try {
    yield* step(
      () => fs.mkdirSync(path, 0o700),
      () => fs.promises.mkdir(path, 0o700),
    );
  } catch (error) {
    // If the existing entry is not a directory, using it fails later.
    if (systemCode(error) !== "EEXIST") throw error;
  }
}

/** Returns the stats of `path` without following symbolic links; `undefined` if it does not exist. */
export function inspect(path: string): Either<Stats | undefined> {
  return unlessAbsent(
    step(
      () => fs.lstatSync(path),
      () => fs.promises.lstat(path),
    ),
  );
}

/** Returns the stats of `path`, following symbolic links; `undefined` if it does not exist. */
export function inspectTarget(path: string): Either<Stats | undefined> {
  return unlessAbsent(
    step(
      () => fs.statSync(path),
      () => fs.promises.stat(path),
    ),
  );
}

function* unlessAbsent<T>(read: Either<T>): Either<T | undefined> {
  try {
    return yield* read;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

/** Returns the canonical path of a directory. */
export function realPath(path: string): Either<string> {
  return step(
    () => fs.realpathSync.native(path),
    () => fs.promises.realpath(path),
  );
}

/** Returns the names in a directory. */
export function listDirectory(path: string): Either<string[]> {
  return step(
    () => fs.readdirSync(path),
    () => fs.promises.readdir(path),
  );
}

/** Renames a file, atomically replacing an existing one. */
export function rename(from: string, to: string): Either<void> {
  return step(
    () => fs.renameSync(from, to),
    () => fs.promises.rename(from, to),
  );
}

/** Tries to remove a file. Returns whether it did; another process may have removed it first. */
export function* tryRemove(path: string): Either<boolean> {
  try {
    yield* step(
      () => fs.unlinkSync(path),
      () => fs.promises.unlink(path),
    );
    return true;
  } catch {
    return false;
  }
}

/** Tries to set a file's times to now. */
export function* tryTouch(path: string): Either<void> {
  const now = new Date();
  try {
    yield* step(
      () => fs.utimesSync(path, now, now),
      () => fs.promises.utimes(path, now, now),
    );
  } catch {
    // A read-only cache still works, but without a record of use.
  }
}

/** Returns the code of a system error, such as `"ENOSPC"`; `undefined` for other errors. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined;
  return "syscall" in error ? error.code : undefined;
}

// O_NONBLOCK: opening a named pipe for reading must not wait for a writer. Windows has neither the flag nor the
// problem.
const READ_FLAGS = fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0);

function checkUsable(stats: Stats, limit: number): ReadResult | undefined {
  // The preprocessor skips a directory that has the name of a header.
  if (stats.isDirectory()) return "absent";
  if (!stats.isFile()) return { unreadable: "not a regular file" };
  if (stats.size > limit) return { unreadable: `larger than ${limit} bytes` };
  return undefined;
}

function openFailure(error: unknown): ReadResult {
  if (isAbsent(error)) return "absent";
  const code = systemCode(error);
  if (code === "EISDIR") return "absent";
  if (code === undefined) throw error;
  return { unreadable: code };
}

function isAbsent(error: unknown): boolean {
  const code = systemCode(error);
  return code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG";
}
