/**
 * PoCL makes kernels with the system's linker, and versions before 7 abort the whole process where there is none. So it
 * is looked for before anything is built.
 */
import { accessSync, constants, existsSync } from "node:fs";

import { NotSupportedError } from "../binding/errors.js";
import type { Platform } from "../platform/platform.js";

/** Throws a sentence where building would end the process. */
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
    "PoCL needs the linker `ld`, and no folder in PATH has it: PoCL would end the process. Debian and Ubuntu: apt install binutils",
  );
}

const needs = new WeakMap<Platform, boolean>();
let searched: string | undefined | null = null;
let found = true;

function needsLinker(platform: Platform): boolean {
  if (process.platform === "win32" || platform.name !== "Portable Computing Language") return false;
  // PoCL 7 has a linker of its own, or a setting that names one.
  const version = Number(/PoCL (\d+)/.exec(platform.version)?.[1] ?? 0);
  return version < 7;
}

/** Without a PATH, or with an empty one, the C library searches its own default. */
function isOnPath(path: string | undefined): boolean {
  // existsSync first: unlike accessSync it does not throw for each folder that has none, and warm starts wait for this.
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
