/**
 * Check for the system's linker before builds: PoCL before 7 aborts the process if it is missing.
 */
import { accessSync, constants, existsSync } from "node:fs";

import { NotSupportedError } from "../binding/errors.js";
import type { Platform } from "../platform/platform.js";
import { isPoclBefore } from "../platform/pocl.js";

/** Throws if a build would abort the process because the linker is missing. */
export function requireLinker(platform: Platform, routine: string): void {
  let needed = needs.get(platform);
  if (needed === undefined) needs.set(platform, (needed = needsLinker(platform)));
  if (!needed) return;
  const path = process.env["PATH"];
  if (path !== searched) {
    found = isOnPath(path);
    searched = path;
  }
  if (found) return;
  throw new NotSupportedError(
    routine,
    "PoCL needs the linker `ld`, which is not in PATH (PoCL would abort the process). On Debian and Ubuntu: apt install binutils",
  );
}

const needs = new WeakMap<Platform, boolean>();
let searched: string | undefined | null = null;
let found = true;

function needsLinker(platform: Platform): boolean {
  // PoCL 7 includes a linker or has a setting for one.
  return process.platform !== "win32" && isPoclBefore(platform, 7);
}

/** Returns whether `ld` is in PATH. True for an empty PATH, for which the C library searches a default. */
function isOnPath(path: string | undefined): boolean {
  // existsSync first, because accessSync throws for each folder without `ld`, which slows warm starts.
  return (
    !path || path.split(":").some((folder) => existsSync(`${folder || "."}/ld`) && isExecutable(`${folder || "."}/ld`))
  );
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
