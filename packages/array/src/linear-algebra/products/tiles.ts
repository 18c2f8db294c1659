/** Products on GPUs: tiles of the result. */
import { sizeOf } from "@cl/base";
import { kernelOf } from "../../kernels/kernel-cache.js";
import { launchOrdered } from "../../kernels/launch.js";
import type { DTypeName } from "../../types/dtype-name.js";
import { factors, type Launch, productArgument } from "./launch.js";
import type { Geometry, Place } from "./product.js";
import { type MatrixLayout, loadWidth, type Tile, tileItems, tileOf, tileSource } from "./tile-source.js";

/** Returns the number of work-groups for a result, with tiles of one size. */
export function tileGroups({ m, n, extents }: Geometry, { extent }: Tile): number {
  return Math.ceil(m / extent) * Math.ceil(n / extent) * sizeOf(extents);
}

/**
 * The tile for a product. Large ones do twice as much with what they read, but only where there are enough for every
 * compute unit.
 */
function tileFor(sum: DTypeName, geometry: Geometry, units: number, localMemory: number): Tile {
  const large = tileOf(sum, false, localMemory);
  return tileGroups(geometry, large) >= units ? large : tileOf(sum, true, localMemory);
}

/** Enqueues a product, or parts of its sums, each of `depth` products. */
export function multiplyTiles(launch: Launch, splits: number, depth: number, apart: number): void {
  const { xp, types, geometry, a, b, c } = launch;
  const { queue } = xp;
  const { maxComputeUnits, localMemSize } = queue.device;
  const tile = tileFor(types.sum, geometry, maxComputeUnits / splits, localMemSize);
  const left = matrixLayoutOf(geometry.a, geometry.a.column, geometry.a.row, tile, types.a);
  const right = matrixLayoutOf(geometry.b, geometry.b.row, geometry.b.column, tile, types.b);
  const key = `product tile ${tile.extent} ${tile.depth} ${JSON.stringify([types, left, right])}`;
  const kernel = kernelOf(queue.context, key, "product", () => tileSource(types, tile, left, right));
  const groups = tileGroups(geometry, tile) * splits;
  const args = [a.memory, b.memory, c.memory, productArgument(geometry, splits, depth, apart), ...factors(launch)];
  launchOrdered(queue, kernel, { global: groups * tileItems, local: tileItems }, args, [a, b], [c]);
}

/** Returns the layout of elements that are `step` apart along sums and `apart` across them. */
function matrixLayoutOf(
  { offset, batch }: Place,
  step: number,
  apart: number,
  tile: Tile,
  type: DTypeName,
): MatrixLayout {
  const side = step === 1 ? "along" : apart === 1 ? "across" : "neither";
  const width = loadWidth(tile, type, { side });
  const other = side === "along" ? apart : step;
  const aligned = width > 1 && [offset, other, ...batch].every((distance) => distance % width === 0);
  return { side, aligned };
}
