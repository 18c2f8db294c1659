// Type-checks the projects that emit nothing, which `tsc -b` cannot contain: every package's tests, and the browser code.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { workspaceFolders } from "./lib/fingerprint.mjs";
import { root } from "./lib/environment.mjs";

const tests = workspaceFolders().map((folder) => join(folder, "tsconfig.test.json"));
for (const path of [...tests, "packages/trace/src/report/page/tsconfig.json"]) {
  const project = join(root, path);
  if (!existsSync(project)) continue;
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  if (spawnSync(process.execPath, [tsc, "-p", project], { stdio: "inherit" }).status !== 0) process.exitCode = 1;
}
