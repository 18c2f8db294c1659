/** Finds the sources that a command line names, and where their modules go. */
import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";

import { globBase, globExpression, isGlob } from "./glob.js";

/** A source, and its module. */
export interface SourceFile {
  readonly source: string;
  readonly module: string;
}

/** What was found, and the folders in which there may be more some day. */
export interface FoundSources {
  readonly files: readonly SourceFile[];
  readonly folders: readonly string[];
}

/**
 * The sources of some operands: files, folders (all `.cl` in them), patterns. Without `out` a module lies beside its source;
 * else in that folder, in as many folders as the source is below the operand. An operand that comes to nothing is a mistake.
 */
export async function findSources(
  operands: readonly string[],
  out: string | undefined,
  mayBeEmpty: boolean,
): Promise<FoundSources> {
  const modules = new Map<string, string>();
  const folders = new Set<string>();
  for (const operand of operands) {
    const found = await sourcesOf(operand, folders);
    if (found.files.length === 0 && !mayBeEmpty) {
      throw new Error(found.none);
    }
    for (const source of found.files) {
      const target = out === undefined ? `${source}.ts` : join(resolve(out), `${relative(found.base, source)}.ts`);
      const other = modules.get(target);
      if (other !== undefined && other !== source) {
        throw new Error(`the modules of ${shown(other)} and ${shown(source)} would both be ${shown(target)}`);
      }
      modules.set(target, source);
    }
  }
  const files = Array.from(modules, ([module, source]) => ({ source, module }));
  return { files: files.sort((a, b) => (a.source < b.source ? -1 : 1)), folders: [...folders] };
}

/** A path as it is said: from where the command runs, where that is shorter. */
export function shown(path: string): string {
  const short = relative(process.cwd(), path);
  return short === "" || short.length > path.length ? path : short;
}

interface Found {
  readonly files: readonly string[];
  /** From where the folders in `out` count. */
  readonly base: string;
  /** What is said if there is none. */
  readonly none: string;
}

async function sourcesOf(operand: string, folders: Set<string>): Promise<Found> {
  const path = resolve(operand);
  const kind = await stat(path).catch(() => undefined);
  if (kind?.isDirectory() === true) {
    const all = await walk(path, folders);
    return {
      files: all.filter((file) => file.endsWith(".cl")),
      base: path,
      none: `there is no .cl file in ${operand}`,
    };
  }
  if (kind !== undefined) {
    folders.add(dirname(path));
    if (basename(path).endsWith(".ts")) throw new Error(`${operand} is no source, but a module: name its .cl file`);
    return { files: [path], base: dirname(path), none: "" };
  }
  const pattern = sep === "\\" ? operand.replaceAll("\\", "/") : operand;
  const base = resolve(isGlob(pattern) ? globBase(pattern) : dirname(path));
  if (!isGlob(pattern)) {
    folders.add(base);
    return { files: [], base, none: `there is no file ${operand}` };
  }
  const expression = globExpression(pattern.replace(/^\.\//, ""));
  const all = await walk(base, folders);
  const absolute = pattern.startsWith("/") || /^[a-z]:/i.test(pattern);
  const files = all.filter((file) => {
    const name = absolute ? file : relative(process.cwd(), file);
    return expression.test(name.split(sep).join("/")) && !file.endsWith(".ts");
  });
  return { files, base, none: `no file matches ${operand}` };
}

/** All files in a folder, without those of packages and of version control. */
async function walk(folder: string, folders: Set<string>): Promise<string[]> {
  let entries: Dirent[];
  try {
    entries = await readdir(folder, { withFileTypes: true });
  } catch (error) {
    // It may go while it is read, when files are watched.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
  folders.add(folder);
  const files: string[] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== "node_modules" && !entry.name.startsWith(".")) files.push(...(await walk(path, folders)));
    } else if (entry.isFile() || (entry.isSymbolicLink() && (await isFile(path)))) {
      files.push(path);
    }
  }
  return files;
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() ?? false;
}
