/**
 * A cache on disk for results that other packages measure or compute once. It is next to the program cache, with the
 * same environment variables and security checks.
 */

import { randomBytes } from "node:crypto";
import path from "node:path";

import { checkInteger, checkString, typeError } from "@cl/base";

import { chooseCacheDirectory, distrust, examineCacheDirectory } from "./cache-directory.js";
import { type Either, runAsync, runSync } from "./either.js";
import { createFile, readFile, rename, systemCode, tryRemove } from "./files.js";
import { isTemporary, sweepTemporaries, temporaryPath } from "./sweep.js";

/**
 * A folder of small files in the user's cache directory. `CL_CACHE_DIR` sets the location, `CL_NO_CACHE` turns it off.
 * The constructor does not access the file system.
 *
 * File system errors never throw: reading returns `undefined` if the file is missing or cannot be trusted, writing
 * returns `false` if it fails. A file that is read was written by this user but may be corrupt, so validate it.
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

  /** @param name - Name of the folder. Include a version number and increase it when the file format changes. */
  constructor(name: string) {
    const chosen = chooseCacheDirectory(process.env, process.platform, checkName(name, "name"));
    this.#directory = chosen.path;
    if (chosen.path === undefined) this.#reason = chosen.reason;
  }

  /** The path of the folder; `undefined` if the environment turns the cache off or specifies no location. */
  get directory(): string | undefined {
    return this.#directory;
  }

  /** The reason why there is no directory; `undefined` if there is one. */
  get reason(): string | undefined {
    return this.#reason;
  }

  /**
   * Reads a file. Resolves to `undefined` if it does not exist, is too large, or another user may have written it.
   *
   * @param maxBytes - Maximum size. Defaults to 16 MiB.
   */
  async read(file: string, maxBytes: number = DEFAULT_MAX_BYTES): Promise<Uint8Array | undefined> {
    return runAsync(this.#read(file, maxBytes));
  }

  /** Blocking version of {@link read}, which is faster for a small file. */
  readSync(file: string, maxBytes: number = DEFAULT_MAX_BYTES): Uint8Array | undefined {
    return runSync(this.#read(file, maxBytes));
  }

  *#read(file: string, maxBytes: number): Either<Uint8Array | undefined> {
    checkName(file, "file");
    checkInteger(maxBytes, "maxBytes");
    const directory = this.#directory;
    return directory === undefined ? undefined : yield* guard(read(directory, file, maxBytes));
  }

  /** Writes a file atomically, replacing an existing one. Resolves to `false` if that fails. */
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

/** Turns system errors into `undefined`. Other errors still throw. */
function* guard<T>(body: Either<T>): Either<T | undefined> {
  try {
    return yield* body;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}

/** Checks a file or folder name, which must not contain separators. */
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

/** Directories from which this process has removed the temporary files of killed writers, which happens once each. */
const swept = new Set<string>();
const DEFAULT_MAX_BYTES = 16 * 2 ** 20;
