/** Finding and loading the native addon. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { usesMusl } from "./c-library.js";

/**
 * An error for a native addon that could not be loaded. The message lists the paths that were tried, and how to build
 * it.
 */
export class BinaryNotFoundError extends Error {
  /** The stable error code. */
  readonly code = "ERR_CL_NO_BINARY";

  /** `packageFolder` is `null` in a bundle. */
  constructor(target: string, attempts: readonly string[], packageFolder: string | null) {
    super(
      [
        `@cl/core has no native addon that works on this platform (${target}). Tried:`,
        ...attempts.map((attempt) => `  - ${attempt}`),
        ...(packageFolder === null ? adviceForBundles(target) : adviceForPackage(packageFolder)),
      ].join("\n"),
    );
    this.name = "BinaryNotFoundError";
  }
}

function adviceForPackage(folder: string): string[] {
  return [
    "Build it from the sources in the package (needs a C++20 compiler, CMake and the OpenCL headers;",
    "Debian and Ubuntu: apt install g++ cmake ninja-build opencl-c-headers):",
    `  cd ${JSON.stringify(folder)} && npx cmake-js@8 compile`,
  ];
}

function adviceForBundles(target: string): string[] {
  return [
    "A bundle does not contain the addon. Mark @cl/core as external and install it where the bundle runs,",
    "or copy the addon into the bundle's folder:",
    `  cp node_modules/@cl/core/prebuilds/${target}/cl_core.node FOLDER`,
  ];
}

/** Returns the name of the platform: `linux-x64`, `linux-arm64-musl`, `darwin-arm64`, … */
export function targetName(): string {
  const target = `${process.platform}-${process.arch}`;
  return process.platform === "linux" && usesMusl() ? `${target}-musl` : target;
}

/**
 * Returns the exports of the addon: from CL_CORE_BINARY if set, else from a local build, else from the prebuilt binary.
 * Throws a {@link BinaryNotFoundError} if none can be loaded.
 */
export function loadBinary(): unknown {
  // esbuild leaves `import.meta` empty in CommonJS bundles.
  const here = (import.meta as { readonly url?: string }).url ?? pathToFileURL(__filename).href;
  const require = createRequire(here);
  const override = process.env["CL_CORE_BINARY"];
  const attempts: string[] = [];
  for (const path of override ? [override] : candidates(here, require)) {
    if (!existsSync(path)) {
      attempts.push(`${path}: does not exist`);
      continue;
    }
    try {
      return require(path);
    } catch (error) {
      attempts.push(`${path}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  const folder = parentFolder(here);
  throw new BinaryNotFoundError(targetName(), attempts, installedFolder(require) === folder ? folder : null);
}

/**
 * Yields where the addon may be: a local build, then the prebuilt addon. In a bundle, neither is in the parent folder: then
 * `cl_core.node` in the bundle's own folder, and the installed package.
 */
function* candidates(here: string, require: NodeJS.Require): Generator<string> {
  const folder = parentFolder(here);
  yield* inPackage(folder);
  const installed = installedFolder(require);
  if (installed === folder) return;
  yield fileURLToPath(new URL("cl_core.node", here));
  if (installed !== undefined) yield* inPackage(installed);
}

/** The name of the prebuilt addon depends on the C library, which must be found out first, so it is last. */
function* inPackage(folder: string): Generator<string> {
  yield `${folder}build/Release/cl_core.node`;
  yield `${folder}prebuilds/${targetName()}/cl_core.node`;
}

function parentFolder(here: string): string {
  return fileURLToPath(new URL("..", here));
}

/** Returns the folder of the installed @cl/core; for the package's own files, that of the package. */
function installedFolder(require: NodeJS.Require): string | undefined {
  try {
    return join(dirname(require.resolve("@cl/core/package.json")), "/");
  } catch {
    return undefined;
  }
}
