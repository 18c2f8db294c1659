/** Lloyd's algorithm on arrays: each point belongs to the nearest center, each center moves to the middle of its points. */
import { type Arrays, type DeviceArray, fuse } from "@cl/array";

type Floats = DeviceArray<"float32">;

/** What was found. */
export interface Clusters {
  /** [clusters, axes] */
  readonly centers: Floats;
  /** The number of each point's center. */
  readonly labels: DeviceArray<"int64">;
  /** After each round, the sum of the squared distances to the centers: it never grows. */
  readonly inertia: readonly number[];
}

/** How to look. */
export interface KMeansOptions {
  readonly clusters: number;
  /** A round that makes the inertia smaller by less than this part of it is the last one. */
  readonly tolerance?: number;
  readonly rounds?: number;
}

/** Finds clusters of points, whose array is [points, axes]. */
export async function kMeans(
  xp: Arrays,
  points: Floats,
  { clusters, tolerance = 1e-5, rounds = 100 }: KMeansOptions,
): Promise<Clusters> {
  const inertia: number[] = [];
  let centers = spreadCenters(points, clusters);
  for (let round = 1, before = Infinity; ; round++) {
    const distances = squaredDistances(points, centers);
    const labels = distances.argmin({ axis: 1 });
    // The only wait of a round.
    const now = await distances.min({ axis: 1 }).sum().item();
    inertia.push(now);
    if (before - now <= tolerance * now || round === rounds) return { centers, labels, inertia };
    before = now;
    centers = middles(xp, points, labels, centers);
  }
}

/**
 * From each point to each center, [points, clusters]. Broadcasting puts every point beside every center; since the function
 * is fused, the differences are added up where they are computed and never stored. |x|² - 2 x·c + |c|² would be a product of
 * matrices, better for many axes, but of near points it keeps few digits.
 */
export function squaredDistances(points: Floats, centers: Floats): Floats {
  return sumOfSquares(points.slice(":", null), centers.slice(null));
}

const sumOfSquares = fuse((a: Floats, b: Floats): Floats => a.sub(b).square().sum({ axis: -1 }));

/** Centers to begin with: each is the point that is farthest from those before. Chance would put two into one cluster. */
function spreadCenters(points: Floats, clusters: number): Floats {
  let centers = points.slice("0:1");
  for (let k = 1; k < clusters; k++) {
    const farthest = squaredDistances(points, centers).min({ axis: 1 }).argmax();
    centers = points.xp.concatenate([centers, points.take(farthest.reshape([1]), { axis: 0 })]);
  }
  return centers;
}

/** The mean of each center's points, by sums with the labels as keys; a center without points stays where it is. */
function middles(xp: Arrays, points: Floats, labels: DeviceArray<"int64">, centers: Floats): Floats {
  // With the size said nobody has to wait for the largest label.
  const [clusters, axes] = centers.shape as [number, number];
  const counts = xp.bincount(labels, { size: clusters }).astype("float32").slice(":", null);
  const columns = Array.from({ length: axes }, (_, axis) => {
    return xp.bincount(labels, { weights: points.slice(":", axis), size: clusters });
  });
  const sums = xp.stack(columns, { axis: 1 }).astype("float32");
  return xp.where(counts.greater(0), sums.div(counts.maximum(1)), centers);
}
