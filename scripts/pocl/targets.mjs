// The platforms that the library is built for.
import { join } from "node:path";
import { root } from "../lib/environment.mjs";

/** The C library and the compiler's. */
const common = ["libc", "libm", "libgcc_s"];

/**
 * Differences between the platforms: their names in compilers, Debian and LLVM, the library with the functions that kernels
 * call, and all libraries that may be linked. arm64 has libmvec only since glibc 2.38.
 */
const platforms = {
  "linux-x64": {
    processor: "x86_64",
    debian: "amd64",
    llvmTarget: "X86",
    kernelLibrary: "mvec",
    libraries: [...common, "libmvec", "ld-linux-x86-64"],
  },
  "linux-arm64": {
    processor: "aarch64",
    debian: "arm64",
    llvmTarget: "AArch64",
    kernelLibrary: "m",
    libraries: [...common, "ld-linux-aarch64"],
  },
};

/** Returns the description of a platform. Throws if the library is not built for it. */
export function platformNamed(name) {
  if (Object.hasOwn(platforms, name)) return platforms[name];
  throw new Error(`the platform must be one of ${Object.keys(platforms).join(", ")}, received ${name}`);
}

/** Returns the platform to build for, with the compiler to use. `cross` is true if this computer has another processor. */
export function targetNamed(name) {
  const platform = platformNamed(name);
  const native = `linux-${process.arch}`;
  const cross = name !== native;
  if (cross && native !== "linux-x64") throw new Error(`${native} cannot compile for ${name}, only linux-x64 can`);
  const triple = `${platform.processor}-linux-gnu`;
  return { name, ...platform, triple, cross, toolPrefix: cross ? `${triple}-` : "" };
}

/** Returns the folder of the package for a platform. */
export function packageFolder(name) {
  return join(root, `packages/pocl-${name}`);
}
