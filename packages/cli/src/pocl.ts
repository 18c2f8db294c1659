/** Adds the runtime of `@cl/pocl`, if that package is installed with this one. */
import { createRequire } from "node:module";

import { packageFolder } from "./package-folder.js";

/** The state of `@cl/pocl`. */
export type PoclState =
  /** Not installed, turned off by `CL_POCL=0`, or added. */
  { readonly state: "absent" | "off" | "added" } | { readonly state: "failed"; readonly reason: string };

/** Adds the runtime of `@cl/pocl`, as `import "@cl/pocl"` does in a program. */
export async function addPocl(): Promise<PoclState> {
  if (!isInstalled()) return { state: "absent" };
  if (process.env["CL_POCL"] === "0") return { state: "off" };
  try {
    await import("@cl/pocl");
    return { state: "added" };
  } catch (error) {
    return { state: "failed", reason: error instanceof Error ? error.message : String(error) };
  }
}

function isInstalled(): boolean {
  try {
    createRequire(`${packageFolder}package.json`).resolve("@cl/pocl/package.json");
    return true;
  } catch {
    return false;
  }
}
