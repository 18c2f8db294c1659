// Bundles the package. capture.ts, which is rarely needed, and internal.ts, which only our packages use, are separate files.
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

import { bundle } from "../../../scripts/lib/bundle.mjs";

/** Also what the tests do first, so that the child processes that they start have the sources' state. */
export async function setup() {
  const folder = fileURLToPath(new URL("..", import.meta.url));
  await bundle(build, folder, {
    index: "src/index.ts",
    capture: "src/kernel/capture.ts",
    internal: "src/internal.ts",
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await setup();
