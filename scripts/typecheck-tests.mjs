// Type-checks the tests of every package that has some. They emit nothing, so `tsc -b` cannot hold them.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { workspaceFolders } from "./lib/fingerprint.mjs";
import { root } from "./lib/environment.mjs";

for (const folder of workspaceFolders()) {
  const project = join(root, folder, "tsconfig.test.json");
  if (!existsSync(project)) continue;
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  if (spawnSync(process.execPath, [tsc, "-p", project], { stdio: "inherit" }).status !== 0) process.exitCode = 1;
}
