// The digest of everything that determines the built files.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../lib/environment.mjs";
import { linkedPackages, packageVersion } from "./requirements.mjs";

/** Folder with the recipe: the scripts, the patches and the code that is linked with PoCL. */
export const recipe = join(root, "scripts/pocl");

/** Returns the digest of the recipe, the sources, the target and the versions of the packages that are linked. */
export function inputsDigest(source, target) {
  const hash = createHash("sha256").update(source.digest).update(`${process.arch} ${target.name}`);
  for (const name of linkedPackages(target)) hash.update(`\0${name} ${packageVersion(name)}`);
  const cross = join(recipe, "cross");
  return hash.update(folderDigest(recipe, (path) => target.cross || !path.startsWith(cross))).digest("hex");
}

/** Returns the digest of the names and contents of the files in a folder, all of them or those that `selects` accepts. */
export function folderDigest(folder, selects = () => true) {
  const hash = createHash("sha256");
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  for (const path of paths.filter(selects).sort()) {
    hash.update(`\0${path.slice(folder.length)}\0`).update(readFileSync(path));
  }
  return hash.digest("hex");
}
