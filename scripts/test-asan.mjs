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

// Left out: test/internal, which hardly touches the addon and runs in the ordinary suite. Alternate signal stacks are off:
// the sanitizer cannot unmap those of V8's worker threads.
const { status } = spawnSync(
  "npx",
  ["vitest", "run", "--project", "core", "--typecheck.enabled=false", ...process.argv.slice(2)],
  {
    cwd: root,
    stdio: "inherit",
    env: {
      // What runs for long in other processes is where memory errors would be.
      CL_TEST_LONG: "1",
      ...process.env,
      TEST_INTERNAL: "0",
      CL_CORE_BINARY: join(core, "build-asan/Release/cl_core.node"),
      LD_PRELOAD: library,
      ASAN_OPTIONS: "detect_leaks=0:abort_on_error=1:handle_segv=0:use_sigaltstack=0:allocator_may_return_null=1",
    },
  },
);
process.exitCode = status ?? 1;
