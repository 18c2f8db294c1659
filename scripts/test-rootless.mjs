// Uses the repository and the packages as a user without root rights, on a copy of this system without an OpenCL runtime.
// Requires root, to create the copy, on Debian or Ubuntu.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./lib/environment.mjs";
import { runInCopy } from "./lib/copied-system.mjs";
import { packAll } from "./lib/pack.mjs";
import { hasFiles } from "./pocl/files.mjs";
import { packageFolder } from "./pocl/targets.mjs";

/** The test's programs print this: 2 * [1, 2, 3]. */
const program = `
import { CommandQueue, Context, DeviceBuffer, Program } from "@cl/core";
const context = Context.create();
const queue = new CommandQueue(context);
const program = await new Program(context, "__kernel void twice(__global int *x) { x[get_global_id(0)] *= 2; }").build();
const x = DeviceBuffer.from(context, Int32Array.of(1, 2, 3));
program.kernel("twice").launch(queue, { global: 3 }, x);
console.log(context.devices[0].name, (await queue.read(x)).join());`;

const tests = { clone: testClone, packages: testPackages };
const selected = process.argv.slice(2);
for (const [name, run] of Object.entries(tests)) {
  if (selected.length > 0 && !selected.includes(name)) continue;
  const started = performance.now();
  const passed = run();
  if (passed === undefined) continue;
  console.log(`${name}: ${passed ? "passed" : "failed"} (${((performance.now() - started) / 1000).toFixed(0)} s)`);
  if (!passed) process.exitCode = 1;
}

/** The README's commands in a clone. */
function testClone() {
  const packages = "pocl-opencl-icd libpocl2 ocl-icd-libopencl1 cmake ninja-build opencl-c-headers";
  return runInCopy(
    `apt-get -qq -y --autoremove purge ${packages} >/dev/null
    git clone -q --no-hardlinks ${root} /home/guest/cl && chown -R --reference=/home/guest /home/guest/cl`,
    `cd cl; npm run -s demo; npm test -- --typecheck.enabled=false readme.test`,
  );
}

/** Installs core and the packaged PoCL, and runs a kernel. Returns undefined if PoCL's library is not built. */
function testPackages() {
  if (!hasFiles(packageFolder(`linux-${process.arch}`))) {
    console.log("packages: skipped, the library of @cl/pocl is not built: node scripts/build-pocl.mjs");
    return undefined;
  }
  const folder = mkdtempSync(join(tmpdir(), "cl-packed-"));
  try {
    const tarballs = packAll(folder);
    const files = ["@cl/base", "@cl/core", `@cl/pocl-linux-${process.arch}`, "@cl/pocl"].map((name) =>
      tarballs.get(name),
    );
    return runInCopy(
      `cp ${files.join(" ")} /home/guest
      rm -rf /etc/OpenCL /usr/lib/*/libOpenCL.so* /usr/lib/gcc /usr/bin/{,*-}{ld,ld.*,as,gcc,g++,gcc-*,g++-*,cc,c++,cpp,clang*,lld*}
      if command -v ld; then exit 1; fi`,
      `time (npm install --silent --ignore-scripts --no-audit --no-fund ./*.tgz
      node --input-type=module -e "$PROGRAM") | tee printed; grep -q "2,4,6" printed`,
      { PROGRAM: `import "@cl/pocl";${program}` },
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
