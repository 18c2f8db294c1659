/** Whole arrays in .npy files. */
import { open } from "node:fs/promises";

import { writeAtomically } from "@cl/base/files";
import { type Bytes, FileBytes } from "./byte-stream.js";
import { headerOf, readHeader } from "./npy-header.js";
import { bytesOf, asStored, emptyOf, fillFrom, type Stored } from "./transfer.js";
import type { ArraySource } from "../storage/array-ref.js";

/** Reads an array from a stream of `length` bytes. */
export async function readNpy(
  xp: ArraySource,
  bytes: Bytes,
  length: number,
  file: string,
  signal: AbortSignal | undefined,
): Promise<Stored> {
  const header = await readHeader(bytes, length, file);
  const { shape, fortranOrder, type } = header;
  // Elements in F order are those in C order of the axes reversed.
  const target = emptyOf(xp, type, fortranOrder ? shape.toReversed() : shape);
  await fillFrom(target, bytes, header, signal);
  if (!fortranOrder || shape.length < 2) return target;
  using whole = target;
  return whole.T;
}

/** The array of a file. */
export async function loadNpy(xp: ArraySource, path: string, signal: AbortSignal | undefined): Promise<Stored> {
  signal?.throwIfAborted();
  const handle = await open(path);
  try {
    const { size } = await handle.stat();
    return await readNpy(xp, new FileBytes(handle, path), size, path, signal);
  } finally {
    await handle.close();
  }
}

/** Writes an array, with its current values, to a file. */
export async function saveNpy(path: string, array: Stored, signal: AbortSignal | undefined): Promise<void> {
  const stored = asStored(array);
  const header = headerOf(stored.dtype, stored.shape);
  const elements = bytesOf(stored, signal);
  if (stored !== array) stored.release();
  const bytes = await elements;
  await writeAtomically(path, async (file) => {
    await file.append(header);
    await file.append(bytes);
  });
}
