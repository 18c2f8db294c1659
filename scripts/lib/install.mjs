// Installs packed packages with npm in a separate folder, as a user would.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { toolEnvironment } from "./environment.mjs";

/**
 * Creates a project in `folder` that depends on the tarballs, keyed by package name, and installs it without scripts. `flags`
 * are added to npm's arguments.
 */
export function installTarballs(folder, tarballs, flags = []) {
  mkdirSync(folder, { recursive: true });
  const dependencies = Object.fromEntries(
    [...tarballs].map(([name, tarball]) => [name, `file:${relative(folder, tarball)}`]),
  );
  const manifest = { name: "user", version: "0.0.0", private: true, type: "module", dependencies };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest, null, 2));
  npm(folder, ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", ...flags]);
}

/** Runs npm in `folder` and returns its standard output. Throws if it fails. */
export function npm(folder, args) {
  const command = process.platform === "win32" ? "npm.cmd" : "npm";
  const { status, stdout } = spawnSync(command, [...args, "--prefix", folder, "--loglevel=error"], {
    cwd: folder,
    env: toolEnvironment(),
    encoding: "utf8",
    shell: process.platform === "win32",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) throw new Error(`npm ${args[0]} in ${folder} failed`);
  return stdout;
}
