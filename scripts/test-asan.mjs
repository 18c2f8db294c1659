// Runs the tests that exercise the addon against a build of it that finds memory errors (AddressSanitizer). The
// sanitizer's library must be loaded before Node, so it is preloaded. Leaks are not reported: V8 never frees everything.
import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "./lib/environment.mjs";

const core = join(root, "packages/core");
execFileSync("npx", ["cmake-js", "compile", "--silent", "--out", "build-asan", "--CDCL_SANITIZE=address"], {
  cwd: core,
  stdio: ["ignore", "ignore", "inherit"],
});
const library = execFileSync(process.env.CXX ?? "g++", ["-print-file-name=libasan.so"], { encoding: "utf8" }).trim();

// Workers' threads are torn down by V8 in ways that the sanitizer's own allocator checks misread; the tests that start
// child processes without our preload would test the ordinary build. Both run in the ordinary suite.
const { status } = spawnSync(
  "npx",
  [
    "vitest",
    "run",
    "--project",
    "core",
    "--typecheck.enabled=false",
    "--exclude",
    "test/internal/**",
    ...process.argv.slice(2),
  ],
  {
    cwd: root,
    stdio: "inherit",
    env: {
      ...process.env,
      CL_CORE_BINARY: join(core, "build-asan/Release/cl_core.node"),
      LD_PRELOAD: library,
      ASAN_OPTIONS: "detect_leaks=0:abort_on_error=1:handle_segv=0",
    },
  },
);
process.exitCode = status ?? 1;
