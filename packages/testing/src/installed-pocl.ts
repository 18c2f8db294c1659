/** A folder where `@cl/pocl` is installed with the fake OpenCL library in place of PoCL. Linux x64 only. */
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { buildFakeOpenCL } from "./fake-opencl/build.js";

/** The folder and its contents. */
export interface InstalledPocl extends Disposable {
  /** Modules in this folder find the packages. */
  readonly root: string;
  /** Folder of `@cl/pocl-linux-x64`. */
  readonly platformFolder: string;
  /** The fake library in it. */
  readonly library: string;
}

/**
 * Installs `@cl/pocl`, `@cl/pocl-linux-x64` with the fake library, and other built packages.
 *
 * @param from - URL of a module that finds the packages.
 * @param linked - Names of packages that are linked, such as `@cl/core`.
 * @param copied - Names of packages that are copied, so that they find the installed `@cl/pocl`.
 */
export async function installPocl(
  from: string,
  linked: readonly string[],
  copied: readonly string[] = [],
): Promise<InstalledPocl> {
  const root = mkdtempSync(join(tmpdir(), "cl-pocl-"));
  const folderOf = (name: string): string => dirname(createRequire(from).resolve(`${name}/package.json`));
  const installedAs = (name: string): string => join(root, "node_modules", name);
  mkdirSync(installedAs("@cl"), { recursive: true });
  for (const name of linked) symlinkSync(folderOf(name), installedAs(name));
  for (const name of ["@cl/pocl", ...copied]) {
    mkdirSync(installedAs(name));
    copyFileSync(join(folderOf(name), "package.json"), join(installedAs(name), "package.json"));
    cpSync(join(folderOf(name), "dist"), join(installedAs(name), "dist"), { recursive: true });
  }
  const platformFolder = installedAs("@cl/pocl-linux-x64");
  mkdirSync(join(platformFolder, "share", "pocl"), { recursive: true });
  mkdirSync(join(platformFolder, "lib"));
  writeFileSync(join(platformFolder, "package.json"), `{ "name": "@cl/pocl-linux-x64", "version": "0.0.0" }`);
  const library = join(platformFolder, "lib", "libpocl.so");
  copyFileSync(await buildFakeOpenCL(), library);
  return { root, platformFolder, library, [Symbol.dispose]: () => rmSync(root, { recursive: true }) };
}
