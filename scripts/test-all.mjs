// Runs all tests, in parts. Each part writes a log and prints one line. A part that passed is skipped until a file of the
// repository changes, so a run that was stopped continues there.
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { closeSync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { root, runEnvironment } from "./lib/environment.mjs";
import { readStamp, writeStamp } from "./lib/fingerprint.mjs";
import { fullParts, parts } from "./lib/test-parts.mjs";

const { values, positionals } = parseArgs({
  options: {
    again: { type: "boolean" },
    seed: { type: "string" },
    help: { type: "boolean", short: "h" },
    // The parts as JSON, for the nightly workflow.
    names: { type: "boolean" },
  },
  allowPositionals: true,
});
if (values.help) help();
else if (values.names) console.log(JSON.stringify(parts.map(({ name }) => name)));
else process.exitCode = (await runAll(selected(positionals))) ? 0 : 1;

function help() {
  const width = Math.max(...parts.map(({ name }) => name.length));
  const rows = parts.map(
    ({ name, minutes, about }) => `  ${name.padEnd(width)}  ${String(minutes).padStart(3)} min  ${about}`,
  );
  console.log(`npm run test:all [-- PART…] [--again] [--seed NUMBER]

Runs the parts, or all of them. Parts that passed on the same files are skipped unless --again is given.
--seed seeds the random tests: \`npm run test:all -- random --seed 7\`.

${rows.join("\n")}
  ${"full".padEnd(width)}  ${String(fullParts.reduce((sum, { minutes }) => sum + minutes, 0)).padStart(3)} min  the parts from ${fullParts[0].name} to ${fullParts.at(-1).name}`);
}

function selected(names) {
  if (names.length === 0) return parts;
  const wanted = names.flatMap((name) => (name === "full" ? fullParts.map((part) => part.name) : [name]));
  const unknown = wanted.filter((name) => !parts.some((part) => part.name === name));
  if (unknown.length > 0) throw new Error(`unknown part: ${unknown.join(", ")}. --help lists the parts`);
  return parts.filter(({ name }) => wanted.includes(name));
}

async function runAll(chosen) {
  const digest = repositoryDigest();
  let passed = true;
  for (const part of chosen) {
    const seed = part.usesSeed ? (values.seed ?? String(Math.floor(Math.random() * 2 ** 31))) : values.seed;
    const title = part.usesSeed ? `${part.name} --seed ${seed}` : part.name;
    if (!values.again && !part.usesSeed && readStamp(`test-all-${part.name}`) === digest) {
      console.log(`${title}: passed before, and no file has changed since`);
    } else if (await run(part, title, seed)) {
      writeStamp(`test-all-${part.name}`, digest);
    } else {
      passed = false;
    }
  }
  return passed;
}

/** Runs the steps of a part up to the first that fails. Prints the verdict, and returns whether all passed. */
async function run({ name, steps }, title, seed) {
  const folder = join(root, "node_modules/.cache/test-all");
  mkdirSync(folder, { recursive: true });
  const log = join(folder, `${name}.log`);
  const output = openSync(log, "w");
  const started = Date.now();
  let status = 0;
  for (const { command, args, env } of steps) {
    writeSync(output, `$ ${command} ${args.join(" ")}\n`);
    const variables = { ...runEnvironment(), ...env, ...(seed === undefined ? {} : { CL_TEST_SEED: seed }) };
    status = await exitStatus(command, args, variables, output);
    if (status !== 0) break;
  }
  closeSync(output);
  const seconds = Math.round((Date.now() - started) / 1000);
  const counts = [...readFileSync(log, "utf8").matchAll(/^.*\bTests\b.*?(\d+ (?:passed|failed).*)$/gm)];
  // oxlint-disable-next-line no-control-regex -- colors
  const summary = counts.map(([, text]) => `, ${text.replaceAll(/\u001B\[[0-9;]*m/g, "")}`).join("");
  console.log(`${title}: ${status === 0 ? "passed" : "FAILED"} in ${seconds} s${summary} (${relative(root, log)})`);
  return status === 0;
}

function exitStatus(command, args, env, output) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, env, stdio: ["ignore", output, output] });
    child.on("error", () => resolve(1));
    child.on("close", (code) => resolve(code ?? 1));
  });
}

/** Returns a digest of the commit and of what has changed since. */
function repositoryDigest() {
  const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 1 << 30 });
  const untracked = git("ls-files", "--others", "--exclude-standard").split("\n").filter(Boolean);
  const hash = createHash("sha256").update(git("rev-parse", "HEAD")).update(git("diff", "HEAD"));
  for (const path of untracked) hash.update(`\0${path}\0`).update(readFileSync(join(root, path)));
  return hash.digest("hex");
}
