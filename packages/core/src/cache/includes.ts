/**
 * The files that a build reads, and whether they have changed.
 *
 * Runtimes search given headers and directories in different orders. Therefore every path that an `#include` could
 * resolve to is recorded, including paths without a file: a change of the file that is used is detected, and so is a
 * new header that precedes it.
 *
 * Files are compared by content. Size and time are not reliable: an edit may keep the size, a checkout or `cp -p` keeps
 * the time, and timestamps in whole seconds miss a quick edit. Headers are small: 20 headers of 4 KiB and 20 paths
 * without a file add 0.35 ms to a blocking lookup and 2 ms to an asynchronous one.
 */

import { createHash } from "node:crypto";
import path from "node:path";
import type { Either } from "./either.js";
import { readFile, realPath } from "./files.js";
import { scanDirectives } from "./include-directives.js";

/** A path that a header was or could be at, with the hash of its content; `null` if there was no file. */
export interface Dependency {
  readonly path: string;
  readonly sha256: string | null;
}

/** The dependencies of a build, or the reason why its binaries cannot be cached. */
export type IncludeScan = { readonly dependencies: readonly Dependency[] } | { readonly uncacheable: string };

/** The input of {@link scanIncludes}. */
export interface IncludeScanOptions {
  readonly source: string;
  /** Headers given by content. */
  readonly headers: readonly (readonly [name: string, source: string])[];
  /** The directories of the `-I` options. */
  readonly directories: readonly string[];
  /** The directory that relative paths are resolved against. */
  readonly workingDirectory: string;
}

/** Returns whether a source may include files. */
export function mayInclude(source: string): boolean {
  const scan = scanDirectives(source);
  return "uncacheable" in scan || scan.includes.length > 0;
}

/** Returns every path that the includes of a source could resolve to, including nested includes. */
export function* scanIncludes(options: IncludeScanOptions): Either<IncludeScan> {
  const { workingDirectory } = options;
  const headers = new Map(options.headers.map(([name, source]) => [path.posix.normalize(name), source]));
  const searched = [workingDirectory, ...options.directories.map((directory) => under(workingDirectory, directory))];
  const found = new Map<string, Dependency>();
  const scanned = new Set<string>();
  const pending: Text[] = [{ source: options.source, directory: undefined, header: undefined }];

  for (let text = pending.pop(); text !== undefined; text = pending.pop()) {
    const scan = scanDirectives(text.source);
    if ("uncacheable" in scan) return scan;
    for (const { name, quoted } of scan.includes) {
      const header = findGivenHeader(headers, text.header, name);
      if (header !== undefined && !scanned.has(`given:${header.name}`)) {
        scanned.add(`given:${header.name}`);
        pending.push({ source: header.source, directory: undefined, header: header.name });
      }
      const ownDirectory = quoted && text.directory !== undefined ? [text.directory] : [];
      for (const directory of new Set([...ownDirectory, ...searched])) {
        const candidate = under(directory, name);
        if (found.has(candidate)) continue;
        if (found.size >= MAX_FILES) return { uncacheable: `it may include more than ${MAX_FILES} files` };
        const file = yield* readFile(candidate, MAX_HEADER_BYTES);
        if (file === "absent") {
          found.set(candidate, { path: candidate, sha256: null });
          continue;
        }
        if ("unreadable" in file) return { uncacheable: `${candidate} cannot be read (${file.unreadable})` };
        found.set(candidate, { path: candidate, sha256: sha256(file.bytes) });
        // Files are recorded by path but scanned once per canonical path, because the same file can have ever longer
        // paths (a/../a/../a/x.h).
        const canonical = path.join(yield* realPath(path.dirname(candidate)), path.basename(candidate));
        if (scanned.has(canonical)) continue;
        scanned.add(canonical);
        const source = Buffer.from(file.bytes.buffer, file.bytes.byteOffset, file.bytes.byteLength).toString();
        pending.push({ source, directory: path.dirname(candidate), header: undefined });
      }
    }
  }
  return { dependencies: [...found.values()] };
}

/** Returns whether no dependency has changed. */
export function* areUnchanged(dependencies: readonly Dependency[]): Either<boolean> {
  for (const dependency of dependencies) {
    const file = yield* readFile(dependency.path, MAX_HEADER_BYTES);
    if (file !== "absent" && "unreadable" in file) return false;
    const now = file === "absent" ? null : sha256(file.bytes);
    if (now !== dependency.sha256) return false;
  }
  return true;
}

/** A source to scan, with its directory on disk or the name of the given header. */
interface Text {
  readonly source: string;
  readonly directory: string | undefined;
  readonly header: string | undefined;
}

const MAX_FILES = 4096;
const MAX_HEADER_BYTES = 64 * 1024 * 1024;

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Joins paths without resolving "..", which after a symbolic link is not the parent in the path. */
function under(directory: string, name: string): string {
  if (path.isAbsolute(name)) return name;
  if (name === "" || name === ".") return directory;
  return directory.endsWith(path.sep) ? directory + name : directory + path.sep + name;
}

/**
 * Finds a given header by name. Runtimes write given headers into one directory, so one can include another by a
 * relative path.
 */
function findGivenHeader(
  headers: ReadonlyMap<string, string>,
  includer: string | undefined,
  name: string,
): { readonly name: string; readonly source: string } | undefined {
  const relative = includer === undefined ? name : path.posix.join(path.posix.dirname(includer), name);
  for (const candidate of [relative, name].map((spelling) => path.posix.normalize(spelling))) {
    const source = headers.get(candidate);
    if (source !== undefined) return { name: candidate, source };
  }
  return undefined;
}
