/**
 * Which files a build reads, and whether they are still what they were.
 *
 * Runtimes differ in the order in which they look through given headers and directories. So every place that an
 * `#include` could mean is recorded, the empty places too: whichever the runtime takes, a change of it, or a header that
 * appears in front of it, is noticed.
 *
 * Files are compared by content, always. Size and time are no proof of equality (an edit may keep the size, a checkout or
 * `cp -p` the time, and a clock of whole seconds misses a quick edit), and headers are small: 20 of 4 KiB, with 20 empty
 * places, add 0.35 ms to a blocking lookup and 2 ms to an awaited one.
 */

import { createHash } from "node:crypto";
import path from "node:path";
import type { Either } from "./either.js";
import { readFile, realPath } from "./files.js";
import { scanDirectives } from "./include-directives.js";

/** A place where a header is or could be: the hash of its content, or `null` where there was no file. */
export interface Dependency {
  readonly path: string;
  readonly sha256: string | null;
}

/** What a build depends on, or why its result must not be kept. */
export type IncludeScan = { readonly dependencies: readonly Dependency[] } | { readonly uncacheable: string };

/** What is scanned. */
export interface IncludeScanOptions {
  readonly source: string;
  /** Headers that are given by content. */
  readonly headers: readonly (readonly [name: string, source: string])[];
  /** The directories of the `-I` options. */
  readonly directories: readonly string[];
  /** What relative paths start from. */
  readonly workingDirectory: string;
}

/** Whether a text includes anything, or may: whether its build can depend on files at all. */
export function mayInclude(source: string): boolean {
  const scan = scanDirectives(source);
  return "uncacheable" in scan || scan.includes.length > 0;
}

/** Lists every place that the includes of a source, and the includes in those, could mean. */
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
      const given = givenHeader(headers, text.header, name);
      if (given !== undefined && !scanned.has(`given:${given.name}`)) {
        scanned.add(`given:${given.name}`);
        pending.push({ source: given.source, directory: undefined, header: given.name });
      }
      const beside = quoted && text.directory !== undefined ? [text.directory] : [];
      for (const directory of new Set([...beside, ...searched])) {
        const candidate = under(directory, name);
        if (found.has(candidate)) continue;
        if (found.size >= MOST_FILES) return { uncacheable: `it may include more than ${MOST_FILES} files` };
        const file = yield* readFile(candidate, LARGEST_HEADER);
        if (file === "absent") {
          found.set(candidate, { path: candidate, sha256: null });
          continue;
        }
        if ("unreadable" in file) return { uncacheable: `${candidate} cannot be read (${file.unreadable})` };
        found.set(candidate, { path: candidate, sha256: sha256(file.bytes) });
        // The same file may be reached by ever longer paths (a/../a/../a/x.h), so what is scanned counts by its true
        // directory, and what is recorded by its spelling.
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

/** Whether every place still holds what it held. */
export function* areUnchanged(dependencies: readonly Dependency[]): Either<boolean> {
  for (const dependency of dependencies) {
    const file = yield* readFile(dependency.path, LARGEST_HEADER);
    if (file !== "absent" && "unreadable" in file) return false;
    const now = file === "absent" ? null : sha256(file.bytes);
    if (now !== dependency.sha256) return false;
  }
  return true;
}

/** A text to scan: where it lies on disk, or the name under which it was given. */
interface Text {
  readonly source: string;
  readonly directory: string | undefined;
  readonly header: string | undefined;
}

const MOST_FILES = 4096;
const LARGEST_HEADER = 64 * 1024 * 1024;

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Joins without resolving "..": after a symbolic link it means another place than the spelling says. */
function under(directory: string, name: string): string {
  if (path.isAbsolute(name)) return name;
  if (name === "" || name === ".") return directory;
  return directory.endsWith(path.sep) ? directory + name : directory + path.sep + name;
}

/** Runtimes write given headers into one directory, so that one may include another relative to itself. */
function givenHeader(
  headers: ReadonlyMap<string, string>,
  includer: string | undefined,
  name: string,
): { readonly name: string; readonly source: string } | undefined {
  const beside = includer === undefined ? name : path.posix.join(path.posix.dirname(includer), name);
  for (const candidate of [beside, name].map((spelling) => path.posix.normalize(spelling))) {
    const source = headers.get(candidate);
    if (source !== undefined) return { name: candidate, source };
  }
  return undefined;
}
