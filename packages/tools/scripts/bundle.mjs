// Bundles the package. The test helpers are a separate entry, since they import Vitest.
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

import { bundle } from "../../../scripts/lib/bundle.mjs";

/** Builds all bundles. Tests run this first, so that their child processes run the current sources. */
export async function setup() {
  await bundle(build, fileURLToPath(new URL("..", import.meta.url)), {
    index: "src/index.ts",
    testing: "src/testing/index.ts",
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await setup();
