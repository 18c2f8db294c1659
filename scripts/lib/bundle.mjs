// Bundles each entry of a package into one file. Node needs about 0.3 ms per module and core has a hundred: loading them
// takes 41 ms at startup, loading the bundle 15 ms. Packages of the workspace stay external.
//
// The bundler must keep `const` at the top level, as Rolldown does, because V8 inlines constants: with esbuild's `var`, a
// launch with four arguments takes 105 ns instead of 70 ns.

/**
 * Bundles the package in `cwd`. `input` maps output names to source files. Shared and dynamically imported modules go into
 * files named by `chunks`.
 */
export async function bundle(rolldown, cwd, input, { plugins = [], chunks = "shared.js" } = {}) {
  await rolldown({
    cwd,
    input,
    plugins,
    platform: "node",
    external: [/^@cl\//, "vitest", "fast-check"],
    // The oldest supported Node lacks `using`.
    transform: { target: "node20" },
    logLevel: "warn",
    output: {
      dir: "dist",
      format: "esm",
      sourcemap: true,
      entryFileNames: "[name].js",
      // No hash, so that a build overwrites the chunks of the previous one.
      chunkFileNames: chunks,
    },
  });
}
