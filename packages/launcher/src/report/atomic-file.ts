/** Writes files whole or not at all. */
import { randomBytes } from "node:crypto";
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { access, mkdir, realpath, rename, stat, unlink } from "node:fs/promises";
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
  const written = direct ? target : besides(target);
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

/** Like {@link writeAtomically}, for a process that ends and can wait for nothing. */
export function writeAtomicallySync(path: string, text: string): void {
  const { target, direct } = targetOfSync(path);
  const written = direct ? target : besides(target);
  try {
    writeFileSync(written, text, direct ? {} : { flag: "wx", flush: true });
    if (!direct) renameSync(written, target);
  } catch (error) {
    if (!direct) rmSync(written, { force: true });
    throw error;
  }
}

/** A name in the same folder that nobody else has. */
function besides(target: string): string {
  return join(dirname(target), `.${basename(target)}.${randomBytes(6).toString("hex")}.tmp`);
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

interface Target {
  readonly target: string;
  /** True for what is no file, but can be written. */
  readonly direct: boolean;
}

/** Where a path leads: through links, so that they stay. */
async function targetOf(path: string): Promise<Target> {
  try {
    const target = await realpath(path);
    return found(path, target, await stat(target));
  } catch (error) {
    if (!isMissing(error)) throw error;
    await makeFolder(dirname(path));
    return { target: path, direct: false };
  }
}

function targetOfSync(path: string): Target {
  try {
    const target = realpathSync(path);
    return found(path, target, statSync(target));
  } catch (error) {
    if (!isMissing(error)) throw error;
    makeFolderSync(dirname(path));
    return { target: path, direct: false };
  }
}

/**
 * Makes a folder and what is missing above it. Not by `recursive`, which never ends where the system denies new folders as if
 * the one around were missing, as Linux does in /proc.
 */
async function makeFolder(path: string): Promise<void> {
  if (await isThere(path)) return;
  if (dirname(path) !== path) await makeFolder(dirname(path));
  await mkdir(path).catch(unlessPresent);
}

function makeFolderSync(path: string): void {
  if (existsSync(path)) return;
  if (dirname(path) !== path) makeFolderSync(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    unlessPresent(error);
  }
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Somebody else may have made it meanwhile. */
function unlessPresent(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
}

function found(path: string, target: string, kind: Stats): Target {
  if (kind.isDirectory()) throw wrongValue(`path must name a file, but ${JSON.stringify(path)} is a folder`);
  return { target, direct: !kind.isFile() };
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT";
}
