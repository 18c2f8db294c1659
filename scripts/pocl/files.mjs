// The files of the package with the library.
import { cpSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { checkNeeds } from "../lib/library-needs.mjs";

/** What the build writes to the package's folder. */
const built = ["lib", "share", "licenses", "sbom.json"];

/** Throws if the built files in `folder` do not run on every system of the platform with glibc 2.34. */
export function checkFiles(folder, { libraries }) {
  const allowed = new RegExp(`^(${libraries.join("|")})\\.so\\.\\d$`);
  checkNeeds("libpocl.so", join(folder, "lib/libpocl.so"), allowed, { GLIBC: "2.34" });
}

/** Replaces the built files of a package's folder. */
export function copyFiles(from, to) {
  for (const name of built) {
    rmSync(join(to, name), { recursive: true, force: true });
    cpSync(join(from, name), join(to, name), { recursive: true });
  }
}

/** Returns whether a package's folder has the built files. */
export function hasFiles(folder) {
  return built.every((name) => existsSync(join(folder, name)));
}
