/**
 * Limits the size of the cache directory and removes temporary files of crashed writers.
 *
 * Any number of processes may sweep concurrently, while others read and write: a file removed by another sweep is
 * ignored, and a reader can finish reading an open entry. Only files with names of the cache are removed.
 */

import path from "node:path";
import type { Either } from "./either.js";
import { inspect, listDirectory, tryRemove } from "./files.js";

/** The result of a sweep. */
export interface SweepResult {
  /** Number of removed files. */
  readonly removed: number;
  /** Total size of the remaining entries. */
  readonly bytes: number;
}

/** Returns the path of an entry. */
export function entryPath(directory: string, key: string): string {
  return path.join(directory, `${key}.clb`);
}

/** Returns the path of the temporary file for an entry; `unique` must be random. */
export function temporaryPath(directory: string, key: string, unique: string): string {
  return path.join(directory, `${key}.${unique}.tmp`);
}

/**
 * Removes the least recently used entries if all of them exceed `maxBytes`, and abandoned temporary files.
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
    // Shrink to 80 %, so that a full cache is not swept for every new entry.
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

/** Removes temporary files of killed processes. Returns the number of files. */
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

/** Returns whether a file name is that of a temporary file; see {@link temporaryPath}. */
export function isTemporary(name: string): boolean {
  return TEMPORARY.test(name);
}

const ENTRY = /^[0-9a-f]{64}\.clb$/;
const TEMPORARY = /^.+\.[0-9a-f]{16}\.tmp$/;
const ABANDONED_AFTER_MS = 60 * 60 * 1000;
