/** Products on GPUs: tiles of the result. */
import { sizeOf } from "@cl/base";
import { nvComputeCapability } from "@cl/characterize";
import type { Device } from "@cl/core";
import { kernelOf } from "../../kernels/kernel-cache.js";
import type { DTypeName } from "../../types/dtype-name.js";
import { kindOf } from "../../types/promote.js";
import { factors, type Launch, productArgument, type ProductPlan } from "./launch.js";
import type { Geometry, Place } from "./product.js";
import { itemsOf, type MatrixLayout, loadWidth, type Tile, type TilePlan, tilesOf, tileSource } from "./tile-source.js";

/** Returns the number of work-groups for a result, with tiles of one size. */
function tileGroups({ m, n, extents }: Geometry, { rows, columns }: Tile): number {
  return Math.ceil(m / rows) * Math.ceil(n / columns) * sizeOf(extents);
}

/** Returns the tiles for sums of a type on a device, the largest first. */
function tilesFor(sum: DTypeName, device: Device): readonly [Tile, ...Tile[]] {
  return tilesOf(sum, device.localMemSize, nvComputeCapability(device) !== undefined);
}

/** Returns the number of groups for a result with the smallest tiles. */
export function smallTileGroups(geometry: Geometry, sum: DTypeName, device: Device): number {
  return tileGroups(geometry, tilesFor(sum, device).at(-1) as Tile);
}

/** Whether a device's groups are large enough for all tiles. */
export function fitsTiles({ maxWorkGroupSize }: Device): boolean {
  return maxWorkGroupSize >= 256;
}

/** The tile with which a device finishes first. */
function tileFor(sum: DTypeName, geometry: Geometry, splits: number, device: Device): Tile {
  const units = device.maxComputeUnits;
  const duration = (tile: Tile): number => {
    const groups = tileGroups(geometry, tile) * splits;
    const rounds = Math.ceil((groups % (units * tile.together)) / units);
    const last = rounds === 1 ? 1 / tile.alone : rounds;
    const whole = Math.floor(groups / (units * tile.together)) * tile.together;
    return ((whole + last) * tile.rows * tile.columns) / tile.speed;
  };
  return tilesFor(sum, device).reduce((best, tile) => (duration(tile) < duration(best) ? tile : best));
}

/** Plans a product, or parts of its sums, each of `depth` products. */
export function planTiles(launch: Launch, splits: number, depth: number, apart: number): ProductPlan {
  const { xp, types, geometry } = launch;
  const { queue } = xp;
  const tile = tileFor(types.sum, geometry, splits, queue.device);
  const { m, n, k } = geometry;
  const { row, column } = geometry.c;
  const isAligned = [n, row, geometry.c.offset, apart, ...geometry.c.batch].every((count) => count % tile.vector === 0);
  const plan: TilePlan = {
    types,
    tile,
    a: layoutOf(geometry.a, { step: geometry.a.column, apart: geometry.a.row, lines: m }, (side) =>
      loadWidth(tile, tile.rows, types.a, side),
    ),
    b: layoutOf(geometry.b, { step: geometry.b.row, apart: geometry.b.column, lines: n }, (side) =>
      loadWidth(tile, tile.columns, types.b, side),
    ),
    hasWholeSlices: k % tile.depth === 0 && depth % tile.depth === 0,
    storesVectors: types.c === types.sum && kindOf(types.c) !== 4 && launch.beta === 0 && column === 1 && isAligned,
  };
  const key = `product tile ${JSON.stringify(plan)}`;
  const kernel = kernelOf(queue.context, key, "product", () => tileSource(plan));
  const groups = tileGroups(geometry, tile) * splits;
  const local = itemsOf(tile);
  const numbers = [productArgument(geometry, splits, depth, apart), ...factors(launch)];
  return { kernel, sizes: { global: groups * local, local }, numbers };
}

/** Distances of the elements of a matrix along sums and across them, and the number of its lines along sums. */
interface Lines {
  readonly step: number;
  readonly apart: number;
  readonly lines: number;
}

function layoutOf(
  { offset, batch }: Place,
  { step, apart, lines }: Lines,
  widthOf: (side: MatrixLayout["side"]) => number,
): MatrixLayout {
  const side = step === 1 ? "along" : apart === 1 ? "across" : "neither";
  const width = widthOf(side);
  const others = side === "along" ? [apart] : [step, lines];
  const aligned = width > 1 && [offset, ...others, ...batch].every((distance) => distance % width === 0);
  return { side, aligned };
}
