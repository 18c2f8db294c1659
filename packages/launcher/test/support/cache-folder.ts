/** A separate cache of programs and tuning results for each test. */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach } from "vitest";

/** Sets up an empty cache for each test of the file; returns its folder and the tuning results in it. */
export function useCacheFolder(): {
  readonly folder: () => string;
  readonly results: () => Promise<readonly string[]>;
} {
  const before = { directory: process.env["CL_CACHE_DIR"], off: process.env["CL_NO_CACHE"] };
  let folder = "";
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "cl-tuning-"));
    process.env["CL_CACHE_DIR"] = folder;
    delete process.env["CL_NO_CACHE"];
  });
  afterEach(async () => {
    for (const [name, value] of [
      ["CL_CACHE_DIR", before.directory],
      ["CL_NO_CACHE", before.off],
    ] as const) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    await rm(folder, { recursive: true, force: true });
  });
  return {
    folder: () => folder,
    results: async () => {
      const files = await readdir(folder, { recursive: true, withFileTypes: true });
      return files
        .filter((file) => file.isFile() && file.parentPath.endsWith("tuning-v1"))
        .map((file) => path.join(file.parentPath, file.name));
    },
  };
}
