// Bundles the package: the command, the same as a function, the doctor's child process, and one chunk per command, which is
// loaded when the command runs.
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

import { bundle } from "../../../scripts/lib/bundle.mjs";

/** Also runs before the tests, so that their child processes run the current sources. */
export async function setup() {
  const folder = fileURLToPath(new URL("..", import.meta.url));
  const entries = { bin: "src/bin.ts", index: "src/index.ts", probe: "src/commands/doctor/probe.ts" };
  await bundle(build, folder, entries, { chunks: "[name].js" });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await setup();
