// Six clusters of points, lost and found again.
import { mkdir } from "node:fs/promises";

import { arrays } from "@cl/array";
import { CommandQueue, Context } from "@cl/core";
import { ImmediateAllocator, MemoryPool } from "@cl/tools";

import { blobs, places } from "./blobs.js";
import { kMeans } from "./k-means.js";
import { clusterPicture } from "./picture.js";

const queue = new CommandQueue(Context.create());
const xp = arrays(queue, { allocator: new MemoryPool(new ImmediateAllocator(queue)) });

const points = blobs(xp, { each: 3000, seed: 4 });
const { centers, inertia } = await kMeans(xp, points, { clusters: places.length });
const found = await centers.data();
const off = places.map(([x, y]) =>
  Math.min(...places.map((_, k) => Math.hypot((found[2 * k] ?? NaN) - x, (found[2 * k + 1] ?? NaN) - y))),
);
console.log(
  `${places.length} clusters of ${points.shape[0]} points, the farthest center ${Math.max(...off).toFixed(3)} off`,
);
console.log(`the sum of squares went from ${inertia[0]?.toFixed(0)} to ${inertia.at(-1)?.toFixed(0)}`);

await mkdir("build", { recursive: true });
await xp.savePng("build/k-means.png", await clusterPicture(xp, points, centers, 420));
console.log("a picture of them is in build/k-means.png");
