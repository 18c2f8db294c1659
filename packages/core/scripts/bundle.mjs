// Makes dist/index.js one file. Node needs about 0.3 ms for each module that it loads and this package has a hundred: as
// separate files they take 41 ms of a program's start, as one 15. What is rarely needed (capture.ts) stays apart.
//
// The bundler must leave `const` at the top level alone, as Rolldown does: V8 compiles a constant into the code that uses
// it, and a variable not. With esbuild's `var` a launch with four arguments costs 105 ns instead of 70.
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

/** Also what the tests do first, so that the child processes that they start have the sources' state. */
export async function setup() {
  await build({
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    input: { index: "src/index.ts", capture: "src/capture/capture.ts" },
    platform: "node",
    // `using` is for newer engines than the oldest that is supported.
    transform: { target: "node20" },
    logLevel: "warn",
    output: {
      dir: "dist",
      format: "esm",
      sourcemap: true,
      entryFileNames: "[name].js",
      // Without a hash, so that no build leaves chunks of the one before behind.
      chunkFileNames: "shared.js",
    },
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await setup();
