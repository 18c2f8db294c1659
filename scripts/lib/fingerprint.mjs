// Detects within milliseconds whether a step's inputs changed since it last succeeded, so that unchanged steps are skipped.
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

/** Returns the folders of the workspace's packages, relative to the root. */
export function workspaceFolders() {
  const inside = (group) =>
    existsSync(join(root, group)) ? readdirSync(join(root, group)).map((name) => join(group, name)) : [];
  return [...inside("packages"), ...inside("examples"), "bench", "docs", "docs/api"].filter((folder) =>
    existsSync(join(root, folder, "package.json")),
  );
}

/** Returns a digest of the files' contents. */
export function contentsDigest(files) {
  const hash = createHash("sha256").update(process.versions.modules);
  for (const file of files) hash.update(`\0${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest("hex");
}

/** Returns a digest of the path, size and modification time of every file under `paths`. Faster than reading contents. */
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

/** Returns the digest that `step` last succeeded with, or "". */
export function readStamp(step) {
  try {
    return readFileSync(stampFile(step), "utf8");
  } catch {
    return "";
  }
}

/** Records that `step` succeeded with this digest. */
export function writeStamp(step, digest) {
  mkdirSync(dirname(stampFile(step)), { recursive: true });
  writeFileSync(stampFile(step), digest);
}

function stampFile(step) {
  return join(root, "node_modules", ".cache", "bootstrap", step);
}
