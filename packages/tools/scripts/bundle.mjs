// Bundles the package; the helpers for tests are an entry of their own, since they import vitest.
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

import { bundle } from "../../../scripts/lib/bundle.mjs";

await bundle(build, fileURLToPath(new URL("..", import.meta.url)), {
  index: "src/index.ts",
  testing: "src/testing/index.ts",
});
