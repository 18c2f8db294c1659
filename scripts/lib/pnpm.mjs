// Runs the version of pnpm that the root package.json pins, through npx, since a fresh machine has only npm.
import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { root, toolEnvironment } from "./environment.mjs";

const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** Runs `pnpm <args>` in `cwd`. Child processes find pnpm on PATH, which turbo and publint need. */
export function pnpm(args, { cwd = root, capture = false } = {}) {
  const result = spawnSync("npx", ["-y", packageManager, ...args], {
    ...optionsIn(cwd),
    encoding: "utf8",
    maxBuffer: 1 << 28,
    stdio: capture ? ["ignore", "pipe", "pipe"] : "inherit",
  });
  const { stdout, stderr, error } = result;
  return { ok: result.status === 0, stdout, output: `${stdout ?? ""}${stderr ?? ""}${error ?? ""}` };
}

/** Runs `pnpm <args>` in the root, and calls `onLine` with each line of its output. Resolves to whether it succeeded, and its output. */
export async function pnpmByLine(args, onLine) {
  const child = spawn("npx", ["-y", packageManager, ...args], {
    ...optionsIn(root),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lines = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => {
      lines.push(line);
      onLine(line);
    });
  }
  const status = await new Promise((resolve) => {
    child.on("error", (error) => lines.push(String(error)));
    child.on("close", resolve);
  });
  return { ok: status === 0, output: lines.join("\n") };
}

function optionsIn(cwd) {
  return { cwd, env: toolEnvironment(), shell: process.platform === "win32" };
}
