// Runs core's tests, and those of @cl/mpi without an MPI, with the addons built under AddressSanitizer. The sanitizer's
// library must be loaded first, so it is preloaded. Leaks are not reported, because V8 never frees everything.
//   node scripts/test-asan.mjs [--project core|mpi] [--shard NUMBER/COUNT] [FILE…]
// --shard selects a part of the files of core.
import { execFileSync, spawnSync } from "node:child_process";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";

import { root } from "./lib/environment.mjs";

const { values, positionals } = parseArgs({
  options: { project: { type: "string" }, shard: { type: "string" } },
  allowPositionals: true,
});
const packages = ["core", "mpi"].map((name) => join(root, "packages", name));
// The tests of @cl/mpi use both addons.
for (const cwd of values.project === "core" ? packages.slice(0, 1) : packages) {
  execFileSync(
    process.execPath,
    [join(root, "scripts/compile-addon.mjs"), "--out", "build-asan", "--CDCL_SANITIZE=address"],
    {
      cwd,
      stdio: ["ignore", "ignore", "inherit"],
    },
  );
}
const [coreBinary, mpiBinary] = packages.map((cwd) => join(cwd, `build-asan/Release/cl_${basename(cwd)}.node`));
const library = execFileSync(process.env.CXX ?? "g++", ["-print-file-name=libasan.so"], { encoding: "utf8" }).trim();

const shard = values.shard === undefined ? [] : [`--shard=${values.shard}`];
if (values.project !== "mpi") test("core", [...shard, ...positionals]);
// An MPI is not built for the sanitizer, so only the test that needs none.
if (values.project !== "core") test("mpi", ["fake-mpi", ...positionals]);

/** Leaves out the project of test/internal, which hardly uses the addons. */
function test(project, files) {
  const { status } = spawnSync("npx", ["vitest", "run", "--project", project, ...files], {
    cwd: root,
    stdio: "inherit",
    env: {
      // Memory errors are most likely in the long tests.
      CL_TEST_LEVEL: "full",
      ...process.env,
      CL_CORE_BINARY: coreBinary,
      ...(values.project === "core" ? {} : { CL_MPI_BINARY: mpiBinary }),
      LD_PRELOAD: library,
      // Alternate signal stacks are off, because the sanitizer cannot unmap those of V8's worker threads.
      ASAN_OPTIONS: "detect_leaks=0:abort_on_error=1:handle_segv=0:use_sigaltstack=0:allocator_may_return_null=1",
    },
  });
  if (status !== 0) process.exitCode = status ?? 1;
}
