// Checks the packed tarballs with publint (the manifest) and attw (what TypeScript resolves).
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packagesWithCode, packAll, publishedPackages } from "./lib/pack.mjs";
import { root } from "./lib/environment.mjs";

const checks = {
  publint: (tarball) => ["publint/src/cli.js", "run", tarball, "--strict"],
  attw: (tarball) => ["@arethetypeswrong/cli/dist/index.js", tarball, "--profile", "esm-only"],
};
const selected = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "cl-packages-"));
try {
  const withCode = packagesWithCode();
  for (const [packageName, tarball] of packAll(folder, publishedPackages())) {
    for (const [name, command] of Object.entries(checks)) {
      if (selected.length > 0 && !selected.includes(name)) continue;
      if (name === "attw" && !withCode.includes(packageName)) continue;
      const [script, ...args] = command(tarball);
      const { status } = spawnSync(process.execPath, [join(root, "node_modules", script), ...args], {
        stdio: "inherit",
      });
      if (status !== 0) process.exitCode = 1;
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
