// The Debian packages that the build needs.
import { spawnSync } from "node:child_process";

/** Packages whose code becomes part of the library or its data, and which are unpacked for another processor. */
export const unpackedPackages = [
  "llvm-19-dev",
  "libclang-19-dev",
  "liblld-19",
  "liblld-19-dev",
  "libclang-rt-19-dev",
  "zlib1g-dev",
  "libzstd-dev",
];

/** Returns the packages whose code becomes part of the library or its data. Their versions are inputs of the build. */
export function linkedPackages(target) {
  return [...unpackedPackages, cxxLibrary(target)];
}

/** Returns the name of the package with the C++ library. For another processor, it belongs to the compiler. */
export function cxxLibrary({ cross, debian }) {
  return cross ? `libstdc++-12-dev-${debian}-cross` : "libstdc++-12-dev";
}

const tools = [
  "clang-19",
  "lld-19",
  "cmake",
  "ninja-build",
  "patch",
  "patchelf",
  "python3",
  "pkg-config",
  "ocl-icd-opencl-dev",
];

/** Returns the packages that are not installed, in the form that scripts/lib/system.mjs installs. */
export function missingPackages(target) {
  const compiler = target.cross ? `g++-${target.triple.replace("_", "-")}` : "g++";
  const missing = [...linkedPackages(target), compiler, ...tools].filter((name) => packageVersion(name) === undefined);
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
