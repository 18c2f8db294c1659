// Folders of the harness. It writes only to build/, which git ignores.
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = new URL("../", import.meta.url);

export const paths = {
  root: fileURLToPath(root),
  jobs: fileURLToPath(new URL("src/jobs/", root)),
  ours: fileURLToPath(new URL("src/ours/", root)),
  native: fileURLToPath(new URL("native/", root)),
  python: fileURLToPath(new URL("python/", root)),
  kernels: fileURLToPath(new URL("kernels/", root)),
  prebuilt: fileURLToPath(new URL("prebuilt/", root)),
  build: fileURLToPath(new URL("build/", root)),
  pocl: fileURLToPath(new URL("../packages/pocl-linux-x64/lib/libpocl.so", root)),
  cache: fileURLToPath(new URL("build/cache/", root)),
};

mkdirSync(paths.cache, { recursive: true });
