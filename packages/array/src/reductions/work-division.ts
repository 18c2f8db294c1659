/** Division of a reduction among work-items, by device. */
import { hasCoherentCaches, hasParallelWorkItems } from "@cl/characterize";
import type { CommandQueue, Device } from "@cl/core";
import { isSinceVolta } from "../kernels/since-volta.js";
import type { Placement } from "./placement.js";
import type { Combining } from "./reduction-plan.js";

/** How many work-items there are and what each of them has. */
export interface WorkDivision {
  /** Work-items that work together; 1 where each works for itself. */
  readonly group: number;
  /** Number of work-items that share a row, or have adjacent columns. */
  readonly width: number;
  /** Number of elements that each of them loads together. */
  readonly vector: number;
  readonly parts: number;
  /** Elements of a part, if they are consecutive. */
  readonly chunk: number;
  /** Results of a work-item of a processor. */
  readonly batch: number;
  /** Number of tiles of adjacent results. */
  readonly tiles: number;
  /** Work-items in all. */
  readonly global: number;
}

/**
 * Vectors that a work-item of a group loads together. On an H200, 1e8 float32 take 97 µs if those of the group are adjacent, and 99 to 107
 * if there is a distance between them.
 */
export const vectorsTogether = 4;

/** What is known beyond the places. */
export interface Widths {
  /** Number of adjacent results of a CPU work-item. */
  readonly tile: number;
  /** Number of elements that the inputs' layouts allow a work-item to load together. */
  readonly vector: number;
}

/** The division for a device. It depends on nothing else, so that results are the same each time. */
export function divide(
  device: Device,
  placement: Placement,
  orientation: "rows" | "columns",
  { tile, vector }: Widths,
): WorkDivision {
  if (!hasParallelWorkItems(device)) {
    return orientation === "rows" ? processorRows(device, placement) : processorColumns(device, placement, tile);
  }
  const group = 2 ** Math.floor(Math.log2(Math.min(256, device.maxWorkGroupSize)));
  return orientation === "rows"
    ? groupRows(device, placement, group, vector)
    : groupColumns(device, placement, group, vector);
}

/**
 * Returns what combines the parts. On a CPU a second kernel costs as much as a reduction of 10^4 elements, so the work-item or
 * group that finishes last combines the parts of a single result. It must see what the others wrote, and it needs memory that
 * is not shared with other launches, so the queue must be in order.
 */
export function combiningOf(
  { device, outOfOrder }: CommandQueue,
  orientation: "rows" | "columns",
  { parts }: WorkDivision,
  { outputs }: Placement,
): Combining {
  if (parts === 1) return "nothing";
  const canBeLast = (hasCoherentCaches(device) || isSinceVolta(device)) && !outOfOrder;
  return canBeLast && outputs === 1 && orientation === "rows" ? "last" : "kernel";
}

/** Along what memory is read: along the axis whose elements are closer to each other, if it is long enough. */
export function orientationOf(
  { kept, reduced, outputs, count }: Placement,
  leader: number,
  together: boolean,
): "rows" | "columns" {
  const along = reduced.strides[leader]?.[0] ?? 1;
  const across = kept.strides[leader]?.[0];
  const adjacent = kept.extents[0];
  if (across === undefined || adjacent === undefined) return "rows";
  if (adjacent < 8 && count > 64) return "rows";
  // Short rows suit neither vectors nor work-groups, but many of them can be processed in columns.
  if (count < (together ? 16 : 32) && outputs >= 64) return "columns";
  if (across === 0 && along !== 0) return "rows";
  return along !== 0 && Math.abs(along) < Math.abs(across) ? "rows" : "columns";
}

/** A few chunks for each core: more would be more to start, and to add up. */
function processorRows(device: Device, { outputs, count, reduced }: Placement): WorkDivision {
  const wanted = device.maxComputeUnits * 8;
  const inner = reduced.extents[0] ?? 1;
  // Blocks of a chunk are added up one by one, so a chunk has few of them. Short runs are blocks for themselves.
  const longest = Math.min(2 ** 21, Math.max(2 ** 12, reduced.extents.length > 1 ? inner * 4096 : Infinity));
  const useful = Math.ceil(count / 8192);
  const parts = Math.max(
    1,
    outputs < wanted ? Math.min(useful, Math.ceil(wanted / outputs)) : 1,
    Math.ceil(count / longest),
  );
  const chunk = roundedUp(Math.ceil(count / parts), 64);
  const enough = Math.max(1, Math.floor(2 ** 15 / Math.max(count, 1)));
  const batch = parts > 1 ? 1 : Math.max(1, Math.min(enough, Math.ceil(outputs / wanted)));
  const needed = Math.max(1, Math.ceil(count / Math.max(chunk, 1)));
  const global = Math.ceil(outputs / batch) * needed;
  return { group: 1, width: 1, vector: 1, parts: needed, chunk, batch, tiles: 1, global };
}

function processorColumns(device: Device, { outputs, count, kept }: Placement, tile: number): WorkDivision {
  const wanted = device.maxComputeUnits * 8;
  const adjacent = kept.extents[0] as number;
  const tiles = Math.ceil(adjacent / tile);
  const units = tiles * (outputs / adjacent);
  const useful = Math.ceil((count * Math.min(adjacent, tile)) / 8192);
  const parts = Math.max(
    1,
    units < wanted ? Math.min(useful, Math.ceil(wanted / units), Math.ceil(count / 8)) : 1,
    Math.ceil(count / 1024),
  );
  const chunk = Math.max(1, Math.ceil(count / parts));
  const needed = Math.max(1, Math.ceil(count / Math.max(chunk, 1)));
  return {
    group: 1,
    width: 1,
    vector: 1,
    parts: needed,
    chunk,
    batch: 1,
    tiles,
    global: units * needed,
  };
}

/** Returns enough work-groups to hide memory latency: as many as run concurrently. */
function wantedGroups({ maxComputeUnits }: Device): number {
  return maxComputeUnits * 8;
}

function groupRows(device: Device, { outputs, count }: Placement, group: number, most: number): WorkDivision {
  const width = count >= 512 ? group : Math.min(32, group);
  const vector = count >= width * most ? most : 1;
  const groups = Math.ceil(outputs / (group / width));
  const useful = Math.ceil(count / (width * vector * vectorsTogether));
  const parts = Math.max(1, Math.min(useful, Math.floor(wantedGroups(device) / groups)));
  // Parts take turns here, so they have no chunks.
  return { group, width, vector, parts, chunk: 0, batch: 1, tiles: 1, global: groups * parts * group };
}

function groupColumns(
  device: Device,
  { outputs, count, kept }: Placement,
  group: number,
  vector: number,
): WorkDivision {
  const adjacent = kept.extents[0] as number;
  const width = count < 16 ? group : Math.min(32, group);
  const tiles = Math.ceil(adjacent / (width * vector));
  const units = tiles * (outputs / adjacent);
  const useful = Math.ceil(count / ((group / width) * 8));
  const parts = Math.max(1, Math.min(useful, Math.floor(wantedGroups(device) / units)));
  const chunk = Math.max(1, Math.ceil(count / parts));
  const needed = Math.max(1, Math.ceil(count / Math.max(chunk, 1)));
  const global = units * needed * group;
  return { group, width, vector, parts: needed, chunk, batch: 1, tiles, global };
}

function roundedUp(value: number, step: number): number {
  return Math.ceil(value / step) * step;
}
