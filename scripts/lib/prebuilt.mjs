// Manages the prebuilt addons in the core package: packages/core/prebuilds/<target>/cl_core.node.
import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "./environment.mjs";

/** Folder of the package with the addon. */
export const core = join(root, "packages/core");

/** Copies the local build of the addon to `prebuilds`, for this platform. */
export function keepLocalBuild() {
  const musl = process.platform === "linux" && process.report.getReport().header.glibcVersionRuntime === undefined;
  const built = join(core, "build/Release/cl_core.node");
  if (!existsSync(built)) throw new Error(`${built} does not exist: run \`npm run build\` first`);
  keep(built, `${process.platform}-${process.arch}${musl ? "-musl" : ""}`);
}

/** Copies an addon to `prebuilds/<target>`. */
export function keep(built, target) {
  const folder = join(core, "prebuilds", target);
  mkdirSync(folder, { recursive: true });
  copyFileSync(built, join(folder, "cl_core.node"));
}
