// Builds PoCL, the OpenCL driver of @cl/pocl, and writes its files to the package of a platform. Takes 10 minutes on 3 cores.
//   node scripts/build-pocl.mjs [--target NAME] [--source PATH] [--jobs NUMBER]
// --target defaults to this computer's platform. On linux-x64, linux-arm64 is compiled with a cross compiler.
// --source names a folder with the sources, or an archive with one of the hashes in scripts/pocl/sources.mjs; otherwise the
// script downloads one. A build with the same inputs is copied from node_modules/.cache/pocl.
// Runs on Debian 12 only, because the library then requires at least glibc 2.34. Installs missing packages if it can.
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "./lib/environment.mjs";
import { installAdvice, installWithApt } from "./lib/system.mjs";
import { checkFiles, copyFiles } from "./pocl/files.mjs";
import { inputsDigest } from "./pocl/inputs.mjs";
import { missingPackages } from "./pocl/requirements.mjs";
import { obtainSource } from "./pocl/sources.mjs";
import { packageFolder, targetNamed } from "./pocl/targets.mjs";
import { build } from "./pocl/build.mjs";

const { values } = parseArgs({
  options: { target: { type: "string" }, source: { type: "string" }, jobs: { type: "string" } },
});
const target = targetNamed(values.target ?? `linux-${process.arch}`);
const jobs = Number(values.jobs ?? availableParallelism());
if (!Number.isInteger(jobs) || jobs < 1) throw new Error(`--jobs must be a positive integer, received ${values.jobs}`);

installMissing();
const cache = join(root, "node_modules/.cache/pocl");
mkdirSync(cache, { recursive: true });
const source = await obtainSource(cache, values.source, say);
const digest = inputsDigest(source, target);
const built = join(cache, digest);
if (existsSync(built)) {
  say("all inputs unchanged: using the earlier build");
} else {
  const work = join(cache, `work-${target.name}`);
  rmSync(`${built}.new`, { recursive: true, force: true });
  build({ target, source, digest, work, output: `${built}.new`, jobs, say });
  checkFiles(`${built}.new`, target);
  renameSync(`${built}.new`, built);
  rmSync(work, { recursive: true, force: true });
}
const packaged = packageFolder(target.name);
copyFiles(built, packaged);
say(`wrote ${packaged}`);

function installMissing() {
  let missing = missingPackages(target);
  if (missing.length > 0 && installWithApt(missing, say)) missing = missingPackages(target);
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => `  - ${name}`);
  say(["missing packages:", ...names, "install them with:", ...installAdvice(missing)].join("\n"));
  process.exit(1);
}

function say(message) {
  process.stderr.write(`build-pocl: ${message}\n`);
}
