// Checks that a package with the library has its built files, before it is published.
//   node scripts/check-pocl.mjs TARGET
import { checkFiles, hasFiles } from "./pocl/files.mjs";
import { packageFolder, platformNamed } from "./pocl/targets.mjs";

const name = process.argv[2];
const folder = packageFolder(name);
if (!hasFiles(folder)) {
  throw new Error(`${folder} has no built files: run \`node scripts/build-pocl.mjs --target ${name}\``);
}
checkFiles(folder, platformNamed(name));
