/** Writes modules: whole or not at all, only what changed, and over nothing that was not made here. */
import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { writeTextAtomically } from "@cl/base/files";

import { shown } from "./find-sources.js";
import { moduleMark } from "./module-text.js";

/** True if the file has that text. What is there and is no module of ours is a mistake, whatever it has. */
export async function isCurrent(path: string, text: string): Promise<boolean> {
  let present: string;
  try {
    present = await readFile(path, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return false;
    throw new Error(`the module ${shown(path)} cannot be read: ${message}`, { cause: error });
  }
  // A checkout may have made CR LF of line breaks; those of the source are escaped.
  if (present.replaceAll("\r\n", "\n") === text) return true;
  if (present.startsWith(moduleMark)) return false;
  throw new Error(`${shown(path)} was not made by clkit typegen, so it is left as it is: move it, or say --out`);
}

/** Gives a file that text, if it does not have it; true if it had another. A reader sees the old one or the new one. */
export async function writeModule(path: string, text: string): Promise<boolean> {
  if (await isCurrent(path, text)) return false;
  try {
    await makeFolder(dirname(path));
    await writeTextAtomically(path, text);
  } catch (error) {
    throw new Error(`the module ${shown(path)} cannot be written: ${(error as Error).message}`, { cause: error });
  }
  return true;
}

/**
 * Makes a folder and what is missing above it. Not by `recursive`, which never ends where the system denies new folders as if
 * the one around were missing, as Linux does in /proc.
 */
async function makeFolder(path: string): Promise<void> {
  if (existsSync(path)) return;
  if (dirname(path) !== path) await makeFolder(dirname(path));
  // Another module's may be made at the same time.
  await mkdir(path).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  });
}
