// Bundles the package.
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

import { bundle } from "../../../scripts/lib/bundle.mjs";
import { openclFiles } from "../../../scripts/lib/opencl-files.mjs";

/** Also runs before the tests, so that their child processes run the current sources. */
export async function setup() {
  const folder = fileURLToPath(new URL("..", import.meta.url));
  await bundle(build, folder, { index: "src/index.ts" }, { plugins: [openclFiles()] });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await setup();
