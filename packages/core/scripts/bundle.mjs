// Bundles the package. capture.ts (rarely needed) and internal.ts (used by our packages only) are separate bundles.
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

import { bundle } from "../../../scripts/lib/bundle.mjs";

/** Builds the bundles. Also the tests' global setup, so that their child processes run the current sources. */
export async function setup() {
  const folder = fileURLToPath(new URL("..", import.meta.url));
  await bundle(build, folder, {
    index: "src/index.ts",
    capture: "src/kernel/capture.ts",
    internal: "src/internal.ts",
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await setup();
