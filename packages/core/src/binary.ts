/** Finding and loading the native addon. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

/**
 * An error for a native addon that could not be loaded. The message lists the paths that were tried, and how to build
 * it.
 */
export class BinaryNotFoundError extends Error {
  /** The stable error code. */
  readonly code = "ERR_CL_NO_BINARY";

  constructor(target: string, attempts: readonly string[], packageFolder: string) {
    super(
      [
        `@cl/core has no native addon that works on this platform (${target}). Tried:`,
        ...attempts.map((attempt) => `  - ${attempt}`),
        "Build it from the sources in the package (requires a C++20 compiler, CMake and the OpenCL headers;",
        "Debian and Ubuntu: apt install g++ cmake ninja-build opencl-c-headers):",
        `  cd ${JSON.stringify(packageFolder)} && npx cmake-js@8 compile`,
      ].join("\n"),
    );
    this.name = "BinaryNotFoundError";
  }
}

/** Returns the name of the platform: `linux-x64`, `linux-arm64-musl`, `darwin-arm64`, … */
function targetName(): string {
  const target = `${process.platform}-${process.arch}`;
  return process.platform === "linux" && usesMusl() ? `${target}-musl` : target;
}

function usesMusl(): boolean {
  const report = process.report?.getReport() as { header?: { glibcVersionRuntime?: string } } | undefined;
  return report?.header?.glibcVersionRuntime === undefined;
}

/**
 * Returns the exports of the addon: from CL_CORE_BINARY if set, else from a local build, else from the prebuilt binary.
 * Throws a {@link BinaryNotFoundError} if none can be loaded.
 */
export function loadBinary(): unknown {
  const require = createRequire(import.meta.url);
  const folder = fileURLToPath(new URL("..", import.meta.url));
  const override = process.env["CL_CORE_BINARY"];
  // Detecting the C library for the name of the prebuilt binary takes milliseconds, so it is tried last.
  const places: (() => string)[] = override
    ? [() => override]
    : [() => `${folder}build/Release/cl_core.node`, () => `${folder}prebuilds/${targetName()}/cl_core.node`];
  const attempts: string[] = [];
  for (const place of places) {
    const path = place();
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
  throw new BinaryNotFoundError(targetName(), attempts, folder);
}
