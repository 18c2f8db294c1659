/** Points around places that are known, to see whether they are found. */
import type { Arrays, DeviceArray } from "@cl/array";

/** Where the clusters are. */
export const places = [
  [-0.6, 0.55],
  [0.1, 0.65],
  [0.65, 0.3],
  [-0.45, -0.2],
  [0.15, -0.05],
  [0.4, -0.65],
] as const;

/** As many points around each place, one place after the other: [points, 2]. */
export function blobs(xp: Arrays, { each, seed }: { each: number; seed: number }): DeviceArray<"float32"> {
  const around = xp.random(seed).normal([places.length, each, 2], { scale: 0.11, dtype: "float32" });
  const middle = xp.array(places, { dtype: "float32" }).slice(":", null);
  return around.add(middle).reshape([places.length * each, 2]);
}
