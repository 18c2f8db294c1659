// Creates the prebuilt addons of the published package, one per platform, in packages/core/prebuilds/<target>/.
//   node scripts/prebuild.mjs                            copies the local build, for this platform
//   node scripts/prebuild.mjs linux-x64 linux-arm64      compiles addons for publication
// Published addons require at least glibc 2.34 and GCC 11's libstdc++, as Node does: Debian 12, Ubuntu 22.04, RHEL 9.
// (Linked statically to libstdc++ they would require glibc 2.36.) Compilers: apt install g++ g++-aarch64-linux-gnu.
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { checkNeeds } from "./lib/library-needs.mjs";
import { core, keep, keepLocalBuild } from "./lib/prebuilt.mjs";

/** The processor name that compilers and CMake use for each target. */
const targets = { "linux-x64": "x86_64", "linux-arm64": "aarch64" };
/** The newest library versions that a published addon may require. */
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
  const out = join(core, "build", target);
  const settings = {
    CMAKE_SYSTEM_NAME: "Linux",
    CMAKE_SYSTEM_PROCESSOR: processor,
    CMAKE_CXX_COMPILER: `${tool}g++`,
  };
  const defined = Object.entries(settings).map(([name, value]) => `--CD${name}=${value}`);
  const arch = target.split("-")[1];
  execute("npx", ["cmake-js", "compile", "--silent", "--arch", arch, "--out", out, ...defined], "ignore");
  const built = join(out, "Release/cl_core.node");
  execute(`${tool}strip`, [built]);
  checkNeeds(target, built, /^(libc|libm|libstdc\+\+|libgcc_s|ld-linux[\w-]*)\.so\.\d$/, maxVersions);
  keep(built, target);
  console.log(`${target}: ${Math.round(statSync(built).size / 1024)} KiB`);
}

function execute(command, args, stdout = "pipe") {
  const options = { cwd: core, encoding: "utf8", stdio: ["ignore", stdout, "inherit"] };
  const { status, error, stdout: output } = spawnSync(command, args, options);
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} exited with status ${status}`);
  return output;
}
