/** Builds the C functions of this folder and loads them: how a program would get their addresses is its own affair. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** What functions.c exports. */
export interface NativeFunctions {
  readonly scale: bigint;
  readonly count: bigint;
  /** How often `count` was called. */
  countOf(): number;
  /** Lets another thread complete a user event, as a library of the program's might. */
  completeOnThread(event: bigint): void;
}

/** The functions; undefined where no C compiler is. */
export function nativeFunctions(): NativeFunctions | undefined {
  const require = createRequire(import.meta.resolve("@cl/core/package.json"));
  const { include_dir: headers } = require("node-api-headers") as { readonly include_dir: string };
  const folder = mkdtempSync(join(tmpdir(), "cl-native-kernels-"));
  const library = join(folder, "functions.node");
  const source = fileURLToPath(new URL("functions.c", import.meta.url));
  try {
    const flags = ["-std=c11", "-O1", "-fPIC", "-shared", "-Wall", "-Werror", `-I${headers}`];
    execFileSync(process.env["CC"] ?? "cc", [...flags, source, "-o", library, "-ldl"]);
    return require(library) as NativeFunctions;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  } finally {
    // A library that is loaded stays so.
    rmSync(folder, { recursive: true });
  }
}
