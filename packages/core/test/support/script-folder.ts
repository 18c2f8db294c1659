/** Folders in which plain Node.js scripts can import `@cl/core`, for tests that need a child process. */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { childEnvironment } from "@cl/testing/child-environment";

const core = fileURLToPath(new URL("../../", import.meta.url));
const built = process.env["TEST_BUILT"] === "1";

/** The exit state and output of a process. */
export interface ScriptResult {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Creates a folder whose scripts can import `@cl/core`: the installed package or the bundled sources. */
export function scriptFolder(): { readonly path: string; remove(): void } {
  // The installed package is resolved from a folder inside the tests.
  const folder = mkdtempSync(path.join(built ? path.join(core, "test") : tmpdir(), "cl-scripts-"));
  if (!built) for (const name of ["base", "core"]) placeBundle(name, path.join(folder, "node_modules/@cl", name));
  return { path: folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Runs a script until it ends, successfully or not. */
export function runScript(
  file: string,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<ScriptResult> {
  const binary = built
    ? {}
    : { CL_CORE_BINARY: process.env["CL_CORE_BINARY"] ?? path.join(core, "build/Release/cl_core.node") };
  const options = { env: childEnvironment({ ...binary, ...env }), maxBuffer: 64 * 1024 * 1024 };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [file, ...args], options, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode, signal: child.signalCode, stdout, stderr });
    });
  });
}

/** Copies the bundle of the sources, because the oldest supported Node.js cannot load TypeScript. */
function placeBundle(name: string, target: string): void {
  mkdirSync(target, { recursive: true });
  writeFileSync(
    path.join(target, "package.json"),
    JSON.stringify({ name: `@cl/${name}`, type: "module", exports: "./dist/index.js" }),
  );
  const dist = path.join(core, "..", name, "dist");
  for (const file of readdirSync(dist)) {
    if (file.endsWith(".js")) cpSync(path.join(dist, file), path.join(target, "dist", file));
  }
}
