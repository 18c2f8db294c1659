// Bundles the package. capture.ts (rarely needed) and internal.ts (used only by our packages) are separate entries.
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

import { bundle } from "../../../scripts/lib/bundle.mjs";

/** Also the global setup of the tests, so that child processes use the current sources. */
export async function setup() {
  const folder = fileURLToPath(new URL("..", import.meta.url));
  await bundle(build, folder, {
    index: "src/index.ts",
    capture: "src/kernel/capture.ts",
    internal: "src/internal.ts",
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await setup();
