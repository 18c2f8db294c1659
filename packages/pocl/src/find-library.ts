/** Finds PoCL's library in the package of this platform. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

import { NoRuntimeError } from "@cl/core";

import { wrongCLibrary } from "./c-library.js";

/** Platforms that have a package. */
const platforms: readonly string[] = ["linux-x64", "linux-arm64"];

/** Returns the path of PoCL's library. Throws if this system is not supported or a file is missing. */
export function findLibrary(): string {
  const platform = `${process.platform}-${process.arch}`;
  if (!platforms.includes(platform)) {
    throw new NoRuntimeError(
      `@cl/pocl does not support ${platform}, only ${platforms.join(" and ")}. Import it only there, or set CL_POCL=0.`,
      [platform],
    );
  }
  const name = `@cl/pocl-${platform}`;
  const folder = packageFolder(name);
  if (folder === undefined) {
    // npm does not install the package on systems with another C library.
    throw (
      wrongCLibrary() ??
      new NoRuntimeError(
        `${name} is not installed. Install @cl/pocl again, with optional dependencies (without npm's --omit=optional).`,
        [name],
      )
    );
  }
  const library = join(folder, "lib", "libpocl.so");
  // PoCL finds its kernel library relative to its own file, and fails late without it.
  const missing = [library, join(folder, "share", "pocl")].filter((path) => !existsSync(path));
  if (missing.length === 0) return library;
  throw new NoRuntimeError(
    [
      `${name} is incomplete: reinstall it, or in a clone of the repository build it with node scripts/build-pocl.mjs. Missing:`,
      ...missing.map((path) => `  - ${path}`),
    ].join("\n"),
    missing,
  );
}

function packageFolder(name: string): string | undefined {
  // esbuild leaves `import.meta` empty in CommonJS bundles.
  const here = (import.meta as { readonly url?: string }).url ?? pathToFileURL(__filename).href;
  try {
    return dirname(createRequire(here).resolve(`${name}/package.json`));
  } catch {
    return undefined;
  }
}
