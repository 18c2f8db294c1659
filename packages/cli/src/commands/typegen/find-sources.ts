/** Finds the sources of the operands, and the paths of their modules. */
import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";

import { globBase, globExpression, isGlob } from "./glob.js";

/** A source and its module. */
export interface SourceFile {
  readonly source: string;
  readonly module: string;
}

/** The sources, and the folders in which new ones may appear. */
export interface FoundSources {
  readonly files: readonly SourceFile[];
  readonly folders: readonly string[];
}

/**
 * Returns the sources of operands: files, folders (all `.cl` files in them), patterns. Without `out`, a module is placed next
 * to its source; otherwise in `out`, with the folder structure below the operand. Throws if an operand has no source, unless
 * `mayBeEmpty`.
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
      throw new Error(found.emptyMessage);
    }
    for (const source of found.files) {
      const target = out === undefined ? `${source}.ts` : join(resolve(out), `${relative(found.base, source)}.ts`);
      const other = modules.get(target);
      if (other !== undefined && other !== source) {
        throw new Error(`${displayPath(other)} and ${displayPath(source)} have the same module ${displayPath(target)}`);
      }
      modules.set(target, source);
    }
  }
  const files = Array.from(modules, ([module, source]) => ({ source, module }));
  return { files: files.sort((a, b) => (a.source < b.source ? -1 : 1)), folders: [...folders] };
}

/** Returns a path for messages: relative to the working directory if that is shorter. */
export function displayPath(path: string): string {
  const short = relative(process.cwd(), path);
  return short === "" || short.length > path.length ? path : short;
}

interface Found {
  readonly files: readonly string[];
  /** The folder that paths in `out` are relative to. */
  readonly base: string;
  /** Error message if there are no files. */
  readonly emptyMessage: string;
}

async function sourcesOf(operand: string, folders: Set<string>): Promise<Found> {
  const path = resolve(operand);
  const kind = await stat(path).catch(() => undefined);
  if (kind?.isDirectory() === true) {
    const all = await walk(path, folders);
    return {
      files: all.filter((file) => file.endsWith(".cl")),
      base: path,
      emptyMessage: `no .cl file in ${operand}`,
    };
  }
  if (kind !== undefined) {
    folders.add(dirname(path));
    if (basename(path).endsWith(".ts")) throw new Error(`${operand} is a module, not a source; pass its .cl file`);
    return { files: [path], base: dirname(path), emptyMessage: "" };
  }
  const pattern = sep === "\\" ? operand.replaceAll("\\", "/") : operand;
  const base = resolve(isGlob(pattern) ? globBase(pattern) : dirname(path));
  if (!isGlob(pattern)) {
    folders.add(base);
    return { files: [], base, emptyMessage: `the file ${operand} does not exist` };
  }
  const expression = globExpression(pattern.replace(/^\.\//, ""));
  const all = await walk(base, folders);
  const absolute = pattern.startsWith("/") || /^[a-z]:/i.test(pattern);
  const files = all.filter((file) => {
    const name = absolute ? file : relative(process.cwd(), file);
    return expression.test(name.split(sep).join("/")) && !file.endsWith(".ts");
  });
  return { files, base, emptyMessage: `no file matches ${operand}` };
}

/** Returns all files in a folder, except node_modules and hidden folders. */
async function walk(folder: string, folders: Set<string>): Promise<string[]> {
  let entries: Dirent[];
  try {
    entries = await readdir(folder, { withFileTypes: true });
  } catch (error) {
    // The folder may be deleted while it is read, when files are watched.
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
