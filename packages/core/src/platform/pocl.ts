/**
 * Detection of PoCL, for workarounds. In comments, "PoCL" stands for PoCL 3.1 and 7.1; a defect that only one of them has
 * names its version.
 */
import type { Platform } from "./platform.js";

/** Returns whether a platform is PoCL. */
export function isPocl({ name }: Pick<Platform, "name">): boolean {
  return name === "Portable Computing Language";
}

/** Returns whether a platform is PoCL of an earlier major version, or PoCL that does not report its version. */
export function isPoclBefore(platform: Pick<Platform, "name" | "version">, major: number): boolean {
  // Such as "OpenCL 3.0 PoCL 7.1 Linux, …".
  return isPocl(platform) && Number(/PoCL (\d+)/.exec(platform.version)?.[1] ?? 0) < major;
}
