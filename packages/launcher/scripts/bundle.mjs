// Bundles the package.
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

import { bundle } from "../../../scripts/lib/bundle.mjs";
import { reportPage } from "./report-page.mjs";

/** Also what the tests do first, so that the child processes that they start have the sources' state. */
export async function setup() {
  const folder = fileURLToPath(new URL("..", import.meta.url));
  await bundle(build, folder, { index: "src/index.ts" }, { plugins: [reportPage()] });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await setup();
