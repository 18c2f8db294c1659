// Bundles the package.
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

import { bundle } from "../../../scripts/lib/bundle.mjs";

await bundle(build, fileURLToPath(new URL("..", import.meta.url)), { index: "src/index.ts" });
