// Makes each entry of a package one file. Node needs about 0.3 ms for each module that it loads and core has a hundred:
// as separate files they take 41 ms of a program's start, as one 15. The packages of the workspace stay imports.
//
// The bundler must leave `const` at the top level alone, as Rolldown does: V8 compiles a constant into the code that uses
// it, and a variable not. With esbuild's `var` a launch with four arguments costs 105 ns instead of 70.

/**
 * Bundles the sources of the package in `cwd`; `input` names them by the files they become. What several of them share, or
 * import when they need it, goes to files that `chunks` names.
 */
export async function bundle(rolldown, cwd, input, { plugins = [], chunks = "shared.js" } = {}) {
  await rolldown({
    cwd,
    input,
    plugins,
    platform: "node",
    external: [/^@cl\//, "vitest", "fast-check"],
    // `using` is for newer engines than the oldest that is supported.
    transform: { target: "node20" },
    logLevel: "warn",
    output: {
      dir: "dist",
      format: "esm",
      sourcemap: true,
      entryFileNames: "[name].js",
      // Without a hash, so that no build leaves chunks of the one before behind.
      chunkFileNames: chunks,
    },
  });
}
