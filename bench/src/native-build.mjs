// Compiles the C++ peers and caches them by a hash of their sources and compiler. Bundles for machines without a compiler
// (scripts/bench-bundle.mjs) contain them in prebuilt/.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";

import { paths } from "./paths.mjs";

const compiler = process.env["CXX"] ?? "g++";
const flags = ["-std=c++20", "-O2", "-Wall", "-Wextra"];
// The full name, because libOpenCL.so exists only if the development package is installed.
const openCL = "-l:libOpenCL.so.1";

/**
 * Builds the C++ peer of a package.
 * @param {string} packageName
 * @returns {string | undefined} the executable; undefined if the package has no C++ jobs
 */
export function buildPeer(packageName) {
  const folder = join(paths.native, packageName);
  if (!existsSync(folder)) return undefined;
  return compile(packageName, [paths.native, folder], [], [openCL]);
}

/**
 * Builds the null driver.
 * @returns {string} the shared library
 */
export function buildNullDriver() {
  // It does not call the real library, but must load it.
  const libraries = ["-Wl,--no-as-needed", openCL, "-ldl"];
  return compile("null-driver.so", [join(paths.native, "null")], ["-shared", "-fPIC"], libraries);
}

/** Returns the first line of `--version`. */
export function compilerVersion() {
  const prebuilt = join(paths.prebuilt, "compiler");
  if (existsSync(prebuilt)) return readFileSync(prebuilt, "utf8");
  return execFileSync(compiler, ["--version"], { encoding: "utf8" }).split("\n")[0] ?? "";
}

/**
 * @param {string} name
 * @param {readonly string[]} folders
 * @param {readonly string[]} options
 * @param {readonly string[]} libraries
 */
function compile(name, folders, options, libraries) {
  const prebuilt = join(paths.prebuilt, name);
  if (existsSync(prebuilt)) return prebuilt;
  const sources = folders.flatMap((folder) => filesOf(folder, ".cc"));
  const headers = folders.flatMap((folder) => filesOf(folder, ".h"));
  const command = [...flags, ...options, ...sources, ...libraries];
  const hash = createHash("sha256").update(JSON.stringify([compilerVersion(), command]));
  for (const file of [...sources, ...headers]) hash.update(readFileSync(file));
  const output = join(paths.build, `${hash.digest("hex").slice(0, 12)}-${name}`);
  if (existsSync(output)) return output;
  const unfinished = `${output}.${process.pid}`;
  execFileSync(compiler, [...command, "-o", unfinished], { stdio: ["ignore", "ignore", "pipe"] });
  renameSync(unfinished, output);
  return output;
}

/**
 * @param {string} folder
 * @param {string} ending
 */
function filesOf(folder, ending) {
  return readdirSync(folder)
    .filter((file) => file.endsWith(ending))
    .sort()
    .map((file) => join(folder, file));
}
