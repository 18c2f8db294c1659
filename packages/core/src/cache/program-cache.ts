/**
 * The disk cache of program binaries.
 *
 * There are no locks. An entry is one file; it is written under a random name and renamed into place, so a reader sees
 * the old entry, the new one or none, whoever else is at work, also over a network file system. Two processes that build
 * the same program both write it, and either result is right.
 *
 * The cache never makes a build fail: whatever goes wrong in it is a miss, or an entry that is not written, published on
 * the diagnostics channel `cl:cache`.
 */

import { randomBytes } from "node:crypto";
import { channel } from "node:diagnostics_channel";
import { includeDirectories, normalizeOptions, untraceableOption } from "./build-options.js";
import { chooseCacheDirectory, distrust, examineCacheDirectory } from "./cache-directory.js";
import type { Environment } from "./cache-directory.js";
import { cacheKey } from "./cache-key.js";
import { runAsync, runSync } from "./either.js";
import type { Either } from "./either.js";
import { decodeEntry, encodeEntry } from "./entry.js";
import { createFile, readFile, rename, systemCode, tryRemove, tryTouch } from "./files.js";
import { scanDirectives } from "./include-directives.js";
import { areUnchanged, mayInclude, scanIncludes } from "./includes.js";
import type { Dependency } from "./includes.js";
import { entryPath, sweep, temporaryPath } from "./sweep.js";

/** What decides a program's binaries. Use one and the same object for `lookup` and `store`, and do not change it. */
export interface ProgramRequest {
  readonly source: string;
  /** Build options, one each. */
  readonly options: readonly string[];
  /** Headers given by content, as pairs of name and source. */
  readonly headers: readonly (readonly [name: string, source: string])[];
  /**
   * Everything that names the compiler and its target: platform name, vendor and version, and for each device, in the
   * order of the binaries, name, vendor, version, driver version and vendor id.
   */
  readonly identity: readonly string[];
}

/** A built program: one binary and one build log for each device. */
export interface CachedProgram {
  readonly binaries: readonly Uint8Array[];
  readonly logs: readonly string[];
}

/** A message on the diagnostics channel `cl:cache`. */
export interface CacheMessage {
  /**
   * `off`: there is no usable directory. `stale`: an included file has changed. `corrupt`: an entry was damaged and is
   * removed. `skip`: a program is not looked up or not stored. `sweep`: entries were removed to make room.
   */
  readonly event: "off" | "hit" | "miss" | "stale" | "corrupt" | "store" | "skip" | "sweep";
  readonly key?: string;
  readonly reason?: string;
}

/** Where and how large a cache is. */
export interface ProgramCacheOptions {
  /** An absolute path; created, for this user alone, when the first entry is stored. `undefined`: no cache. */
  readonly directory: string | undefined;
  /** Why there is no directory. */
  readonly reason?: string;
  /** What all entries together may take, about: 1 GiB. */
  readonly maxBytes?: number;
  /** After how many stores, on average, the directory's size is looked at. Listing it costs, and a little more does not. */
  readonly storesPerSweep?: number;
}

/**
 * A directory of program binaries, shared by any number of processes.
 *
 * @example
 * const cache = ProgramCache.fromEnvironment();
 * const request = { source, options: ["-cl-mad-enable"], headers: [], identity };
 * const found = await cache.lookup(request);
 * if (!found) await cache.store(request, build());
 */
export class ProgramCache {
  readonly #directory: string | undefined;
  readonly #maxBytes: number;
  readonly #storesPerSweep: number;
  /** `undefined` until the directory has been looked at; an empty string when it is good. */
  #reason: string | undefined;
  #bytesSinceSweep = 0;
  readonly #prepared = new WeakMap<ProgramRequest, Prepared>();

  constructor(options: ProgramCacheOptions) {
    this.#directory = options.directory;
    this.#maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES;
    this.#storesPerSweep = options.storesPerSweep ?? 16;
    if (options.directory === undefined) this.#reason = options.reason ?? "no directory is given";
  }

