/** Detects PoCL and its version. */
import { checkInstance, checkInteger, typeError } from "@cl/base";
import { Platform } from "@cl/core";

import type { PlatformFacts } from "../device/facts.js";
import { isPocl } from "../device/vendor.js";

/** A version number. */
export type Version = readonly [major: number, minor: number];

/**
 * Returns the version of a PoCL platform; `undefined` for other platforms. Returns `fallback` if PoCL does not report
 * its version.
 *
 * @example
 * ```ts
 * const version = poclVersion(context.devices[0]!.platform);
 * console.log(version === undefined || version[0] >= 0); // true
 * ```
 */
export function poclVersion(platform: Platform, fallback?: Version): Version | undefined {
  checkInstance(platform, Platform, "platform");
  if (fallback !== undefined) {
    if (!Array.isArray(fallback) || fallback.length !== 2) throw typeError("fallback", "[major, minor]", fallback);
    fallback.forEach((part, i) => checkInteger(part, `fallback[${i}]`));
  }
  return poclVersionOf(platform, fallback);
}

/** Parses a version such as `OpenCL 3.0 PoCL 3.1+debian …`; older versions write "pocl". */
export function poclVersionOf(
  platform: Pick<PlatformFacts, "name" | "version">,
  fallback?: Version,
): Version | undefined {
  if (!isPocl(platform)) return undefined;
  const [, major, minor] = /^OpenCL [\d.]+ pocl (\d+)\.(\d+)/i.exec(platform.version) ?? [];
  return major === undefined || minor === undefined ? fallback : [Number(major), Number(minor)];
}
