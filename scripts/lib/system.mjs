// Checks the system requirements for building and running, and installs them or prints the commands that do.
// Has no dependencies, because it runs before the first install.
import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/** System requirements: how to detect each, and the package that provides it, by package manager. */
const requirements = [
  {
    name: "a C++20 compiler",
    present: hasCompiler,
    packages: { apt: "g++", dnf: "gcc-c++", pacman: "gcc", choco: "visualstudio2022-workload-vctools" },
  },
  {
    name: "CMake",
    present: () => onPath("cmake"),
    packages: { apt: "cmake", dnf: "cmake", pacman: "cmake", brew: "cmake", choco: "cmake" },
  },
  {
    name: "Ninja",
    present: () => onPath("ninja") || process.platform === "win32",
    packages: { apt: "ninja-build", dnf: "ninja-build", pacman: "ninja", brew: "ninja", choco: "ninja" },
  },
  {
    name: "the OpenCL headers (CL/cl.h)",
    present: hasHeaders,
    packages: {
      apt: "opencl-c-headers",
      dnf: "opencl-headers",
      pacman: "opencl-headers",
      brew: "opencl-headers",
      vcpkg: "opencl",
    },
  },
  {
    name: "an OpenCL loader (libOpenCL)",
    present: hasLoader,
    packages: { apt: "ocl-icd-libopencl1", dnf: "ocl-icd", pacman: "ocl-icd", vcpkg: "opencl" },
  },
  {
    name: "an OpenCL driver (a file in /etc/OpenCL/vendors)",
    present: hasDriver,
    packages: { apt: "pocl-opencl-icd", dnf: "pocl", pacman: "pocl" },
  },
  {
    // PoCL links every kernel with it, and aborts the process if it is missing.
    name: "the linker `ld`",
    present: () => process.platform !== "linux" || onPath("ld"),
    packages: { apt: "binutils", dnf: "binutils", pacman: "binutils" },
  },
];

/** Returns the requirements that this machine does not meet. */
export function missingRequirements() {
  return requirements.filter((requirement) => !requirement.present());
}

/** Installs the packages with apt. Returns false if apt fails, is unavailable or would need a password. */
export function installWithApt(missing, say) {
  if (!isDebian() || !onPath("apt-get")) return false;
  const root = process.getuid?.() === 0;
  if (!root && spawnSync("sudo", ["-n", "true"], { stdio: "ignore" }).status !== 0) return false;
  const packages = packagesFor(missing, "apt");
  say(`installing with apt: ${packages.join(" ")}`);
  const apt = (...args) => {
    const command = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q", ...args];
    if (!root) command.unshift("sudo", "-n");
    const result = spawnSync(command[0], command.slice(1), { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
    return { ok: result.status === 0, output: `${result.stdout ?? ""}${result.stderr ?? ""}` };
  };
  // A failed update (one unreachable third-party source) need not stop the install.
  const update = apt("update");
  const install = apt("install", "-y", "--no-install-recommends", ...packages);
  if (install.ok) return true;
  process.stderr.write(update.ok ? install.output : update.output + install.output);
  return false;
}

/** Returns the shell commands that install the missing requirements. */
export function installAdvice(missing) {
  const line = (manager, command) => {
    const packages = packagesFor(missing, manager);
    return packages.length > 0 ? [`${command} ${packages.join(" ")}`] : [];
  };
  if (process.platform === "darwin") {
    const compiler = missing.some((requirement) => requirement.packages.apt === "g++");
    return [...(compiler ? ["xcode-select --install"] : []), ...line("brew", "brew install")];
  }
  if (process.platform === "win32") {
    return [
      ...line("choco", "choco install -y"),
      ...line("vcpkg", "vcpkg install"),
      "and a graphics driver or the Intel CPU runtime for OpenCL, which provide an OpenCL device",
    ];
  }
  const apt = line("apt", "sudo apt-get update && sudo apt-get install -y");
  const dnf = line("dnf", "sudo dnf install -y");
  const pacman = line("pacman", "sudo pacman -S --needed");
  if (isDebian()) return apt;
  if (onPath("dnf")) return dnf;
  if (onPath("pacman")) return pacman;
  return [...apt, ...dnf, ...pacman];
}

/** Returns the names that a package manager has for missing requirements. */
export function packagesFor(missing, manager) {
  return [...new Set(missing.map((requirement) => requirement.packages[manager]).filter((name) => name !== undefined))];
}

/** Returns whether this is Debian or a distribution that is derived from it. */
export function isDebian() {
  try {
    const release = readFileSync("/etc/os-release", "utf8");
    return /^(ID|ID_LIKE)=.*\b(debian|ubuntu)\b/m.test(release);
  } catch {
    return false;
  }
}

/** Returns whether a program is on PATH, without starting it. */
export function onPath(program) {
  const names = process.platform === "win32" ? [`${program}.exe`, `${program}.cmd`] : [program];
  return (process.env.PATH ?? "").split(delimiter).some((folder) =>
    names.some((name) => {
      try {
        const file = join(folder, name);
        accessSync(file, constants.X_OK);
        return statSync(file).isFile();
      } catch {
        return false;
      }
    }),
  );
}

function hasCompiler() {
  if (process.platform === "win32") {
    const installer = join(process.env["ProgramFiles(x86)"] ?? "", "Microsoft Visual Studio", "Installer");
    return onPath("cl") || existsSync(join(installer, "vswhere.exe"));
  }
  return (process.env.CXX ?? "") !== "" || ["g++", "c++", "clang++"].some(onPath);
}

function hasHeaders() {
  const configured = [process.env.CL_INC_DIR, ...["CPATH", "CPLUS_INCLUDE_PATH"].flatMap(pathList)];
  const usual = ["/usr/include", "/usr/local/include", "/opt/homebrew/include"];
  if (process.env.VCPKG_ROOT) usual.push(join(process.env.VCPKG_ROOT, "installed", "x64-windows", "include"));
  return [...configured, ...usual].some((folder) => folder && existsSync(join(folder, "CL", "cl.h")));
}

function hasLoader() {
  if (pathList("CL_LIBRARY_PATH").some(existsSync)) return true;
  if (process.platform === "darwin") return existsSync("/System/Library/Frameworks/OpenCL.framework");
  if (process.platform === "win32") {
    return existsSync(join(process.env.SystemRoot ?? "C:\\Windows", "System32", "OpenCL.dll"));
  }
  return ["libOpenCL.so.1", "libOpenCL.so"].some(canOpen);
}

/** Returns whether the dynamic linker finds a library: dlopen then fails only because the library is not a Node addon. */
function canOpen(library) {
  try {
    process.dlopen({ exports: {} }, library);
    return true;
  } catch (error) {
    return !/cannot open shared object|no such file|wrong ELF class|invalid ELF/i.test(String(error));
  }
}

function hasDriver() {
  if (process.platform !== "linux") return true;
  const configured = [...pathList("OCL_ICD_FILENAMES"), ...pathList("OCL_ICD_VENDORS")];
  const folders = configured.length > 0 ? configured : ["/etc/OpenCL/vendors"];
  return folders.some((path) => {
    try {
      return statSync(path).isDirectory() ? readdirSync(path).some((file) => file.endsWith(".icd")) : true;
    } catch {
      return false;
    }
  });
}

function pathList(variable) {
  return (process.env[variable] ?? "").split(delimiter).filter((path) => path !== "");
}
