/** Finds and loads the native addon, and explains well when it cannot. Nothing else happens here. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

/** Why the addon could not be loaded: one line for each place that was tried, and what to do. */
export class BinaryNotFoundError extends Error {
  /** A stable code for programs. */
  readonly code = "ERR_CL_NO_BINARY";

  constructor(target: string, attempts: readonly string[], packageFolder: string) {
    super(
      [
        `@cl/core has no native addon that works here (${target}). Tried:`,
        ...attempts.map((attempt) => `  - ${attempt}`),
        "Build it from the sources in the package (needs a C++20 compiler, CMake and the OpenCL headers;",
        "Debian and Ubuntu: apt install g++ cmake ninja-build opencl-c-headers):",
        `  cd ${JSON.stringify(packageFolder)} && npx cmake-js@8 compile`,
      ].join("\n"),
    );
    this.name = "BinaryNotFoundError";
  }
}

/** `linux-x64`, `linux-arm64-musl`, `darwin-arm64`, … */
function targetName(): string {
  const target = `${process.platform}-${process.arch}`;
  return process.platform === "linux" && usesMusl() ? `${target}-musl` : target;
}

function usesMusl(): boolean {
  const report = process.report?.getReport() as { header?: { glibcVersionRuntime?: string } } | undefined;
  return report?.header?.glibcVersionRuntime === undefined;
}

/** The addon's exports. In order: CL_CORE_BINARY, a local build, the prebuilt one in the package. */
export function loadBinary(): unknown {
  const require = createRequire(import.meta.url);
  const folder = fileURLToPath(new URL("..", import.meta.url));
  const override = process.env["CL_CORE_BINARY"];
  // The prebuilt binary's name needs the C library, which takes milliseconds to find out; so it is tried last.
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
