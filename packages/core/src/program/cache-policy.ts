/** Policy of the disk cache for program binaries: used if it is faster than the runtime's own cache. */

/** Cache policy of a platform. */
export interface CachePolicy {
  /** Whether builds use the cache by default. */
  readonly use: boolean;
  /**
   * When a program is stored. `"build"`: right after it is built. `"launch"`: some time after its first launches, from
   * a second build on a worker thread.
   */
  readonly store: "build" | "launch";
}

/** Returns the policy of a platform, by name. */
export function cachePolicy(platformName: string): CachePolicy {
  return policies[platformName] ?? { use: true, store: "build" };
}

const policies: Readonly<Record<string, CachePolicy>> = {
  // Twenty kernels, warm: 20 to 45 ms with PoCL 3.1's cache, 2 to 4 ms with ours. A PoCL binary contains the code for a
  // local size only if a kernel ran with it before the first binary query, which takes 60 ms per kernel.
  "Portable Computing Language": { use: true, store: "launch" },
  // NVIDIA's driver has a cache; not measured against ours yet.
  "NVIDIA CUDA": { use: false, store: "build" },
};
