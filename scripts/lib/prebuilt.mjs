// The addons that the packed package carries: packages/core/prebuilds/<target>/cl_core.node.
import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "./environment.mjs";

/** The package with the addon. */
export const core = join(root, "packages/core");

/** Keeps the addon that was just built here, for this platform. */
export function keepLocalBuild() {
  const musl = process.platform === "linux" && process.report.getReport().header.glibcVersionRuntime === undefined;
  const built = join(core, "build/Release/cl_core.node");
  if (!existsSync(built)) throw new Error(`${built} does not exist: run \`npm run build\` first`);
  keep(built, `${process.platform}-${process.arch}${musl ? "-musl" : ""}`);
}

/** Keeps an addon for a target. */
export function keep(built, target) {
  const folder = join(core, "prebuilds", target);
  mkdirSync(folder, { recursive: true });
  copyFileSync(built, join(folder, "cl_core.node"));
}
