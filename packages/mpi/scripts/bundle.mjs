// Bundles the package.
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

import { bundle } from "../../../scripts/lib/bundle.mjs";

/** Also runs before the tests, so that their child processes run the current sources. */
export async function setup() {
  await bundle(build, fileURLToPath(new URL("..", import.meta.url)), { index: "src/index.ts", fft: "src/fft.ts" });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await setup();
