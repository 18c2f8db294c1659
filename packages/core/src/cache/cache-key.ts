/**
 * The cache key of a program: a hash of everything that determines the compiler's output, except the content of headers
 * on disk. Their hashes are stored in the entry and compared at each lookup.
 */

import { createHash } from "node:crypto";
import type { Environment } from "./cache-directory.js";

/** The inputs of a key. */
export interface CacheKeyParts {
  readonly source: string;
  /** Normalized (see `normalizeOptions`). */
  readonly options: readonly string[];
  readonly headers: readonly (readonly [name: string, source: string])[];
  /** Names and versions of platform, devices and drivers, in the order of the binaries. */
  readonly identity: readonly string[];
  /** Given if the program includes files, because relative include paths depend on it. */
  readonly workingDirectory: string | undefined;
}

/** Returns the key of a program: 64 hexadecimal digits. */
export function cacheKey(parts: CacheKeyParts, environment: Environment = process.env): string {
  const hash = createHash("sha256");
  // Lists and texts are preceded by their lengths, so that different requests never produce the same bytes.
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

// Increase it when the meaning of an entry changes; the directory's name changes only with the file layout.
const FORMAT = "cl-node program 1";

// Environment variables that change a runtime's compiler output.
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
