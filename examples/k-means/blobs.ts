/** Random points around known centers. */
import type { Arrays, DeviceArray } from "@cl/array";

/** Centers of the clusters. */
export const trueCenters = [
  [-0.6, 0.55],
  [0.1, 0.65],
  [0.65, 0.3],
  [-0.45, -0.2],
  [0.15, -0.05],
  [0.4, -0.65],
] as const;

/** Generates `each` points around each center, grouped by center. Shape: [points, 2]. */
export function blobs(xp: Arrays, { each, seed }: { each: number; seed: number }): DeviceArray<"float32"> {
  const offsets = xp.random(seed).normal([trueCenters.length, each, 2], { scale: 0.11, dtype: "float32" });
  const centers = xp.array(trueCenters, { dtype: "float32" }).slice(":", null);
  return offsets.add(centers).reshape([trueCenters.length * each, 2]);
}
