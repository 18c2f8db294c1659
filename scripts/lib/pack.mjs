// Packs the packages as they would be published.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { workspaceFolders } from "./fingerprint.mjs";
import { root } from "./environment.mjs";
import { pnpm } from "./pnpm.mjs";
import { keepLocalBuild } from "./prebuilt.mjs";

/** Returns the published packages, which are those not marked private. */
export function publishedPackages() {
  return workspaceFolders()
    .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) }))
    .filter(({ manifest }) => manifest.private !== true);
}

/** Packs every published package into `destination`. Returns the tarballs by package name. */
export function packAll(destination) {
  keepLocalBuild();
  const tarballs = new Map();
  for (const { folder, manifest } of publishedPackages()) {
    const { ok, output } = pnpm(["pack", "--pack-destination", destination], {
      cwd: join(root, folder),
      capture: true,
    });
    if (!ok) throw new Error(`pnpm pack in ${folder} failed:\n${output}`);
    const file = `${manifest.name.replace("@", "").replace("/", "-")}-${manifest.version}.tgz`;
    tarballs.set(manifest.name, join(destination, file));
  }
  return tarballs;
}
