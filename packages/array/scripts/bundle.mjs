// Bundles the package.
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

import { bundle } from "../../../scripts/lib/bundle.mjs";
import { openclFiles } from "../../../scripts/lib/opencl-files.mjs";

/** Also the global setup of the tests, so that child processes use the current sources. */
export async function setup() {
  const folder = fileURLToPath(new URL("..", import.meta.url));
  await bundle(build, folder, { index: "src/index.ts" }, { plugins: [openclFiles()] });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await setup();
