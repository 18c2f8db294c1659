/** Several arrays in one .npz file: a ZIP archive of .npy files. */
import { open } from "node:fs/promises";

import { outOfRange } from "@cl/base";
import { writeAtomically } from "@cl/base/files";
import { badFile } from "./bad-file.js";
import { CheckedBytes, FileBytes, InflatedBytes } from "./byte-stream.js";
import { headerOf } from "./npy-header.js";
import { readNpy } from "./npy.js";
import { asStored, bytesOf, type Stored } from "./transfer.js";
import { readZip, type ZipEntry } from "./zip-reader.js";
import { ZipWriter } from "./zip-writer.js";
import type { ArraySource } from "../storage/array-ref.js";

/** Writes arrays as they are now, each under its name. */
export async function saveNpz(
  path: string,
  arrays: ReadonlyMap<string, Stored>,
  compressed: boolean,
  signal: AbortSignal | undefined,
): Promise<void> {
  const entries = [...arrays].map(([name, array]) => {
    const stored = asStored(array);
    const header = headerOf(stored.dtype, stored.shape);
    const elements = bytesOf(stored, signal);
    // Avoids an unhandled rejection if another entry throws first.
    elements.catch(() => {});
    if (stored !== array) stored.release();
    return { name: `${name}.npy`, header, elements };
  });
  const all = await Promise.all(entries.map(({ elements }) => elements));
  await writeAtomically(path, async (file) => {
    const zip = new ZipWriter(file);
    for (const [i, { name, header }] of entries.entries()) {
      signal?.throwIfAborted();
      await zip.add(name, [header, all[i] as Uint8Array], compressed);
    }
    await zip.end();
  });
}

/** The arrays of a file: all, or those of some names. */
export async function loadNpz(
  xp: ArraySource,
  path: string,
  names: readonly string[] | undefined,
  signal: AbortSignal | undefined,
): Promise<Record<string, Stored>> {
  signal?.throwIfAborted();
  const handle = await open(path);
  const loaded: [name: string, array: Stored][] = [];
  try {
    const { size } = await handle.stat();
    const entries = await readZip(handle, path, size);
    const known = byName(entries);
    const files = new Map(entries.map((entry) => [entry.name, entry]));
    for (const name of new Set(names ?? known.keys())) {
      const entry = known.get(name) ?? files.get(name);
      if (entry === undefined) {
        throw outOfRange(`"${path}" has no array "${name}"; it has ${[...known.keys()].join(", ")}`);
      }
      loaded.push([name, await loadEntry(xp, handle, path, entry, signal)]);
    }
    return Object.fromEntries(loaded);
  } catch (error) {
    for (const [, array] of loaded) array.release();
    throw error;
  } finally {
    await handle.close();
  }
}

/** The entries in their order, by the names of their arrays: without .npy, unless that is the name of another. */
function byName(entries: readonly ZipEntry[]): ReadonlyMap<string, ZipEntry> {
  const names = new Map<string, ZipEntry>();
  // The short name of an entry wins over a longer name without its suffix; entry names are unique.
  for (const entry of entries.toSorted((a, b) => a.name.length - b.name.length)) {
    const short = entry.name.replace(/\.npy$/u, "");
    names.set(names.has(short) ? entry.name : short, entry);
  }
  const own = new Map(Array.from(names, ([name, entry]) => [entry, name]));
  return new Map(entries.map((entry) => [own.get(entry) as string, entry]));
}

async function loadEntry(
  xp: ArraySource,
  handle: Parameters<typeof readZip>[0],
  path: string,
  { name, deflated, start, packed, size, sum }: ZipEntry,
  signal: AbortSignal | undefined,
): Promise<Stored> {
  const file = `"${name}" of ${path}`;
  if (packed === 0) throw badFile(file, "is not a .npy file: it has 0 bytes");
  const inflated = deflated ? new InflatedBytes(handle, file, start, packed) : undefined;
  try {
    const bytes = new CheckedBytes(inflated ?? new FileBytes(handle, file, start));
    const array = await readNpy(xp, bytes, size, file, signal);
    try {
      if (bytes.sum === sum && (inflated === undefined || (await inflated.isAtEnd()))) return array;
      throw badFile(file, "is corrupted: its CRC-32 does not match");
    } catch (error) {
      array.release();
      throw error;
    }
  } finally {
    await inflated?.close();
  }
}
