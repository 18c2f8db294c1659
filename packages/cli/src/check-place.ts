/** Says before the work what would fail after it. */
import { accessSync, constants, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";

/** Checks that a file can be written there, whether it is there already or not; `what` says whose it is. */
export function checkPlace(path: string, what: string): void {
  const present = statOf(path);
  if (present?.isDirectory()) throw new Error(`${what} cannot be written: ${path} is a folder`);
  const folder = dirname(path);
  // What is no file, such as a pipe, is written where it is; files come beside the old one first.
  const place = present !== undefined && !present.isFile() ? path : folder;
  if (statOf(folder)?.isDirectory() !== true) {
    throw new Error(`${what} cannot be written to ${path}: there is no folder ${folder}`);
  }
  try {
    accessSync(place, constants.W_OK);
  } catch (error) {
    throw new Error(`${what} cannot be written to ${path}: ${(error as Error).message}`, { cause: error });
  }
}

/** Undefined for what is not there. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
