/** Temporary folders, and a separate cache of programs and tuning results, for each test. */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, vi } from "vitest";

/** Makes an empty folder for each test of the file, and returns a function that returns its path. */
export function useFolder(): () => string {
  let folder = "";
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "cl-launcher-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  return () => folder;
}

/** Sets up an empty cache for each test of the file; returns its folder and the tuning results in it. */
export function useCacheFolder(): {
  readonly folder: () => string;
  readonly results: () => Promise<readonly string[]>;
} {
  const folder = useFolder();
  beforeEach(() => {
    vi.stubEnv("CL_CACHE_DIR", folder());
    vi.stubEnv("CL_NO_CACHE", undefined);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });
  return {
    folder,
    results: async () => {
      const files = await readdir(folder(), { recursive: true, withFileTypes: true });
      return files
        .filter((file) => file.isFile() && file.parentPath.endsWith("tuning-v1"))
        .map((file) => path.join(file.parentPath, file.name));
    },
  };
}
