/** Resolves the path of a file to write and creates its folders. */
import { existsSync, mkdirSync, realpathSync, statSync, type Stats } from "node:fs";
import { access, mkdir, realpath, stat } from "node:fs/promises";
import { dirname } from "node:path";

import { wrongValue } from "../checks/check.js";

/** A resolved path to write to. */
export interface WriteTarget {
  readonly path: string;
  /** True if the path is not a regular file, such as a pipe: it is written to in place. */
  readonly direct: boolean;
}

/**
 * Resolves a path, which need not exist. Follows symbolic links, so that the link's target is replaced and not the
 * link.
 */
export async function writeTarget(path: string, makeFolders: boolean): Promise<WriteTarget> {
  try {
    return isFile(path, await stat(path)) ? { path: await realpath(path), direct: false } : { path, direct: true };
  } catch (error) {
    if (!isMissing(error)) throw error;
    if (makeFolders) await makeFolder(dirname(path));
    return { path, direct: false };
  }
}

/** Resolves a path synchronously: see {@link writeTarget}. */
export function writeTargetSync(path: string, makeFolders: boolean): WriteTarget {
  try {
    return isFile(path, statSync(path)) ? { path: realpathSync(path), direct: false } : { path, direct: true };
  } catch (error) {
    if (!isMissing(error)) throw error;
    if (makeFolders) makeFolderSync(dirname(path));
    return { path, direct: false };
  }
}

/** Separates regular files from others, whose real path may not be a path: that of /dev/stdout can be `pipe:[4711]`. */
function isFile(path: string, kind: Stats): boolean {
  if (kind.isDirectory()) throw wrongValue(`path must be that of a file, received the folder ${JSON.stringify(path)}`);
  return kind.isFile();
}

/**
 * Creates a folder and its parents. The `recursive` option of `mkdir` never returns in folders where the system fails
 * with ENOENT although the parent exists, such as /proc on Linux.
 */
async function makeFolder(path: string): Promise<void> {
  if (await exists(path)) return;
  if (dirname(path) !== path) await makeFolder(dirname(path));
  await mkdir(path).catch(ignoreExisting);
}

function makeFolderSync(path: string): void {
  if (existsSync(path)) return;
  if (dirname(path) !== path) makeFolderSync(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    ignoreExisting(error);
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Rethrows an error unless another process has created the folder in the meantime. */
function ignoreExisting(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT";
}
