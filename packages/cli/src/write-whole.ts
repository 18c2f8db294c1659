/** Writes files whole or not at all. */
import { randomBytes } from "node:crypto";
import { realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/**
 * Gives a file that text, so that a reader sees the old one or the new one; links stay. What is no file, such as a pipe or
 * /dev/stdout, is written where it is.
 */
export async function writeWhole(path: string, text: string): Promise<void> {
  const target = await targetOf(path);
  if (target === undefined) {
    await writeFile(path, text);
    return;
  }
  const temporary = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    await writeFile(temporary, text, { flag: "wx", flush: true });
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** The file at the end of all links, which may not be there yet; undefined for what is no file. */
async function targetOf(path: string): Promise<string | undefined> {
  try {
    // Not of the real path: that of /dev/stdout may be no path at all, as pipe:[4711] is none.
    if (!(await stat(path)).isFile()) return undefined;
    return await realpath(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return path;
    throw error;
  }
}
