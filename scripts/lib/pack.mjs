// Packs the packages that hold code, as they would be published.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { workspaceFolders } from "./fingerprint.mjs";
import { root } from "./environment.mjs";
import { pnpm } from "./pnpm.mjs";

/** The packages that are published: those not marked private. */
export function publishedPackages() {
  return workspaceFolders()
    .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) }))
    .filter(({ manifest }) => manifest.private !== true);
}

/** Packs every published package into `destination`; gives the tarballs' paths. */
export async function packAll(destination) {
  await import("../prebuild.mjs");
  return publishedPackages().map(({ folder, manifest }) => {
    const { ok, output } = pnpm(["pack", "--pack-destination", destination], {
      cwd: join(root, folder),
      capture: true,
    });
    if (!ok) throw new Error(`pnpm pack in ${folder} failed:\n${output}`);
    return join(destination, `${manifest.name.replace("@", "").replace("/", "-")}-${manifest.version}.tgz`);
  });
}
