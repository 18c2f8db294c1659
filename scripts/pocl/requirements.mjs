// The Debian packages that the build needs.
import { spawnSync } from "node:child_process";

/** Packages whose code becomes part of the library or its data. Their versions are inputs of the build. */
export const linkedPackages = [
  "llvm-19-dev",
  "libclang-19-dev",
  "liblld-19-dev",
  "libclang-rt-19-dev",
  "zlib1g-dev",
  "libzstd-dev",
  "libstdc++-12-dev",
];

const tools = [
  "clang-19",
  "lld-19",
  "g++",
  "cmake",
  "ninja-build",
  "patch",
  "patchelf",
  "python3",
  "pkg-config",
  "ocl-icd-opencl-dev",
];

/** Returns the packages that are not installed, in the form that scripts/lib/system.mjs installs. */
export function missingPackages() {
  const missing = [...linkedPackages, ...tools].filter((name) => packageVersion(name) === undefined);
  return missing.map((name) => ({ name, packages: { apt: name } }));
}

/** Returns the version of an installed Debian package, or undefined. */
export function packageVersion(name) {
  const { status, stdout } = spawnSync("dpkg-query", ["-W", "-f", "${db:Status-Status} ${Version}", name], {
    encoding: "utf8",
  });
  const [state, version] = status === 0 ? stdout.split(" ") : [];
  return state === "installed" ? version : undefined;
}
