// Packs the packages as they would be published.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { workspaceFolders } from "./fingerprint.mjs";
import { root } from "./environment.mjs";
import { pnpm } from "./pnpm.mjs";
import { keepLocalBuild } from "./prebuilt.mjs";
import { hasFiles } from "../pocl/files.mjs";
import { packageFolder } from "../pocl/targets.mjs";

/** Returns the published packages, which are those not marked private. */
export function publishedPackages() {
  return workspaceFolders()
    .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) }))
    .filter(({ manifest }) => manifest.private !== true);
}

/** Returns the names of the published packages with code. The others only have files for one platform. */
export function packagesWithCode() {
  return publishedPackages().flatMap(({ manifest: { name, exports } }) => (exports["."] === undefined ? [] : [name]));
}

/** Returns the published packages that this computer can install: those without files for another platform. */
function installablePackages() {
  const accepts = (list, name) => list === undefined || list.includes(name);
  return publishedPackages().filter(
    ({ manifest: { os, cpu } }) => accepts(os, process.platform) && accepts(cpu, process.arch),
  );
}

/** Returns the installable packages. If the library of @cl/pocl was not built, without that package, which does nothing else. */
export function usablePackages() {
  const hasPocl = hasFiles(packageFolder(`${process.platform}-${process.arch}`));
  return installablePackages().filter(({ manifest: { name } }) => hasPocl || !name.startsWith("@cl/pocl"));
}

/** Packs packages into `destination`, by default those that this computer can install. Returns the tarballs by name. */
export function packAll(destination, packages = installablePackages()) {
  keepLocalBuild();
  for (const { folder } of packages) {
    const { ok, output } = pnpm(["pack", "--pack-destination", destination], {
      cwd: join(root, folder),
      capture: true,
    });
    if (!ok) throw new Error(`pnpm pack in ${folder} failed:\n${output}`);
  }
  return tarballsIn(destination, packages);
}

/** Returns the tarballs that `packAll` has written to `destination`, by package name. */
export function tarballsIn(destination, packages = installablePackages()) {
  const named = packages.map(({ manifest: { name, version } }) => {
    return [name, join(destination, `${name.replace("@", "").replace("/", "-")}-${version}.tgz`)];
  });
  return new Map(named);
}
