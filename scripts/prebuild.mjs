// Makes the addons that the published package carries, one per platform, in packages/core/prebuilds/<target>/.
//   node scripts/prebuild.mjs                            the addon that was just built here, for this platform
//   node scripts/prebuild.mjs linux-x64 linux-arm64      addons to publish, each compiled for its platform
// Those to publish need glibc 2.34 and GCC 11's C++ library or newer, which Node needs as well: Debian 12, Ubuntu 22.04,
// RHEL 9. (With the C++ library inside they would need glibc 2.36.) Compilers: apt install g++ g++-aarch64-linux-gnu.
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { core, keep, keepLocalBuild } from "./lib/prebuilt.mjs";

/** How compilers and CMake call the processor of each target. */
const targets = { "linux-x64": "x86_64", "linux-arm64": "aarch64" };
/** The newest versions that an addon to publish may ask for. */
const promised = { GLIBC: "2.34", GLIBCXX: "3.4.29" };

const wanted = process.argv.slice(2);
if (wanted.length === 0) keepLocalBuild();
for (const target of wanted) prebuild(target);

function prebuild(target) {
  if (!Object.hasOwn(targets, target)) {
    throw new Error(`${target} is none of the targets: ${Object.keys(targets).join(", ")}`);
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
  checkNeeds(target, built);
  keep(built, target);
  console.log(`${target}: ${Math.round(statSync(built).size / 1024)} KiB`);
}

/** Throws if an addon asks a system for more than is promised. */
function checkNeeds(target, addon) {
  const said = (option, pattern) => [...execute("readelf", [option, addon]).matchAll(pattern)];
  for (const [, library] of said("-d", /\(NEEDED\).*\[(.+)\]/g)) {
    if (!/^(libc|libm|libstdc\+\+|libgcc_s|ld-linux[\w-]*)\.so\.\d$/.test(library)) {
      throw new Error(`${target} needs ${library}, which not every system has`);
    }
  }
  for (const [, library, version] of said("-V", /\b(GLIBC|GLIBCXX)_([\d.]+)/g)) {
    if (newer(version, promised[library])) {
      throw new Error(`${target} needs ${library} ${version}; ${promised[library]} is promised`);
    }
  }
}

function newer(a, b) {
  return a.localeCompare(b, "en", { numeric: true }) > 0;
}

function execute(command, args, stdout = "pipe") {
  const options = { cwd: core, encoding: "utf8", stdio: ["ignore", stdout, "inherit"] };
  const { status, error, stdout: output } = spawnSync(command, args, options);
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${status}`);
  return output;
}
