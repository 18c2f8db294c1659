// The digest of everything that determines the built files.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../lib/environment.mjs";
import { linkedPackages, packageVersion } from "./requirements.mjs";

/** Folder with the recipe: the scripts, the patches and the code that is linked with PoCL. */
export const recipe = join(root, "scripts/pocl");

/** Returns the digest of the recipe, the sources and the versions of the packages that are linked. */
export function inputsDigest(source) {
  const hash = createHash("sha256").update(source.digest).update(process.arch);
  for (const name of linkedPackages) hash.update(`\0${name} ${packageVersion(name)}`);
  return hash.update(folderDigest(recipe)).digest("hex");
}

/** Returns the digest of the names and contents of all files in a folder. */
export function folderDigest(folder) {
  const hash = createHash("sha256");
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const path of files.map((entry) => join(entry.parentPath ?? entry.path, entry.name)).sort()) {
    hash.update(`\0${path.slice(folder.length)}\0`).update(readFileSync(path));
  }
  return hash.digest("hex");
}
