// Runs core's tests with the addon built under AddressSanitizer. The sanitizer's library must be loaded first, so it is
// preloaded. Leaks are not reported, because V8 never frees everything.
import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "./lib/environment.mjs";

const core = join(root, "packages/core");
execFileSync("npx", ["cmake-js", "compile", "--silent", "--out", "build-asan", "--CDCL_SANITIZE=address"], {
  cwd: core,
  stdio: ["ignore", "ignore", "inherit"],
});
const library = execFileSync(process.env.CXX ?? "g++", ["-print-file-name=libasan.so"], { encoding: "utf8" }).trim();

// Skips test/internal, which hardly uses the addon. Alternate signal stacks are off, because the sanitizer cannot unmap
// those of V8's worker threads.
const { status } = spawnSync("npx", ["vitest", "run", "--project", "core", ...process.argv.slice(2)], {
  cwd: root,
  stdio: "inherit",
  env: {
    // Memory errors are most likely in the long tests.
    CL_TEST_LONG: "1",
    ...process.env,
    TEST_INTERNAL: "0",
    TEST_TYPES: "0",
    CL_CORE_BINARY: join(core, "build-asan/Release/cl_core.node"),
    LD_PRELOAD: library,
    ASAN_OPTIONS: "detect_leaks=0:abort_on_error=1:handle_segv=0:use_sigaltstack=0:allocator_may_return_null=1",
  },
});
process.exitCode = status ?? 1;
