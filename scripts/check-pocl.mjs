// Checks that packages/pocl-linux-x64 has its built files, before it is published.
import { join } from "node:path";
import { root } from "./lib/environment.mjs";
import { checkFiles, hasFiles } from "./pocl/files.mjs";

const folder = join(root, "packages/pocl-linux-x64");
if (!hasFiles(folder)) throw new Error(`${folder} has no built files: run \`node scripts/build-pocl.mjs\``);
checkFiles(folder);
