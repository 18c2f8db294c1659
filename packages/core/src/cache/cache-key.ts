/**
 * The name under which a program's binaries are kept: a hash over everything that decides what the compiler makes,
 * except the content of headers on disk. Those stand in the entry and are compared at each lookup.
 */

import { createHash } from "node:crypto";
import type { Environment } from "./cache-directory.js";

/** What a key is made of. */
export interface CacheKeyParts {
  readonly source: string;
  /** Normalized (see `normalizeOptions`). */
  readonly options: readonly string[];
  readonly headers: readonly (readonly [name: string, source: string])[];
  /** Names and versions of platform, devices and drivers, in the order of the binaries. */
  readonly identity: readonly string[];
  /** Given when the program includes files: the same relative paths then mean other files elsewhere. */
  readonly workingDirectory: string | undefined;
}

/** The key of a program: 64 hexadecimal digits. */
export function cacheKey(parts: CacheKeyParts, environment: Environment = process.env): string {
  const hash = createHash("sha256");
  // Each list and each text is preceded by its length, so that no two different requests make the same bytes.
  const text = (value: string): void => {
    hash.update(`${Buffer.byteLength(value)}:`).update(value);
  };
  const list = (values: readonly string[]): void => {
    hash.update(`${values.length};`);
    for (const value of values) text(value);
  };
  text(FORMAT);
  text(parts.source);
  list(parts.options);
  list(parts.headers.flat());
  list(parts.identity);
  list(parts.workingDirectory === undefined ? [] : [parts.workingDirectory]);
  list(COMPILER_VARIABLES.flatMap((name) => (environment[name] ? [name, environment[name]] : [])));
  return hash.digest("hex");
}

// Raise it when the meaning of an entry changes; the directory's name changes only when its layout does.
const FORMAT = "cl-node program 1";

// Variables with which users change what a runtime compiles, so that a binary made under another value is not theirs.
const COMPILER_VARIABLES = [
  "AMD_OCL_BUILD_OPTIONS",
  "AMD_OCL_BUILD_OPTIONS_APPEND",
  "C_INCLUDE_PATH",
  "CL_CONFIG_CPU_TARGET_ARCH",
  "CPATH",
  "POCL_BITCODE_FINALIZER",
  "POCL_CPU_LLC_OPTIONS",
  "POCL_EXTRA_BUILD_FLAGS",
  "POCL_VECTORIZER_FORCE_VECTOR_WIDTH",
  "POCL_WORK_GROUP_METHOD",
] as const;
