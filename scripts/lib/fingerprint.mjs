// Tells whether anything changed since a step last succeeded, in milliseconds, so that a second run skips the step.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./environment.mjs";

const skipped = new Set([
  "node_modules",
  "dist",
  "build",
  "prebuilds",
  "coverage",
  "test",
  "results",
  ".turbo",
  ".cache",
]);

/** The packages of the workspace that exist, as paths from the root. */
export function workspaceFolders() {
  const inside = (group) =>
    existsSync(join(root, group)) ? readdirSync(join(root, group)).map((name) => join(group, name)) : [];
  return [...inside("packages"), ...inside("examples"), "bench", "docs", "docs/api"].filter((folder) =>
    existsSync(join(root, folder, "package.json")),
  );
}

/** A digest of the files' contents: for the few files that decide what is installed. */
export function contentsDigest(files) {
  const hash = createHash("sha256").update(process.versions.modules);
  for (const file of files) hash.update(`\0${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest("hex");
}

/** A digest of the paths, sizes and times of everything under `paths`: for sources, which are many. */
export function statsDigest(paths) {
  const hash = createHash("sha256").update(root);
  const visit = (path) => {
    const stats = statSync(join(root, path), { throwIfNoEntry: false });
    if (stats === undefined) return;
    if (!stats.isDirectory()) {
      hash.update(`\0${path}\0${stats.size}\0${stats.mtimeMs}`);
      return;
    }
    for (const name of readdirSync(join(root, path)).sort()) {
      if (!skipped.has(name) && !name.endsWith(".tsbuildinfo")) visit(join(path, name));
    }
  };
  for (const path of paths) visit(path);
  return hash.digest("hex");
}

/** The digest kept from the last time that `step` succeeded, or "". */
export function readStamp(step) {
  try {
    return readFileSync(stampFile(step), "utf8");
  } catch {
    return "";
  }
}

/** Remembers that `step` succeeded with this digest. */
export function writeStamp(step, digest) {
  mkdirSync(dirname(stampFile(step)), { recursive: true });
  writeFileSync(stampFile(step), digest);
}

function stampFile(step) {
  return join(root, "node_modules", ".cache", "bootstrap", step);
}
