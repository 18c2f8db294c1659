/**
 * A place on disk for what other packages measure or compute once: beside the cache of programs, under the same rules of
 * where it is, who may have written it, and what turns it off.
 */

import { randomBytes } from "node:crypto";
import path from "node:path";

import { checkInteger, checkString, typeError } from "@cl/base";

import { chooseCacheDirectory, distrust, examineCacheDirectory } from "./cache-directory.js";
import { type Either, runAsync, runSync } from "./either.js";
import { createFile, readFile, rename, systemCode, tryRemove } from "./files.js";
import { isTemporary, sweepTemporaries, temporaryPath } from "./sweep.js";

/**
 * A folder of small files in the user's cache: `CL_CACHE_DIR` says where, `CL_NO_CACHE` turns it off. Making one touches
 * no file.
 *
 * Nothing in it makes a program fail: a file that is not there, or cannot be trusted, is `undefined`; one that cannot be
 * written is `false`. What is read came from this user, and is whole or damaged as the disk left it: check it.
 *
 * @example
 * ```ts
 * const folder = new CacheFolder("tuning-v1");
 * const known = await folder.read("gpu.json");
 * if (known === undefined) await folder.write("gpu.json", new TextEncoder().encode('{"groups":64}'));
 * ```
 */
export class CacheFolder {
  readonly #directory: string | undefined;
  readonly #reason: string | undefined;

  /** @param name - of the folder; raise a number in it when the form of its files changes */
  constructor(name: string) {
    const chosen = chooseCacheDirectory(process.env, process.platform, checkName(name, "name"));
    this.#directory = chosen.path;
    if (chosen.path === undefined) this.#reason = chosen.reason;
  }

  /** Where the files are; `undefined` when the environment turns caches off or names no place. */
  get directory(): string | undefined {
    return this.#directory;
  }

  /** Why there is no directory. */
  get reason(): string | undefined {
    return this.#reason;
  }

  /**
   * A file's bytes; `undefined` where there is none, it belongs to somebody else, or others could have written it.
   *
   * @param maxBytes - larger files are not read: 16 MiB if not said
   */
  async read(file: string, maxBytes: number = DEFAULT_MAX_BYTES): Promise<Uint8Array | undefined> {
    return runAsync(this.#read(file, maxBytes));
  }

  /** Reads as {@link read} does, and blocks the event loop until it is done: for a small file that is the shorter wait. */
  readSync(file: string, maxBytes: number = DEFAULT_MAX_BYTES): Uint8Array | undefined {
    return runSync(this.#read(file, maxBytes));
  }

  *#read(file: string, maxBytes: number): Either<Uint8Array | undefined> {
    checkName(file, "file");
    checkInteger(maxBytes, "maxBytes");
    const directory = this.#directory;
    return directory === undefined ? undefined : yield* guard(read(directory, file, maxBytes));
  }

  /** Writes a file whole or not at all, and replaces what had its name. False if that was not possible. */
  async write(file: string, bytes: Uint8Array): Promise<boolean> {
    checkName(file, "file");
    if (!(bytes instanceof Uint8Array)) throw typeError("bytes", "a Uint8Array", bytes);
    const directory = this.#directory;
    if (directory === undefined) return false;
    return (await runAsync(guard(write(directory, file, bytes)))) ?? false;
  }
}

function* read(directory: string, file: string, maxBytes: number): Either<Uint8Array | undefined> {
  if ((yield* examineCacheDirectory(directory, false)) !== undefined) return undefined;
  const content = yield* readFile(path.join(directory, file), maxBytes);
  if (content === "absent" || "unreadable" in content) return undefined;
  return distrust(content.stats) === undefined ? content.bytes : undefined;
}

function* write(directory: string, file: string, bytes: Uint8Array): Either<boolean> {
  if ((yield* examineCacheDirectory(directory, true)) !== undefined) return false;
  if (!swept.has(directory)) {
    swept.add(directory);
    yield* sweepTemporaries(directory);
  }
  const temporary = temporaryPath(directory, file, randomBytes(8).toString("hex"));
  try {
    yield* createFile(temporary, bytes);
    yield* rename(temporary, path.join(directory, file));
    return true;
  } catch (error) {
    yield* tryRemove(temporary);
    throw error;
  }
}

/** What the system refuses is an answer; mistakes of this code still throw. */
function* guard<T>(body: Either<T>): Either<T | undefined> {
  try {
    return yield* body;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}

/** A name and nothing else: no separators, nothing that leads elsewhere. */
function checkName(value: unknown, name: string): string {
  const text = checkString(value, name);
  if (isTemporary(text)) throw typeError(name, "a name that does not end like a temporary file's", value);
  if (/^[A-Za-z0-9][\w.-]{0,127}$/.test(text)) return text;
  throw typeError(
    name,
    "a name of letters, digits, dots, dashes and underscores, starting with a letter or digit",
    value,
  );
}

/** Directories that this process has cleared of what killed writers left: once is enough, since a kill is rare. */
const swept = new Set<string>();
const DEFAULT_MAX_BYTES = 16 * 2 ** 20;
