// Finds six clusters of points.
import { mkdir } from "node:fs/promises";

import { arrays } from "@cl/array";
import { CommandQueue, Context } from "@cl/core";
import { ImmediateAllocator, MemoryPool } from "@cl/tools";

import { blobs, trueCenters } from "./blobs.js";
import { kMeans } from "./k-means.js";
import { clusterPicture } from "./picture.js";

const queue = new CommandQueue(Context.create());
const xp = arrays(queue, { allocator: new MemoryPool(new ImmediateAllocator(queue)) });

const points = blobs(xp, { each: 3000, seed: 4 });
const { centers, inertia } = await kMeans(xp, points, { clusters: trueCenters.length });
const found = await centers.data();
const errors = trueCenters.map(([x, y]) =>
  Math.min(...trueCenters.map((_, k) => Math.hypot((found[2 * k] ?? NaN) - x, (found[2 * k + 1] ?? NaN) - y))),
);
console.log(
  `${trueCenters.length} clusters of ${points.shape[0]} points, largest error of a center: ${Math.max(...errors).toFixed(3)}`,
);
console.log(`inertia: ${inertia[0]?.toFixed(0)} after the first iteration, ${inertia.at(-1)?.toFixed(0)} at the end`);

await mkdir("build", { recursive: true });
await xp.savePng("build/k-means.png", await clusterPicture(xp, points, centers, 420));
console.log("wrote the clusters to build/k-means.png");