  /**
   * The cache that the environment asks for: `CL_CACHE_DIR`, `CL_NO_CACHE`, `CL_CACHE_MAX_BYTES`. Touches no file.
   */
  static fromEnvironment(environment: Environment = process.env): ProgramCache {
    const chosen = chooseCacheDirectory(environment);
    const limit = environment["CL_CACHE_MAX_BYTES"] ?? "";
    return new ProgramCache({
      directory: chosen.path,
      ...(chosen.path === undefined ? { reason: chosen.reason } : {}),
      ...(/^\d+$/.test(limit) ? { maxBytes: Number(limit) } : {}),
    });
  }

  /** The directory of the entries; `undefined` when the cache is off. */
  get directory(): string | undefined {
    return this.#reason ? undefined : this.#directory;
  }

  /** Why the cache is off, as far as it is known: the directory is looked at when it is first used. */
  get reason(): string | undefined {
    return this.#reason || undefined;
  }

  /** The kept binaries of a program, if there are any and nothing that they depend on has changed. */
  lookup(request: ProgramRequest): Promise<CachedProgram | undefined> {
    return runAsync(this.#guard(this.#lookup(request)));
  }

  /** Like {@link ProgramCache.lookup}, blocking. */
  lookupSync(request: ProgramRequest): CachedProgram | undefined {
    return runSync(this.#guard(this.#lookup(request)));
  }

  /**
   * Keeps the binaries of a program. A program that includes files must have been looked up before it was built, with
   * the same request object: otherwise nobody knows whether its headers are still those that the compiler read.
   */
  async store(request: ProgramRequest, program: CachedProgram): Promise<void> {
    await runAsync(this.#guard(this.#store(request, program)));
  }

  /** Like {@link ProgramCache.store}, blocking. */
  storeSync(request: ProgramRequest, program: CachedProgram): void {
    runSync(this.#guard(this.#store(request, program)));
  }

  *#lookup(request: ProgramRequest): Either<CachedProgram | undefined> {
    if (this.#directory === undefined || this.#reason) return undefined;
    const prepared = prepare(request);
    this.#prepared.set(request, prepared);
    const { key } = prepared;
    if (prepared.uncacheable !== undefined) return publish({ event: "skip", key, reason: prepared.uncacheable });
    if (!(yield* this.#isUsable(this.#directory, false))) {
      yield* scan(prepared, request);
      return publish({ event: "miss", key });
    }

    const file = entryPath(this.#directory, key);
    const content = yield* readFile(file, LARGEST_ENTRY);
    if (content !== "absent") {
      if ("unreadable" in content) {
        publish({ event: "skip", key, reason: `${file}: ${content.unreadable}` });
      } else if (distrust(content.stats) !== undefined) {
        publish({ event: "skip", key, reason: `${file} ${distrust(content.stats)}` });
      } else {
        const entry = decodeEntry(content.bytes, key);
        if (entry === null) {
          // Should another process have put a good entry there meanwhile, that one is built once more; no harm.
          yield* tryRemove(file);
          publish({ event: "corrupt", key });
        } else if (yield* areUnchanged(entry.dependencies)) {
          prepared.dependencies = entry.dependencies;
          // The order of use needs no more precision than this, and a hit then writes nothing.
          if (Date.now() - content.stats.mtimeMs > TOUCH_AFTER_MS) yield* tryTouch(file);
          publish({ event: "hit", key });
          return { binaries: entry.binaries, logs: entry.logs };
        } else {
          publish({ event: "stale", key });
        }
      }
    }
    yield* scan(prepared, request);
    return publish({ event: "miss", key });
  }

  *#store(request: ProgramRequest, program: CachedProgram): Either<undefined> {
    if (this.#directory === undefined || this.#reason) return undefined;
    const prepared = this.#prepared.get(request) ?? prepare(request);
    const { key } = prepared;
    const skip = (reason: string): undefined => publish({ event: "skip", key, reason });
    if (prepared.uncacheable !== undefined) return skip(prepared.uncacheable);
    const { binaries, logs } = program;
    if (binaries.length === 0 || binaries.some((binary) => binary.byteLength === 0)) {
      return skip("a device has no binary");
    }
    if (logs.length !== binaries.length) return skip(`${binaries.length} binaries came with ${logs.length} logs`);
    if (prepared.dependencies === undefined) return skip("it includes files and was not looked up before it was built");
    if (!(yield* areUnchanged(prepared.dependencies))) return skip("an included file changed during the build");

    const bytes = encodeEntry({ key, dependencies: prepared.dependencies, binaries, logs });
    if (bytes.length > Math.min(this.#maxBytes, LARGEST_ENTRY)) return skip(`it takes ${bytes.length} bytes`);
    if (!(yield* this.#isUsable(this.#directory, true))) return undefined;
    const temporary = temporaryPath(this.#directory, key, randomBytes(8).toString("hex"));
    try {
      // No fsync: it costs milliseconds, and what a power failure may leave after the rename, an empty or half-written
      // file, has no fitting checksum and is built again.
      yield* createFile(temporary, bytes);
      yield* rename(temporary, entryPath(this.#directory, key));
    } catch (error) {
      yield* tryRemove(temporary);
      // Somebody cleared the caches under a running process: the next store makes the directory again.
      if (systemCode(error) === "ENOENT") this.#reason = undefined;
      throw error;
    }
    publish({ event: "store", key });
    yield* this.#sweepSometimes(this.#directory, bytes.length);
    return undefined;
  }

  /** By chance, so that many short-lived processes that store one program each sweep too. */
  *#sweepSometimes(directory: string, stored: number): Either<void> {
    this.#bytesSinceSweep += stored;
    if (Math.random() * this.#storesPerSweep >= 1 && this.#bytesSinceSweep < this.#maxBytes / 8) return;
    this.#bytesSinceSweep = 0;
    const { removed } = yield* sweep(directory, this.#maxBytes);
    if (removed > 0) publish({ event: "sweep", reason: `${removed} files removed` });
  }

  *#isUsable(directory: string, create: boolean): Either<boolean> {
    if (this.#reason === undefined) {
      const result = yield* examineCacheDirectory(directory, create);
      if (result === "absent") return false;
      this.#reason = result?.reason ?? "";
      if (this.#reason) publish({ event: "off", reason: this.#reason });
    }
    return this.#reason === "";
  }

  /** Turns what the system refuses into a message. Mistakes of this code still throw. */
  *#guard<T>(body: Either<T | undefined>): Either<T | undefined> {
    try {
      return yield* body;
    } catch (error) {
      const code = systemCode(error);
      if (code === undefined) throw error;
      return publish({ event: "skip", reason: error instanceof Error ? error.message : code });
    }
  }
}

/** What is known about a request. `dependencies` is missing until they have been found. */
interface Prepared {
  readonly key: string;
  readonly options: readonly string[];
  readonly workingDirectory: string | undefined;
  uncacheable: string | undefined;
  dependencies: readonly Dependency[] | undefined;
}

function prepare(request: ProgramRequest): Prepared {
  const { source, headers, identity } = request;
  const options = normalizeOptions(request.options);
  const includes = mayInclude(source);
  const workingDirectory = includes ? process.cwd() : undefined;
  const key = cacheKey({ source, options, headers, identity, workingDirectory });
  const option = untraceableOption(options);
  // A definition can carry what a source must not use: -DBUILT=__TIME__
  const inOptions = scanDirectives(options.join("\n"));
  const uncacheable =
    option === undefined ? ("uncacheable" in inOptions ? inOptions.uncacheable : undefined) : `option ${option}`;
  return { key, options, workingDirectory, uncacheable, dependencies: includes ? undefined : [] };
}

/** Finds what the build that follows will read. */
function* scan(prepared: Prepared, request: ProgramRequest): Either<void> {
  if (prepared.workingDirectory === undefined) return;
  const found = yield* scanIncludes({
    source: request.source,
    headers: request.headers,
    directories: includeDirectories(prepared.options),
    workingDirectory: prepared.workingDirectory,
  });
  if ("uncacheable" in found) prepared.uncacheable = found.uncacheable;
  else prepared.dependencies = found.dependencies;
}

function publish(message: CacheMessage): undefined {
  if (messages.hasSubscribers) messages.publish(message);
  return undefined;
}

const messages = channel("cl:cache");
const DEFAULT_MAX_BYTES = 1024 ** 3;
const LARGEST_ENTRY = 1024 ** 3;
const TOUCH_AFTER_MS = 60 * 60 * 1000;
