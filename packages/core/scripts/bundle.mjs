// Bundles the package. Apart are what is rarely needed, capture.ts, and what other packages use: checks, waits, and
// the arithmetic of layouts.
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

import { bundle } from "../../../scripts/lib/bundle.mjs";

/** Also what the tests do first, so that the child processes that they start have the sources' state. */
export async function setup() {
  const folder = fileURLToPath(new URL("..", import.meta.url));
  await bundle(build, folder, {
    index: "src/index.ts",
    capture: "src/capture/capture.ts",
    checks: "src/checks.ts",
    layouts: "src/layouts.ts",
    waiting: "src/waiting.ts",
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await setup();
