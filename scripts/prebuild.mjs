// Puts the addon that was just built where the published package keeps one per platform: prebuilds/<platform>-<arch>.
import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./lib/environment.mjs";

const musl = process.platform === "linux" && process.report.getReport().header.glibcVersionRuntime === undefined;
const target = `${process.platform}-${process.arch}${musl ? "-musl" : ""}`;
const built = join(root, "packages/core/build/Release/cl_core.node");
const prebuilt = join(root, "packages/core/prebuilds", target, "cl_core.node");

if (!existsSync(built)) throw new Error(`${built} does not exist: run \`npm run build\` first`);
mkdirSync(dirname(prebuilt), { recursive: true });
copyFileSync(built, prebuilt);
