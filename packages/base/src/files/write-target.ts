/** Where a path leads, and the folders on the way there. */
import { existsSync, mkdirSync, realpathSync, statSync, type Stats } from "node:fs";
import { access, mkdir, realpath, stat } from "node:fs/promises";
import { dirname } from "node:path";

import { wrongValue } from "../checks/check.js";

/** Where to write. */
export interface WriteTarget {
  readonly path: string;
  /** True for what is not a file but can be written to, such as a pipe. It cannot be replaced. */
  readonly direct: boolean;
}

/** Follows links, so that they stay. Nothing needs to be there yet. */
export async function writeTarget(path: string, makeFolders: boolean): Promise<WriteTarget> {
  try {
    return isFile(path, await stat(path)) ? { path: await realpath(path), direct: false } : { path, direct: true };
  } catch (error) {
    if (!isMissing(error)) throw error;
    if (makeFolders) await makeFolder(dirname(path));
    return { path, direct: false };
  }
}

/** Does the same without a promise. */
export function writeTargetSync(path: string, makeFolders: boolean): WriteTarget {
  try {
    return isFile(path, statSync(path)) ? { path: realpathSync(path), direct: false } : { path, direct: true };
  } catch (error) {
    if (!isMissing(error)) throw error;
    if (makeFolders) makeFolderSync(dirname(path));
    return { path, direct: false };
  }
}

/** The real path of what is not a file may be none at all: that of /dev/stdout can be `pipe:[4711]`. */
function isFile(path: string, kind: Stats): boolean {
  if (kind.isDirectory()) throw wrongValue(`path must name a file, but ${JSON.stringify(path)} is a folder`);
  return kind.isFile();
}

/**
 * Makes a folder and those above it. `recursive` does not end where the system refuses new folders as if the one around them
 * were missing, as Linux does in /proc.
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

/** Another process may have made the folder in the meantime. */
function unlessPresent(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT";
}
