/** Checks that output files can be written, before the work starts. */
import { accessSync, constants, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";

/** Throws if a file cannot be written at `path`, whether or not it exists. `what` names the output in the error. */
export function checkWritable(path: string, what: string): void {
  const stats = statOf(path);
  if (stats?.isDirectory()) throw new Error(`${what} cannot be written: ${path} is a folder`);
  const folder = dirname(path);
  // Special files, such as pipes, are written in place; regular files are replaced by a temporary file in the same folder.
  const target = stats !== undefined && !stats.isFile() ? path : folder;
  if (statOf(folder)?.isDirectory() !== true) {
    throw new Error(`${what} cannot be written to ${path}: the folder ${folder} does not exist`);
  }
  try {
    accessSync(target, constants.W_OK);
  } catch (error) {
    throw new Error(`${what} cannot be written to ${path}: ${(error as Error).message}`, { cause: error });
  }
}

/** Returns `undefined` if the path does not exist. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
