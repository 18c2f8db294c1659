// Builds PoCL, the OpenCL driver of @cl/pocl, and writes its files to packages/pocl-linux-x64. Takes 10 minutes on 3 cores.
//   node scripts/build-pocl.mjs [--source PATH] [--jobs NUMBER]
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
import { build } from "./pocl/build.mjs";

const { values } = parseArgs({ options: { source: { type: "string" }, jobs: { type: "string" } } });
const jobs = Number(values.jobs ?? availableParallelism());
if (!Number.isInteger(jobs) || jobs < 1) throw new Error(`--jobs must be a positive integer, received ${values.jobs}`);

installMissing();
const cache = join(root, "node_modules/.cache/pocl");
mkdirSync(cache, { recursive: true });
const source = await obtainSource(cache, values.source, say);
const digest = inputsDigest(source);
const built = join(cache, digest);
if (existsSync(built)) {
  say("all inputs unchanged: using the earlier build");
} else {
  const work = join(cache, "work");
  rmSync(`${built}.new`, { recursive: true, force: true });
  build({ source, digest, work, output: `${built}.new`, jobs, say });
  checkFiles(`${built}.new`);
  renameSync(`${built}.new`, built);
  rmSync(work, { recursive: true, force: true });
}
const packaged = join(root, "packages/pocl-linux-x64");
copyFiles(built, packaged);
say(`wrote ${packaged}`);

function installMissing() {
  let missing = missingPackages();
  if (missing.length > 0 && installWithApt(missing, say)) missing = missingPackages();
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => `  - ${name}`);
  say(["missing packages:", ...names, "install them with:", ...installAdvice(missing)].join("\n"));
  process.exit(1);
}

function say(message) {
  process.stderr.write(`build-pocl: ${message}\n`);
}
