/**
 * The disk cache of program binaries.
 *
 * There are no locks. An entry is one file that is written under a random name and renamed into place, so a concurrent
 * reader sees the old entry, the new one or none, even on a network file system. If two processes build the same
 * program, both write it, and either result is valid.
 *
 * The cache never makes a build fail: any error is a miss or an entry that is not written, and is published on the
 * diagnostics channel `cl:cache`.
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

/** Everything that determines a program's binaries. Pass the same, unmodified object to `lookup` and `store`. */
export interface ProgramRequest {
  readonly source: string;
  /** Build options, one per element. */
  readonly options: readonly string[];
  /** Headers given by content, as pairs of name and source. */
  readonly headers: readonly (readonly [name: string, source: string])[];
  /**
   * Identification of the compiler and its target: platform name, vendor and version, and name, vendor, version, driver
   * version and vendor ID of each device, in the order of the binaries.
   */
  readonly identity: readonly string[];
}

/** A built program: one binary and one build log per device. */
export interface CachedProgram {
  readonly binaries: readonly Uint8Array[];
  readonly logs: readonly string[];
}

/** A message on the diagnostics channel `cl:cache`. */
export interface CacheMessage {
  /**
   * `off`: there is no usable directory. `stale`: an included file has changed. `corrupt`: a damaged entry was removed.
   * `skip`: a program was not looked up or not stored. `sweep`: entries were removed to make room.
   */
  readonly event: "off" | "hit" | "miss" | "stale" | "corrupt" | "store" | "skip" | "sweep";
  readonly key?: string;
  readonly reason?: string;
}

/** Options of a {@link ProgramCache}. */
export interface ProgramCacheOptions {
  /**
   * Absolute path of the directory, which is created for this user only when the first entry is stored. `undefined`
   * turns the cache off.
   */
  readonly directory: string | undefined;
  /** The reason why there is no directory. */
  readonly reason?: string;
  /**
   * Approximate maximum size of all entries, in bytes.
   *
   * @defaultValue 1 GiB
   */
  readonly maxBytes?: number;
  /**
   * Average number of stores between checks of the directory's size, which list all files.
   *
   * @defaultValue 16
   */
  readonly storesPerSweep?: number;
}

/**
 * A cache of program binaries in a directory that any number of processes may share.
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
  /** Why the cache is off; `undefined` until the directory has been checked, empty if it is usable. */
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
   * Returns the cache configured by the environment variables `CL_CACHE_DIR`, `CL_NO_CACHE` and `CL_CACHE_MAX_BYTES`.
   * Does not access the file system.
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

  /** The directory of the entries; `undefined` if the cache is off. */
  get directory(): string | undefined {
    return this.#reason ? undefined : this.#directory;
  }

  /** The reason why the cache is off, if known: the directory is checked on first use. */
  get reason(): string | undefined {
    return this.#reason || undefined;
  }

  /** Returns the cached program; `undefined` if it is not cached or one of its included files has changed. */
  lookup(request: ProgramRequest): Promise<CachedProgram | undefined> {
    return runAsync(this.#guard(this.#lookup(request)));
  }

  /** Blocking version of {@link ProgramCache.lookup}. */
  lookupSync(request: ProgramRequest): CachedProgram | undefined {
    return runSync(this.#guard(this.#lookup(request)));
  }

  /**
   * Stores the binaries of a program. A program that includes files is stored only if `lookup` was called before the
   * build with the same request object, because otherwise the headers may have changed during the build.
   */
  async store(request: ProgramRequest, program: CachedProgram): Promise<void> {
    await runAsync(this.#guard(this.#store(request, program)));
  }

  /** Blocking version of {@link ProgramCache.store}. */
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
    const content = yield* readFile(file, MAX_ENTRY_BYTES);
    if (content !== "absent") {
      if ("unreadable" in content) {
        publish({ event: "skip", key, reason: `${file}: ${content.unreadable}` });
      } else if (distrust(content.stats) !== undefined) {
        publish({ event: "skip", key, reason: `${file} ${distrust(content.stats)}` });
      } else {
        const entry = decodeEntry(content.bytes, key);
        if (entry === null) {
          // If another process has just written a valid entry, it is removed too and rebuilt, which is harmless.
          yield* tryRemove(file);
          publish({ event: "corrupt", key });
        } else if (yield* areUnchanged(entry.dependencies)) {
          prepared.dependencies = entry.dependencies;
          // Times are updated at most once an hour, so that most hits write nothing.
          if (Date.now() - content.stats.mtimeMs > TOUCH_INTERVAL_MS) yield* tryTouch(file);
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
    if (logs.length !== binaries.length) return skip(`there are ${binaries.length} binaries but ${logs.length} logs`);
    if (prepared.dependencies === undefined) return skip("it includes files and was not looked up before it was built");
    if (!(yield* areUnchanged(prepared.dependencies))) return skip("an included file changed during the build");

    const bytes = encodeEntry({ key, dependencies: prepared.dependencies, binaries, logs });
    if (bytes.length > Math.min(this.#maxBytes, MAX_ENTRY_BYTES)) return skip(`it takes ${bytes.length} bytes`);
    if (!(yield* this.#isUsable(this.#directory, true))) return undefined;
    const temporary = temporaryPath(this.#directory, key, randomBytes(8).toString("hex"));
    try {
      // No fsync, which takes milliseconds: a file left incomplete by a power failure fails the checksum and is
      // rebuilt.
      yield* createFile(temporary, bytes);
      yield* rename(temporary, entryPath(this.#directory, key));
    } catch (error) {
      yield* tryRemove(temporary);
      // The cache directory was deleted while the process was running: the next store creates it again.
      if (systemCode(error) === "ENOENT") this.#reason = undefined;
      throw error;
    }
    publish({ event: "store", key });
    yield* this.#sweepSometimes(this.#directory, bytes.length);
    return undefined;
  }

  /** Sweeps at random, so that many short-lived processes that store one program each sweep too. */
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

  /** Publishes system errors instead of throwing. Other errors still throw. */
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

/** The analysis of a request. `dependencies` is `undefined` until the includes have been scanned. */
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
  // A definition can contain an uncacheable macro: -DBUILT=__TIME__
  const inOptions = scanDirectives(options.join("\n"));
  const uncacheable =
    option === undefined ? ("uncacheable" in inOptions ? inOptions.uncacheable : undefined) : `option ${option}`;
  return { key, options, workingDirectory, uncacheable, dependencies: includes ? undefined : [] };
}

/** Finds the files that the next build will read. */
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
const MAX_ENTRY_BYTES = 1024 ** 3;
const TOUCH_INTERVAL_MS = 60 * 60 * 1000;
