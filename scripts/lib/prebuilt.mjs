// Manages the prebuilt files of the packages with an addon, in packages/<name>/prebuilds/<target>/: cl_<name>.node, and for
// mpi the shims that call each MPI.
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { root } from "./environment.mjs";

/** The packages with an addon: their folder, the local build of the addon, and the folder of local builds of shims. */
export const addons = ["core", "mpi"].map((name) => {
  const folder = join(root, "packages", name);
  const file = `cl_${name}.node`;
  return { name, folder, file, built: join(folder, "build/Release", file), shims: join(folder, "build/shims") };
});

/** Copies the local builds to `prebuilds`, for this platform. Shims exist only for the MPIs that were installed. */
export function keepLocalBuild() {
  const musl = process.platform === "linux" && process.report.getReport().header.glibcVersionRuntime === undefined;
  for (const { folder, built, shims } of addons) {
    if (!existsSync(built)) throw new Error(`${built} does not exist: run \`npm run build\` first`);
    const found = existsSync(shims) ? readdirSync(shims).map((name) => join(shims, name)) : [];
    keep(folder, `${process.platform}-${process.arch}${musl ? "-musl" : ""}`, [built, ...found]);
  }
}

/** Replaces the files in `prebuilds/<target>` of a package: an addon must not meet the shims of an earlier one. */
export function keep(folder, target, files) {
  const kept = join(folder, "prebuilds", target);
  rmSync(kept, { recursive: true, force: true });
  mkdirSync(kept, { recursive: true });
  for (const file of files) copyFileSync(file, join(kept, basename(file)));
}
