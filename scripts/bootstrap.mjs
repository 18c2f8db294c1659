// Prepares a fresh clone: checks the machine, installs from the lockfile, builds. Has no dependencies. Steps whose inputs
// have not changed are skipped, so a second run takes a fraction of a second.
//   node scripts/bootstrap.mjs [--offer-bench-peers | --with-bench-peers] [COMMAND ...]
// Then runs COMMAND, if given, and exits with its status. Without a command or with --offer-bench-peers, asks once, on a
// terminal only, whether to install the libraries that the benchmarks compare with; --with-bench-peers installs them.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ask, installChoice, installPeers, missingPeers } from "./lib/bench-peers.mjs";
import { root, runEnvironment } from "./lib/environment.mjs";
import { contentsDigest, readStamp, statsDigest, workspaceFolders, writeStamp } from "./lib/fingerprint.mjs";
import { pnpm, pnpmByLine } from "./lib/pnpm.mjs";
import { addons } from "./lib/prebuilt.mjs";
import { installAdvice, installWithApt, missingRequirements } from "./lib/system.mjs";
import { unpackPackages, useUnpackedPackages } from "./lib/unpacked-packages.mjs";

const turboBuild = ["exec", "turbo", "run", "build"];

checkNode();
checkMachine();
const folders = workspaceFolders();
install(folders);
await build(folders);
const [option, ...rest] = process.argv.slice(2);
const isOption = option === "--offer-bench-peers" || option === "--with-bench-peers";
const command = isOption ? rest : process.argv.slice(2);
if (isOption || command.length === 0) await offerPeers(option === "--with-bench-peers");
run(command);

function checkNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  fail(`Node 20.19 or newer is required, found ${process.versions.node}. See https://nodejs.org/en/download`);
}

function checkMachine() {
  useUnpackedPackages();
  let missing = missingRequirements();
  for (const provide of [installWithApt, unpackPackages]) {
    if (missing.length > 0 && provide(missing, say)) missing = missingRequirements();
  }
  if (missing.length === 0) return;
  const names = missing.map((requirement) => `  - ${requirement.name}`);
  const commands = installAdvice(missing).map((command) => `  ${command}`);
  fail(["missing requirements:", ...names, "install them with:", ...commands].join("\n"));
}

function install(folders) {
  const manifests = folders.map((folder) => join(folder, "package.json"));
  const digest = contentsDigest(["package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml", ...manifests]);
  const complete = ["node_modules/.modules.yaml", "packages/core/node_modules"].every((path) =>
    existsSync(join(root, path)),
  );
  if (complete && readStamp("install") === digest) return;
  say("installing packages");
  // Otherwise pnpm asks before it replaces the node_modules of another installation, which fails without a terminal.
  step(pnpm(["install", "--frozen-lockfile", "--config.confirm-modules-purge=false"], { capture: true }));
  writeStamp("install", digest);
}

async function build(folders) {
  const sources = ["package.json", "pnpm-lock.yaml", "tsconfig.base.json", "tsconfig.json", "turbo.json", "scripts"];
  const digest = statsDigest([...sources, ...folders]);
  const outputs = [...addons.map(({ built }) => built), join(root, "packages/core/dist/index.js")];
  if (outputs.every(existsSync) && readStamp("build") === digest) return;
  const { stdout } = step(pnpm([...turboBuild, "--dry=json"], { capture: true }));
  const tasks = JSON.parse(stdout.slice(stdout.indexOf("{"))).tasks.filter(
    ({ command }) => command !== "<NONEXISTENT>",
  );
  const started = Date.now();
  let begun = 0;
  const progress = (what) =>
    say(`${what} (${begun} of ${tasks.length} tasks, ${Math.round((Date.now() - started) / 1000)} s)`);
  const onLine = (line) => {
    const [, task, cache] = /^(\S+): cache (hit|miss|bypass)/.exec(line) ?? [];
    if (task === undefined) return;
    begun++;
    if (cache !== "hit") progress(`building ${task}`);
  };
  // The addons take a minute, in which no task starts.
  const timer = setInterval(() => progress("still building"), 15_000);
  const result = await pnpmByLine([...turboBuild, "--output-logs=new-only", "--log-order=stream"], onLine);
  clearInterval(timer);
  step(result);
  writeStamp("build", digest);
}

async function offerPeers(forced) {
  const interactive = process.stdin.isTTY && process.stderr.isTTY && !process.env.CI;
  const install = installChoice({ forced, interactive, answered: readStamp("bench-peers") !== "" });
  const missing = install === "no" ? [] : missingPeers();
  if (missing.length === 0) return;
  const agreed = install === "yes" || (await ask(missing));
  if (!agreed) writeStamp("bench-peers", "no");
  else if (!installPeers(missing, say)) process.exitCode = 1;
}

function run([command, ...args]) {
  if (command === undefined) return;
  // Ctrl+C also reaches the command; wait for it to exit.
  process.on("SIGINT", () => undefined);
  const options = { env: runEnvironment(), shell: process.platform === "win32", stdio: "inherit" };
  const { status, signal, error } = spawnSync(command, args, options);
  if (error) fail(`${command}: ${error.message}`);
  if (signal) fail(`${command} was terminated by ${signal}`);
  process.exitCode = status;
}

/** Returns the result of a step, or ends the process if it failed. */
function step(result) {
  if (!result.ok) fail(result.output.trimEnd());
  return result;
}

function say(message) {
  process.stderr.write(`bootstrap: ${message}\n`);
}

function fail(message) {
  say(message);
  process.exit(1);
}
