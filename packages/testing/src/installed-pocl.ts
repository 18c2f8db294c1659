/** A folder where `@cl/pocl` is installed with the fake OpenCL library in place of PoCL. Linux on x64 or arm64 only. */
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { buildFakeOpenCL } from "./fake-opencl/build.js";

/** Whether `@cl/pocl` has a package for this platform. */
export const isSupported = ["linux-x64", "linux-arm64"].includes(`${process.platform}-${process.arch}`);

/** The folder and its contents. */
export interface InstalledPocl extends Disposable {
  /** Modules in this folder find the packages. */
  readonly root: string;
  /** Folder of the platform's package, such as `@cl/pocl-linux-x64`. */
  readonly platformFolder: string;
  /** The fake library in it. */
  readonly library: string;
}

/**
 * Installs `@cl/pocl`, the package of this platform with the fake library, and other built packages.
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
  const platformName = `@cl/pocl-linux-${process.arch}`;
  const platformFolder = installedAs(platformName);
  mkdirSync(join(platformFolder, "share", "pocl"), { recursive: true });
  mkdirSync(join(platformFolder, "lib"));
  writeFileSync(join(platformFolder, "package.json"), JSON.stringify({ name: platformName, version: "0.0.0" }));
  const library = join(platformFolder, "lib", "libpocl.so");
  copyFileSync(await buildFakeOpenCL(), library);
  return { root, platformFolder, library, [Symbol.dispose]: () => rmSync(root, { recursive: true }) };
}
