// CMake's settings for a build for another processor.

/** Returns the settings that PoCL would otherwise detect for this computer. `sysroot` has the linked packages. */
export function crossSettings(target, sysroot) {
  return {
    CMAKE_SYSTEM_NAME: "Linux",
    CMAKE_SYSTEM_PROCESSOR: target.processor,
    CMAKE_C_COMPILER: `${target.toolPrefix}gcc`,
    CMAKE_CXX_COMPILER: `${target.toolPrefix}g++`,
    CMAKE_FIND_ROOT_PATH: `${sysroot};/usr/${target.triple}`,
    CMAKE_FIND_ROOT_PATH_MODE_PROGRAM: "NEVER",
    ...Object.fromEntries(
      ["LIBRARY", "INCLUDE", "PACKAGE"].map((kind) => [`CMAKE_FIND_ROOT_PATH_MODE_${kind}`, "ONLY"]),
    ),
    // Describes this computer's libraries.
    CMAKE_DISABLE_FIND_PACKAGE_PkgConfig: "ON",
    // This computer's compilers translate the kernel library.
    LLVM_BINDIR: "/usr/lib/llvm-19/bin",
    LLVM_HOST_TARGET: `${target.processor}-unknown-linux-gnu`,
    LLC_HOST_CPU_AUTO: "generic",
    HOST_CPU_CACHELINE_SIZE: "64",
    // The library needs nothing of the loader.
    DEFAULT_ENABLE_ICD: "ON",
    HAVE_OCL_ICD_30_COMPATIBLE: "ON",
  };
}
