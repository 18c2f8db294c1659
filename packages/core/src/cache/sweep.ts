/**
 * Keeps the cache's directory within its size, and free of what crashed writers left.
 *
 * Any number of processes may sweep at once and while others read and write: a file that another sweep removed is
 * simply gone, and a reader that has an entry open keeps it. Only files with the cache's own names are ever touched.
 */

import path from "node:path";
import type { Either } from "./either.js";
import { inspect, listDirectory, tryRemove } from "./files.js";

/** What a sweep did. */
export interface SweepResult {
  readonly removed: number;
  /** Bytes of the entries that are left. */
  readonly bytes: number;
}

/** The file of an entry. */
export function entryPath(directory: string, key: string): string {
  return path.join(directory, `${key}.clb`);
}

/** The file in which an entry is written before it gets its name; `unique` must be random. */
export function temporaryPath(directory: string, key: string, unique: string): string {
  return path.join(directory, `${key}.${unique}.tmp`);
}

/**
 * Removes the entries that were longest unused until the rest has at most `maxBytes`, and temporary files that nobody
 * can still be writing.
 */
export function* sweep(directory: string, maxBytes: number): Either<SweepResult> {
  const entries: { readonly file: string; readonly size: number; readonly used: number }[] = [];
  let bytes = 0;
  let removed = yield* sweepTemporaries(directory);
  for (const name of yield* listDirectory(directory)) {
    if (!ENTRY.test(name)) continue;
    const file = path.join(directory, name);
    const stats = yield* inspect(file);
    if (stats === undefined) continue;
    entries.push({ file, size: stats.size, used: stats.mtimeMs });
    bytes += stats.size;
  }
  if (bytes > maxBytes) {
    // Some room is made as well, so that a full cache is not swept for every new entry.
    const goal = maxBytes * 0.8;
    entries.sort((a, b) => a.used - b.used);
    for (const { file, size } of entries) {
      if (bytes <= goal) break;
      if (yield* tryRemove(file)) removed++;
      bytes -= size;
    }
  }
  return { removed, bytes };
}

/** Removes temporary files of processes that were killed while they wrote. Returns the number of files. */
export function* sweepTemporaries(directory: string): Either<number> {
  const now = Date.now();
  let removed = 0;
  for (const name of yield* listDirectory(directory)) {
    if (!isTemporary(name)) continue;
    const file = path.join(directory, name);
    const stats = yield* inspect(file);
    if (stats === undefined || now - stats.mtimeMs <= ABANDONED_AFTER_MS) continue;
    if (yield* tryRemove(file)) removed++;
  }
  return removed;
}

/** Whether a name is one of {@link temporaryPath}. */
export function isTemporary(name: string): boolean {
  return TEMPORARY.test(name);
}

const ENTRY = /^[0-9a-f]{64}\.clb$/;
const TEMPORARY = /^.+\.[0-9a-f]{16}\.tmp$/;
const ABANDONED_AFTER_MS = 60 * 60 * 1000;
