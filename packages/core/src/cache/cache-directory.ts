/**
 * Where the cache lives, and whether that place may be trusted.
 *
 * What is read from the cache is handed to the driver as a program. So the directory must be one that nobody else can
 * write to: owned by this user, not writable by group or others, no symbolic link, and not in a place where somebody
 * else could swap it for another. Whatever is wrong only turns the cache off, with a reason.
 */

import type { Stats } from "node:fs";
import path from "node:path";
import type { Either } from "./either.js";
import { inspect, inspectTarget, makeDirectory, systemCode } from "./files.js";

/** A directory to use, or why there is none. */
export type CacheDirectory = { readonly path: string } | { readonly path: undefined; readonly reason: string };

/** The environment variables that are looked at, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The directory that the environment asks for. Touches no file.
 *
 * `CL_NO_CACHE` (anything but empty) turns the cache off. `CL_CACHE_DIR` names the base directory; without it, it is
 * `cl-node` in the user's cache directory of the platform. Entries live in a subdirectory with the format's version.
 *
 * @param environment - `process.env` unless told otherwise
 * @param platform - `process.platform` unless told otherwise
 * @param leaf - the name of that subdirectory; that of the programs unless told otherwise
 */
export function chooseCacheDirectory(
  environment: Environment = process.env,
  platform: NodeJS.Platform = process.platform,
  leaf: string = LEAF,
): CacheDirectory {
  if (environment["CL_NO_CACHE"]) return { path: undefined, reason: "CL_NO_CACHE is set" };
  const { join, resolve, isAbsolute } = platform === "win32" ? path.win32 : path.posix;
  const asked = environment["CL_CACHE_DIR"];
  if (asked) return { path: join(resolve(asked), leaf) };

  const absolute = (name: string): string | undefined => {
    const value = environment[name];
    // The XDG rules say that a relative path is to be ignored; a relative HOME is no better.
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
 * Why `directory` may not be used as a cache; `undefined` when it may; `"absent"` when it is not there and `create` is
 * false.
 */
export function* examineCacheDirectory(
  directory: string,
  create: boolean,
): Either<"absent" | { readonly reason: string } | undefined> {
  try {
    let stats = yield* inspect(directory);
    if (stats === undefined) {
      if (!create) return "absent";
      // Before anything is made: below somebody else's directory, what we make could be swapped for theirs. And root,
      // working in a user's home, would leave directories there that the user cannot write to.
      const above = yield* nearestAncestor(directory);
      if (above !== undefined) return above;
      yield* makeDirectory(directory);
      stats = yield* inspect(directory);
      if (stats === undefined) return { reason: `${directory} vanished while it was created` };
    }
    if (stats.isSymbolicLink()) return { reason: `${directory} is a symbolic link` };
    if (!stats.isDirectory()) return { reason: `${directory} is not a directory` };
    const user = process.geteuid?.();
    // Windows: the user's profile is private by its access lists, and modes say nothing.
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

/** Why an entry's file must not be trusted: another user may have written it. `undefined` if no other user could. */
export function distrust({ uid, mode: bits }: Stats): string | undefined {
  const user = process.geteuid?.();
  if (user === undefined) return undefined;
  if (uid !== user) return `belongs to user ${uid}`;
  return bits & WRITABLE_BY_OTHERS ? `can be written to by others (mode ${mode(bits)})` : undefined;
}

/** What is wrong with the nearest directory above `directory` that exists, if anything is. */
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
  // In a sticky directory such as /tmp, others can write but cannot rename or remove what is ours. A group that can
  // write is let pass here: many systems give each user a group, and make every directory writable for it.
  if (stats.mode & WRITABLE_BY_ANYBODY && !(stats.mode & STICKY)) {
    return { reason: `${above} can be written to by anybody (mode ${mode(stats.mode)})` };
  }
  return undefined;
}

function mode(bits: number): string {
  return (bits & 0o7777).toString(8).padStart(4, "0");
}

// Named after the format of the entries, so that versions of this package that differ in it never meet.
const LEAF = "programs-v1";
const WRITABLE_BY_OTHERS = 0o022;
const WRITABLE_BY_ANYBODY = 0o002;
const STICKY = 0o1000;
