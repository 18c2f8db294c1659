// Runs the version of pnpm that the root package.json pins, through npx, since a fresh machine has only npm.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root, toolEnvironment } from "./environment.mjs";

const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** Runs `pnpm <args>` in `cwd`. Child processes find pnpm on PATH, which turbo and publint need. */
export function pnpm(args, { cwd = root, capture = false } = {}) {
  const result = spawnSync("npx", ["-y", packageManager, ...args], {
    cwd,
    encoding: "utf8",
    env: toolEnvironment(),
    maxBuffer: 1 << 28,
    shell: process.platform === "win32",
    stdio: capture ? ["ignore", "pipe", "pipe"] : "inherit",
  });
  return { ok: result.status === 0, output: `${result.stdout ?? ""}${result.stderr ?? ""}${result.error ?? ""}` };
}
