// Runs pnpm, pinned by the root package.json, through npx: a fresh machine has only npm.
import { spawnSync } from "node:child_process";
import { accessSync, constants, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the workspace. */
export const root = fileURLToPath(new URL("../../", import.meta.url));

const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** Runs `pnpm <args>` in `cwd`; children find pnpm on PATH too, which turbo and publint need. */
export function pnpm(args, { cwd = root, capture = false } = {}) {
  const result = spawnSync("npx", ["-y", packageManager, ...args], {
    cwd,
    encoding: "utf8",
    env: childEnvironment(),
    maxBuffer: 1 << 28,
    shell: process.platform === "win32",
    stdio: capture ? ["ignore", "pipe", "pipe"] : "inherit",
  });
  return { ok: result.status === 0, output: `${result.stdout ?? ""}${result.stderr ?? ""}${result.error ?? ""}` };
}

/** The environment for package managers and turbo: nothing phones home, and caches have a place to go. */
export function childEnvironment() {
  const env = { ...process.env, TURBO_TELEMETRY_DISABLED: "1", TURBO_NO_UPDATE_NOTIFIER: "1", DO_NOT_TRACK: "1" };
  if (process.platform !== "win32" && !isWritable(process.env.HOME)) {
    // A container's user often has no home; npm and pnpm keep their caches there.
    env.HOME = join(root, "node_modules", ".cache", "home");
    mkdirSync(env.HOME, { recursive: true });
    for (const name of ["npm_config_cache", "npm_config_prefix", "npm_config_global_prefix"]) delete env[name];
  }
  return env;
}

function isWritable(folder) {
  if (!folder) return false;
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
