/**
 * The location of the cache and its security checks.
 *
 * Binaries from the cache are passed to the driver as programs, so no other user may be able to write to the directory:
 * it must be owned by this user, not be writable by group or others, not be a symbolic link, and not be replaceable by
 * another user. If a check fails, the cache is turned off, with a reason.
 */

import type { Stats } from "node:fs";
import path from "node:path";
import type { Either } from "./either.js";
import { inspect, inspectTarget, makeDirectory, systemCode } from "./files.js";

/** The directory to use, or the reason why the cache is off. */
export type CacheDirectory = { readonly path: string } | { readonly path: undefined; readonly reason: string };

/** Environment variables, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the directory that the environment specifies. Does not access the file system.
 *
 * A non-empty `CL_NO_CACHE` turns the cache off. `CL_CACHE_DIR` is the base directory; it defaults to `cl-node` in the
 * platform's user cache directory. Entries are stored in a subdirectory whose name contains the format version.
 *
 * @param environment - Defaults to `process.env`.
 * @param platform - Defaults to `process.platform`.
 * @param leaf - Name of the subdirectory. Defaults to that of the program cache.
 */
export function chooseCacheDirectory(
  environment: Environment = process.env,
  platform: NodeJS.Platform = process.platform,
  leaf: string = LEAF,
): CacheDirectory {
  if (environment["CL_NO_CACHE"]) return { path: undefined, reason: "CL_NO_CACHE is set" };
  const { join, resolve, isAbsolute } = platform === "win32" ? path.win32 : path.posix;
  const configured = environment["CL_CACHE_DIR"];
  if (configured) return { path: join(resolve(configured), leaf) };

  const absolute = (name: string): string | undefined => {
    const value = environment[name];
    // The XDG specification requires relative paths to be ignored; the same makes sense for HOME.
    return value && isAbsolute(value) ? value : undefined;
  };
  if (platform === "win32") {
    const local = absolute("LOCALAPPDATA");
    if (local) return { path: join(local, "cl-node", "cache", leaf) };
    const profile = absolute("USERPROFILE");
    if (profile) return { path: join(profile, "AppData", "Local", "cl-node", "cache", leaf) };
    return { path: undefined, reason: "neither CL_CACHE_DIR nor LOCALAPPDATA nor USERPROFILE is set" };
  }
  const xdg = platform === "darwin" ? undefined : absolute("XDG_CACHE_HOME");
  if (xdg) return { path: join(xdg, "cl-node", leaf) };
  const home = absolute("HOME");
  if (!home) return { path: undefined, reason: "neither CL_CACHE_DIR nor HOME is set" };
  return { path: join(home, platform === "darwin" ? "Library/Caches" : ".cache", "cl-node", leaf) };
}

/**
 * Checks a cache directory. Returns the reason why it cannot be used, `undefined` if it can, or `"absent"` if it does
 * not exist and `create` is false.
 */
export function* examineCacheDirectory(
  directory: string,
  create: boolean,
): Either<"absent" | { readonly reason: string } | undefined> {
  try {
    let stats = yield* inspect(directory);
    if (stats === undefined) {
      if (!create) return "absent";
      // Checked before creating anything: the owner of a parent directory could replace what we create in it, and root
      // would create directories in a user's home that the user cannot write to.
      const above = yield* nearestAncestor(directory);
      if (above !== undefined) return above;
      yield* makeDirectory(directory);
      stats = yield* inspect(directory);
      if (stats === undefined) return { reason: `${directory} vanished while it was created` };
    }
    if (stats.isSymbolicLink()) return { reason: `${directory} is a symbolic link` };
    if (!stats.isDirectory()) return { reason: `${directory} is not a directory` };
    const user = process.geteuid?.();
    // On Windows, modes are meaningless; access lists keep the user's profile private.
    if (user === undefined) return undefined;
    if (stats.uid !== user) return { reason: `${directory} belongs to user ${stats.uid}, not to ${user}` };
    if (stats.mode & WRITABLE_BY_OTHERS) {
      return { reason: `${directory} can be written to by others (mode ${mode(stats.mode)})` };
    }
    return yield* nearestAncestor(directory);
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    return { reason: `${directory} cannot be used (${code})` };
  }
}

/** Returns why an entry cannot be trusted, because another user may have written it; `undefined` if it can be. */
export function distrust({ uid, mode: bits }: Stats): string | undefined {
  const user = process.geteuid?.();
  if (user === undefined) return undefined;
  if (uid !== user) return `belongs to user ${uid}`;
  return bits & WRITABLE_BY_OTHERS ? `can be written to by others (mode ${mode(bits)})` : undefined;
}

/** Returns why the nearest existing parent of `directory` is insecure; `undefined` if it is not. */
function* nearestAncestor(directory: string): Either<{ readonly reason: string } | undefined> {
  const user = process.geteuid?.();
  if (user === undefined) return undefined;
  let above = path.dirname(directory);
  let stats = yield* inspectTarget(above);
  while (stats === undefined && above !== path.dirname(above)) {
    above = path.dirname(above);
    stats = yield* inspectTarget(above);
  }
  if (stats === undefined) return { reason: `${directory} has no parent directory` };
  if (stats.uid !== user && stats.uid !== 0) {
    return { reason: `${above} belongs to user ${stats.uid}, neither to ${user} nor to root` };
  }
  // In a sticky directory such as /tmp, others can write but cannot rename or remove our files. Group write access is
  // allowed here, because many systems give each user a private group with write access to every directory.
  if (stats.mode & WRITABLE_BY_ANYBODY && !(stats.mode & STICKY)) {
    return { reason: `${above} can be written to by anybody (mode ${mode(stats.mode)})` };
  }
  return undefined;
}

function mode(bits: number): string {
  return (bits & 0o7777).toString(8).padStart(4, "0");
}

// Contains the version of the entry format, so that package versions with different formats use different directories.
const LEAF = "programs-v1";
const WRITABLE_BY_OTHERS = 0o022;
const WRITABLE_BY_ANYBODY = 0o002;
const STICKY = 0o1000;
