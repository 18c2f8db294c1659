/**
 * The file operations that the cache needs, each in its blocking and its awaited form (see `either.ts`).
 *
 * Reading never follows surprises: only regular files are read, and a pipe or device of the right name neither blocks
 * nor answers.
 */

import fs from "node:fs";
import type { Stats } from "node:fs";
import { dirname } from "node:path";

import { step } from "./either.js";
import type { Either } from "./either.js";

/** A regular file's content and what the system said about it. */
export interface FileContent {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly stats: Stats;
}

/** What reading a path gave: the file, nothing there, or something that cannot be used, with the reason. */
export type ReadResult = FileContent | "absent" | { readonly unreadable: string };

/** Reads a whole regular file of at most `limit` bytes. Only unexpected failures throw. */
export function readFile(path: string, limit: number): Either<ReadResult> {
  return step(
    () => {
      try {
        const fd = fs.openSync(path, READ_FLAGS);
        try {
          const stats = fs.fstatSync(fd);
          const refused = refusal(stats, limit);
          if (refused !== undefined) return refused;
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
        return unopened(error);
      }
    },
    async () => {
      try {
        const handle = await fs.promises.open(path, READ_FLAGS);
        try {
          const stats = await handle.stat();
          const refused = refusal(stats, limit);
          if (refused !== undefined) return refused;
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
        return unopened(error);
      }
    },
  );
}

/** Creates a file that must not exist yet, readable by its owner only. */
export function createFile(path: string, bytes: Uint8Array): Either<void> {
  const options = { flag: "wx", mode: 0o600 };
  return step(
    () => fs.writeFileSync(path, bytes, options),
    () => fs.promises.writeFile(path, bytes, options),
  );
}

/**
 * Creates a directory and its missing parents, for its owner only. Not by `recursive`, which never ends where the system has
 * a directory but denies new ones in it as if it had not, as Linux does with `/proc`.
 */
export function* makeDirectory(path: string): Either<void> {
  try {
    yield* makeOneDirectory(path);
  } catch (error) {
    const above = dirname(path);
    if (systemCode(error) !== "ENOENT" || above === path) throw error;
    if ((yield* inspectTarget(above)) === undefined) yield* makeDirectory(above);
    // Once more in any case: somebody else may have made the parent meanwhile.
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
    // What it is, if it is no directory, is seen when it is used.
    if (systemCode(error) !== "EEXIST") throw error;
  }
}

/** The entry at `path` itself, without following a symbolic link; `undefined` if there is none. */
export function inspect(path: string): Either<Stats | undefined> {
  return unlessAbsent(
    step(
      () => fs.lstatSync(path),
      () => fs.promises.lstat(path),
    ),
  );
}

/** The entry that `path` leads to, through symbolic links; `undefined` if there is none. */
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

/** The one true spelling of a directory's path. */
export function realPath(path: string): Either<string> {
  return step(
    () => fs.realpathSync.native(path),
    () => fs.promises.realpath(path),
  );
}

/** The names in a directory. */
export function listDirectory(path: string): Either<string[]> {
  return step(
    () => fs.readdirSync(path),
    () => fs.promises.readdir(path),
  );
}

/** Gives a file a new name, replacing what had that name in one atomic step. */
export function rename(from: string, to: string): Either<void> {
  return step(
    () => fs.renameSync(from, to),
    () => fs.promises.rename(from, to),
  );
}

/** Removes a file if that is possible; says whether it did. Another process having been faster is not an error. */
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

/** Sets a file's times to now if that is possible. */
export function* tryTouch(path: string): Either<void> {
  const now = new Date();
  try {
    yield* step(
      () => fs.utimesSync(path, now, now),
      () => fs.promises.utimes(path, now, now),
    );
  } catch {
    // A read-only cache still gives hits; only its order of use is then unknown.
  }
}

/** The system's code of an error (`"ENOSPC"`), or `undefined` for an error that is not the system's. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined;
  return "syscall" in error ? error.code : undefined;
}

// O_NONBLOCK: opening a named pipe for reading must not wait for a writer. Windows has neither the flag nor the trouble.
const READ_FLAGS = fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0);

function refusal(stats: Stats, limit: number): ReadResult | undefined {
  // An include path may well name a directory that has a header's name: the preprocessor passes over it.
  if (stats.isDirectory()) return "absent";
  if (!stats.isFile()) return { unreadable: "not a regular file" };
  if (stats.size > limit) return { unreadable: `larger than ${limit} bytes` };
  return undefined;
}

function unopened(error: unknown): ReadResult {
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
