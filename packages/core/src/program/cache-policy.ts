/** Where the disk cache of program binaries is used: wherever it is measured faster than what the runtime keeps itself. */

/** How a platform's programs are kept. */
export interface CachePolicy {
  /** Whether a build asks the cache when its caller says nothing. */
  readonly use: boolean;
  /**
   * When a program is stored. `"build"`: right after it was built. `"launch"`: a while after its first launches, from a
   * second build of it on a thread.
   */
  readonly store: "build" | "launch";
}

/** The policy for a platform, by its name. */
export function cachePolicy(platformName: string): CachePolicy {
  return policies[platformName] ?? { use: true, store: "build" };
}

const policies: Readonly<Record<string, CachePolicy>> = {
  // Twenty kernels, warm: PoCL's own cache 20 to 45 ms, ours 2 to 4. A binary of PoCL's holds the code for a local size
  // only if it ran before the program was first asked for its binary, and that first question takes 60 ms a kernel.
  "Portable Computing Language": { use: true, store: "launch" },
  // NVIDIA's driver keeps what it compiled; not measured against ours yet.
  "NVIDIA CUDA": { use: false, store: "build" },
};
