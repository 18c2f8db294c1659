/** Finds the addon: CL_CORE_BINARY, the local build, or the prebuilt binary of the installed package. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Returns the exports of the uninitialized addon. */
export function requireAddon() {
  const require = createRequire(import.meta.url);
  const folder = dirname(require.resolve("@cl/core/package.json"));
  const places = [
    join(folder, "build/Release/cl_core.node"),
    join(folder, `prebuilds/${process.platform}-${process.arch}/cl_core.node`),
  ];
  return require(process.env.CL_CORE_BINARY ?? places.find((place) => existsSync(place)));
}
