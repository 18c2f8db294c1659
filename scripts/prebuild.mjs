// Creates the prebuilt addons of the published packages, and the shims of mpi, in packages/<name>/prebuilds/<target>/.
//   node scripts/prebuild.mjs                            copies the local builds, for this platform
//   node scripts/prebuild.mjs linux-x64 linux-arm64      compiles for publication
// Published addons require at least glibc 2.34 and GCC 11's libstdc++, as Node does: Debian 12, Ubuntu 22.04, RHEL 9.
// (Linked statically to libstdc++ they would require glibc 2.36.)
// Compilers: apt install g++ g++-aarch64-linux-gnu libopenmpi-dev libmpich-dev
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { basename, join } from "node:path";
import { checkNeeds } from "./lib/library-needs.mjs";
import { addons, keep, keepLocalBuild } from "./lib/prebuilt.mjs";

/** The processor name that compilers and CMake use for each target. */
const targets = { "linux-x64": "x86_64", "linux-arm64": "aarch64" };
/** The libraries that a published file may depend on. No MPI is one of them. */
const allowed = /^(libc|libm|libstdc\+\+|libgcc_s|ld-linux[\w-]*)\.so\.\d$/;
/** The newest library versions that a published file may require. */
const maxVersions = { GLIBC: "2.34", GLIBCXX: "3.4.29" };

const requested = process.argv.slice(2);
if (requested.length === 0) keepLocalBuild();
for (const target of requested) prebuild(target);

function prebuild(target) {
  if (!Object.hasOwn(targets, target)) {
    throw new Error(`target must be one of ${Object.keys(targets).join(", ")}, received ${target}`);
  }
  const processor = targets[target];
  const tool = `${processor}-linux-gnu-`;
  for (const { name, folder, file } of addons) {
    const out = join(folder, "build", target);
    const addon = compileAddon(folder, out, target, processor, file);
    execute(`${tool}strip`, [addon], folder);
    const files = [addon, ...(name === "mpi" ? compileShims(folder, out, tool) : [])];
    for (const built of files) checkNeeds(`${basename(built)} for ${target}`, built, allowed, maxVersions);
    keep(folder, target, files);
    for (const built of files) {
      console.log(`${target}: ${basename(built)}, ${Math.round(statSync(built).size / 1024)} KiB`);
    }
  }
}

function compileAddon(folder, out, target, processor, file) {
  const settings = {
    CMAKE_SYSTEM_NAME: "Linux",
    CMAKE_SYSTEM_PROCESSOR: processor,
    CMAKE_CXX_COMPILER: `${processor}-linux-gnu-g++`,
  };
  const defined = Object.entries(settings).map(([name, value]) => `--CD${name}=${value}`);
  const arch = target.split("-")[1];
  execute("npx", ["cmake-js", "compile", "--silent", "--arch", arch, "--out", out, ...defined], folder, {
    stdout: "ignore",
  });
  return join(out, "Release", file);
}

/**
 * Compiles the shims of both MPIs. For another processor they need only its compiler, because the mpi.h of Open MPI and of
 * MPICH is the same on all processors with 64 bits: with Debian's headers for x64 and for arm64, the objects have the same
 * bytes.
 */
function compileShims(folder, out, tool) {
  // Each MPI's compiler reads the compiler to call from its own variable.
  const variables = { CC: `${tool}gcc`, OMPI_CC: `${tool}gcc`, MPICH_CC: `${tool}gcc` };
  return ["openmpi", "mpich"].map((flavor) => {
    const shim = join(out, `shim-${flavor}.so`);
    const script = join(folder, "scripts/build-shim.mjs");
    execute("node", [script, "--compiler", `mpicc.${flavor}`, "--output", shim], folder, { variables });
    return shim;
  });
}

function execute(command, args, cwd, { stdout = "pipe", variables = {} } = {}) {
  const options = { cwd, env: { ...process.env, ...variables }, stdio: ["ignore", stdout, "inherit"] };
  const { status, error } = spawnSync(command, args, options);
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} exited with status ${status}`);
}
