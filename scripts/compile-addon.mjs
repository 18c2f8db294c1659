// Compiles the addon of the package in the working directory.
//   node ../../scripts/compile-addon.mjs [OPTION…]   with options of `cmake-js compile`
// CMake's cache contains absolute paths: in a copied checkout it would compile the sources of the original. Then the build
// folder is deleted first.
import { spawnSync } from "node:child_process";
import { readFileSync, realpathSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

const args = process.argv.slice(2);
const { values } = parseArgs({ args, options: { out: { type: "string", default: "build" } }, strict: false });
const source = cachedSource(join(values.out, "CMakeCache.txt"));
if (source !== undefined && resolve(source) !== realpathSync(process.cwd())) rmSync(values.out, { recursive: true });
const { status } = spawnSync("npx", ["cmake-js", "compile", ...args], {
  stdio: "inherit",
  shell: process.platform === "win32",
});
process.exitCode = status ?? 1;

/** Returns the source folder in a CMake cache, or `undefined` if there is no cache. */
function cachedSource(file) {
  try {
    return /^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)$/m.exec(readFileSync(file, "utf8"))?.[1];
  } catch {
    return undefined;
  }
}
