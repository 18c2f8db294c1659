// Configures, compiles and installs PoCL, and collects the package's files.
import { spawnSync } from "node:child_process";
import {
  closeSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { crossSettings } from "./cross/settings.mjs";
import { unpackSysroot } from "./cross/sysroot.mjs";
import { recipe } from "./inputs.mjs";
import { writeLicenses } from "./licenses.mjs";

/** The tools of LLVM for this computer. */
const tools = "/usr/lib/llvm-19/bin";

/**
 * Builds `source` for `target` in the folder `work` and writes the files of the package to `output`. Continues an interrupted
 * build if `digest`, the digest of all inputs, is still the same. Each step writes a log to `work`.
 */
export function build({ target, source, digest, work, output, jobs, say }) {
  const run = (name, command, args, variables = {}) => {
    say(name);
    const log = join(work, `${name.replaceAll(" ", "-")}.log`);
    const file = openSync(log, "w");
    const env = { ...process.env, PATH: `${tools}:${process.env.PATH}`, ...variables };
    const { status, error } = spawnSync(command, args, { cwd: work, env, stdio: ["ignore", file, file] });
    closeSync(file);
    if (error !== undefined) throw error;
    const text = readFileSync(log, "utf8");
    if (status !== 0) throw new Error(`${name} failed (${log}):\n${text.slice(-4000)}`);
    return text;
  };

  const sources = join(work, "sources");
  // Folder with the installed or unpacked packages that are linked.
  const sysroot = target.cross ? join(work, "sysroot") : "/";
  const configured = join(work, "inputs");
  if (!existsSync(configured) || readFileSync(configured, "utf8") !== digest) {
    rmSync(work, { recursive: true, force: true });
    mkdirSync(sources, { recursive: true });
    unpack(source, work, run);
    for (const patch of readdirSync(join(recipe, "patches")).sort()) {
      run(`patch ${patch}`, "patch", ["-s", "-p1", "-d", sources, "-i", join(recipe, "patches", patch)]);
    }
    if (target.cross) unpackSysroot(target, sysroot, say);
    compileStubs(target, sysroot, work, run);
    const defined = Object.entries(settings(target, sysroot, work)).map(([name, value]) => `-D${name}=${value}`);
    run("configure", "cmake", ["-G", "Ninja", "-S", sources, "-B", join(work, "build"), ...defined]);
    writeFileSync(configured, digest);
  }
  // DESTDIR keeps this machine's paths out of the library.
  const variables = { DESTDIR: join(work, "installed") };
  run("compile", "ninja", ["-C", join(work, "build"), `-j${jobs}`, "install"], variables);
  collect(target, sysroot, sources, join(work, "installed/pocl"), output, run);
}

/** Writes a copy of the sources to the folder `sources`. */
function unpack({ path }, work, run) {
  const folder = join(work, "sources");
  if (statSync(path).isDirectory()) {
    cpSync(path, folder, { recursive: true });
    return;
  }
  let archive = path;
  if (path.endsWith(".deb")) {
    run("unpack the Debian package", "dpkg-deb", ["-x", path, join(work, "deb")]);
    archive = join(work, "deb/usr/src/pocl.tar.xz");
  }
  run("unpack the sources", "tar", ["-xf", archive, "--strip-components=1", "-C", folder]);
}

/** Compiles link/stubs.cc, and empty initializers for the targets of LLVM that the library does not contain. */
function compileStubs({ llvmTarget, toolPrefix }, sysroot, work, run) {
  const targets = run("list targets", `${tools}/llvm-config`, ["--targets-built"]).trim().split(/\s+/);
  const parts = ["TargetInfo", "Target", "TargetMC", "AsmPrinter", "AsmParser", "Disassembler"];
  // lld and clang name the initializers of all targets, and each name would link that target.
  const stubs = targets
    .filter((name) => name !== llvmTarget)
    .flatMap((name) => parts.map((part) => `void LLVMInitialize${name}${part}(void) {}\n`));
  writeFileSync(join(work, "targets.c"), stubs.join(""));
  run("compile targets", `${toolPrefix}gcc`, ["-O2", "-fPIC", "-c", "targets.c", "-o", "targets.o"]);
  const flags = ["-std=c++17", "-O2", "-fPIC", `-I${join(sysroot, "usr/lib/llvm-19/include")}`];
  run("compile stubs", `${toolPrefix}g++`, [...flags, "-c", join(recipe, "link/stubs.cc"), "-o", "stubs.o"]);
}

function settings(target, sysroot, work) {
  const libraries = join(sysroot, "usr/lib", target.triple);
  const compile = `-fPIC -ffunction-sections -fdata-sections -ffile-prefix-map=${work}=.`;
  const link = [
    `-B${tools} -fuse-ld=lld -static-libstdc++ -Wl,-s,--gc-sections,--as-needed,-O1,-Bsymbolic`,
    // Kernels call it, and find it as a dependency of this library.
    `-Wl,--no-as-needed -l${target.kernelLibrary} -Wl,--as-needed`,
    `${join(work, "stubs.o")} ${join(work, "targets.o")}`,
    `-Wl,--version-script=${join(recipe, "link/exports.map")}`,
  ];
  return {
    CMAKE_BUILD_TYPE: "Release",
    CMAKE_INSTALL_PREFIX: "/pocl",
    CMAKE_INSTALL_LIBDIR: "lib",
    CMAKE_C_FLAGS: compile,
    CMAKE_CXX_FLAGS: compile,
    CMAKE_SHARED_LINKER_FLAGS: link.join(" "),
    // LLVM, clang and lld are part of the library.
    WITH_LLVM_CONFIG: join(sysroot, "usr/lib/llvm-19/bin/llvm-config"),
    STATIC_LLVM: "ON",
    LLVM_SYSLIBS: `-lrt;-ldl;-lm;${libraries}/libz.a;${libraries}/libzstd.a`,
    KERNELLIB_HOST_CPU_VARIANTS: "distro",
    // One file for drivers and for direct use, which finds its data relative to its folder.
    ENABLE_ICD: "ON",
    ENABLE_LOADABLE_DRIVERS: "OFF",
    ENABLE_RELOCATION: "ON",
    ENABLE_POCL_BUILDING: "OFF",
    POCL_ICD_ABSOLUTE_PATH: "OFF",
    // ON would remove command buffers, sub-groups and half precision.
    ENABLE_CONFORMANCE: "OFF",
    // Integer division checks its operands instead.
    ENABLE_SIGFPE_HANDLER: "OFF",
    ENABLE_SIGUSR2_HANDLER: "OFF",
    ...Object.fromEntries(unused.map((name) => [name, "OFF"])),
    ...(target.cross ? crossSettings(target, sysroot) : {}),
  };
}

const unused = [
  "ENABLE_EXAMPLES",
  "ENABLE_HWLOC",
  "ENABLE_IPO",
  "ENABLE_LEVEL0",
  "ENABLE_LLVM_FILECHECKS",
  "ENABLE_POCLCC",
  "ENABLE_PROXY_DEVICE",
  "ENABLE_REMOTE_CLIENT",
  "ENABLE_SPIRV",
  "ENABLE_TCE",
  "ENABLE_TESTS",
  "ENABLE_VALGRIND",
  "INSTALL_OPENCL_HEADERS",
];

function collect(target, sysroot, sources, installed, output, run) {
  const data = join(output, "share/pocl");
  mkdirSync(join(output, "lib"), { recursive: true });
  const library = join(output, "lib/libpocl.so");
  const name = readdirSync(join(installed, "lib")).find((file) => /^libpocl\.so\.\d+\.\d+\.\d+$/.test(file));
  copyFileSync(join(installed, "lib", name), library);
  // Its own name, so that the process can also load the system's PoCL.
  run("name the library", "patchelf", ["--set-soname", "libpocl-cl.so", library]);
  cpSync(join(installed, "share/pocl"), data, { recursive: true });
  const builtins = `usr/lib/llvm-19/lib/clang/19/lib/linux/libclang_rt.builtins-${target.processor}.a`;
  copyFileSync(join(sysroot, builtins), join(data, "libclang_rt.builtins.a"));
  writeLicenses(target, sources, join(output, "licenses"));
  renameSync(join(output, "licenses/sbom.json"), join(output, "sbom.json"));
}
