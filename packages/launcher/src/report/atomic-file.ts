/** Writes files whole or not at all. */
import { randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, realpath, rename, stat, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";

import { wrongValue } from "@cl/core/checks";

/** How to write. */
export interface AtomicWriteOptions {
  /** True compresses with gzip. */
  readonly gzip: boolean;
  readonly signal: AbortSignal | undefined;
}

/**
 * Writes the parts into a file beside the one of that name and then gives it the name, so that a reader sees the old file
 * or the new one. If anything fails, or the signal comes, the old one stays and nothing is left beside it. Folders that are
 * not there are made; what is no file but can be written, such as a pipe, is written at once.
 */
export async function writeAtomically(
  path: string,
  parts: Iterable<string>,
  { gzip, signal }: AtomicWriteOptions,
): Promise<void> {
  signal?.throwIfAborted();
  const { target, direct } = await targetOf(path);
  const written = direct ? target : join(dirname(target), `.${basename(target)}.${randomBytes(6).toString("hex")}.tmp`);
  const source = Readable.from(chunks(parts), { objectMode: true });
  // A name can only be given after the bytes are on the disk: else a crash could leave it with none.
  const file = createWriteStream(written, direct ? { flags: "w" } : { flags: "wx", flush: true });
  try {
    await (gzip ? pipeline(source, createGzip(), file, { signal }) : pipeline(source, file, { signal }));
    if (!direct) await rename(written, target);
  } catch (error) {
    if (!direct) await unlink(written).catch(() => undefined);
    throw error;
  }
}

/** Large enough that a write costs little, small enough that the event loop is not held. */
const chunkLength = 1 << 18;

function* chunks(parts: Iterable<string>): Generator<Buffer> {
  let held: string[] = [];
  let length = 0;
  for (const part of parts) {
    held.push(part);
    length += part.length;
    if (length < chunkLength) continue;
    yield Buffer.from(held.join(""));
    held = [];
    length = 0;
  }
  if (length > 0) yield Buffer.from(held.join(""));
}

/** Where a path leads: through links, so that they stay. */
async function targetOf(path: string): Promise<{ target: string; direct: boolean }> {
  try {
    const target = await realpath(path);
    const found = await stat(target);
    if (found.isDirectory()) throw wrongValue(`path must name a file, but ${JSON.stringify(path)} is a folder`);
    return { target, direct: !found.isFile() };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    await mkdir(dirname(path), { recursive: true });
    return { target: path, direct: false };
  }
}
