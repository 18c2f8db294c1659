/** Lloyd's algorithm on arrays: assigns each point to the nearest center, then moves each center to its points' mean. */
import { type Arrays, type DeviceArray, fuse } from "@cl/array";

type Floats = DeviceArray<"float32">;

/** Result of k-means. */
export interface Clusters {
  /** Shape: [clusters, axes]. */
  readonly centers: Floats;
  /** Index of each point's center. */
  readonly labels: DeviceArray<"int64">;
  /** Sum of the squared distances to the centers, per iteration. Never increases. */
  readonly inertia: readonly number[];
}

/** Options of {@link kMeans}. */
export interface KMeansOptions {
  readonly clusters: number;
  /** Stops when the inertia decreases by less than this fraction. @defaultValue 1e-5 */
  readonly tolerance?: number;
  /** Maximum number of iterations. @defaultValue 100 */
  readonly maxIterations?: number;
}

/** Finds clusters of points, an array of shape [points, axes]. */
export async function kMeans(
  xp: Arrays,
  points: Floats,
  { clusters, tolerance = 1e-5, maxIterations = 100 }: KMeansOptions,
): Promise<Clusters> {
  const inertia: number[] = [];
  let centers = spreadCenters(points, clusters);
  for (let iteration = 1, previous = Infinity; ; iteration++) {
    const distances = squaredDistances(points, centers);
    const labels = distances.argmin({ axis: 1 });
    // The only blocking read per iteration.
    const sum = await distances.min({ axis: 1 }).sum().item();
    inertia.push(sum);
    if (previous - sum <= tolerance * sum || iteration === maxIterations) return { centers, labels, inertia };
    previous = sum;
    centers = means(xp, points, labels, centers);
  }
}

/**
 * Returns the squared distance from each point to each center, of shape [points, clusters]. The fused function broadcasts
 * every point against every center and reduces without storing the differences. |x|² - 2 x·c + |c|² would allow a matrix
 * product, faster for many axes, but loses precision for near points.
 */
export function squaredDistances(points: Floats, centers: Floats): Floats {
  return sumOfSquares(points.slice(":", null), centers.slice(null));
}

const sumOfSquares = fuse((a: Floats, b: Floats): Floats => a.sub(b).square().sum({ axis: -1 }));

/** Chooses initial centers: each is the point farthest from the previous ones. Random ones may share a cluster. */
function spreadCenters(points: Floats, clusters: number): Floats {
  let centers = points.slice("0:1");
  for (let k = 1; k < clusters; k++) {
    const farthest = squaredDistances(points, centers).min({ axis: 1 }).argmax();
    centers = points.xp.concatenate([centers, points.take(farthest.reshape([1]), { axis: 0 })]);
  }
  return centers;
}

/** Returns the mean of each center's points, by weighted bincounts of the labels. A center without points stays. */
function means(xp: Arrays, points: Floats, labels: DeviceArray<"int64">, centers: Floats): Floats {
  // With `size`, bincount does not wait for the largest label.
  const [clusters, axes] = centers.shape as [number, number];
  const counts = xp.bincount(labels, { size: clusters }).astype("float32").slice(":", null);
  const columns = Array.from({ length: axes }, (_, axis) => {
    return xp.bincount(labels, { weights: points.slice(":", axis), size: clusters });
  });
  const sums = xp.stack(columns, { axis: 1 }).astype("float32");
  return xp.where(counts.greater(0), sums.div(counts.maximum(1)), centers);
}
