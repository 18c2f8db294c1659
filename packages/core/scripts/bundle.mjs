// Makes dist/index.js one file. Node needs about 0.3 ms for each module that it loads and this package has a hundred: as
// separate files they take 41 ms of a program's start, as one 15. What is rarely needed (capture.ts) stays apart.
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** Also what the tests do first, so that the child processes that they start have the sources' state. */
export async function setup() {
  await build({
    absWorkingDir: fileURLToPath(new URL("..", import.meta.url)),
    entryPoints: { index: "src/index.ts", capture: "src/capture.ts" },
    outdir: "dist",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    // Classes that name themselves would get an underscore, and errors and prints show it.
    keepNames: true,
    sourcemap: true,
    // Without a hash, so that no build leaves chunks of the one before behind.
    chunkNames: "shared",
    logLevel: "warning",
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await setup();
